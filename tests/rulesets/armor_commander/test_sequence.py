"""3.0 to 3.4: initiative, sealed and open orders, the order of actions, the end of a turn."""

import pytest

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.rulesets.armor_commander import RULESET, sequence
from rulesets.armor_commander.table import Told, begin, crew, green, notes, opened, play, red, trials, world

DUEL = {
    "g-gun-1": ("10.00, 10.00",),
    "g-pz-1": ("10.00, 13.00", "3"),
    "s-t-1": ("20.00, 10.00", "9"),
    "s-gun-1": ("20.00, 20.00",),
}
LABEL = "orders/turn-1"


def test_3_0_a_turn_takes_two_mails_once_it_runs():
    """A-1: the stages follow the table."""
    setting = world(DUEL)
    table = sequence.list_stages(setting)
    assert {key: (stage.writer, stage.then, stage.ends) for key, stage in table.items()} == {
        "deploy": ("german", ("place",), ()),
        "place": ("soviet", ("ready",), ()),
        "ready": ("german", ("orders",), ()),
        "plot": ("german", ("orders",), ()),
        "orders": ("soviet", ("action",), ()),
        "action": ("german", (), ("orders",)),
        "over": ("", (), ()),
    }
    other = sequence.list_stages(world(DUEL, seals="soviet"))
    assert other["deploy"].writer == "soviet"
    assert RULESET.mails_to_come(setting, "orders") == (2, 2)


def test_3_0_with_a_referee_the_dice_are_the_referees():
    table = sequence.list_stages(world(DUEL, refereed=True))
    assert {key: (stage.writer, stage.then, stage.ends) for key, stage in table.items()} == {
        "deploy": ("german", ("place",), ()),
        "place": ("soviet", ("unveil",), ()),
        "unveil": ("german", ("initiative",), ()),
        "initiative": (REFEREE, ("plot",), ()),
        "plot": ("german", ("orders",), ()),
        "orders": ("soviet", ("show",), ()),
        "show": ("german", ("dice",), ()),
        "dice": (REFEREE, (), ("plot",)),
        "over": ("", (), ()),
    }


@pytest.mark.parametrize(
    ("dice", "first", "throws"),
    [
        ({"1/german": "5", "1/soviet": "2"}, "german", 2),
        ({"1/german": "2", "1/soviet": "5"}, "soviet", 2),
        ({"1/german": "3", "1/soviet": "3", "2/german": "1", "2/soviet": "6"}, "soviet", 4),
    ],
)
def test_3_1_the_higher_die_acts_first_and_ties_are_thrown_again(dice, first, throws):
    """A-41: labels contain the roll and the side."""
    setting = world(DUEL)
    result = play(setting, begin(setting), dice={f"initiative/{key}": die for key, die in dice.items()})
    assert result.after.mark("initiative", "first") == first
    assert len([label for label in result.dice if label.startswith("initiative/")]) == throws
    assert result.after.turn == "2"


def test_3_1_the_initiative_is_known_before_orders_are_given():
    """A-1: the initiative of the next turn is rolled with the dice of this turn."""
    setting = world(DUEL)
    result = play(setting, begin(setting))
    assert (result.after.turn, result.after.mark("initiative", "first")) == ("2", "german")
    assert result.duties == len(result.events)  # before any choice of the writer


def test_3_2_one_chip_or_none_for_each_unit():
    """A-1: the number of chips is unlimited; a unit without an order does nothing (A-51)."""
    setting = world(DUEL)
    result = play(setting, begin(setting), [], [])
    assert trials(result) == []
    assert {mid: unit.place for mid, unit in result.after.units.items()} == {mid: at for mid, (at, *_) in DUEL.items()}


def test_3_2_an_open_order_that_is_illegal_makes_its_message_void():
    """A-31, A-46: the message lists all mistakes, each with its place in the file."""
    setting = world(DUEL)
    orders = [green("s-tanks", ("s-t-1", "27.00, 10.00")), red("s-gun-1", "g-gun-1")]
    result = opened(setting, begin(setting), soviet=orders)
    assert [(each.rule, each.path) for each in result.violations] == [
        ("5.7", ("orders", "units", 1, "at", 0)),
        ("4.3", ("orders", "units", 0, "moves", 0, "path")),
    ]


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


def test_3_2_the_desk_that_seals_is_told_what_is_wrong():
    """The words for open orders; a turn without sealed orders is refused."""
    setting = world(DUEL)
    state = begin(setting).with_(stage="plot", side="german", agenda={})
    order = red("g-gun-1", "s-gun-1")
    filing = Filing(3, "german", secret={LABEL: "0" * 64}, sealed={LABEL: [order]})
    found = adjudicate(RULESET, setting, state, filing, None).violations
    assert [(each.rule, each.path) for each in found] == [("5.7", ("seal", LABEL, 0, "at", 0))]
    none = adjudicate(RULESET, setting, state, Filing(3, "german"), None).violations
    assert [each.rule for each in none] == ["3.2"]
    more = Filing(3, "german", secret={LABEL: "0" * 64, "x": "0" * 64}, sealed={LABEL: [], "x": []})
    assert [each.order for each in adjudicate(RULESET, setting, state, more, None).violations] == ["x"]


def test_3_2_the_side_that_orders_in_the_clear_seals_nothing():
    """Above all not under the label of the other side's orders, whose seal would be replaced."""
    setting = world(DUEL)
    filing = Filing(4, "soviet", secret={LABEL: "0" * 64}, sealed={LABEL: []})
    found = adjudicate(RULESET, setting, begin(setting), filing, None).violations
    assert [(each.rule, each.path) for each in found] == [("3.2", ("seal", LABEL))]


def test_3_3_the_side_with_the_initiative_acts_first_in_its_written_order():
    """A-1, A-52: then the other side; a unit destroyed before has lost its chip (A-22)."""
    setting = world(DUEL)
    german = [red("g-gun-1", "s-tanks"), red("g-panzer", "s-gun-1")]
    soviet = [red("s-tanks", "g-gun-1"), red("s-gun-1", "g-panzer")]
    dice = {"g-gun-1/hit": "6", "g-gun-1/save/s-t-1": "11", "g-pz-1/hit": "1", "s-gun-1/hit": "1"}
    result = play(setting, begin(setting), german, soviet, dice)
    assert [label for label, *_ in trials(result)] == ["g-gun-1/hit", "g-gun-1/save/s-t-1", "g-pz-1/hit", "s-gun-1/hit"]
    assert "s-tanks is destroyed and loses its chip" in notes(result)
    dice = {"s-t-1/hit": "6", "s-t-1/save/g-gun-1": "1", "s-gun-1/hit": "1", "g-pz-1/hit": "1"}
    result = play(setting, begin(setting, first="soviet"), german[::-1], soviet, dice)
    assert [label for label, *_ in trials(result)] == ["s-t-1/hit", "s-t-1/save/g-gun-1", "s-gun-1/hit", "g-pz-1/hit"]


def test_3_3_a_side_without_chips_is_said_to_have_none():
    """Bug: the report printed 'carries out its chips:' without any chip."""
    setting = world(DUEL)
    result = play(setting, begin(setting), [green("g-panzer", ("g-pz-1", "10.00, 15.00"))])
    told = [event.text for event in result.events if type(event).__name__ == "Noted"]
    assert told == ["The German side carries out its chips:", "The Soviet side has no chip to carry out"]


def test_3_3_who_moved_first_is_fired_at_where_they_are():
    """A-1: the second side measures during its own action."""
    setting = world(DUEL)
    result = play(
        setting,
        begin(setting),
        [green("g-panzer", ("g-pz-1", "10.00, 19.00"))],
        [red("s-gun-1", "g-pz-1")],
        {"s-gun-1/hit": "1"},
    )
    assert trials(result)[0][2].startswith("at g-pz-1, 10.05 inches, close range")


def test_3_4_at_the_end_chips_and_pins_are_taken_away():
    """A-21: the agenda is empty, and the next turn begins."""
    setting = world(DUEL)
    after = play(setting, crew(begin(setting, pinned={"s-gun-1": "1"}), {"s-gun-1": 1})).after
    assert after.agenda == {}
    assert "pinned" not in after.marks
    assert after.turn == "2"


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
