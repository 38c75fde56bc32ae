"""Reports: every event has a line, battles read like worked examples, 78 columns, the same bytes everywhere."""

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest

from kursk_pbem.kernel import events as ev
from kursk_pbem.kernel.hexes.fights import level_of
from kursk_pbem.kernel.ruleset import Verdict
from kursk_pbem.report.layout import count_columns, wrap
from kursk_pbem.report.luck import Luck
from kursk_pbem.report.text import Heading, Standing, write_report
from kursk_pbem.rulesets.battle_for_kursk import RULESET, combat
from kursk_pbem.rulesets.battle_for_kursk.odds import Odds
from kursk_pbem.rulesets.battle_for_kursk.orders import Battle
from kursk_pbem.rulesets.battle_for_kursk.seen import wording
from rulesets.battle_for_kursk.board import kursk

WORDS = wording.Wording(kursk("citadel"))
STANDING = Standing((("", "German", "Russian"), ("steps", "66", "93"), ("objective", "2113 Kursk")), "Russian to write")


def heading(**changes):
    values = {
        "game": "ab" * 32,
        "seq": 7,
        "kind": "turn",
        "sender": "german",
        "sender_name": "J\u00fcrgen",
        "title": "Kursk",
        "turn": "1",
        "head": "cd" * 32,
        "note": "",
        "opened": "ef" * 32,
        "prev": "01" * 32,
        "fresh": False,
    }
    return Heading(**{**values, **changes})


def told(*events, **changes):
    return write_report(heading(**changes), events, WORDS, STANDING, Luck())


BATTLE = ev.Fought(
    "9.0",
    "b1",
    "2116",
    ev.Force(
        "german",
        (
            ev.Row("g-48-pz", "2016", "10", ("halved (armor in mud)",), "5"),
            ev.Row("g-52", "1916", "5", ("halved (from marsh)",), "2 1/2"),
        ),
        "7 1/2",
    ),
    ev.Force("russian", (ev.Row("r-40", "", "4", (), "4"),), "4"),
    "1:1",
    (ev.Shift("9.2", -1, "defender in forest"), ev.Shift("9.2.1", 1, "Offensive with 1 in support")),
    "1:1",
    "1:1",
    (("Offensive led by", ("g-48-pz",)), ("in support", ("g-3-pz",))),
    "b1/combat",
    "5",
    "",
    "DR",
    "defender retreats",
    "1/6",
)
WEATHER = ev.Tested("11.3", "", "Weather", "weather/turn-a", "3", "mud at 1 to 3", True, "this is a mud turn", "3/6")
EXAMPLES = {
    ev.Placed: (ev.Placed("10.0-1", "g-52", "2116", 1, "place"), "LII Corps (g-52) is placed in 2116 Belgorod"),
    ev.Moved: (ev.Moved("8.0", "g-52", "2115", ("2116",), "move", "1"), "2115 -> 2116 Belgorod; 1 MP"),
    ev.StepsLost: (ev.StepsLost("9.3-drl", "r-40", 1, 1, "defender's loss"), "loses 1 step (defender's loss), 1 left"),
    ev.Removed: (ev.Removed("9.3-de", "r-40", "eliminated", "why"), "40th Army (r-40) is eliminated: why [9.3-de]"),
    ev.Marked: (ev.Marked("10.0", "control", "2116", "german"), "2116 Belgorod is now under German control"),
    ev.Unmarked: (ev.Unmarked("10.0", "control", "2116"), "2116 Belgorod is again under"),
    ev.Tracked: (ev.Tracked("9.2.1", "offensives-german", 2), "Offensive markers available, German: 2"),
    ev.Scheduled: (
        ev.Scheduled("9.3", "policy", {"exchange-drl": "always"}),
        "Answer for all: exchange on a DRL always",
    ),
    ev.PhaseBegan: (ev.PhaseBegan("9.0", "combat", "german", "1"), "Turn 1, German: Combat Phase: battles fought"),
    ev.Rolled: (ev.Rolled("11.0", "weather/turn-a", "3"), "Dice weather/turn-a: 3"),
    ev.Fought: (BATTLE, "Battle b1: attack on 40th Army (r-40) in 2116 Belgorod [9.0]"),
    ev.Tested: (WEATHER, "Weather (weather/turn-a): 3, mud at 1 to 3: this is a mud turn; chance: 3/6"),
    ev.Decided: (
        ev.Decided("9.3", "conversion", "russian", "b1", "exchange", "filed"),
        "(b1): exchange, as filed by the owner",
    ),
    ev.Noted: (ev.Noted("9.1", "b1 is below 1:1 now"), "Note: b1 is below 1:1 now [9.1]"),
}


def test_every_class_of_event_is_told_or_silent_on_purpose():
    classes = set(get_args(ev.Event))
    assert classes == {*EXAMPLES, ev.Advanced}
    for event, words in EXAMPLES.values():
        assert words in " ".join(told(event).split())


def test_silent_events_say_nothing():
    assert told(ev.Advanced("4.0", "2", "russian", "x")) == told()
    assert "no scheduled events" in told()


def test_names_that_are_not_known_here_are_shown_as_they_are():
    text = told(
        ev.Tracked("1", "air-points", 3),
        ev.Marked("1", "smoke", "2116", "thick"),
        ev.Unmarked("1", "smoke", "2116"),
        ev.Scheduled("1", "raid", {"unit": "g-52", "hexes": ["2115", "2116"]}),
        ev.Placed("1", "g-52", "2115", 2, "parachuted"),
        ev.Moved("1", "g-52", "2115", ("2116",), "glide"),
        ev.Removed("1", "g-52", "off-map", "gone"),
    )
    for words in (
        "air-points: 3",
        "smoke, 2116: thick",
        "smoke, 2116: no more",
        "raid: unit g-52; hexes 2115, 2116",
        "parachuted",
        "glide",
        "leaves the map (off-map): gone",
    ):
        assert words in text


def test_a_battle_reads_like_a_worked_example():
    text = told(
        ev.PhaseBegan("9.0", "combat", "german", "1"),
        ev.Rolled("9.0-4", "b1/combat", "5"),
        BATTLE,
        ev.Moved("9.3-dr-two-hexes", "r-40", "2116", ("2115", "2114"), "retreat"),
        ev.Moved("9.0-6", "g-48-pz", "2117", ("2116",), "advance"),
    )
    assert (
        """
Turn 1, German: Combat Phase: battles fought [9.0]
  Battle b1: attack on 40th Army (r-40) in 2116 Belgorod [9.0]
    Attack strength:
      XLVIII Panzer Corps (g-48-pz) from 2016: 10, halved (armor in mud) = 5
      LII Corps (g-52) from 1916: 5, halved (from marsh) = 2 1/2
      sum 7 1/2
    Offensive led by XLVIII Panzer Corps (g-48-pz), in support III Panzer
        Corps (g-3-pz)
    Defence strength: 40th Army (r-40) 4
    Ratio: 7 1/2:4 = 1:1
    Shifts:
      -1 defender in forest [9.2]
      +1 Offensive with 1 in support [9.2.1]
    Final column: 1:1 -1 +1 = 1:1
    Die (b1/combat): 5
    Result: DR, defender retreats; chance of the result: 1/6
    40th Army (r-40) retreats: 2116 Belgorod -> 2115, 2114 [9.3-dr-two-hexes]
    XLVIII Panzer Corps (g-48-pz) advances: 2117 Kharkov -> 2116 Belgorod
        [9.0-6]
"""
        in text
    )


def test_the_recipe_of_the_dice_stands_where_it_is_asked_for_and_otherwise_where_to_ask():
    rolled = ev.Rolled("9.0-4", "b1/combat", "5")
    text = told(rolled, recipe=True)
    assert "block j = HMAC-SHA256(key: seed" in text
    assert f"    {'ef' * 32}\n" in text
    assert f"    {'01' * 32}\n" in text
    text = told(rolled)
    assert "\nHow to check the dice: 'kursk report 0007.yaml --proof' in the game's folder\n" in text
    assert "HMAC" not in text
    assert "How to check" not in told(recipe=True)


def test_headlines_stand_before_all_else_and_begin_no_line_of_their_own():
    text = told(headlines=("Orel: " + "LIII Corps holds, " * 6, "Next\nOwed next: nobody"), note="x\nHead of the chain")
    top, _blank, rest = text.partition("\n\n")
    assert top.splitlines()[0] == "Report of message 7, turn 1"
    assert top.splitlines()[1].startswith("  Orel: LIII")
    assert top.splitlines()[2].startswith("      ")
    assert top.splitlines()[-1] == "  Next Owed next: nobody"
    assert rest.startswith("Kursk\nGame")


@pytest.mark.parametrize(
    ("attack", "shifts", "words"),
    [
        (2, (-1,), "Final column: 1:2 -1 = 1:3, below 1:1: no attack takes place, no die falls [9.1]"),
        (2, (), "Ratio: 2:4 = 1:2 Shifts: none below 1:1: no attack takes place, no die falls [9.1]"),
        (24, (1,), "Final column: 6:1 +1 = 7:1, taken as 6:1"),
        (36, (), "Final column: 9:1, taken as 6:1"),
        (8, (), "Final column: 2:1"),
    ],
)
def test_columns_beyond_the_table(attack, shifts, words):
    """9.1, K-51: the report prints the columns that the rules add."""
    game = kursk("citadel")
    level = level_of(attack, 4)
    final = level + sum(shifts)
    each = tuple(ev.Shift("9.2", shift, "x") for shift in shifts)
    row = ev.Row("g-52", "1916", str(attack), (), str(attack))
    odds = Odds((row,), Fraction(attack), 4, level, each, min(final, 6) if final >= 1 else 0)
    text = told(combat.make_fought(game, Battle("b1", game.board.index["2116"], "r-40", ("g-52",)), odds))
    assert words in " ".join(text.split())
    assert "Die" not in text.replace("Dice", "")


def test_a_battle_that_waited_tells_that_its_die_fell_before():
    """K-75: the die of a battle that is fought again was thrown in an earlier message."""
    assert "    Die (thrown before the decision): 5\n" in told(BATTLE)


def test_a_note_on_the_next_battle_stands_before_it_and_not_under_the_last():
    text = told(
        ev.PhaseBegan("9.0", "combat", "german", "1"),
        BATTLE,
        ev.Noted("9.0-6", "no unit advances into 2116"),
        ev.Noted("9.0", "plan for b1: retreat toward 2113", "b1"),
        ev.Rolled("9.0-4", "b1/combat", "5"),
        BATTLE,
    )
    assert "\n    Note: no unit advances into 2116 [9.0-6]\n  Note: plan for b1: retreat toward 2113\n  Battle" in text


def test_a_phase_without_orders_says_so():
    text = told(ev.PhaseBegan("8.0", "movement", "german", "1"), ev.PhaseBegan("9.0", "combat", "german", "1"))
    assert text.count("  Nothing was ordered.\n") == 2


def test_declared_battles_are_told_with_everybody_in_them():
    battle = {
        "id": "b1",
        "hex": "2116",
        "defender": "r-40",
        "attackers": ["g-48-pz", "g-52"],
        "lead": "g-48-pz",
        "support": ["g-3-pz"],
        "plan": {"retreat": ["toward 2113"]},
    }
    text = " ".join(told(ev.Scheduled("9.0", "battles", [battle])).split())
    assert "attack on 40th Army (r-40) in 2116 Belgorod by XLVIII Panzer Corps (g-48-pz), LII Corps (g-52)" in text
    assert "Offensive led by XLVIII Panzer Corps (g-48-pz), in support III Panzer Corps (g-3-pz)" in text
    assert "plan in the open: retreat toward 2113" in text


def test_a_draft_never_shows_the_opening():
    rolled = ev.Rolled("9.0-4", "b1/combat", "5")
    text = write_report(heading(head="", recipe=True), (rolled, BATTLE), WORDS, STANDING, Luck(), draft=True)
    assert "ef" * 32 not in text
    assert "is secret until you send it" in text
    assert text.startswith("DRAFT, NOT SENT")


def test_what_a_person_wrote_cannot_pass_for_the_report():
    note = "fine\n\nHead of the chain: 00000000000000000000000000000000\n" + "x" * 300 + "\u6f22" * 100
    text = told(note=note, sender_name='A", head\nTHE GAME IS OVER.', title="T\nOwed next: nobody")
    heads = [line for line in text.split("\n") if line.startswith(("Head of", "THE GAME", "Owed next"))]
    assert heads == ["Owed next: Russian to write", "Head of the chain: " + "cd" * 16]
    assert all(count_columns(line) <= 78 for line in text.split("\n"))


def test_the_end_of_the_game_is_told():
    verdict = Verdict("german", "moscow", "German victory: German troops entered Moscow (5.0)")
    standing = replace(STANDING, verdict=verdict)
    assert "THE GAME IS OVER. German victory" in write_report(heading(), (), WORDS, standing, Luck())


def test_an_opening_that_nobody_had_committed_to_gives_no_dice():
    assert "Warning" in told(ev.Rolled("9.0-4", "b1/combat", "5"), fresh=True)


def test_long_tables_become_sentences():
    standing = Standing((("what", "g" * 40, "r" * 40),), "nobody")
    assert "what: ggg" in write_report(heading(), (), WORDS, standing, Luck())


def test_wrapping_keeps_every_letter_and_breaks_no_joined_words():
    text = "word " * 40 + "x" * 200 + " 6\u00a0MP"
    lines_ = wrap(text, "- ", "  ", 30)
    assert all(len(line) <= 30 for line in lines_)
    assert "".join(lines_).replace(" ", "").removeprefix("-") == text.replace(" ", "").replace("\u00a0", "")
    assert any("6 MP" in line for line in lines_)


def whole_report(played):
    for setting, game in played:
        luck = Luck()
        for state, filing, result in game:
            luck = luck.add(result.events)
            standing = Standing(
                RULESET.seen.standing(setting, result.after), "x", RULESET.play.verdict(setting, result.after)
            )
            at = heading(seq=filing.seq, sender=filing.writer, turn=state.turn)
            yield write_report(at, result.events, RULESET.seen.words(setting), standing, luck)


def test_whole_games_fit_in_78_columns(played):
    for text in whole_report(played):
        assert text.endswith("\n")
        assert all(count_columns(line) <= 78 and line == line.rstrip() for line in text.split("\n"))
        assert "None" not in text


def test_every_event_of_whole_games_has_its_unit_in_the_report(played):
    for (_kursk, game), texts in zip(played, _by_game(played), strict=True):
        for (_state, _filing, result), text in zip(game, texts, strict=True):
            for event in result.events:
                if isinstance(event, (ev.Moved, ev.Placed, ev.StepsLost, ev.Removed)):
                    assert f"({event.unit})" in text
                if isinstance(event, ev.Fought):
                    assert f"Battle {event.battle}: attack on" in text


def _by_game(played):
    return [list(whole_report([one])) for one in played]


_ONE_GAME = """
import hashlib, sys
sys.path[:0] = [{here!r}]
from rulesets.battle_for_kursk import conftest, random_play, test_reports_draft, test_reports_text
kursk = conftest.load("citadel")
game = [(kursk, list(random_play.play(kursk, 5)))]
texts = [*test_reports_text.whole_report(game), *test_reports_draft.drafts(game)]
print(hashlib.sha256("".join(texts).encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.long
def test_the_same_bytes_under_two_hash_seeds():
    here = Path(__file__).resolve().parents[2]
    program = _ONE_GAME.format(here=str(here))
    found = set()
    for seed in ("0", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            cwd=here.parent,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(here.parent)},
        )
        found.add(done.stdout)
    assert len(found) == 1
    assert len(found.pop().strip()) == hashlib.sha256().digest_size * 2


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (ev.Tracked("9.2.1", "offensives-german", 2, -1, "b2011"), "German: 1 Offensive marker spent on b2011, 2 left"),
        (ev.Tracked("4.0", "offensives-russian", 3, 1), "Offensive markers available, Russian: +1 (3 in all)"),
        (ev.Tracked("4.0", "offensives-russian", 3), "Offensive markers available, Russian: 3, as before"),
        (
            ev.Decided("9.3", "conversion", "russian", "b1", "exchange", "default"),
            "exchange, by the umpire's default (K-75): the Russian side filed no choice",
        ),
    ],
)
def test_totals_are_told_as_totals_and_defaults_as_the_umpires(event, line):
    """Bug: two lines of markers, 2 and then 1, did not name the battles; the rules have no default."""
    assert line in " ".join(told(event).split())


def test_9_3_ex_the_attacker_loses_at_least_as_much():
    assert combat.MEANING["EX"].endswith("the attacker loses at least as many points")
