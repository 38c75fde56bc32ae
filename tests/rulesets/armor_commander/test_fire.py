"""5.1 to 5.7: red chips, targets, sight, range, rounds."""

import pytest

from kursk_pbem.rulesets.armor_commander.fire import list_shots, measure_shot
from kursk_pbem.rulesets.armor_commander.orders import read_order
from kursk_pbem.rulesets.armor_commander.position import make_field
from rulesets.armor_commander.table import begin, box, crew, moved, notes, play, red, refused, trials, world

DUEL = {
    "g-pz-1": ("10.00, 10.00", "12"),
    "g-pz-2": ("10.00, 13.00", "12"),
    "s-t-1": ("20.00, 10.00", "9"),
    "s-t-2": ("22.00, 13.00", "9"),
    "s-gun-1": ("30.00, 10.00",),
}


def list_aims(setting, state, order, side="german"):
    """Return (shooter, target) of an order's shots, or why a target is missing."""
    found = list_shots(make_field(setting, state), read_order(setting, side, order)[0])
    return [(each.shooter, each.target or each.why) for each in found]


def test_5_1_each_unit_that_fires_takes_a_red_chip():
    """A-2, A-4, A-51: one shot for each model on the table; a chip without a target is refused."""
    setting = world(DUEL)
    state = begin(setting)
    assert refused(setting, state, "german", red("g-panzer")) == [("5.1", "a red chip needs a target: at: [ENEMY]")]
    assert len(list_aims(setting, state, red("g-panzer", "s-t-1"))) == 2
    assert len(list_aims(setting, crew(state, {"g-pz-1": 0}), red("g-panzer", "s-t-1"))) == 1
    assert list_aims(setting, state, red("g-panzer", g_pz_2="s-t-1")) == [("g-pz-2", "s-t-1")]


def test_5_1_immobile_tanks_may_fire():
    """A-23."""
    setting = world(DUEL)
    state = begin(setting, immobile={"g-pz-1": "yes"})
    result = play(setting, state, [red("g-panzer", g_pz_1="s-t-1")], dice={"g-pz-1/hit": "1"})
    assert trials(result) == [("g-pz-1/hit", "1", "at s-t-1, 10.00 inches, close range: hits at 3 or more", False)]


def test_5_2_each_model_fires_at_its_nearest_visible_model_of_the_unit():
    """A-5: at equal distances the lowest id."""
    setting = world(DUEL)
    state = begin(setting)
    assert list_aims(setting, state, red("g-panzer", "s-tanks")) == [("g-pz-1", "s-t-1"), ("g-pz-2", "s-t-1")]
    near = moved(state, {"s-t-2": "19.00, 13.00"})
    assert list_aims(setting, near, red("g-panzer", "s-tanks"))[1] == ("g-pz-2", "s-t-2")
    even = moved(state, {"s-t-1": "20.00, 12.00", "s-t-2": "20.00, 14.00"})
    assert list_aims(setting, even, red("g-panzer", "s-tanks"))[1] == ("g-pz-2", "s-t-1")


def test_5_2_the_nearest_is_the_nearest_in_sight():
    """A-5: a model hidden by a wood is no target, even if it is the nearest."""
    setting = world(DUEL, {"wood": ("wood", box(14, 9, 16, 10))})
    state = begin(setting)
    assert list_aims(setting, state, red("g-panzer", "s-tanks"))[0] == ("g-pz-1", "s-t-2")
    assert list_aims(setting, state, red("g-panzer", "s-t-1"))[0] == ("g-pz-1", "does not see s-t-1")


def test_5_2_of_a_list_the_first_that_is_not_destroyed():
    """A-5, A-39: a model's list replaces its unit's list; only destroyed targets are skipped."""
    setting = world(DUEL, {"wood": ("wood", box(14, 9, 16, 10))})
    state = begin(setting)
    order = red("g-panzer", "s-t-1", "s-t-2", g_pz_2="s-gun-1 s-t-1")
    assert list_aims(setting, state, order) == [("g-pz-1", "does not see s-t-1"), ("g-pz-2", "s-gun-1")]
    later = crew(state, {"s-t-1": 0, "s-gun-1": 0})
    assert list_aims(setting, later, order) == [("g-pz-1", "s-t-2"), ("g-pz-2", "has no target left")]
    result = play(setting, later, [order], dice={"g-pz-1/hit": "1"})
    assert "g-pz-2 does not fire: has no target left" in notes(result)


def test_5_2_the_order_of_models_in_the_file_says_nothing():
    """A-52, A-41: equal shots with equal dice."""
    setting = world(DUEL)
    order = red("g-panzer", g_pz_1="s-t-1", g_pz_2="s-t-2")
    turned = {**order, "shots": order["shots"][::-1]}
    dice = {"g-pz-1/hit": "6", "g-pz-2/hit": "1", "g-pz-1/save/s-t-1": "66"}
    one, two = (play(setting, begin(setting), [each], dice=dice) for each in (order, turned))
    assert one.after.sha256() == two.after.sha256()
    assert [event for event in one.events if type(event).__name__ == "Tested"] == [
        event for event in two.events if type(event).__name__ == "Tested"
    ]


@pytest.mark.parametrize(
    ("ground", "seen"),
    [
        (("wood", box(14, 9, 16, 11)), False),
        (("orchard", box(14, 9, 16, 11)), True),
        (("water", box(14, 9, 16, 11)), True),
        (("wood", ["14.00, 10.00", "16.00, 8.00", "16.00, 9.00"]), False),
        (("wood", ["14.00, 9.99", "16.00, 8.00", "15.00, 7.00"]), True),
        (("wood", ["19.00, 8.00", "21.00, 8.00", "20.00, 10.00"]), False),
    ],
)
def test_5_2_sight_is_from_centre_to_centre_past_terrain_that_blocks(ground, seen):
    """A-16, A-27, A-28: one common point blocks; terrain that does not block hides no model."""
    setting = world(DUEL, {"x": ground})
    assert make_field(setting, begin(setting)).can_see("g-pz-1", "s-t-1") is seen


def test_5_2_models_do_not_block_and_who_is_in_terrain_that_blocks_sees_nobody():
    """A-16, A-53."""
    setting = world({**DUEL, "s-gun-2": ("15.00, 10.00",)})
    assert make_field(setting, begin(setting)).can_see("g-pz-1", "s-t-1")
    hidden = world({**DUEL, "s-gun-2": ("15.00, 40.00",)}, {"wood": ("wood", box(14, 39, 16, 41))})
    table = make_field(hidden, begin(hidden))
    assert not table.can_see("s-gun-2", "g-pz-1")
    assert not table.can_see("g-pz-1", "s-gun-2")


def test_5_3_ranges_are_measured_for_each_model_from_centre_to_centre():
    """A-7, A-6: targets are named before."""
    setting = world(DUEL)
    state = moved(begin(setting), {"s-t-1": "22.00, 10.00"})
    table = make_field(setting, state)
    assert [measure_shot(table, mid, "s-t-1").band for mid in ("g-pz-1", "g-pz-2")] == ["close", "effective"]


def test_5_4_a_shot_out_of_range_is_lost_with_its_chip():
    """A-6, A-34: no model takes another target; the models in range shoot."""
    setting = world(DUEL)
    state = moved(begin(setting), {"s-t-1": "46.00, 10.00"})
    result = play(setting, state, [red("g-panzer", "s-t-1", "s-t-2")], dice={"g-pz-1/hit": "4"})
    assert notes(result) == ["g-pz-2 does not fire at s-t-1: 36.13 inches: out of range, the shot is lost"]
    assert trials(result) == [("g-pz-1/hit", "4", "at s-t-1, 36.00 inches, long range: hits at 5 or more", False)]
    beyond = measure_shot(make_field(setting, moved(begin(setting), {"s-t-1": "46.00, 10.01"})), "g-pz-1", "s-t-1")
    assert beyond.description == "36.01 inches: out of range, the shot is lost"  # bug: '36.00 inches: out of range'


@pytest.mark.parametrize(("far", "needs"), [("20.00", 3), ("30.00", 4), ("40.00", 5)])
def test_5_5_a_die_hits_at_3_4_and_5(far, needs):
    """A-4: one die for each shot."""
    setting = world({key: DUEL[key] for key in ("g-pz-1", "s-t-1")})
    state = moved(begin(setting), {"s-t-1": f"{far}, 10.00"})
    for die in range(1, 7):
        dice = {"g-pz-1/hit": str(die), **({"g-pz-1/save/s-t-1": "66"} if die >= needs else {})}
        result = play(setting, state, [red("g-panzer", "s-tanks")], dice=dice)
        assert trials(result, "AP round")[0][3] == (die >= needs)


def test_5_6_all_shots_of_a_unit_are_simultaneous():
    """A-22, A-47: a tank hit twice saves twice, even after a failure."""
    setting = world(DUEL)
    dice = {"g-pz-1/hit": "6", "g-pz-2/hit": "6", "g-pz-1/save/s-t-1": "11", "g-pz-2/save/s-t-1": "12"}
    result = play(setting, begin(setting), [red("g-panzer", "s-t-1")], dice=dice)
    assert result.after.units["s-t-1"].place == "eliminated"
    assert [label for label, *_rest in trials(result)] == [
        "g-pz-1/hit",
        "g-pz-2/hit",
        "g-pz-1/save/s-t-1",
        "g-pz-2/save/s-t-1",
    ]
    result = play(setting, begin(setting), [red("g-panzer", "s-t-1")], [red("s-tanks", s_t_1="g-pz-1")], dice)
    assert "s-tanks has no model left with orders to fire" in notes(result)  # s-t-2 could


def test_5_6_a_blast_reaches_every_base_within_an_inch_of_the_target_point():
    """A-10: to the edge of the base, 1.50 between centers, friends too; a miss has no blast."""
    models = {
        "g-pz-1": ("10.00, 10.00", "3"),
        "s-gun-1": ("20.00, 10.00",),
        "s-gun-2": ("20.00, 11.50",),
        "s-gun-3": ("20.00, 8.49",),
        "g-pz-2": ("18.50, 10.00", "3"),
        "s-t-1": ("21.20, 10.90", "9"),
    }
    setting = world({**models, "g-pz-2": ("18.50, 10.00", "3")})
    found = measure_shot(make_field(setting, begin(setting)), "g-pz-1", "s-gun-1")
    assert [(each.model, each.blast) for each in found.effects] == [
        ("s-gun-1", False),
        ("g-pz-2", True),
        ("s-gun-2", True),
        ("s-t-1", True),
    ]
    result = play(setting, begin(setting), [red("g-panzer", g_pz_1="s-gun-1")], dice={"g-pz-1/hit": "3"})
    assert len(trials(result)) == 1


@pytest.mark.parametrize(
    ("order", "why"),
    [
        (red("g-panzer", "s-gun-1"), ""),
        (red("g-panzer", "s-tanks"), ""),
        (red("g-panzer", "s-tanks", "s-gun-1"), ""),
        ({**red("g-panzer", "s-tanks"), "rounds": "ap"}, ""),
        ({**red("g-panzer", "s-gun-1"), "rounds": "he"}, ""),
        ({**red("g-panzer", "s-tanks"), "rounds": "he"}, "he rounds are not fired at s-tanks, only at guns"),
        ({**red("g-panzer", "s-gun-1"), "rounds": "ap"}, "ap rounds are not fired at s-gun-1, only at tanks"),
        (red("g-gun-1", "s-tanks"), ""),
        (red("g-gun-1", "s-gun-1"), "is a gun, and a gun fires only at tanks"),
        (
            {**red("g-gun-1", "s-tanks"), "rounds": "he"},
            "write rounds: ap, or leave the rounds out: then the unit fires fitting rounds",
        ),
    ],
)
def test_5_7_tanks_have_rounds_against_both_and_guns_fire_only_at_tanks(order, why):
    """A-8, A-9, A-26: orders may name rounds; by default the rounds fit the target."""
    setting = world({**DUEL, "g-gun-1": ("10.00, 20.00",)})
    found = refused(setting, begin(setting), "german", order)
    assert [rule for rule, _why in found] == (["5.7"] if why else [])
    assert not why or why in found[0][1]


def test_5_7_ap_rounds_of_an_antitank_gun_are_what_it_fires_anyway():
    """A-9: the row of the gun, with 48 inches, not of a tank's AP rounds; a gun has no HE rounds."""
    setting = world({"g-gun-1": ("1.00, 10.00",), "s-t-1": ("48.00, 10.00", "9")})
    state = begin(setting)
    for rounds in ({}, {"rounds": "ap"}):
        result = play(setting, state, [{**red("g-gun-1", "s-t-1"), **rounds}], dice={"g-gun-1/hit": "1"})
        assert trials(result)[0][2] == "at s-t-1, 47.00 inches, long range: hits at 5 or more"
    wrong = {**red("g-gun-1", "s-t-1"), "rounds": "he"}
    assert [rule for rule, _why in refused(setting, state, "german", wrong)] == ["5.7"]


def test_5_7_rounds_of_a_unit_do_not_bind_lists_of_single_models():
    """A-39: a model's own list has its own rounds, or the fitting ones."""
    setting = world(DUEL)
    state = begin(setting)
    order = {**red("g-panzer", "s-t-1", g_pz_2="s-gun-1"), "rounds": "ap"}
    assert refused(setting, state, "german", order) == []
    found = list_shots(make_field(setting, state), read_order(setting, "german", order)[0])
    assert [(each.shooter, each.weapon) for each in found] == [("g-pz-1", "AP round"), ("g-pz-2", "HE round")]
    own = {**order, "shots": [{"id": "g-pz-2", "at": ["s-gun-1"], "rounds": "ap"}]}
    assert [rule for rule, _why in refused(setting, state, "german", own)] == ["5.7"]


def test_5_7_the_usual_rounds_fit_the_target():
    """A-8: AP at tanks, HE at guns, by one order."""
    setting = world(DUEL)
    table = make_field(setting, begin(setting))
    assert measure_shot(table, "g-pz-1", "s-t-1").weapon == "AP round"
    assert measure_shot(table, "g-pz-1", "s-gun-1").weapon == "HE round"
    assert measure_shot(table, "s-gun-1", "g-pz-1").weapon == "AT gun"


def test_5_2_targets_are_enemies():
    setting = world(DUEL)
    for target in ("g-pz-2", "g-panzer", "nobody", "s-t-9"):
        own = target in setting.models or target in setting.units
        why = f"{target} is your own" if own else "is no unit or model of the enemy"
        assert refused(setting, begin(setting), "german", red("g-panzer", target)) == [("5.2", why)]
