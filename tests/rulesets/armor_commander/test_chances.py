"""Exact odds of fire orders, by hand and against every result of the dice in the rules."""

from collections import Counter
from fractions import Fraction

import pytest
from helpers import sweeps

from kursk_pbem.kernel.branches import run_branches
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander import fire, morale
from kursk_pbem.rulesets.armor_commander.orders import read_order
from kursk_pbem.rulesets.armor_commander.position import OPEN, PLOT, make_field
from kursk_pbem.rulesets.armor_commander.seen import exact_odds
from rulesets.armor_commander.table import begin, crew, red, world

DUEL = {
    "g-pz-1": ("10.00, 10.00", "3"),
    "g-pz-2": ("10.00, 13.00", "3"),
    "s-t-1": ("20.00, 10.00", "9"),
    "s-t-2": ("60.00, 60.00", "9"),
}
GUNS = {
    "g-pz-1": ("10.00, 10.00", "3"),
    "s-gun-1": ("20.00, 10.00",),
    "s-gun-2": ("20.00, 11.40",),
    "s-t-1": ("60.00, 60.00", "9"),
}


def open_world(models, **more):
    """Return a table with open German orders."""
    return world(models, seals="soviet", **more)


def wait_for_dice(setting, state, order):
    """Return a position with an open German order before the dice."""
    agenda = {PLOT: {"label": "orders/turn-1"}, "declared": "3", "answered": "4", OPEN: [order]}
    return state.with_(agenda=agenda, stage="action", side=setting.sealer)


def odds(setting, state, order):
    (found,) = exact_odds.list_chances(setting, wait_for_dice(setting, state, order), {})
    assert sum(one.chance for one in found.outcomes) == 1
    return found


def count_outcomes(setting, state, order):
    """Return the chance of each (destroyed, immobilised, pinned), from all results of the dice."""
    start = wait_for_dice(setting, state, order)
    typed = read_order(setting, "german", order)[0]

    def run(dice):
        umpire = Umpire(setting, start, 5, dice)
        casualties = fire.carry_out(umpire, typed)
        morale.test_crews(umpire, typed.unit, casualties, {})
        after = umpire.state
        gone = sum(unit.place == "eliminated" != state.units[mid].place for mid, unit in after.units.items())
        stuck = len(after.marks.get("immobile", {})) - len(state.marks.get("immobile", {}))
        return gone, stuck, len(after.marks.get("pinned", {}))

    found = Counter()
    for chance, _way, end in run_branches(5, run, most=6**6) or ():
        found[end] += chance
    return found


def told(found):
    keys = exact_odds.DESTROYED, exact_odds.IMMOBILE, exact_odds.PINNED
    return {tuple(int(one.figures[key]) for key in keys): one.chance for one in found.outcomes}


def test_5_5_one_shot_by_hand():
    """Close range hits with 4/6, the tank's save fails with 16/36: destroyed with 8/27."""
    setting = open_world(DUEL)
    found = odds(setting, begin(setting), red("g-panzer", g_pz_1="s-t-1"))
    assert told(found) == {(0, 0, 0): Fraction(19, 27), (1, 0, 0): Fraction(8, 27)}
    assert dict(found.means) == {"hits": Fraction(2, 3), "models destroyed": Fraction(8, 27)}
    assert dict(found.sums)["there is 1 hit"] == Fraction(2, 3)
    assert dict(found.sums)["s-t-1 is destroyed"] == Fraction(8, 27)


@pytest.mark.some(9)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("models", "order", "left"),
    [
        (DUEL, red("g-panzer", g_pz_1="s-t-1"), {}),
        sweeps.long((DUEL, red("g-panzer", "s-t-1"), {})),
        sweeps.long((GUNS, red("g-panzer", "s-gun-1"), {"s-gun-2": 2})),
        ({**GUNS, "s-t-1": ("20.00, 8.60", "12")}, red("g-panzer", "s-gun-1"), {"s-gun-2": 1}),
        ({**GUNS, "s-t-1": ("20.00, 8.60", "12"), "s-gun-2": ("60.00, 60.00",)}, red("g-panzer", "s-gun-1"), {}),
    ],
    ids=["one shot", "two at a tank", "crew and morale", "crew and tank in a blast", "a tank in a blast"],
)
def test_5_6_odds_are_those_of_the_rules_themselves(models, order, left):
    """Every result of the dice goes through fire, saves and morale."""
    setting = open_world(models)
    state = crew(begin(setting), left)
    assert told(odds(setting, state, order)) == dict(count_outcomes(setting, state, order))


def test_6_4_a_tank_that_is_hit_and_blasted_by_one_order():
    """A-36: destroyed with 2/3 * 16/36 despite the blast; otherwise immobile with 1/2 * 16/36."""
    models = {**GUNS, "g-pz-2": ("10.00, 11.00", "3"), "s-gun-2": ("60.00, 50.00",), "s-t-1": ("20.00, 8.60", "9")}
    setting = open_world(models)
    found = dict(odds(setting, begin(setting), red("g-panzer", g_pz_1="s-t-1", g_pz_2="s-gun-1")).sums)
    assert found["s-t-1 is destroyed"] == Fraction(8, 27)
    assert found["s-t-1 is immobilised"] == Fraction(19, 27) * Fraction(1, 2) * Fraction(4, 9)


def test_6_4_odds_of_an_immobile_tank_and_of_a_crew_with_its_gun():
    """Bug: AP shots at an immobile tank had a chance of immobilising the tank."""
    setting = open_world(DUEL)
    state = begin(setting)
    state = state.with_(marks={**state.marks, "immobile": {"s-t-1": "yes"}})
    found = dict(odds(setting, state, red("g-panzer", "s-t-1")).sums)
    assert found["s-t-1 is destroyed"]
    assert "s-t-1 is immobilised" not in found
    setting = open_world(GUNS)
    found = odds(setting, begin(setting), red("g-panzer", "s-gun-1"))
    assert found.outcomes[0].result == "no model destroyed, immobilised or pinned"  # 'nothing', although crew falls too
    found = dict(found.sums)
    part, all_fall = Fraction(1, 2) * Fraction(64, 81), Fraction(1, 2) * Fraction(16, 81)
    assert (found["a part of the crew of s-gun-2 falls"], found["s-gun-2 is destroyed"]) == (part, all_fall)


def test_7_2_a_gun_that_has_lost_most_of_its_crew_before_is_pinned_only_by_new_casualties():
    """A-20: with 2 of 5 left one more falls with 4/9; two fall with 4/9, and the gun is destroyed."""
    setting = open_world(GUNS, crew="5")
    found = dict(odds(setting, crew(begin(setting), {"s-gun-2": 2}), red("g-panzer", "s-gun-1")).sums)
    assert found["s-gun-2 is pinned"] == Fraction(1, 2) * Fraction(4, 9) * Fraction(15, 36)


def test_5_2_shots_that_are_lost_are_told():
    setting = open_world(DUEL)
    found = odds(setting, begin(setting), red("g-panzer", "s-t-2"))
    assert "out of range, the shot is lost" in found.title
    assert told(found) == {(0, 0, 0): Fraction(1)}
    found = odds(setting, crew(begin(setting), {"g-pz-1": 0}), red("g-panzer", g_pz_1="s-t-1"))
    assert found.title == "g-panzer fires: no model left with orders to fire [5.1]"  # ' it can', although g-pz-2 could


def test_5_6_a_long_row_of_guns_in_blasts_is_told_gun_by_gun():
    """With too many joint states the outcomes are missing, but the chances of each model are exact."""
    row = {f"s-gun-{number}": (f"{20 + number * 5 // 4}.{number * 125 % 100:02d}, 10.00",) for number in range(12)}
    tanks = {f"g-pz-{number}": (f"{20 + number}.00, 20.{number % 2}0", "12") for number in range(6)}
    setting = open_world({**row, **tanks, "s-t-1": ("60.00, 60.00", "9")}, crew="9")
    shots = {f"g_pz_{number}": f"s-gun-{2 * number}" for number in range(6)}
    (found,) = exact_odds.list_chances(setting, wait_for_dice(setting, begin(setting), red("g-panzer", **shots)), {})
    assert found.outcomes == ()
    assert dict(found.sums)["s-gun-0 is destroyed"] > 0


def test_5_1_sealed_orders_are_seen_at_their_own_desk_only():
    setting = open_world(DUEL)
    state = begin(setting)
    order = red("s-tanks", "g-pz-1")
    assert [each.subject for each in exact_odds.list_chances(setting, state, {"orders/turn-1": [order]})] == ["s-tanks"]
    assert exact_odds.list_chances(setting, state, {}) == ()
    assert make_field(setting, state).at
