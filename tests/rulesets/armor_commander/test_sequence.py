"""3.0 to 3.4: initiative, sealed and open orders, the order of actions, the end of a turn."""

import pytest

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.rulesets.armor_commander import RULESET
from rulesets.armor_commander.table import Told, begin, green, notes, opened, play, red, trials, world

DUEL = {
    "g-gun-1": ("10.00, 10.00",),
    "g-pz-1": ("10.00, 13.00", "3"),
    "s-t-1": ("20.00, 10.00", "9"),
    "s-gun-1": ("20.00, 20.00",),
}
LABEL = "orders/turn-1"


def reveal_orders(value, soviet=(), dice=None):
    """Reveal a sealed text that no program of ours would seal."""
    setting = world(DUEL)
    before = opened(setting, begin(setting), soviet=soviet).after
    filing = Filing(5, "german", reveal={LABEL: value}, resigns=True)
    return adjudicate(RULESET, setting, before, filing, Told(5, dice or {}))


def test_3_2_a_sealed_order_that_is_illegal_costs_its_unit_the_chip():
    """A-46: the other orders stay valid. Of two orders for one unit the first counts."""
    good = red("g-gun-1", "s-tanks")
    far = green("g-panzer", ("g-pz-1", "90.00, 10.00"))
    for bad in (
        far,
        red("g-panzer", "g-gun-1"),
        "fire!",
        {"id": ["x"]},
        {"id": "g-panzer"},
        red("g-gun-1", "s-t-1"),
        None,
        {"id": "g-gun-1", "chip": "red", "at": "s-t-1"},
    ):
        result = reveal_orders([good, bad], dice={"g-gun-1/hit": "1"})
        assert len(trials(result)) == 1, bad
        assert "illegal sealed orders, left out: 1" in notes(result)
        assert [text for text in notes(result) if text.startswith("left out, order 2: ")], bad


@pytest.mark.parametrize("value", ["orders", {}, None, [[]] * 60, {"id": "g-gun-1"}, 7])
def test_3_2_what_is_no_list_orders_nothing(value):
    result = reveal_orders(value)
    assert not result.violations
    assert trials(result) == []


def test_3_3_a_unit_that_is_destroyed_before_it_acts_is_told_to_lose_its_chip():
    """A-1, A-22."""
    dice = {"g-gun-1/hit": "6", "g-gun-1/save/s-t-1": "11"}
    chips = [red("g-gun-1", "s-tanks")], [red("s-tanks", "g-gun-1")]
    setting = world(DUEL)
    assert "s-tanks is destroyed and loses its chip" in notes(play(setting, begin(setting), *chips, dice))


def test_3_3_a_side_without_chips_is_said_to_have_none():
    """Bug: the report printed 'carries out its chips:' without any chip."""
    setting = world(DUEL)
    result = play(setting, begin(setting), [green("g-panzer", ("g-pz-1", "10.00, 15.00"))])
    told = [event.text for event in result.events if type(event).__name__ == "Noted"]
    assert told == ["The German side carries out its chips:", "The Soviet side has no chip to carry out"]


def test_3_3_the_story_tells_first_who_acted_first_and_losses_after_the_fire_of_both():
    """Bug: 'The German side moved four Panzer IV. It cost the German side one Panzer IV.', which was shot later."""
    setting = world({"g-pz-1": ("20.00, 10.00", "3"), "g-gun-1": ("5.00, 5.00",), "s-t-1": ("40.00, 10.00", "9")})
    chips = {"german": [green("g-gun-1", ("g-gun-1", "6.00, 5.00"))], "soviet": [red("s-tanks", "g-pz-1")]}
    acted = {
        "german": "The German side moved one g-gun-1.",
        "soviet": "The Soviet side fired one shot and hit one time.",
    }
    for first, then in (("german", "soviet"), ("soviet", "german")):
        dice = {"s-t-1/hit": "6", "s-t-1/save/g-pz-1": "11"}
        went = play(setting, begin(setting, first=first), **chips, dice=dice)
        told = RULESET.seen.story(setting, went.before, went.events, went.after)[0]
        assert told == f"{acted[first]} {acted[then]} The German side lost one g-panzer."
