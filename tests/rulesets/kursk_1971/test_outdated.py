"""Decision 44: a signed game of adjudication 1 comes to an exchange decided differently by adjudication 2."""

from __future__ import annotations

import re
import shutil
from unittest.mock import patch

import pytest
from helpers import commands, finished_games, registry, signed_play

from kursk_pbem.audit import gather, verify
from kursk_pbem.desk.deals import agreement, begin
from kursk_pbem.errors import OutdatedError
from kursk_pbem.formats import data
from kursk_pbem.game import entropy, folders, games
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import combat, losses
from kursk_pbem.rulesets.kursk_1971.combat import DESTROYED

SHIPPED = data.find_folder("scenarios") / "kursk-1971" / "july4-historical"
SPEARHEAD = {
    "g-17pz": "1621",
    "g-332": "1622",
    "g-255": "1523",
    "s-31t": "1620",
    "s-6t": "1522",
    "s-9t": "1722",
    "s-40-3": "1820",
    "s-6g-3": "1822",
}
"""17th Panzer has broken through; three tank corps are around it, two infantry divisions behind."""
ATTACK = {"id": "b1", "hex": "1621", "attackers": ["s-31t", "s-6t", "s-9t"], "losses": ["s-31t"]}


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """Write a scenario with this position and the Soviets to move; return its id."""
    folder = tmp_path / "scenarios" / "kursk-1971" / "spearhead"
    shutil.copytree(SHIPPED, folder)
    text = (folder / "scenario.yaml").read_text("ascii")
    text = text.replace("id: kursk-1971/july4-historical", "id: kursk-1971/spearhead")
    text = text.replace("first: german", "first: soviet")
    for uid, label in SPEARHEAD.items():
        text, found = re.subn(f"^  {uid}: '....'$", f"  {uid}: '{label}'", text, flags=re.MULTILINE)
        assert found == 1
    (folder / "scenario.yaml").write_text(text, "ascii", newline="\n")
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path / "scenarios"))
    return "kursk-1971/spearhead"


def _exchange_1(umpire, rule, fight):
    """Resolve an exchange like adjudication 1: Kampfgruppen retreat before the attacker pays."""
    worth, plan = sum(fight.odds.defence.values()), fight.battle.plan
    due = -(-worth // 2) if rule == "8.0-half-ex" else worth
    losses.destroy_units(umpire, rule, fight.defenders, DESTROYED, fight.supplied, plan.retreat)
    paid = losses.choose_payment(umpire.setting, fight.odds.attack, due, plan.losses)
    losses.destroy_units(umpire, rule, paid, f"exchange: {due} points to pay", fight.supplied, fight.retreat)


def played(scenario, place, seed, version):
    """Return the folder of a game with the attack declared, answered and fought, by either adjudication."""
    to_pin, pinned = begin.make_pinned_fields, {"id": "kursk-1971", "version": version}
    old = _exchange_1 if version == "1" else combat._apply_exchange
    with (
        entropy.fix_random_bytes(f"spearhead {seed}"),
        patch.object(begin, "make_pinned_fields", lambda *known: {**to_pin(*known), "ruleset": pinned}),
        patch.object(combat, "_apply_exchange", old),
    ):
        table = signed_play.Table(place / version / str(seed), scenario).begin()
        for content in ({"orders": {"battles": [ATTACK]}}, {}, {}, {}):
            table.turn(content)
    return table.german.folder


def mails(folder):
    return [folders.read_message(path) for path in folders.message_files(folder)]


def fallen(scenario, place, version, wanted):
    """Return a game in which the die of the attack is one of ``faces``."""
    for seed in range(40):
        folder = played(scenario, place, seed, version)
        if mails(folder)[3].mapping("dice")["b1/combat"] in wanted:
            return folder
    raise AssertionError(wanted)


EXCHANGE, OTHER = ("5", "6"), ("1", "2", "3", "4")
"""At 3:1: an exchange and half of one; retreats."""


def test_8_0_ex_a_game_of_adjudication_1_stops_there_and_nobody_is_accused(mine, tmp_path, capsys):
    """Every message was correct at its time: exit status 2, without an accusation."""
    folder = fallen(mine, tmp_path, "1", EXCHANGE)
    letters = mails(folder)
    game = games.begin(letters[0])
    for message in letters[1:3]:
        game, _result = games.extend(game, message)
    with pytest.raises(OutdatedError) as refused:
        games.extend(game, letters[3])
    for words in (
        "began under adjudication 1 of kursk-1971",
        "Adjudication 2",
        "no side did wrong",
        "ex differently",
        "kursk-pbem 0.1.0",
    ):
        assert words in str(refused.value)
    assert verify.verify_game(folder).status == 2
    assert "no side did wrong" in commands.refused(capsys, 2, "verify", folder)
    found = gather.prove_all([folder])
    assert found.convictions == ()
    assert "needs another release" in "\n".join(found.reasons)


@pytest.mark.long("test-all")
def test_8_0_ex_a_game_of_adjudication_1_that_meets_none_goes_on(mine, tmp_path):
    """With another die the game is verified and continues."""
    folder = fallen(mine, tmp_path, "1", OTHER)
    found = verify.verify_game(folder)
    assert (found.status, found.messages) == (0, 5)
    last = games.begin(mails(folder)[0])
    for message in mails(folder)[1:]:
        last, result = games.extend(last, message)
    assert (last.version, result.since[0], last.over) == (1, 1, False)


@pytest.mark.long
def test_8_0_ex_a_game_of_adjudication_2_goes_on_there(mine, tmp_path):
    folder = fallen(mine, tmp_path, "2", EXCHANGE)
    assert verify.verify_game(folder).status == 0
    game = games.begin(mails(folder)[0])
    for message in mails(folder)[1:4]:
        game, result = games.extend(game, message)
    assert result.since[0] == game.version == 2
    assert game.state.units["kg1-5"].place == "1620", "31st Tank has paid and left it"


def test_8_0_ex_the_two_adjudications_lead_to_different_positions(mine, tmp_path):
    """This test proves that the other tests compare different results."""
    folder = fallen(mine, tmp_path, "1", EXCHANGE)
    with patch.object(combat, "_apply_exchange", _exchange_1):
        found = verify.verify_game(folder)
        game = games.begin(mails(folder)[0])
        for message in mails(folder)[1:4]:
            game, _result = games.extend(game, message)
    assert found.status == 0
    assert (game.state.units["g-17pz"].place, game.state.units["kg1-5"].place) == ("eliminated", "off-map")


def test_a_finished_game_of_adjudication_3_meets_repaired_rules():
    """Decision 44: older finished games meet no repaired rule."""
    met = set()
    first, *others = mails(finished_games.folder_of(registry.kit("kursk-1971"), "repaired"))
    game = games.begin(first)
    with patch.object(Umpire, "repaired", lambda _umpire, version, rule: met.add((version, rule))):
        for message in others:
            game, _result = games.extend(game, message)
    assert (game.version, game.over) == (3, True)
    assert {(2, "8.0-ex"), (3, "8.0-advance")} <= met


def test_whose_game_pins_an_earlier_adjudication_is_told_in_status(mine, tmp_path, capsys, monkeypatch):
    """Decision 44: the warning names the release that finishes the game."""
    said = "the game pins adjudication 1 of kursk-1971, but this program decides by 4"
    told = []
    for version in ("1", "4"):
        folder = fallen(mine, tmp_path, version, OTHER)
        monkeypatch.setenv("KURSK_HOME", str(folder.parent / "private"))
        one, every = (" ".join(commands.well(capsys, "status", *which).split()) for which in ((folder,), ()))
        (facts,) = commands.lines_of_json(capsys, 0, "status", folder, "--json")
        told.append(
            (said in one, said in every, "kursk-pbem 0.1.0 plays the game to its end" in one, said in facts["outdated"])
        )
    assert told == [(True,) * 4, (False,) * 4]


@pytest.mark.parametrize("ruleset", [kit.ruleset for kit in registry.kits()], ids=lambda ruleset: ruleset.id)
def test_every_earlier_adjudication_has_a_release_that_finishes_its_games(ruleset):
    unreleased = {"kursk-1971": 1, "juggernauts": 1}.get(ruleset.id, 0)  # no release pinned adjudication 3
    assert len(ruleset.releases) >= ruleset.version - 1 - unreleased
    assert all(ruleset.finishes(number) == each for number, each in enumerate(ruleset.releases, 1))


@pytest.mark.some(2)
@pytest.mark.parametrize(("version", "warned"), [("1", True), ("4", False)])
def test_who_is_asked_to_play_by_an_earlier_adjudication_is_told_what_that_means(mine, tmp_path, version, warned):
    """Decision 44: the proposer chooses the adjudication; the game may stop at a repaired rule."""
    game = games.begin(mails(played(mine, tmp_path, 0, version))[0])
    told = "\n".join(agreement.describe_terms(game, "soviet"))
    assert f"adjudication version {version}\n" in told
    assert ("The newest version is 4." in told) is warned
    assert ("kursk-pbem 0.1.0 continues" in " ".join(told.split())) is warned
