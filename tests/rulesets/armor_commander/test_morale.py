"""7.1 to 7.4: morale tests and pins."""

import pytest

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


@pytest.mark.parametrize(("dice", "passed"), [("34", True), ("66", True), ("33", False), ("11", False)])
def test_7_2_a_sum_of_7_passes(dice, passed):
    result = fire("1115", dice)
    assert trials(result, "Morale") == [("g-panzer/morale/s-gun-2", dice, "passes at 7 or more", passed)]
    assert bool(pins(result)) is not passed


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
