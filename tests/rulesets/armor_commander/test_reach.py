"""4.3, 4.5: the outline of straight moves, point by point against the rules for moves."""

import random

import pytest
from helpers import registry, sweeps

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.plane import CLOCK, Polygon
from kursk_pbem.rulesets.armor_commander import ahead
from kursk_pbem.rulesets.armor_commander.movement import find_bars, is_legal
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.seen import reach
from kursk_pbem.rulesets.armor_commander.seen.outlook import explain_refusal, make_outlook
from rulesets.armor_commander.plots import CROSSROADS, GUN_LINE
from rulesets.armor_commander.table import begin, box, moved, world

SEEN = registry.kit("armor-commander").ruleset.seen
WALL = {"wall": ("wood", box(20, 12, 30, 14))}
"""A place two inches above the tank of ``ALONE``."""
ALONE = {"g-pz-1": ("25.00, 10.00", "12"), "s-t-1": ("70.00, 80.00", "6")}


def outline(models, ground=None, mid="g-pz-1"):
    setting = world(models, ground)
    return reach.find_outline(make_field(setting, begin(setting)), mid)


def explain_straight(setting, state, mid, place):
    """Return why a straight move may not end at a place, without regard to other bases."""
    return [each for each in explain_refusal(setting, state, mid, plane.text(place)) if "base" not in each]


def search_end(table, mid, vector):
    """Return the last end on a line before the first barred end."""
    setting, start, last = table.setting, table.at[mid], table.at[mid]
    for far in range(1, 601):
        end = start[0] + ahead.divide(vector[0] * far), start[1] + ahead.divide(vector[1] * far)
        if any(find_bars(table, setting.models[mid].side, (start, end), 600)):
            break
        last = end
    return last


def test_4_3_in_the_open_it_is_a_circle():
    found = outline(ALONE)
    assert len(found) == 96
    assert {plane.distance((2500, 1000), each) for each in found} <= {598, 599, 600}
    assert {(2500, 1600), (3100, 1000), (2500, 400), (1900, 1000)} <= set(found)
    assert found[0] == (2500, 1600)
    assert found[24] == (3100, 1000)  # clockwise


def test_4_5_terrain_the_edge_and_enemies_cut_it():
    assert max(y for _x, y in outline(ALONE, WALL)) < 1200 + 200  # past the ends of the wall, never into it
    assert Polygon(outline(ALONE, WALL)).holds((2500, 1199))
    assert not Polygon(outline(ALONE, WALL)).holds((2500, 1201))
    low = outline({**ALONE, "g-pz-1": ("25.00, 2.00", "12")})
    assert min(y for _x, y in low) == 0
    foe = outline({**ALONE, "s-t-1": ("29.00, 10.00", "6")})
    assert all(plane.square((2900, 1000), each) > 100 * 100 for each in foe)
    assert (2799, 1000) in foe  # an inch from the enemy's center is too near, one hundredth more is legal


@pytest.mark.long
@pytest.mark.parametrize("scenario", sweeps.some([CROSSROADS, GUN_LINE], 2))
@pytest.mark.parametrize("seed", sweeps.some(range(4), 4))
def test_4_5_each_point_is_legal_and_the_farthest_on_its_line(scenario, seed):
    """Random tables; a search by hundredths along the lines of the clock."""
    setting = registry.kit("armor-commander").setting(scenario)
    rng = random.Random(seed)
    places = {
        mid: plane.text((rng.randrange(setting.size[0]), rng.randrange(setting.size[1]))) for mid in setting.models
    }
    state = moved(begin(setting), places)
    table = make_field(setting, state)
    looked, missed = 0, 0
    for mid in table.at:
        found = reach.find_outline(table, mid)
        if len(found) > 1:
            assert not [end for end in found if explain_straight(setting, state, mid, end)], mid
            missed += sum(search_end(table, mid, vector) not in found for vector in list(CLOCK.values())[seed::5])
            looked += len(found)
    assert looked > 300
    assert missed <= 1  # past a corner whole hundredths may be barred, free, and barred again


def test_4_3_who_stands_in_terrain_has_none_and_bases_are_holes():
    setting = registry.kit("armor-commander").setting(CROSSROADS)
    state = begin(setting)
    gun = make_outlook(setting, state, "g-pak-1").phases[0].movers[0]
    assert (gun.outline, gun.turns) == ((), ())
    tank = make_outlook(setting, state, "g-pz-1").phases[0].movers[0]
    assert ((3350, 950), 100) in tank.holes
    assert all(plane.is_within((3100, 950), place, 700) for place, _far in tank.holes)
    assert tank.turns == ("face g-pz-1 11:30", "face g-pz-1 12:30")
    near = world({**ALONE, "g-pz-2": ("31.50, 10.00", "12"), "g-pz-3": ("32.10, 10.00", "12")})
    assert reach.list_holes(make_field(near, begin(near)), "g-pz-1") == (
        ((3150, 1000), 100),
    )  # at 6.50 the base overlaps the rim
    immobile = make_outlook(setting, begin(setting, immobile={"g-pz-1": "yes"}), "g-pz-1").phases[0].movers[0]
    assert (immobile.outline, immobile.turns) == ((), ())


def test_4_3_why_a_way_by_places_is_barred():
    setting = registry.kit("armor-commander").setting(CROSSROADS)
    state = begin(setting)
    assert SEEN.why(setting, state, "g-pz-1", "31.00, 12.00; 33.00, 12.00") == ()
    assert SEEN.why(setting, state, "g-pz-1", "31.00, 12.50; 35.00, 12.50") == (
        "the way is 7.00 inches long, 1.00 more than 6.00 [4.3]",
    )


def test_2_2_while_one_deploys_it_is_the_zone():
    setting = registry.kit("armor-commander").setting(CROSSROADS)
    state = registry.kit("armor-commander").ruleset.data.setup(setting)
    (mover,) = make_outlook(setting, state, "g-pz-1").phases[0].movers
    assert mover.outline == setting.zones["german"].outline
    assert mover.turns == ("deploy g-pz-1 face 11:30", "deploy g-pz-1 face 12:30")
    assert SEEN.why(setting, state, "g-pz-1", "30.00, 9.50") == ()
    assert "outside the deployment zone" in SEEN.why(setting, state, "g-pz-1", "30.00, 13.00")[0]
    assert SEEN.why(setting, state, "g-pz-1", "33.00, 9.50") == ("the bases of g-pz-1 and g-pz-2 touch [2.3]",)
    assert "not allowed for a tank" in SEEN.why(setting, state, "g-pz-1", "22.00, 11.00")[0]
    assert SEEN.why(setting, state, "g-pak-1", "22.00, 11.00") == ()
    assert SEEN.why(setting, state, "g-pz-1", "5.00, 5.00") == ()  # far from the other models, which may follow


@pytest.mark.parametrize("scenario", sweeps.some([CROSSROADS, GUN_LINE], 2))
@pytest.mark.parametrize("seed", sweeps.some(range(4), 4))
def test_4_3_straight_ahead_is_the_farthest_of_all_quarters_of_an_inch(scenario, seed):
    """Bisection finds the same end as trying each step; every legal leg has no bars."""
    setting = registry.kit("armor-commander").setting(scenario)
    rng = random.Random(seed)
    places = {
        mid: plane.text((rng.randrange(setting.size[0]), rng.randrange(setting.size[1]))) for mid in setting.models
    }
    table = make_field(setting, moved(begin(setting), places))
    found = set()
    for mid in table.at:
        side, start = setting.models[mid].side, table.at[mid]
        for vector in CLOCK.values():
            ends = [
                (start[0] + ahead.divide(vector[0] * far), start[1] + ahead.divide(vector[1] * far))
                for far in range(600, 0, -25)
            ]
            good = [end for end in ends if not list(find_bars(table, side, (start, end), 600))]
            assert [end for end in ends if is_legal(table, side, start, end)] == good
            free = [end for end in good if ahead.has_room(table, mid, end)]
            assert ahead.find_straight_end(table, mid, vector) == next(iter(free), None)
            found.add(bool(free))
    assert found == {True, False}
