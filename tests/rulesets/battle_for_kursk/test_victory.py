"""5.0 victory: points after the last turn, Moscow at once, and nothing to choose or seal behind the end."""

import pytest

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk import RULESET, setting, victory
from kursk_pbem.rulesets.battle_for_kursk.seen import wording
from rulesets.battle_for_kursk.board import SEQ, Dice, attack, battles, kursk, message, moves, place, play

MAJORS_WEST = ("1015", "1103", "1404", "1808", "1818", "1821", "1923", "2110", "2117", "2422")
LAST = "turn 8; stage russian-orders; posture russian pause"


def level(*west, extra="", dead=()):
    """Return the ending with these western Major Cities Russian, and all units of both sides except ``dead`` on the
    map."""
    control = "; ".join(f"control {label} russian" for label in west)
    state = place(f"others stay; {LAST}; {control}; {extra}")
    units = {**state.units, **{uid: Unit("eliminated", 0) for uid in dead}}
    ended = play(state.with_(units=units)).after
    return victory.find_verdict(kursk(), ended), victory.score(kursk(), ended).total


def test_5_0_eliminated_units_of_either_side():
    """Fewer units in the box is a point, equal numbers none; steps and units off the map do not count (K-70)."""
    assert level(dead=("g-11",))[1] == 1
    assert level(dead=("r-5", "r-10"))[1] == -1
    assert level(dead=("r-5", "g-11"))[1] == 0
    even = place("2402: r-63 | 0606: g-43")
    units = {uid: unit for uid, unit in even.units.items() if uid in ("r-63", "g-43", "r-5", "g-11")}
    assert victory.score(kursk(), even.with_(units=units)).losses == {"german": 0, "russian": 0}
    assert level(extra="off-map: r-5 reduced")[1] == 0


def test_5_0_level_of_the_victory():
    """1 to 5 points operational, 6 and more strategic, 0 a draw, for either side (K-70, K-71)."""
    assert level()[0].text == "Draw: the victory points are even (5.0)"
    assert level("1404")[0].text == "Russian operational victory (5.0)"
    assert level(*MAJORS_WEST[:5])[0].text == "Russian operational victory (5.0)"
    assert level(*MAJORS_WEST[:6])[0].text == "Russian strategic victory (5.0)"
    assert level(extra="control 2406 german")[0].text == "German operational victory (5.0)"


COUNTED = "2402: r-63 | 0606: g-43; turn 8; stage russian-orders; posture russian deploy"


@pytest.mark.parametrize(
    ("position", "text", "said"),
    [
        (COUNTED, "", set()),
        (COUNTED, "seal: {posture/turn-8: {posture: pause}}", {"posture/turn-8"}),
        (COUNTED, "seal: {plans/10: {}, x/y: {}}", {"plans/10", "x/y"}),
        ("2403: g-3-pz", moves("g-3-pz 2402"), set()),
        ("2403: g-3-pz", moves("g-3-pz 2402") + "\nseal: {plans/10: {}}", {"plans/10"}),
        (
            "2403: g-3-pz | 2707: r-5 | 2606: g-48-pz",
            moves("g-3-pz 2402", "armor-and-rail") + "\n  battles: [{id: b, hex: '2707', attackers: [g-48-pz]}]\n"
            "seal: {plans/10: {b: {losses: [g-48-pz]}}, posture/turn-b: {posture: pause}}",
            {"posture/turn-b"},
        ),
    ],
)
def test_5_0_a_choice_that_ends_the_game_leaves_nothing_to_seal(position, text, said):
    """The count after turn 8, Moscow entered: only plans of battles that it comes before are no slip (T22)."""
    result = message(place(position), text)
    assert result.after.stage == "over"
    assert {each.order for each in result.violations} == said
    assert not [key for key in result.after.agenda if key.startswith("sealed/")]


def test_5_0_dice_that_end_the_game_leave_nothing_to_choose_and_nothing_to_seal():
    """Moscow is taken by an advance: other orders of the message would be lost without notice."""
    state = place("2402: r-9-tc reduced | 2403: g-3-pz | 2303: g-2-ss | 1507: g-48-pz; turn A; clear")
    orders = battles(attack("2402", "g-3-pz g-2-ss", advance="g-3-pz"))
    answered = play(state, orders, dice=None).after
    waits = message(answered, seq=11).after
    for text, said in (
        ("", set()),
        (moves("g-48-pz 1508"), {"orders/movement"}),
        ("choice: {posture/turn-a: {posture: pause}}\nseal: {plans/12: {}}", {"choice", "plans/12"}),
    ):
        result = message(waits, text, seq=12, dice={"b1": 6})
        assert result.middle.stage == result.after.stage == "over"
        assert {each.order for each in result.violations} == said


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("german-1", "Russian operational victory (5.0)"),  # even
        ("german-2", "German operational victory (5.0)"),
        ("russian-5", "Russian strategic victory (5.0)"),
        ("none", "Russian operational victory (5.0)"),
    ],
)
def test_5_0_points_given_count_and_a_draw_goes_to_the_giver(given, text):
    """K-71: the Russian is one point ahead by the rules."""
    game = setting.load(kursk().scenario, {"given": given})
    filing = Filing(SEQ, "russian", secret={}, sealed={})
    ended = adjudicate(RULESET, game, place(f"others stay; {LAST}; control 1404 russian"), filing, Dice({}, SEQ)).after
    assert victory.find_verdict(game, ended).text == text
    side, _dash, number = given.rpartition("-")
    shown = [row for row in wording.make_standing(game, ended) if row[0] == "victory: points given"]
    assert any("Points given" in note for table in RULESET.seen.tables(game) for note in table.notes) is bool(side)
    assert shown == [("victory: points given", *(number if each == side else "0" for each in game.sides))] * bool(side)
    assert RULESET.play.margin(game, ended) == -victory.score(game, ended).total
