"""6.1 to 6.9: saves of tanks, guns and crews, and the effects of failures."""

import pytest

from kursk_pbem.kernel.plane import FRONT, REAR, SIDE
from kursk_pbem.rulesets.armor_commander.fire import measure_shot
from kursk_pbem.rulesets.armor_commander.position import make_field
from rulesets.armor_commander.table import begin, box, crew, green, moved, notes, play, red, refused, trials, world

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


def test_6_3_who_is_destroyed_leaves_the_table_with_its_marks():
    """A-32: with wrecks as obstacles the place is kept."""
    dice = {"g-pz-1/hit": "3", "g-pz-1/save/s-t-1": "44"}
    for wrecks, marks in (("gone", {}), ("obstacle", {"s-t-1": "20.00, 10.00"})):
        setting = world(DUEL, wrecks=wrecks)
        result = play(setting, begin(setting, immobile={"s-t-1": "yes"}), [AT], dice=dice)
        assert state_of(result, "s-t-1") == "eliminated"
        assert "s-t-1" not in result.after.marks["facing"]
        assert "immobile" not in result.after.marks
        assert result.after.marks.get("wreck", {}) == marks


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


def test_6_4_immobile_and_pinned_are_two_states():
    """A-19: a tank stays immobile; a gun is pinned for a turn."""
    setting = world(GUNS)
    state = begin(setting, immobile={"s-t-1": "yes"}, pinned={"s-gun-2": "1"})
    after = play(setting, state).after
    assert after.marks["immobile"] == {"s-t-1": "yes"}
    assert "pinned" not in after.marks


def test_6_4_a_tank_in_its_own_blast_has_neither_facing_nor_cover():
    """A-36: its save has no modifiers; a friend of the shooter has both, towards the shooter."""
    models = {
        "g-pz-1": ("19.00, 10.00", "12"),
        "g-pz-2": ("21.20, 10.00", "12"),
        "s-gun-1": ("20.20, 10.00",),
        "s-t-1": ("60.00, 60.00", "9"),
    }
    setting = world(models, {"pond": ("water", box(18, 9, 22, 11))})
    own, friend = measure_shot(make_field(setting, begin(setting)), "g-pz-1", "s-gun-1").effects[1:]
    assert (own.model, own.flank, own.obscured, own.blast) == ("g-pz-1", False, False, True)
    assert (friend.model, friend.flank, friend.obscured) == ("g-pz-2", True, True)


def test_6_4_hit_and_blasted_in_one_action_it_saves_against_each():
    """A-36, A-47: destroyed includes immobile, and the order of shots does not change the dice."""
    setting = world(GUNS)
    order = red("g-panzer", g_pz_1="s-gun-1", g_pz_2="s-t-1")
    dice = {
        "g-pz-1/hit": "4",
        "g-pz-2/hit": "3",
        "g-pz-1/save/s-gun-1": "5",
        "g-pz-2/save/s-t-1": "11",
        "g-pz-1/crew/s-gun-2": "6666",
        "g-pz-1/blast/s-t-1": "11",
    }
    result = play(setting, begin(setting), [order], dice=dice)
    assert state_of(result, "s-t-1") == "eliminated"
    assert "immobile" not in result.after.marks


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


def test_6_5_terrain_in_which_the_shooter_stands_obscures():
    """A-28: also the target's terrain, and for a gun with a direct hit (A-33)."""
    models = {
        "g-gun-1": ("10.00, 10.00",),
        "g-pz-1": ("10.00, 20.00", "3"),
        "s-t-1": ("20.00, 10.00", "9"),
        "s-gun-1": ("20.00, 20.00",),
    }
    setting = world(models, {"a": ("orchard", box(9, 9, 11, 11)), "b": ("orchard", box(19, 19, 21, 21))})
    table = make_field(setting, begin(setting))
    assert measure_shot(table, "g-gun-1", "s-t-1").effects[0].modifier == 1
    assert measure_shot(table, "g-pz-1", "s-gun-1").effects[0].modifier == 1


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


@pytest.mark.parametrize(("dice", "left"), [("6555", 4), ("4555", 3), ("1115", 1)])
def test_6_8_each_of_a_crew_throws_a_die(dice, left):
    """A-12, A-35: each die below 5 is a casualty; the gun does not become immobile."""
    extra = {"g-panzer/morale/s-gun-2": "66"} if left == 1 else {}
    result = fire_blast({"g-pz-1/crew/s-gun-2": dice, "g-pz-1/blast/s-t-1": "66", **extra})
    assert state_of(result, "s-gun-2") == left
    assert "immobile" not in result.after.marks


def test_6_8_with_the_last_of_its_crew_the_gun_is_destroyed():
    """A-12."""
    result = fire_blast({"g-pz-1/crew/s-gun-2": "1234", "g-pz-1/blast/s-t-1": "66"})
    assert state_of(result, "s-gun-2") == "eliminated"


def test_6_8_a_second_blast_is_saved_by_who_is_left():
    """A-35, A-47: a gun destroyed by a direct hit in the action rolls no more dice."""
    setting = world({**GUNS, "s-gun-3": ("20.00, 12.80",), "s-t-1": ("60.00, 60.00", "9")})
    order = red("g-panzer", g_pz_1="s-gun-1", g_pz_2="s-gun-3")
    dice = {
        "g-pz-1/hit": "4",
        "g-pz-2/hit": "4",
        "g-pz-1/save/s-gun-1": "5",
        "g-pz-2/save/s-gun-3": "5",
        "g-pz-1/crew/s-gun-2": "1155",
        "g-pz-2/crew/s-gun-2": "55",
    }
    assert state_of(play(setting, begin(setting), [order], dice=dice), "s-gun-2") == 2
    direct = red("g-panzer", g_pz_1="s-gun-2", g_pz_2="s-gun-1")
    dice = {
        "g-pz-1/hit": "4",
        "g-pz-2/hit": "4",
        "g-pz-1/save/s-gun-2": "1",
        "g-pz-2/save/s-gun-1": "5",
        "g-pz-1/crew/s-gun-1": "6666",
        "g-pz-1/crew/s-gun-3": "6666",
    }
    assert state_of(play(setting, begin(setting), [direct], dice=dice), "s-gun-2") == "eliminated"


def test_6_8_direct_hits_are_saved_before_blasts_whoever_fires_them():
    """A-47: the second tank destroys the gun, so its crew does not roll for the first tank's blast."""
    setting = world({**GUNS, "s-t-1": ("60.00, 60.00", "9")})
    order = red("g-panzer", g_pz_1="s-gun-1", g_pz_2="s-gun-2")
    dice = {
        "g-pz-1/hit": "4",
        "g-pz-2/hit": "4",
        "g-pz-1/save/s-gun-1": "5",
        "g-pz-2/save/s-gun-2": "4",
        "g-pz-2/crew/s-gun-1": "6666",
    }
    result = play(setting, begin(setting, pinned={"s-gun-2": "2"}), [order], dice=dice)
    assert state_of(result, "s-gun-2") == "eliminated"
    assert "pinned" not in result.after.marks


def test_6_8_a_crew_that_has_fallen_to_one_throws_one_die():
    setting = world(GUNS)
    result = fire_blast({"g-pz-1/crew/s-gun-2": "5", "g-pz-1/blast/s-t-1": "66"}, crew(begin(setting), {"s-gun-2": 1}))
    assert state_of(result, "s-gun-2") == 1


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


@pytest.mark.parametrize(("kind", "added"), [("orchard", 1), ("water", 0)])
def test_6_9_a_stand_in_cover_is_in_cover_though_nothing_obscures_it(kind, added):
    """A-15: one of five rays ends in its corner; terrain without cover does not count."""
    corner = ["20.00, 11.40", "21.00, 11.60", "21.00, 11.50"]
    setting = world(GUNS, {"x": (kind, corner)})
    table = make_field(setting, begin(setting))
    found = {each.model: each for each in measure_shot(table, "g-pz-1", "s-gun-1").effects}
    assert not table.is_obscured("g-pz-1", "s-gun-2")
    assert found["s-gun-2"].modifier == added
