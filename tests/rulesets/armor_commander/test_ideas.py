"""What a commander thinks about: legal proposals, a worth in whole numbers, plans that do what they say."""

import pytest
from helpers import registry, sweeps

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.kernel.state import ELIMINATED, Unit
from kursk_pbem.practice.levels import make_whim, think
from kursk_pbem.practice.play import HashedDice, Table
from kursk_pbem.practice.systems import find_ideas
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.setting import SIDES
from rulesets.armor_commander.table import begin, box, world

KIT = registry.kit("armor-commander")
IDEAS = find_ideas(KIT.ruleset)
PLANS = [plan.key for plan in IDEAS.plans]


def propose(setting, state, seq, plan=PLANS[0], whim=be_calm):
    return IDEAS.propose(setting, state, seq, plan, {}, whim)


def check_worth(setting, state):
    worth, other = (IDEAS.evaluate(setting, state, side) for side in SIDES)
    assert type(worth) is int
    assert worth == -other


@pytest.mark.some(4)
@pytest.mark.parametrize("most", sweeps.sizes(12, 400))
@pytest.mark.parametrize("refereed", [False, True], ids=["players", "referee"])
@pytest.mark.parametrize("scenario", KIT.scenarios[::-1])
def test_every_proposal_of_a_game_is_legal(scenario, refereed, most):
    """``Table`` raises an error for illegal content. The cases of ``make test`` end after some messages."""
    cohesion = "chain" if refereed else "pairs"
    setting = KIT.setting(scenario, {"cohesion": cohesion}, refereed=refereed)

    def choose_content(state, seq, _own):
        plan, whim = PLANS[seq % len(PLANS)], make_whim(f"{seq}")
        content = propose(setting, state, seq, plan, whim)
        assert seq % 9 or content == propose(setting, state, seq, plan, whim)
        return content

    table = Table(KIT.ruleset, setting, KIT.ruleset.data.setup(setting))
    while not table.is_over and table.seq < most:
        table = table.play_message(HashedDice(table.seq, scenario), dict.fromkeys(SIDES, choose_content))
        check_worth(setting, table.state)
    assert table.seq == most or abs(IDEAS.evaluate(setting, table.state, SIDES[0])) in (0, 1000)


def order_tanks(setting, state, plan):
    """Return the order of the Soviet tanks by a plan: the chip, and the ends of the moves or the first targets."""
    orders = propose(setting, state, 4, plan)["orders"]["units"]
    (order,) = [each for each in orders if each["id"] == "s-tanks"]
    if order["chip"] == "red":
        return "red", {shot["id"]: shot["at"][0] for shot in order.get("shots", ())}
    return "green", {move["id"]: plane.point(move["path"][-1]) for move in order["moves"]}


MARKET = {"market": {"name": "the market", "at": "45.00, 30.00"}}
MEETING = {"g-pz-1": ("30.00, 30.00", "3"), "g-pz-2": ("30.00, 28.00", "3"), "s-t-1": ("60.00, 30.00", "9")}
PLATOON = {
    "g-pz-1": ("45.00, 36.00", "9"),
    "g-pz-2": ("43.00, 36.00", "9"),
    "g-pz-3": ("45.00, 20.00", "9"),
    "s-t-1": ("56.00, 20.00", "9"),
    "s-t-2": ("56.00, 22.00", "9"),
    "s-t-3": ("58.00, 20.00", "9"),
    "s-t-4": ("58.00, 22.00", "9"),
}


def test_the_usual_plan_fires_at_a_good_target():
    setting = world(PLATOON, objectives=MARKET)
    chip, at = order_tanks(setting, begin(setting, first="soviet"), "fire")
    assert (chip, at["s-t-1"]) == ("red", "g-pz-3")


def test_the_rush_drives_towards_the_objective():
    setting = world(MEETING, objectives=MARKET)
    assert order_tanks(setting, begin(setting), "rush") == ("green", {"s-t-1": (5400, 3000)})


def test_tanks_in_wait_and_tanks_that_break_contact_leave_the_fire_of_the_enemy():
    setting = world(MEETING, {"wood": ("wood", box(56, 31, 58, 40))}, objectives=MARKET)
    state = begin(setting)
    for plan in ("ambush", "withdraw"):
        chip, ends = order_tanks(setting, state, plan)
        table = make_field(setting, state)
        assert chip == "green"
        assert not setting.is_clear(ends["s-t-1"], table.at["g-pz-2"])


def test_the_turn_of_a_flank_leaves_the_front_of_the_enemy():
    setting = world(MEETING | {"s-t-1": ("36.00, 24.00", "9")}, objectives=MARKET)
    state = begin(setting)
    chip, ends = order_tanks(setting, state, "flank")
    assert chip == "green"
    assert plane.find_arc(plane.CLOCK["3"], (3000, 2800), ends["s-t-1"]) != plane.FRONT


def test_the_clearing_fires_at_the_two_enemies_nearest_to_the_objective():
    setting = world(PLATOON, objectives=MARKET)
    chip, at = order_tanks(setting, begin(setting), "clear")
    assert chip == "red"
    assert set(at.values()) == {"g-pz-1", "g-pz-2"}


def order_level_2(setting, state):
    """Return the orders of level 2 by unit."""
    content = think(KIT.ruleset, setting, state, 4, {}, 2, "seed")
    return {order["id"]: order for order in content["orders"]["units"]}


def find_ends(order):
    return [plane.point(move["path"][-1]) for move in order["moves"]]


FAR = {"g-pz-1": ("10.00, 80.00", "3")}


@pytest.mark.parametrize("first", SIDES)
def test_level_2_takes_a_free_objective_in_the_last_turn(first):
    """Behind by losses, the side has nothing to lose: it drives into the fire of two guns."""
    guns = {"g-gun-1": ("30.00, 36.00",), "g-gun-2": ("30.00, 24.00",)}
    tanks = {"s-t-1": ("54.00, 30.00", "9"), "s-t-2": ("56.00, 30.00", "9"), "s-t-3": ("58.00, 30.00", "9")}
    setting = world(guns | tanks, objectives=MARKET)
    state = begin(setting, setting.turns[-1], first)
    order = order_level_2(setting, state.with_(units={**state.units, "s-t-3": Unit(ELIMINATED, 0)}))["s-tanks"]
    assert any(plane.is_within(end, (4500, 3000), 600) for end in find_ends(order))


def test_level_2_holds_the_objective_in_the_last_turn():
    setting = world(FAR | {"s-gun-1": ("45.00, 30.00",)}, objectives=MARKET)
    assert order_level_2(setting, begin(setting, setting.turns[-1]))["s-gun-1"]["chip"] == "red"


@pytest.mark.parametrize(("first", "aims"), [("soviet", {"g-pz-1", "g-pz-2", "g-pz-3"}), ("german", {"g-panzer"})])
def test_level_2_aims_at_a_unit_that_may_move_before_the_fire(first, aims):
    """5.2: the nearest visible model of a unit counts. A lost target would lose the shot."""
    setting = world(PLATOON, objectives=MARKET)
    order = order_level_2(setting, begin(setting, first=first))["s-tanks"]
    assert {shot["at"][0] for shot in order["shots"]} == aims
