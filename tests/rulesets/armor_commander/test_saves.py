"""6.1 to 6.9: saves of tanks, guns and crews, and the effects of failures."""

import pytest

from kursk_pbem.kernel.plane import FRONT, REAR, SIDE
from kursk_pbem.rulesets.armor_commander.fire import measure_shot
from kursk_pbem.rulesets.armor_commander.position import make_field
from rulesets.armor_commander.table import begin, box, green, moved, notes, play, red, refused, trials, world

DUEL = {"g-pz-1": ("10.00, 10.00", "3"), "s-t-1": ("20.00, 10.00", "9"), "s-t-2": ("60.00, 60.00", "9")}
GUNS = {
    "g-pz-1": ("10.00, 10.00", "3"),
    "g-pz-2": ("10.00, 12.00", "3"),
    "s-gun-1": ("20.00, 10.00",),
    "s-gun-2": ("20.00, 11.40",),
    "s-t-1": ("20.00, 8.60", "9"),
}
AT = red("g-panzer", g_pz_1="s-t-1")


def state_of(result, mid):
    unit = result.after.units[mid]
    return unit.place if unit.place == "eliminated" else unit.steps


@pytest.mark.parametrize(("dice", "saved"), [("51", True), ("15", True), ("44", False), ("11", False), ("62", True)])
def test_6_1_a_tank_throws_two_dice_and_the_higher_counts(dice, saved):
    """A-13: 5 or more."""
    setting = world(DUEL)
    result = play(setting, begin(setting), [AT], dice={"g-pz-1/hit": "3", "g-pz-1/save/s-t-1": dice})
    assert (state_of(result, "s-t-1") == 1) == saved
    assert trials(result, "Save")[0][2:] == ("saves at 5 or more with the better die", saved)


@pytest.mark.parametrize("die", ["5", "4", "3"])
def test_6_2_a_gun_that_is_hit_itself_throws_one_die(die):
    """A-12, A-33: below 5 the gun falls with its crew; half obscured adds 1."""
    dice = {"g-pz-1/hit": "4", "g-pz-1/save/s-gun-1": die}
    for terrain, needs in (({"orchard": ("orchard", box(19, 9, 21, 11))}, 4), ({}, 5)):
        setting = world(GUNS, terrain)
        state = moved(begin(setting), {"s-gun-2": "40.00, 40.00", "s-t-1": "40.00, 30.00"})
        result = play(setting, state, [red("g-panzer", g_pz_1="s-gun-1")], dice=dice)
        assert state_of(result, "s-gun-1") == (4 if int(die) >= needs else "eliminated")
        assert trials(result, "Save")[0][2] == "saves at 5 or more" + (", +1 half obscured" if terrain else "")


def fire_blast(dice, state=None, setting=None):
    """Hit the first gun by the first German tank; the second gun and a tank are in the blast."""
    setting = setting or world(GUNS)
    hit = {"g-pz-1/hit": "4", "g-pz-1/save/s-gun-1": "5"}
    return play(setting, state or begin(setting), [red("g-panzer", g_pz_1="s-gun-1")], dice=hit | dice)


def test_6_4_a_tank_that_only_the_blast_reaches_may_no_longer_move():
    """A-10, A-11, A-9: never destroyed; a second failure changes nothing."""
    dice = {"g-pz-1/crew/s-gun-2": "6666", "g-pz-1/blast/s-t-1": "44"}
    result = fire_blast(dice)
    assert state_of(result, "s-t-1") == 1
    assert result.after.marks["immobile"] == {"s-t-1": "yes"}
    setting = world(GUNS)
    again = fire_blast(dice, begin(setting, immobile={"s-t-1": "yes"}))
    assert again.after.marks["immobile"] == {"s-t-1": "yes"}
    assert state_of(again, "s-t-1") == 1
    assert "s-t-1 could not move before" in notes(again)
    saved = fire_blast({**dice, "g-pz-1/blast/s-t-1": "45"})
    assert "immobile" not in saved.after.marks


def make_pond(low):
    """Return a pond that hides a target's width from ``low`` hundredths above the line of sight."""
    return ["19.00, 20.00", "19.10, 20.00", f"19.10, 10.{low:02d}", f"19.00, 10.{low:02d}"]


@pytest.mark.parametrize(("low", "obscured"), [(0, True), (1, False), (24, False), (26, False)])
def test_6_5_three_of_five_rays_are_half(low, obscured):
    """A-15, A-27, A-28, A-29: at -0.50, -0.25, 0, 0.25 and 0.50; any terrain, blocking or not."""
    setting = world(DUEL, {"pond": ("water", make_pond(low))})
    found = measure_shot(make_field(setting, begin(setting)), "g-pz-1", "s-t-1")
    assert found.effects[0].obscured is obscured
    assert found.effects[0].modifiers == (((1, "half obscured"),) if obscured else ())


@pytest.mark.parametrize(
    ("place", "arc"),
    [
        ("20.00, 20.00", FRONT),
        ("30.00, 20.00", FRONT),
        ("30.01, 20.00", SIDE),
        ("10.00, 20.00", FRONT),
        ("20.00, 9.99", REAR),
        ("30.00, 10.01", SIDE),
        ("30.00, 0.00", REAR),
        ("30.01, 0.00", SIDE),
        ("9.00, 0.01", SIDE),
    ],
)
def test_6_6_the_arc_of_the_shooter_is_measured_from_the_facing(place, arc):
    """A-14, A-43, A-49: up to 45 degrees front, from 135 rear; side and rear both cost 1. The tank faces 12."""
    setting = world({"g-pz-1": ("10.00, 10.00", "3"), "s-t-1": ("20.00, 10.00", "12")})
    state = moved(begin(setting), {"g-pz-1": place})
    assert make_field(setting, state).find_arc("g-pz-1", "s-t-1") == arc
    found = measure_shot(make_field(setting, state), "g-pz-1", "s-t-1").effects[0]
    assert found.modifiers == (() if arc == FRONT else ((-1, "side or rear armor"),))


def test_6_6_facings_are_half_hours_of_the_clock():
    """A-49: 24 facings; a gun has none."""
    setting = world({"g-pz-1": ("10.00, 10.00", "3"), "g-gun-1": ("10.00, 20.00",), "s-t-1": ("20.00, 10.00", "12")})
    state = begin(setting)
    for face, good in (("12", True), ("1:30", True), ("12:30", True), ("0", False), ("13", False), ("1:15", False)):
        assert (refused(setting, state, "german", green("g-panzer", ("g-pz-1", f"face {face}"))) == []) == good
    assert refused(setting, state, "german", green("g-gun-1", ("g-gun-1", "10.00, 21.00", "face 3"))) == [
        ("6.6", "a gun has no facing, and fires all round")
    ]


@pytest.mark.parametrize(
    ("ground", "added"),
    [
        ({}, 0),
        ({"x": ("orchard", box(19, 11, 21, 12))}, 1),
        ({"x": ("water", box(19, 11, 21, 12))}, 1),
        ({"x": ("orchard", box(30, 30, 31, 31))}, 0),
        ({"x": ("water", box(15, 10, 16, 20))}, 1),
    ],
)
def test_6_9_a_crew_in_cover_adds_1(ground, added):
    """A-15, A-40: its center in terrain that is cover, or three of five rays from the shooter."""
    setting = world(GUNS, ground)
    found = {
        each.model: each for each in measure_shot(make_field(setting, begin(setting)), "g-pz-1", "s-gun-1").effects
    }
    assert found["s-gun-2"].modifier == added
    assert not added or found["s-gun-2"].modifiers == ((1, "in cover"),)
