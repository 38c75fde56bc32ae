"""kursk report: headlines first, one game turn, prose to be read aloud, proof of the dice; what sign begins with."""

import json
import re

import pytest
from helpers.commands import refused, well

from kursk_pbem.game import chapters, histories, reports

HEADLINES = [
    "Victory points: German 1 ahead (before: even)",
    "2015: 40th Army destroyed; XLVIII Panzer Corps in 2015",
    "2218: 6th Army destroyed; LVII Panzer Corps in 2218",
    "2011: 70th Army falls back to 2013, a step lost; XLVI Panzer Corps in 2011, a step lost",
    "German orders: 4 moves",
    "Next, message 5 of the Russian side: orders of the Russian player turn",
]
RECIPE = "block j = HMAC-SHA256"


def top(text):
    """Return the first lines of a report, up to the first empty line, without the line wraps."""
    return re.sub(r"\n {6}", " ", text.partition("\n\n")[0]).splitlines()


def test_a_report_begins_with_what_matters_most(capsys, game):
    expected = ["Report of message 4, turn 1", *(f"  {line}" for line in HEADLINES)]
    assert top(well(capsys, "report", game / "0004.yaml")) == expected
    first = [
        "  A game is proposed: Battle for Kursk: Citadel, July to November 1943",
        "  Next, message 1 of the Russian side: set-up, perhaps with a sealed posture",
    ]
    assert top(well(capsys, "report", game / "0000.yaml"))[1:] == first


def test_a_message_in_which_nothing_happens_says_so_in_one_line(game):
    step = histories.load(game).steps[-1]
    idle = step.result.__class__(step.result.after, step.result.after, step.result.after, (), 0, (), {})
    (line,) = reports.make_headlines(step.after, step.after, step.message, idle)
    assert line.startswith("Nothing happened. Next, message 8 of the German side: ")


def test_headlines_for_programs(capsys, game, draft):
    found = json.loads(well(capsys, "report", game / "0004.yaml", "--json"))
    assert (found["seq"], found["turn"], found["from"], found["headlines"]) == (4, "1", "german", HEADLINES)
    assert found["story"][0].startswith("South-west of Orel, the XLI Panzer Corps, ")
    assert len(well(capsys, "report", game, "--all", "--json").splitlines()) == 8
    assert json.loads(well(capsys, "inbox", "--report", game / "0004.yaml", "--json"))["headlines"] == HEADLINES
    assert json.loads(well(capsys, "check", draft, "--json"))["headlines"][0].startswith("German orders: posture ")


def test_sign_and_check_begin_with_what_is_ordered(capsys, draft):
    text = well(capsys, "check", draft)
    title, first, *_more = top(text)
    assert title == "DRAFT, NOT SENT: what message 8, turn 2 will do"
    assert first.startswith("  German orders: posture ")
    assert top(well(capsys, "sign", draft, "--yes"))[:2] == [title, first]


def test_the_recipe_of_the_dice_stands_once_a_game_and_on_request(capsys, game):
    found = [well(capsys, "report", game / f"{seq:04d}.yaml") for seq in range(8)]
    assert [seq for seq, text in enumerate(found) if RECIPE in text] == [4]
    assert "'kursk report 0007.yaml --proof'" in found[7]
    proof = well(capsys, "report", game / "0007.yaml", "--proof")
    assert RECIPE in proof
    chain = histories.load(game).game.chain
    assert f"\n    {chain.ids[6]}\n" in proof
    assert well(capsys, "report", game, "--all", "--proof").count(RECIPE) == 2


def test_one_turn_has_its_own_headlines_and_all_its_messages(capsys, game):
    text = well(capsys, "report", game, "--turn", "1")
    assert top(text)[0] == "Turn 1: messages 0 to 7"
    assert "  2015: 40th Army destroyed; XLVIII Panzer Corps in 2015" in top(text)
    assert top(text)[-1].startswith("  Next, message 8 of the German side: posture")
    assert len(top(text)) <= 9
    assert text.count("Head of the chain") == 8
    assert well(capsys, "report", game / "0004.yaml", "--turn", "1").count("Head of the chain") == 5
    assert len(well(capsys, "report", game, "--turn", "1", "--json").splitlines()) == 8


@pytest.mark.parametrize("turn", ["2", "x", "", "\x1b[31m"])
def test_a_turn_that_is_not_there_is_refused_with_those_that_are(capsys, game, turn):
    if turn:
        said = refused(capsys, 2, "report", game, "--turn", turn)
        assert "the game has messages of the turns 1" in said
        assert "\x1b" not in said
    else:
        assert well(capsys, "report", game, "--turn", "").count("Head of the chain") == 1


def test_a_story_is_prose(capsys, game):
    text = well(capsys, "report", game, "--all", "--story")
    assert text.startswith("Turn 1\n\n25 Russian units were brought up to strength.\n\n")
    assert "The 40th Army was wiped out, and the XLVIII Panzer Corps followed up." in " ".join(text.split())
    assert not re.search(r"\d{4}|\[|\b[gr]-\d", text)
    assert all(len(line) <= 78 for line in text.splitlines())
    assert well(capsys, "report", game, "--story", "--turn", "1") == text
    one = well(capsys, "report", game / "0006.yaml", "--story")
    assert one.startswith("Turn 1\n\nThe Germans gave the defenders orders")
    assert len(one.splitlines()) < 6


def test_a_story_goes_from_turn_to_turn_and_to_the_end(capsys, game):
    steps = histories.load(game).steps
    assert [turn for turn, _found in chapters.split_turns(steps)] == ["1"]
    well(capsys, "resign", game, "--yes")
    text = well(capsys, "report", game, "--all", "--story")
    assert "\n\nTurn 2\n\n" in text
    assert text.endswith("\n\nThe game was over. Russian victory: the German side resigned.\n")
    assert top(well(capsys, "report", game / "0008.yaml"))[1] == (
        "  The game is over. Russian victory: the German side resigned"
    )
    moves = well(capsys, "moves", game)  # 'Moves of the German side: nothing moves in the message that is due'
    assert moves.startswith("The game is over; no more orders are possible. Name a unit")
    assert not [word for word in ("Moves and", "is due") if word in moves]
    assert "From the present positions the rules would allow:" in well(capsys, "moves", game, "g-24-pz")


def test_a_message_that_is_not_there_yet_is_said_with_what_is(capsys, game):
    """This includes the player's draft: a draft is no message before its signature."""
    there = "is missing: the last is message 7; message 8 is due, from the German side: posture, with orders or without"
    for number in ("9", "8", "0012.yaml"):
        said = " ".join(refused(capsys, 2, "report", f"{game.name[5:13]}/{number}", silent=True).split())
        assert f"message {int(number[:4])} of game {game.name[5:13]} {there}" in said
