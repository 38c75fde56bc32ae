"""Words of refusals and reports: what is wrong with an order, and why an order had no effect. Verdicts are on cards."""

import pytest

from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.rulesets.armor_commander import RULESET, victory
from kursk_pbem.rulesets.armor_commander.fire import measure_shot
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.saves import Effect
from kursk_pbem.rulesets.armor_commander.setting import Objective
from rulesets.armor_commander.table import begin, box, crew, green, moved, notes, play, red, refused, trials, world

MODELS = {
    "g-pz-1": ("10.00, 10.00", "12"),
    "g-pz-2": ("12.00, 10.00", "12"),
    "g-gun-1": ("30.00, 10.00",),
    "s-t-1": ("10.00, 30.00", "6"),
    "s-gun-1": ("60.00, 60.00",),
}


def drive(*path):
    """Return a move of the first tank; the second follows a step."""
    return green("g-panzer", ("g-pz-1", *path), ("g-pz-2", "12.00, 11.00"))


@pytest.mark.parametrize(
    ("order", "rule", "why"),
    [
        (green("g-panzer"), "4.1", "write which models move: [{id: MODEL, path: ['X, Y'], face: '12'}]"),
        (
            drive("11.00, 11.00", "10.00, 12.00", "10.00, 13.50"),
            "4.5",
            "the path of g-pz-1 comes into wood after 3.83 inches, on leg 3",  # 3.828, rounded up like every distance
        ),
        ({**red("g-panzer", "s-t-1"), "moves": [{"id": "g-pz-1"}]}, "4.6", "moves has no place beside a red chip"),
        (red("g-panzer", "g-panzer"), "5.2", "g-panzer is your own"),
        (red("g-panzer", "nobody"), "5.2", "is no unit or model of the enemy"),
        ({**red("g-panzer", "s-tanks"), "rounds": "he"}, "5.7", "he rounds are not fired at s-tanks, only at guns"),
        (
            {**red("g-gun-1", "s-tanks"), "rounds": "he"},
            "5.7",
            "write rounds: ap, or leave the rounds out: then the unit fires fitting rounds",
        ),
    ],
)
def test_what_is_wrong_with_an_order_is_said(order, rule, why):
    """Other sentences are in ``bad/orders.yaml``."""
    setting = world(MODELS, {"wood": ("wood", box(9, 13, 14, 16))})
    ((paragraph, told),) = refused(setting, begin(setting), "german", order)
    assert paragraph == rule
    assert why in told


@pytest.mark.parametrize(
    ("change", "order", "mistake"),
    [
        (lambda state: crew(state, {"g-pz-1": 0}), drive("10.00, 11.00"), ("4.1", "g-pz-1 is destroyed")),
        (lambda state: crew(state, {"g-pz-1": 0, "g-pz-2": 0}), red("g-panzer", "s-t-1"), ("3.2", "is destroyed")),
        (
            lambda state: moved(state, {"s-t-1": "10.00, 15.00"}),
            drive("10.00, 14.00"),
            ("4.5", "the path of g-pz-1 comes within 1.00 inches of s-t-1 after 4.00 inches, on leg 1"),
        ),
        (
            lambda state: state.with_(marks={**state.marks, "immobile": {"g-pz-1": "yes"}}),
            green("g-panzer", ("g-pz-1", "face 3")),
            ("6.4", "g-pz-1 is immobile, and neither moves nor turns"),
        ),
        (
            lambda state: state.with_(marks={**state.marks, "pinned": {"g-gun-1": "1"}}),
            red("g-gun-1", "s-t-1"),
            ("7.4", "is pinned, and gets no chip this turn"),
        ),
    ],
)
def test_what_has_happened_to_a_model_is_said_of_its_orders(change, order, mistake):
    setting = world(MODELS)
    assert refused(setting, change(begin(setting)), "german", order) == [mistake]


def test_4_3_a_wreck_that_bars_an_end_is_called_a_wreck():
    setting = world(MODELS, wrecks="obstacle")
    state = crew(begin(setting, wreck={"s-t-1": "10.00, 13.00"}), {"s-t-1": 0})
    over = ("4.3", "g-pz-1 would end on the wreck of s-t-1")
    assert refused(setting, state, "german", green("g-panzer", ("g-pz-1", "10.00, 13.50"))) == [over]


ROW = {
    "g-pz-1": ("10.00, 10.00", "12"),
    "g-pz-2": ("14.00, 10.00", "12"),
    "g-pz-3": ("16.00, 10.00", "12"),
    "s-t-1": ("60.00, 60.00", "6"),
}


def test_4_3_all_pairs_that_end_on_each_other_are_named_at_once():
    """Bug: the message named only one pair. Pairs that break cohesion are in ``bad/orders.yaml``."""
    setting = world(ROW)
    state = begin(setting)
    ends = ("g-pz-1", "12.00, 10.00"), ("g-pz-2", "12.50, 10.00"), ("g-pz-3", "13.20, 10.00")
    assert refused(setting, state, "german", green("g-panzer", *ends)) == [
        ("4.3", "the ends of g-pz-1 and g-pz-2, g-pz-2 and g-pz-3 overlap")
    ]


def test_4_4_the_gap_of_a_chain_is_named():
    """A-18: the option asks for steps of six inches."""
    setting = world(ROW, options={"cohesion": "chain"})
    far = refused(setting, begin(setting), "german", green("g-panzer", ("g-pz-3", "20.01, 10.00")))
    why = "the nearest of two parts, g-pz-2 and g-pz-3 (6.01), would be farther than 6.00 inches apart at the end"
    why += "; without a move yet: g-pz-1, g-pz-2"
    assert far == [("4.4", why)]


# Moves in the report


@pytest.mark.parametrize(
    ("models", "order", "near", "why"),
    [
        (
            {"g-pz-2": ("10.00, 9.00", "12"), "s-t-1": ("18.00, 10.00", "9")},
            green("g-panzer", ("g-pz-1", "16.00, 10.00"), ("g-pz-2", "10.00, 10.00", "14.90, 10.00", "face 3")),
            "14.00, 10.00",
            "the ends of g-pz-1 and g-pz-2 overlap",
        ),
        (
            {"g-pz-2": ("10.00, 15.00", "12"), "s-t-1": ("5.00, 16.00", "6")},
            green("g-panzer", ("g-pz-1", "10.00, 5.00", "face 6"), ("g-pz-2", "10.00, 11.00")),
            "9.00, 14.00",
            "g-pz-1 and g-pz-2 (9.01) would be too far apart",
        ),
    ],
)
def test_4_3_4_4_a_unit_that_an_enemy_keeps_where_it_was_is_told_why(models, order, near, why):
    """A-31: the enemy stops one or both of the tanks."""
    setting = world({"g-pz-1": ("10.00, 10.00", "12"), **models}, seals="soviet")
    result = play(setting, begin(setting, first="soviet"), [order], [green("s-tanks", ("s-t-1", near))])
    assert notes(result) == [f"g-panzer does not move: {why}"]


def test_4_5_a_leg_of_odd_hundredths_has_no_place_for_a_stop():
    """A-48: in whole hundredths on both axes, and 5.99 and 0.01 have no such place between them."""
    setting = world({"g-pz-1": ("10.00, 10.00", "12"), "s-t-1": ("18.00, 10.00", "9")}, seals="soviet")
    orders = [green("g-panzer", ("g-pz-1", "15.99, 10.01"))], [green("s-tanks", ("s-t-1", "13.99, 10.00"))]
    result = play(setting, begin(setting, first="soviet"), *orders)
    assert notes(result) == ["g-pz-1 stops at 10.00, 10.00: another model is in the way"]


# Fire in the report

DUEL = {
    "g-pz-1": ("10.00, 10.00", "12"),
    "g-pz-2": ("10.00, 13.00", "12"),
    "s-t-1": ("20.00, 10.00", "9"),
    "s-t-2": ("22.00, 13.00", "9"),
    "s-gun-1": ("30.00, 10.00",),
}
GUNS = {
    "g-pz-1": ("10.00, 10.00", "3"),
    "s-gun-1": ("20.00, 10.00",),
    "s-gun-2": ("20.00, 11.40",),
    "s-t-1": ("20.00, 8.60", "9"),
}
AT_GUN = [red("g-panzer", g_pz_1="s-gun-1")]


def test_5_2_who_has_no_target_left_is_said_not_to_fire():
    setting = world(DUEL)
    result = play(setting, crew(begin(setting), {"s-gun-1": 0}), [red("g-panzer", g_pz_2="s-gun-1")])
    assert notes(result) == ["g-pz-2 does not fire: has no target left"]


def test_5_4_a_shot_out_of_range_is_lost_with_its_chip():
    """A-6, A-34: no model takes another target; the models in range shoot."""
    setting = world(DUEL)
    state = moved(begin(setting), {"s-t-1": "46.00, 10.00"})
    result = play(setting, state, [red("g-panzer", "s-t-1", "s-t-2")], dice={"g-pz-1/hit": "4"})
    assert notes(result) == ["g-pz-2 does not fire at s-t-1: 36.13 inches: out of range, the shot is lost"]
    assert trials(result) == [("g-pz-1/hit", "4", "at s-t-1, 36.00 inches, long range: hits at 5 or more", False)]
    beyond = measure_shot(make_field(setting, moved(begin(setting), {"s-t-1": "46.00, 10.01"})), "g-pz-1", "s-t-1")
    assert beyond.description == "36.01 inches: out of range, the shot is lost"  # bug: '36.00 inches: out of range'
    assert (beyond.band, beyond.needs) == ("", 0)


def test_5_6_a_unit_that_has_lost_its_shooters_or_movers_says_so():
    """A-22: the other models of the unit have no orders."""
    setting = world(DUEL)
    hits = {"g-pz-1/hit": "6", "g-pz-1/save/s-t-1": "11"}
    for lost, told in (
        (red("s-tanks", s_t_1="g-pz-1"), "s-tanks has no model left with orders to fire"),
        (green("s-tanks", ("s-t-1", "20.00, 12.00")), "s-tanks has no model left that can move as ordered"),
    ):
        result = play(setting, begin(setting), [red("g-panzer", g_pz_1="s-t-1")], [lost], hits)
        assert told in notes(result)


def test_6_1_to_7_2_a_die_is_told_with_what_it_needs():
    setting = world(GUNS, {"orchard": ("orchard", box(19, 9, 21, 11))})
    away = moved(begin(setting), {"s-t-1": "40.00, 30.00"})
    dice = {"g-pz-1/hit": "4", "g-pz-1/save/s-gun-1": "4", "g-pz-1/crew/s-gun-2": "1115"}
    result = play(setting, away, AT_GUN, dice=dice | {"g-panzer/morale/s-gun-2": "34"})
    assert trials(result, "Save")[0][2:] == ("saves at 5 or more, +1 half obscured", True)
    assert trials(result, "Morale") == [("g-panzer/morale/s-gun-2", "34", "passes at 7 or more", True)]
    hit = {"g-pz-1/hit": "3", "g-pz-1/save/s-t-1": "44"}
    result = play(setting, begin(setting), [red("g-panzer", g_pz_1="s-t-1")], dice=hit)
    assert trials(result, "Save")[0][2:] == ("saves at 5 or more with the better die", False)


def test_6_4_a_second_failure_of_an_immobile_tank_is_told():
    """A-10: a blast never destroys a tank."""
    setting = world(GUNS)
    dice = {"g-pz-1/hit": "4", "g-pz-1/save/s-gun-1": "5", "g-pz-1/crew/s-gun-2": "6666", "g-pz-1/blast/s-t-1": "44"}
    again = play(setting, begin(setting, immobile={"s-t-1": "yes"}), AT_GUN, dice=dice)
    assert "s-t-1 could not move before" in notes(again)
    assert again.after.units["s-t-1"].steps == 1


def test_6_7_fire_from_off_the_table_helps_tanks_and_hurts_crews():
    """A-25: no model of the printed game fires so, so no card asks; a gun's own die is unchanged."""
    for kind, blast, modifier in (("tank", False, 1), ("gun", True, -1), ("gun", False, 0)):
        assert Effect("x", kind, blast, obscured=False, flank=False, off_table=True).modifier == modifier


def test_7_4_a_pin_after_the_last_turn_is_only_told():
    setting = world({**GUNS, "s-t-1": ("60.00, 60.00", "9")})
    dice = {"g-pz-1/hit": "4", "g-pz-1/save/s-gun-1": "5", "g-pz-1/crew/s-gun-2": "1115"}
    result = play(setting, begin(setting, turn="4"), AT_GUN, dice=dice | {"g-panzer/morale/s-gun-2": "11"})
    assert "s-gun-2 would sit out the turn after the last" in notes(result)


# The end of a game


def test_9_1_both_without_models_are_a_draw():
    """A-42: impossible by fire in the printed game, because a tank that fires HE survives; implemented anyway."""
    setting = world(MODELS)
    umpire = Umpire(setting, crew(begin(setting), dict.fromkeys(MODELS, 0)), 5)
    with pytest.raises(GameEnded):
        victory.finish_if_wiped_out(umpire)
    assert RULESET.play.verdict(setting, umpire.state).winner == ""
    assert "neither side" in RULESET.play.verdict(setting, umpire.state).text


def test_9_2_of_several_objectives_the_side_that_holds_more_wins():
    """A-50: with equal objectives, losses decide. The scenarios of the cards have one objective."""
    two = {"hill": {"name": "the hill", "at": "30.00, 30.00"}, "mill": {"at": "30.00, 60.00"}}
    setting = world(MODELS, objectives=two)
    assert setting.objectives[1] == Objective("mill", "mill", (3000, 6000))
    for places, ended in (
        ({"g-pz-1": "30.00, 31.00", "g-pz-2": "30.00, 29.00", "s-t-1": "30.00, 61.00"}, ("losses", "")),
        ({"g-pz-1": "30.00, 31.00", "g-pz-2": "30.00, 29.00", "g-gun-1": "30.00, 61.00"}, ("objectives", "german")),
    ):
        found = RULESET.play.verdict(setting, play(setting, moved(begin(setting, turn="4"), places)).after)
        assert (found.how, found.winner) == ended
