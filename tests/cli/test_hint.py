"""kursk hint: ideas that a draft leaves out, exact, and from what the player may know alone."""

import json
import re
from fractions import Fraction

import pytest
from helpers import signed_play
from helpers.commands import well

from kursk_pbem.cli import run
from kursk_pbem.desk.own import desks

pytestmark = pytest.mark.usefixtures("sooner")


def told(capsys, *words):
    return json.loads(well(capsys, *words, "--json"))


def test_a_hint_is_an_attack_with_its_odds_that_the_draft_can_take(capsys, tmp_path, monkeypatch):
    """After its orders the hint has no more gain, and 'kursk odds' shows the same chances."""
    writer = signed_play.Table(tmp_path, "kursk-1971/july4-historical").begin().due
    game = writer.desk.folder
    monkeypatch.setenv("KURSK_HOME", str(writer.home))
    before = sorted(game.iterdir())
    hints = told(capsys, "hint", game)["hints"]
    assert 0 < len(hints) <= 3
    gains = [Fraction(hint["gain"]) for hint in hints]
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 0
    assert sorted(game.iterdir()) == before, "a hint writes no draft"
    hint = next(hint for hint in hints if hint["odds"])
    well(capsys, "order", game, ", ".join(hint["orders"]))
    shown = told(capsys, "odds", game)["declared"]
    (battle,) = [each for each in shown if each["place"] == hint["title"].split()[1]]
    assert battle["arithmetic"]["column"] in hint["odds"][0]
    assert hint["orders"] not in [each["orders"] for each in told(capsys, "hint", game)["hints"]]


def test_every_hint_can_be_taken_and_undone(capsys, game, draft):
    """Bug: a hint counted '18 other orders', and no command wrote these orders."""
    hints, legal = told(capsys, "hint", game)["hints"], "legal; it holds"
    assert {hint["part"] for hint in hints} == {True, False}
    for number, hint in {hint["part"]: (number, hint) for number, hint in enumerate(hints, 1)}.values():
        before = draft.read_bytes() if draft.exists() else b""
        taken = told(capsys, "hint", game, "take", number)
        assert taken["format"] == "kursk order 1"
        assert legal in taken["told"][-1]
        written = [each["words"] for each in taken["orders"]]
        assert {*hint["orders"]} <= {*written}
        assert written == [each["words"] for each in told(capsys, "order", game)["orders"]]
        well(capsys, "order", game, "undo")
        assert not before or draft.read_bytes() == before
    text = " ".join(well(capsys, "hint", game).split())
    assert all(f"{hint['title'].rstrip('.')}: " in text for hint in hints)
    assert "hint take 1" in text
    assert "Gains are an opinion of the program, one message ahead." in text


@pytest.mark.parametrize("words", [("take", "9"), ("take", "0"), ("take",), ("take", "x"), ("give", "1")])
def test_a_hint_that_does_not_exist_is_refused_unwritten(capsys, game, draft, words):
    before = draft.read_bytes()
    assert run(["hint", str(game), *words]) == 2
    assert "hint" in capsys.readouterr().err
    assert draft.read_bytes() == before


def test_a_system_without_ideas_has_no_hint_and_says_so(capsys, game, german, monkeypatch):
    ruleset = desks.open_desk(game, german / "private").game.ruleset
    monkeypatch.setattr("kursk_pbem.practice.hints.find_ideas", lambda _ruleset: None)
    monkeypatch.setattr("kursk_pbem.practice.hints.has_opponent", lambda _ruleset: False)
    assert well(capsys, "hint", game) == f"No hint: the program has no ideas about {ruleset.title} yet.\n"


def test_an_idea_says_what_it_fears_and_the_figure_is_true_after_one_command(capsys, tmp_path, monkeypatch):
    """Juggernauts foresees the enemy's attacks: after 'hint take' the figures of the idea are those of the draft."""
    monkeypatch.setenv("KURSK_HOME", str(tmp_path))
    assert "without a terminal" in well(capsys, "practice", "juggernauts/july-1943", "--level", "recruit")
    hints = told(capsys, "hint")["hints"]
    number, part = next((number, hint) for number, hint in enumerate(hints, 1) if hint["part"])
    found = re.compile(r"Fears about (\S+) .+ from the enemy's next attacks \(now (\S+)\), most at \S+")
    fears, now = found.match(part["fear"]).groups()
    assert fears != now
    assert part["fear"] in " ".join(well(capsys, "hint").split())
    well(capsys, "hint", "take", number)
    assert {found.match(hint["fear"]).group(2) for hint in told(capsys, "hint")["hints"]} == {fears}
