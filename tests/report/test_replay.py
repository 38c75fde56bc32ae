"""The replay: one page with fixed bytes, without outside resources, safe from texts."""

import base64
import hashlib
import json
import re
from functools import cache

import pytest
from helpers import finished_games, registry, sweeps
from helpers.commands import well

from kursk_pbem.game import histories, replay
from kursk_pbem.kernel.state import DECLARED
from kursk_pbem.report import replay as pages

GAMES = [registry.ROOT / "tests" / "games" / kit.id / name for kit, name in finished_games.list_games()]
SHORT = finished_games.folder_of(registry.kit(), "resignation-german")
HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">&amp;\u2028'


@cache
def short():
    """Return a short game, loaded once."""
    return histories.load(SHORT)


@cache
def shown():
    return replay.make_replay(short())


@pytest.fixture(scope="module")
def page():
    return pages.render_page(shown())


def data(page):
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found)


def test_a_replay_has_every_message_and_ends_in_the_last_position(page):
    found, past = data(page), short()
    assert [each["seq"] for each in found["messages"]] == [step.message.seq for step in past.steps]
    assert {frame["m"] for frame in found["frames"]} == set(range(len(past.steps)))
    now = {}
    for frame in found["frames"]:
        now |= frame["pieces"]
    game = past.game
    shapes = game.ruleset.seen.picture(game.setting, game.state)
    assert {uid for uid, at in now.items() if at} == {piece.id for piece in shapes.pieces}
    assert found["messages"][-1]["standing"] == [
        list(row) for row in game.ruleset.seen.standing(game.setting, game.state)
    ]


def test_every_battle_is_a_frame_with_its_arithmetic(page):
    frames = [frame for frame in data(page)["frames"] if frame["kind"] == "battle"]
    assert frames
    for frame in frames:
        assert any("Ratio" in line for line in frame["lines"])
        assert frame["bursts"]


def test_declared_battles_are_drawn_where_they_are_declared(page):
    """The last frame of the declaring message has an arrow from each attacker and the odds."""
    found, steps = data(page), short().steps
    agendas = {step.message.seq: step.after.state.agenda for step in steps}
    declaring = {seq for seq, held in agendas.items() if held.get(DECLARED) == str(seq) and held.get("battles")}
    assert declaring
    last = {frame["m"]: frame for frame in found["frames"]}
    for seq in declaring:
        assert any(kind == "attack" for _side, kind, _points in last[seq]["arrows"]), seq
        assert re.search(r"\d:\d", last[seq]["bursts"][-1][2]), seq


def test_luck_is_exact(page):
    assert any(re.search(r"exactly \d+/\d+", line) for each in data(page)["messages"] for line in each["luck"])


def test_the_policy_allows_its_own_script_and_style_and_nothing_else(page):
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        (inline,) = re.findall(rf"<{tag}(?: type=\"module\")?>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert "@import" not in page
    assert "url(http" not in page


def test_texts_of_the_players_stay_texts():
    """A note, a name or a title with markup neither ends nor begins a script."""
    made = shown()
    told = [pages.Told(**{**vars(each), "note": HOSTILE}) for each in made.messages]
    made = pages.Replay(**{**vars(made), "messages": tuple(told), "title": HOSTILE, "verdict": HOSTILE})
    page = pages.render_page(made)
    assert page.count("</script>") == 2
    assert HOSTILE not in page
    assert "<img" not in page
    assert data(page)["messages"][0]["note"] == HOSTILE


@pytest.mark.some(5)
@pytest.mark.parametrize("folder", sweeps.some(GAMES, 13), ids=lambda folder: folder.name)
def test_every_finished_game_has_a_replay_that_a_mail_can_carry(folder, tmp_path, capsys):
    """The limit is 1.5 MB. A second replay of a game with a referee's dice has equal bytes."""
    out = tmp_path / "game.html"
    for word in ("wrote", "unchanged") if folder.name == "referee" else ("wrote",):
        assert well(capsys, "replay", folder, "-o", out).startswith(word)
    assert out.stat().st_size < 1_500_000
