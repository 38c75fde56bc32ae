"""Moves, odds and events in words, for a reader who does not see the map (docs/players.md 5)."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel import events
from kursk_pbem.kernel.events import DIE, Force, Fought, Row, Shift
from kursk_pbem.kernel.outlook import Chances, Destination, MovePhase, Mover, Outcome, Outlook, Sign, Target
from kursk_pbem.kernel.picture import Picture, Piece, Region
from kursk_pbem.kernel.words import Names
from kursk_pbem.report import battle, lines, moves, odds


class Spoken(Names):
    """The words of a system with three units and a town."""

    def __init__(self):
        corps = {"g-1": ("First Corps", "german"), "g-2": ("g-2", "german"), "r-1": ("Guards", "russian")}
        self.things = {uid: SimpleNamespace(name=name, side=side) for uid, (name, side) in corps.items()}
        self.places, self.phases = {"3": "Belgorod"}, {"march": "Movement Phase"}

    def tell(self, _event):
        return None


WORDS = Spoken()
FOUGHT = Fought(
    "9.1",
    "ponyri",
    "3",
    Force("german", (Row("g-1", "2", "9", ("x 3",), "27"),), "27"),
    Force("russian", (Row("r-1", "", "8", (), "8"),), "8"),
    "3:1",
    (Shift("9.2", -1, "defender in forest"),),
    "2:1",
    "2:1",
)
SIGN = Sign("guarded", "*", "next to an enemy", "next to")
FAR, NEAR = Destination("4", "10", ("2", "4"), {}), Destination("2", "2", ("2",), {"guarded": ("r-1",)})


def place_in_row(number):
    """Return a region of a row: number 1 touches 2, and 2 touches 3."""
    return Region(str(number), ((0, 0), (1, 0), (0, 1)), "clear", (2 * number, 0))


ROW = Picture("pointy", tuple(map(place_in_row, range(1, 6))), pieces=(Piece("g-1", "1", "german", "9-6"),))
GUARDED = replace(ROW, pieces=(*ROW.pieces, Piece("g-2", "1", "german", "7-6"), Piece("r-1", "3", "russian", "8-4")))


def look(*movers, targets=(), notes=()):
    phase = MovePhase("march", "8.1", notes, movers, (SIGN,))
    return Outlook("german", (phase,), targets, (), "Enemies in reach:")


def flat(page):
    assert page.endswith("\n")
    assert all(len(line) <= 78 for line in page.splitlines())
    return " ".join(page.split())


# Moves


def test_moves_are_grouped_by_cost_the_cheapest_first_with_explained_signs():
    """Costs are texts, and the text '10' sorts before '2'."""
    page = moves.list_side_moves("Moves", look(Mover("g-1", "1", "by rail", (FAR, NEAR))), WORDS)
    assert "Movement Phase [8.1] * next to an enemy g-1 in 1: by rail 2 MP 2*; 10 MP 4" in flat(page)


def test_equal_moves_in_the_next_phase_are_not_listed_again():
    one, other = Mover("g-1", "1", "", (NEAR,)), Mover("g-2", "1", "", (FAR,))
    again = replace(look(one, other).phases[0], key="again")
    last = replace(again, movers=(Mover("g-1", "1", "", (FAR,)),))
    said = flat(moves.list_side_moves("Moves", replace(look(one), phases=(*look(one).phases, again, last)), WORDS))
    assert said.count("2 MP 2*") == 1
    assert "g-1 in 1: the same as above g-2 in 1: 10 MP 4" in said
    assert said.endswith("g-1 in 1: 10 MP 4")


def test_a_phase_without_a_move_says_so():
    assert "No move is possible." in moves.list_side_moves("Moves", look(Mover("g-1", "1", "", ())), WORDS)
    for mover in (Mover("g-1", "1", "", (NEAR,)), Mover("g-1", "1", "", (), "anywhere within 9 inches")):
        assert "No move is possible." not in moves.list_side_moves("Moves", look(mover), WORDS)


def test_enemies_and_not_own_units_are_named_with_their_places():
    assert "\nEnemies: r-1 in 3 Belgorod.\n" in moves.list_side_moves("Moves", look(), WORDS, GUARDED)
    assert "\nEnemies: none on the map.\n" in moves.list_side_moves("Moves", look(), WORDS, ROW)
    assert "Enemies" not in moves.list_side_moves("Moves", look(), WORDS)


def test_a_way_is_told_with_points_and_signs_or_the_reason_against_it():
    outlook = look(Mover("g-1", "1", "by rail", (FAR, NEAR)))
    assert moves.describe_way("Way", outlook, WORDS, "4", ()) == "Way\n  Movement Phase: by rail 10 MP 1-2-4\n"
    assert "by rail 2 MP 1-2; next to r-1" in moves.describe_way("Way", outlook, WORDS, "2", ())
    assert moves.describe_way("Way", outlook, WORDS, "5", ("It is too far.",)) == "Way\n  It is too far.\n"


def test_a_free_place_is_no_promise_without_a_move():
    free = look(Mover("g-1", "1", "", (), "anywhere"), notes=("No two models overlap.",))
    said = flat(moves.describe_way("Way", free, WORDS, "9", ()))
    assert said.endswith("The place is free for the unit. Checks after all moves: No two models overlap.")
    said = flat(moves.describe_way("Way", look(Mover("g-1", "1", "", ())), WORDS, "9", ()))
    assert said.endswith("the unit can move in no phase now.")


def test_a_place_of_the_enemy_is_approached_by_its_neighbours():
    """Of several ways to the neighbours the cheapest is told."""
    dear = replace(NEAR, cost="3", place="4", path=("9", "4"))
    said = flat(moves.describe_place("Place", look(Mover("g-1", "1", "", (dear, NEAR))), WORDS, GUARDED, "3"))
    assert "Guards (r-1) is here; units in reach of an adjacent hex:" in said
    assert said.endswith("g-1 9-6: 2 MP 1-2; next to r-1")
    said = flat(moves.describe_place("Place", look(Mover("g-1", "1", "", (NEAR,))), WORDS, GUARDED, "1"))
    assert "First Corps (g-1), g-2 are here." in said
    assert said.endswith("No unit can move here.")


def test_the_nearest_units_are_found_if_nobody_can_get_there():
    far = replace(GUARDED, pieces=(*GUARDED.pieces, Piece("g-3", "5", "german", "3-3")))
    nobody = look(Mover("g-1", "1", "", ()))
    assert moves.find_nearest(nobody, far, "2", 1) == (("g-1", "2"), ("g-2", "2"))
    assert moves.find_nearest(nobody, far, "3", 1) == (("g-1", "2"), ("g-2", "2"), ("g-3", "4"))  # equally near
    assert moves.find_nearest(look(Mover("g-1", "1", "", (NEAR,))), far, "2") == ()


def test_moves_towards_a_place_leave_out_other_moves_units_and_targets():
    targets = (Target(("r-1",), "3", FOUGHT, ()), Target(("r-2",), "4", None, ()))
    outlook = look(Mover("g-1", "1", "", (FAR, NEAR)), Mover("g-2", "1", "", (NEAR,)), targets=targets)
    found = moves.to_json(moves.select_towards(outlook, "4"))
    assert [unit["unit"] for unit in found["phases"][0]["units"]] == ["g-1"]
    assert found["phases"][0]["units"][0]["to"] == [{"place": "4", "cost": "10", "path": ["2", "4"]}]
    assert [target["units"] for target in found["targets"]] == [["r-2"]]
    near = moves.to_json(outlook)["phases"][0]["units"][1]["to"]
    assert near == [{"place": "2", "cost": "2", "path": ["2"], "guarded": ["r-1"]}]


# Targets


def test_a_target_shows_attackers_arithmetic_and_chances_in_sixths():
    results = (("DR", Fraction(1, 3)), ("EX", Fraction(1, 2)))
    variants = (("with an Offensive", replace(FOUGHT, shifts=(), reached="3:1", column="3:1")), ("by night", FOUGHT))
    target = Target(("r-1",), "3", FOUGHT, results, variants)
    said = flat(moves.list_side_moves("Moves", look(targets=(target,)), WORDS))
    assert "Enemies in reach: Guards (r-1) in 3 Belgorod by g-1 from 2 27 (x 3)" in said
    assert "27:8 = 3:1, shifted to 2:1: -1 defender in forest [9.2] DR 2/6, EX 3/6" in said
    assert said.endswith("with an Offensive: 27:8 = 3:1 by night")  # the night has the same odds


DICE = {"shifts": (Shift("4.2", -1, "in forest", DIE),), "reached": "3:1", "column": "3:1"}
SHIFTED = "27:8 = 3:1, shifted to 2:1: -1 defender in forest [9.2]"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, SHIFTED),
        ({"column": "3:2"}, SHIFTED.replace("2:1", "2:1, taken as 3:2")),
        ({"column": ""}, SHIFTED.replace("2:1", "2:1, no attack")),
        (DICE, "27:8 = 3:1; dice -1 in forest [4.2]"),
        ({"ratio": "", "note": "too weak"}, "too weak"),
    ],
)
def test_odds_of_a_target_name_shifts_limits_and_reasons(change, said):
    target = Target(("r-1",), "3", replace(FOUGHT, **change), ())
    assert moves.list_side_moves("Moves", look(targets=(target,)), WORDS).endswith(f"\n    {said}\n")


# Odds


CHANCES = Chances(
    "ponyri",
    FOUGHT,
    "",
    ("defence: stand",),
    (
        Outcome(Fraction(1, 3), ("1", "2"), "DR", ("r-1 retreats", "3 is vacated"), {"lost": "0"}),
        Outcome(Fraction(2, 3), ("3", "4", "5", "6"), "-", ("no effect",), {}),
    ),
    (("the hex is vacated", Fraction(1, 3)),),
    (("steps lost", Fraction(4, 3)),),
)
BRIDGE = replace(CHANCES, subject="bridge", fought=None, title="Blow up the bridge", caveat="fought later")


def test_odds_have_a_row_for_each_outcome_with_its_throws_then_sums_and_means():
    page = odds.render_odds("Odds", [CHANCES], WORDS)
    rows = [line.split() for line in page.splitlines()]
    assert ["1", "2", "2/6", "33.3%", "DR", "r-1", "retreats;", "3", "is", "vacated"] in rows
    assert ["3", "4", "5", "6", "4/6", "66.7%", "-", "no", "effect"] in rows
    assert "  chance that the hex is vacated: 2/6 = 33.3%\n  steps lost on average: 1 1/3\n" in page
    assert "Final column: 3:1 -1 = 2:1" in page
    assert "Each battle is computed" not in page


def test_many_throws_are_counted_and_long_fractions_left_out():
    rare = Fraction(1, 6**9)
    outcomes = (
        replace(CHANCES.outcomes[0], faces=tuple(map(str, range(7))), chance=1 - rare),
        replace(CHANCES.outcomes[1], faces=(), chance=rare),
    )
    page = odds.render_odds("Odds", [replace(CHANCES, outcomes=outcomes, sums=(("all stand", rare),))], WORDS)
    rows = [line.split() for line in page.splitlines()]
    assert ["7", "throws", ">99.9%", "DR"] in [row[:4] for row in rows]
    assert ["-", "1/10077696", "<0.1%", "-"] in [row[:4] for row in rows]
    assert "chance that all stand: 1/10077696 <0.1%" in page
    unlisted = tuple(replace(one, faces=()) for one in outcomes)
    assert "\n  chance" in odds.render_odds("Odds", [replace(CHANCES, outcomes=unlisted)], WORDS)


def test_several_battles_begin_with_a_glance_and_the_condition():
    said = flat(odds.render_odds("Odds", [CHANCES, BRIDGE], WORDS))
    assert said.startswith("Odds ponyri: hex is vacated 33.3% bridge: hex is vacated 33.3% Each battle is computed")
    assert "Blow up the bridge Fought later Defence: stand" in said
    cases = [BRIDGE, replace(BRIDGE, assumed=("defence: retreat",))]
    said = flat(odds.render_odds("Odds", cases, WORDS))
    assert said.startswith("Odds bridge, defence: stand: hex is vacated 33.3% bridge, defence: retreat: hex")
    assert "Each battle is computed" not in said


def test_a_battle_is_found_by_id_place_or_title_and_an_exact_name_first():
    other = replace(BRIDGE, subject="bridge-2")
    battles = (CHANCES, BRIDGE, other)
    assert odds.find_battles(battles, "3") == (CHANCES,)
    assert odds.find_battles(battles, "BRIDGE") == (BRIDGE,)
    assert odds.find_battles(battles, "blow") == (BRIDGE, other)
    assert odds.find_battles(battles, "") == battles
    with pytest.raises(UsageError, match="declared are ponyri, bridge, bridge-2"):
        odds.find_battles(battles, "oboyan")
    with pytest.raises(UsageError, match="no battle is declared"):
        odds.find_battles((), "oboyan")


def test_chances_for_programs_are_exact():
    (told,) = odds.to_json([CHANCES])
    assert [one["chance"] for one in told["outcomes"]] == ["1/3", "2/3"]
    assert (told["place"], told["chances"], told["means"]) == (
        "3",
        {"the hex is vacated": "1/3"},
        {"steps lost": "4/3"},
    )
    assert told["outcomes"][0]["lost"] == "0"
    assert (told["arithmetic"]["shifts"][0]["by"], odds.to_json([BRIDGE])[0]["arithmetic"]) == ("-1", {})


# Events


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (events.Placed("1", "g-1", "3", 2, "returns"), "First Corps (g-1), returns: 3 Belgorod with 2 steps"),
        (events.Placed("1", "g-2", "4", 1, "set up"), "g-2, set up: 4 with 1 step"),
        (events.Moved("1", "g-2", "1", ("2", "3"), "move", "5"), "g-2: 1 -> 2, 3 Belgorod; 5\u00a0MP"),
        (events.Moved("1", "g-2", "1", ("2",), "retreat"), "g-2, retreat: 1 -> 2"),
        (events.StepsLost("1", "r-1", 1, 3, "combat"), "Guards (r-1) loses 1 step (combat), 3 left"),
        (events.Removed("1", "g-2", "eliminated", "no retreat"), "g-2 is eliminated: no retreat"),
        (events.Removed("1", "g-2", "eliminated", "eliminated"), "g-2 is eliminated"),
        (events.Removed("1", "g-2", "eliminated", "each of them is eliminated"), "g-2 is eliminated"),
        (events.Removed("1", "g-2", "off-map", "exits"), "g-2 leaves the map (off-map): exits"),
        (events.Tracked("1", "points", 7), "points: 7"),
        (events.Unmarked("1", "bridge", "3"), "bridge, 3: no more"),
        (events.Rolled("1", "weather", "6213"), "Dice weather: 6, 2, 1 and 3"),
        (events.Rolled("1", "weather", "3"), "Dice weather: 3"),
        (
            events.Decided("1", "loss", "german", "ponyri", "g-1", "default"),
            "Choice of the German side, loss (ponyri): g-1, by the umpire's default: the owner filed no choice",
        ),
        (
            events.Scheduled("1", "sealed/plans/2", {"hash": "ab" * 32, "seq": "2"}),
            "Sealed: the plans of message 2, to be shown in the writer's next message; hash abababababababab...",
        ),
        (events.Scheduled("1", "sealed/posture/turn-1a", None), "Opened: the posture of turn 1A"),
        (
            events.Scheduled("1", "attack", {"place": "3", "by": ["g-1", "g-2"]}),
            "Waiting, attack: place 3; by g-1, g-2",
        ),
    ],
)
def test_an_event_is_one_sentence(event, said):
    assert lines.list_entries(event, WORDS) == [said]


def test_an_event_without_news_has_no_entry_and_a_draft_shows_no_hash():
    silent = (events.Advanced("1", "1", "german", "move"), events.Marked("1", "verdict", "winner", "german"))
    assert [lines.list_entries(event, WORDS) for event in (*silent, events.Scheduled("1", "attack", None))] == [[]] * 3
    (said,) = lines.list_entries(events.Scheduled("1", "sealed/plans/2", {"hash": "0" * 64, "seq": "2"}), WORDS)
    assert "hash" not in said


def test_a_fought_battle_is_a_worked_example():
    done = replace(FOUGHT, label="ponyri/1", dice="2", die="1", result="DR", meaning="retreat", chance="2/6 = 33.3%")
    done = replace(done, roles=(("led by", ("g-1",)),), shifts=(*FOUGHT.shifts, Shift("9.4", -1, "mud", DIE)))
    told = [text for _depth, text in battle.describe_battle(done, WORDS)]
    assert told[:4] == [
        "Battle ponyri: attack on Guards (r-1) in 3 Belgorod [9.1]",
        "Attack strength:",
        "First Corps (g-1) from 2: 9, x 3 = 27",
        "led by First Corps (g-1)",
    ]
    assert told[4:9] == [
        "Defence strength: Guards (r-1) 8",
        "Ratio: 27:8 = 3:1",
        "Shifts:",
        "-1 defender in forest [9.2]",
        "Final column: 3:1 -1 = 2:1",
    ]
    assert told[9:] == [
        "Modifiers of the dice:",
        "-1 mud [9.4]",
        "Die (ponyri/1): 2, counts as 1",
        "Result: DR, retreat; chance of the result: 2/6 = 33.3%",
    ]
    assert battle.describe_odds(replace(FOUGHT, column="3:2")) == "3:1 -1 = 2:1, taken as 3:2"
    old = [text for _depth, text in battle.describe_battle(done, WORDS, fresh=False)]
    assert "Die (thrown before the decision): 2, counts as 1" in old


def test_a_force_of_several_has_a_sum_and_an_attack_beyond_the_table_no_column():
    row = FOUGHT.attack.rows[0]
    force = Force("german", (row, replace(row, unit="g-2", changes=(), counts="9")), "36")
    beyond = replace(FOUGHT, attack=force, shifts=(), column="", reached="1:6", note="no attack at 1:6")
    told = [text for _depth, text in battle.describe_battle(beyond, WORDS)]
    assert told[2:5] == ["First Corps (g-1) from 2: 9, x 3 = 27", "g-2 from 2: 9", "sum 36"]
    assert told[-2:] == ["Shifts: none", "no attack at 1:6"]
