"""7.1 to 7.4: morale tests and pins."""

import pytest

from kursk_pbem.kernel.events import Marked
from kursk_pbem.rulesets.armor_commander import RULESET, victory
from kursk_pbem.rulesets.armor_commander.morale import must_test
from kursk_pbem.rulesets.armor_commander.position import make_field
from rulesets.armor_commander.table import begin, crew, green, notes, opened, play, red, refused, trials, world

LINE = {
    "g-pz-1": ("10.00, 10.00", "3"),
    "g-pz-2": ("10.00, 12.00", "3"),
    "s-gun-1": ("20.00, 10.00",),
    "s-gun-2": ("20.00, 11.40",),
    "s-t-1": ("60.00, 60.00", "9"),
}
AT = red("g-panzer", g_pz_1="s-gun-1")
FIRES = red("s-gun-2", "g-pz-1")
HIT = {"g-pz-1/hit": "4", "g-pz-1/save/s-gun-1": "5"}


def pins(result):
    return result.after.marks.get("pinned", {})


def fire(crew_dice, morale="", soviet=(), state=None, extra=None, **more):
    """Fire at the first gun; the blast reaches the second gun."""
    setting = world(LINE, **more)
    dice = {**HIT, "g-pz-1/crew/s-gun-2": crew_dice, **({"g-panzer/morale/s-gun-2": morale} if morale else {})}
    return play(setting, state(setting) if state else begin(setting), [AT], soviet, dice | (extra or {}))


def test_7_1_tanks_need_no_morale():
    """A-20: no die is rolled for tanks."""
    setting = world(LINE)
    result = play(
        setting,
        begin(setting, first="soviet"),
        [],
        [red("s-gun-1", "g-pz-1")],
        {"s-gun-1/hit": "3", "s-gun-1/save/g-pz-1": "11"},
    )
    assert trials(result, "Morale") == []


@pytest.mark.parametrize(
    ("size", "left", "must"), [(4, 3, False), (4, 2, False), (4, 1, True), (5, 3, False), (5, 2, True)]
)
def test_7_2_more_than_half_of_the_crew_and_not_exactly_half(size, left, must):
    """A-20: of the original crew."""
    assert must_test(world(LINE, crew=str(size)), "s-gun-2", left) is must


@pytest.mark.parametrize(("dice", "passed"), [("34", True), ("66", True), ("33", False), ("11", False)])
def test_7_2_a_sum_of_7_passes(dice, passed):
    result = fire("1115", dice)
    assert trials(result, "Morale") == [("g-panzer/morale/s-gun-2", dice, "passes at 7 or more", passed)]
    assert bool(pins(result)) is not passed


def test_7_2_casualties_by_friends_count():
    """A-37: a side's own blast makes its gun test; the loss counts against the gun's owner."""
    models = {
        "g-pz-1": ("10.00, 10.00", "3"),
        "g-gun-1": ("20.00, 11.40",),
        "s-gun-1": ("20.00, 10.00",),
        "s-t-1": ("60.00, 60.00", "9"),
    }
    setting = world(models)
    dice = {**HIT, "g-pz-1/crew/g-gun-1": "1115", "g-panzer/morale/g-gun-1": "11"}
    result = play(setting, begin(setting), [AT], dice=dice)
    assert pins(result) == {"g-gun-1": "2"}
    fallen = play(setting, begin(setting), [AT], dice={**HIT, "g-pz-1/crew/g-gun-1": "1111"})
    assert victory.count_losses(make_field(setting, fallen.after)) == {"german": 1, "soviet": 0}


def test_7_2_once_for_each_action_of_fire():
    """A-20: two blasts of one unit, one test."""
    setting = world({**LINE, "s-gun-3": ("20.00, 12.80",)})
    order = red("g-panzer", g_pz_1="s-gun-1", g_pz_2="s-gun-3")
    dice = {
        "g-pz-1/hit": "4",
        "g-pz-2/hit": "4",
        "g-pz-1/save/s-gun-1": "5",
        "g-pz-2/save/s-gun-3": "5",
        "g-pz-1/crew/s-gun-2": "1155",
        "g-pz-2/crew/s-gun-2": "15",
        "g-panzer/morale/s-gun-2": "66",
    }
    result = play(setting, begin(setting), [order], dice=dice)
    assert len(trials(result, "Morale")) == 1
    assert result.after.units["s-gun-2"].steps == 1


def test_7_3_it_tests_again_each_time_that_it_has_more_casualties():
    """A-20: not without new casualties, even for a small crew."""
    few = lambda setting: crew(begin(setting), {"s-gun-2": 2})  # noqa: E731
    assert len(trials(fire("15", "66", state=few, crew="5"), "Morale")) == 1
    assert trials(fire("55", state=few, crew="5"), "Morale") == []


def test_7_4_pinned_before_it_acted_it_loses_its_chip_and_this_turn_counts():
    """A-21: the pin ends with this turn."""
    result = fire("1115", "11", [FIRES])
    assert not [label for label, *_rest in trials(result) if label.startswith("s-gun-2/")]
    assert pins(result) == {}
    assert [event.value for event in result.events if isinstance(event, Marked) and event.table == "pinned"] == ["1"]


def test_7_4_pinned_after_it_acted_it_sits_out_the_next_turn():
    """A-21: no chip in the next Orders Phase; the pin ends with that turn."""
    state = lambda setting: begin(setting, first="soviet")  # noqa: E731
    result = fire("1115", "11", [FIRES], state, {"s-gun-2/hit": "1"})
    assert pins(result) == {"s-gun-2": "2"}
    setting = world(LINE)
    following = begin(setting, turn="2", pinned={"s-gun-2": "2"})
    following = crew(following, {"s-gun-2": 1})
    assert refused(setting, following, "soviet", FIRES) == [("7.4", "is pinned, and gets no chip this turn")]
    assert [each.rule for each in opened(setting, following, soviet=[FIRES]).violations] == ["7.4"]
    assert pins(play(setting, following)) == {}


def test_7_4_pinned_in_a_turn_without_a_chip_it_sits_out_the_next():
    """A-38."""
    assert pins(fire("1115", "11")) == {"s-gun-2": "2"}


def test_7_4_a_second_failure_after_the_chip_is_lost_costs_the_next_turn_too():
    """A-44, A-21: two units of one side fire at the gun in one turn; the second failure starts the pin again.

    Only tanks fire HE, and a side's tanks are one unit, so the second blast is from the gun's own side.
    """
    models = {**LINE, "s-t-1": ("30.00, 12.80", "9"), "g-gun-1": ("20.00, 12.80",)}
    setting = world(models, crew="9")
    state = crew(begin(setting), {"s-gun-2": 5})
    dice = {
        **HIT,
        "g-pz-1/crew/s-gun-2": "15555",
        "g-panzer/morale/s-gun-2": "11",
        "s-t-1/hit": "6",
        "s-t-1/save/g-gun-1": "5",
        "s-t-1/crew/s-gun-2": "1555",
        "s-tanks/morale/s-gun-2": "11",
    }
    result = play(setting, state, [AT], [red("s-tanks", "g-gun-1"), FIRES], dice)
    assert pins(result) == {"s-gun-2": "2"}
    assert "Soviet: s-gun-2 pinned" in RULESET.seen.headlines(
        setting, state, result.events, result.after
    )  # bug: '2 s-gun-2'


def test_7_4_a_gun_that_sits_out_and_fails_again_sits_out_one_turn_more():
    """A-21, A-44: the gun had no chip to lose."""
    state = lambda setting: begin(setting, pinned={"s-gun-2": "1"})  # noqa: E731
    assert pins(fire("1115", "11", state=state)) == {"s-gun-2": "2"}


def test_7_4_a_gun_that_its_own_side_pins_loses_the_chip_that_it_still_has():
    """A-21, A-37: the platoon acts first and pins its own gun, whose order comes later."""
    models = {
        "g-pz-1": ("10.00, 10.00", "3"),
        "g-gun-1": ("20.00, 11.40",),
        "s-gun-1": ("20.00, 10.00",),
        "s-t-1": ("30.00, 12.00", "9"),
    }
    setting = world(models)
    dice = {**HIT, "g-pz-1/crew/g-gun-1": "1115", "g-panzer/morale/g-gun-1": "11"}
    result = play(setting, begin(setting), [AT, red("g-gun-1", "s-t-1")], dice=dice)
    assert pins(result) == {}
    assert [event.value for event in result.events if isinstance(event, Marked) and event.table == "pinned"] == ["1"]


def test_7_4_the_last_turn_can_be_sat_out():
    """A-38: pinned in the third turn of four."""
    state = lambda setting: begin(setting, turn="3")  # noqa: E731
    assert pins(fire("1115", "11", state=state)) == {"s-gun-2": "4"}


def test_7_4_a_pin_after_the_last_turn_is_only_told():
    state = lambda setting: begin(setting, turn="4")  # noqa: E731
    result = fire("1115", "11", state=state)
    assert "s-gun-2 would sit out the turn after the last" in notes(result)


def test_7_4_a_pinned_gun_does_nothing():
    """A-19: neither fires nor moves."""
    setting = world(LINE)
    state = begin(setting, pinned={"s-gun-2": "1"})
    for order in (FIRES, green("s-gun-2", ("s-gun-2", "20.00, 14.00"))):
        assert refused(setting, state, "soviet", order) == [("7.4", "is pinned, and gets no chip this turn")]
