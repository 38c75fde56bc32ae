"""Every order and question in the handbook, the README and the pages of games is typed in a real position.

The pages of Juggernauts and Kursk (1971) show whole turns; the tests of these systems play the turns."""

import re

import pytest
from helpers import sweeps
from helpers.commands import well
from helpers.registry import ROOT
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import OPENING

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts, ordering
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import entropy

PAGES = ("README.md", "docs/players.md", "docs/games/battle-for-kursk.md", "docs/games/armor-commander.md")
ELSEWHERE = {
    "attack 2015": "asks who: not an order yet",
    "rebuild r-38 2418": "of an army that is lost: tests/rulesets/battle_for_kursk/test_verbs.py",
    "decide stand-fast": "where dice have stopped: the same",
    "-": "reads standard input",
    "undo": "a word of the list itself",
    "undo 3": "the same",
    "redo": "the same",
    "attack": "the first word alone lists what may follow",
    "posture": "the same",
    "give-up": "the same",
    "return": "the same",
    "objective": "the same",
    "distribute": "the same",
}
"""Examples that are not orders, and examples that other tests cover."""


def shown(page):
    """Return the commands of a page after 'kursk ', and the words of its table of orders."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"^\$ kursk ((?:order|moves|odds|map) .*)$", text, re.MULTILINE)
    found += re.findall(r"`kursk ((?:order|moves|odds|map) [^`]*)`", text)
    table = text.partition("| you say | it means |")[2].partition("\n\n")[0]
    for row in table.splitlines():
        found += [f"order {each}" for each in re.findall(r"`([^`]*)`", row.split("|")[1] if "|" in row else "")]
    return [each for each in dict.fromkeys(found) if each.removeprefix("order ") not in ELSEWHERE]


ALL = [(page, each) for page in PAGES for each in shown(page)]


@pytest.fixture(scope="module")
def desks(tmp_path_factory):
    """Return the players with a due message, by name, each with a new draft."""
    found = {}
    with entropy.fix_random_bytes("documents"):
        table = Table(tmp_path_factory.mktemp("german")).begin()
        table.turn(OPENING)
        found["german of citadel"] = table.german
        table = Table(tmp_path_factory.mktemp("answer")).begin()
        table.turn(OPENING)
        ordering.write_orders(ordering.open_draft(table.due.desk), ordering.split_orders("attack 2015 all"))
        table.send()
        found["russian answer of citadel"] = table.russian
        table = Table(tmp_path_factory.mktemp("russian")).begin()
        table.turn(OPENING)
        table.post()
        found["russian of citadel"] = table.russian
        for name, messages in (("soviet of crossroads", 1), ("german of crossroads", 2)):
            table = Table(tmp_path_factory.mktemp("armor"), "armor-commander/crossroads").begin()
            for _message in range(messages):
                table.post()
            found[name] = table.due
    return found


def give(words, player, monkeypatch):
    """Run a command at a desk with a new draft; return the exit status."""
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    monkeypatch.chdir(player.place)
    drafts.write_draft(player.desk, force=True)
    if words.startswith("order plan"):
        run(["order", "-q", "attack", "2015", "all"])  # refused without such an attack
    if words.startswith("order rest"):
        run(["order", "-q", "advance", "g-panzer", "12", "1"])  # refused without such a unit
    return run(words.replace(" boris ", " ").replace(" GAME", "").split())


@pytest.mark.some(4)
@pytest.mark.parametrize(("page", "words"), sweeps.some(ALL, 3), ids=[f"{page}: {words}" for page, words in ALL])
def test_what_a_page_shows_can_be_typed(capsys, desks, monkeypatch, page, words):
    """One of the players of the game can type the example in the present position, without a violation."""
    assert any(give(words, player, monkeypatch) == 0 for player in desks.values()), capsys.readouterr().err


def test_the_files_of_the_page_on_armor_commander_are_legal(capsys, desks, monkeypatch):
    page = (ROOT / "docs/games/armor-commander.md").read_text(encoding="utf-8")
    deployment, plot = re.findall("```yaml\n((?:orders|seal):\n.*?)```", page, re.DOTALL)[:2]
    for name, text in (("soviet of crossroads", deployment), ("german of crossroads", plot)):
        player = desks[name]
        monkeypatch.setenv("KURSK_HOME", str(player.home))
        drafts.write_draft(player.desk, bare=True, force=True)
        player.fill(strictyaml.read(text.encode(), "page").data)
        well(capsys, "check", player.folder)
