"""Properties of any game: a turned or shifted table, another order of models, no floats."""

import random

import pytest
from helpers import registry, sweeps

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.ruleset import PLAYERS
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import OVER, State, Unit
from kursk_pbem.rulesets.armor_commander import RULESET, ahead
from kursk_pbem.rulesets.armor_commander import setting as settings
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.testing import SeededDice
from rulesets.armor_commander.random_play import Chooser
from rulesets.armor_commander.table import begin, box, green, refused, world

KIT = registry.kit("armor-commander")
NAMES = list(CLOCK)


class Turned:
    """A quarter turn clockwise about the corner: the left edge becomes the upper edge."""

    def __init__(self, size):
        self.width = size[0]

    def place(self, at):
        return at[1], self.width - at[0]

    def size(self, size):
        return size[1], size[0]

    def face(self, name):
        return NAMES[(NAMES.index(name) + 6) % len(NAMES)]


class Shifted:
    """A shift to the right and up, on a larger table."""

    def __init__(self, _size):
        self.by = (337, 1201)

    def place(self, at):
        return at[0] + self.by[0], at[1] + self.by[1]

    def size(self, size):
        return size[0] + 2 * self.by[0], size[1] + 2 * self.by[1]

    def face(self, name):
        return name


def change_table(value, way):
    """Return plain data with every place and facing changed."""
    if isinstance(value, dict):
        return {key: way.face(each) if key == "face" else change_table(each, way) for key, each in value.items()}
    if isinstance(value, list):
        return [change_table(each, way) for each in value]
    try:
        return plane.text(way.place(plane.point(value)))
    except ValueError:
        return value


def change_scenario(setting, way):
    """Return the scenario on the changed table."""
    found = change_table({key: value for key, value in setting.scenario.data.items() if key != "tables"}, way)
    found["map"]["size"] = plane.text(way.size(setting.size))
    found["tables"] = setting.scenario.data["tables"]
    return settings.load(Scenario("x", "X", "x", found, "0" * 64, ()), {}, PLAYERS)


def change_state(state, way):
    """Return a position on the changed table."""
    units = {mid: Unit(change_table(unit.place, way), unit.steps) for mid, unit in state.units.items()}
    marks = {
        table: {key: way.face(each) if table == "facing" else change_table(each, way) for key, each in entries.items()}
        for table, entries in state.marks.items()
    }
    return State(state.turn, state.side, state.stage, units, marks)


def step(setting, state, seq, content, reveal, seed):
    sealed = content.get("seal", {})
    filing = Filing(
        seq,
        state.side,
        reveal=reveal,
        orders=content.get("orders", {}),
        secret=dict.fromkeys(sealed, "0" * 64),
        sealed=sealed,
    )
    result = adjudicate(RULESET, setting, state, filing, SeededDice(random.Random(seed * 1000 + seq), seq))
    assert not result.violations, [str(each) for each in result.violations]
    return result.after, sealed


def play_twice(scenario, seed, make):
    """Play a random game on two tables with equal dice; yield both positions after each message."""
    setting = KIT.setting(scenario)
    way = make(setting.size)
    twin = change_scenario(setting, way)
    chooser = Chooser(setting, random.Random(seed))
    states = RULESET.data.setup(setting), RULESET.data.setup(twin)
    seals = {side: ({}, {}) for side in setting.sides}
    for seq in range(1, 40):
        state = states[0]
        if state.stage == OVER:
            return
        reveal = seals[state.side]
        probe = Filing(seq, state.side, reveal=reveal[0], resigns=True)
        middle = adjudicate(RULESET, setting, state, probe, SeededDice(random.Random(seed * 1000 + seq), seq)).middle
        content = {} if middle.stage == OVER else chooser.content(middle, seq)
        one, first = step(setting, states[0], seq, content, reveal[0], seed)
        two, second = step(twin, states[1], seq, change_table(content, way), reveal[1], seed)
        seals[state.side], states = (first, second), (one, two)
        yield one, two, way
    raise AssertionError("the game does not end")


@pytest.mark.slow
@pytest.mark.parametrize("make", [Turned, Shifted])
@pytest.mark.parametrize("scenario", KIT.scenarios)
@pytest.mark.parametrize("seeds", sweeps.sizes(1, 4))
def test_a_table_turned_or_shifted_gives_the_same_results(scenario, make, seeds):
    """Every die, place and mark agrees."""
    games = 0
    for seed in range(seeds):
        for one, two, way in play_twice(scenario, seed, make):
            wanted = change_state(one, way)
            assert (two.units, two.marks) == (wanted.units, wanted.marks), f"seed {seed}"
            games += one.stage == OVER
    assert games == seeds


def shuffle_orders(entries, rng):
    """Return the orders with models, shots and keys in another order; units and targets keep their order."""
    listed = ("moves", "shots")
    mixed = [
        {key: rng.sample(each, len(each)) if key in listed else each for key, each in entry.items()}
        for entry in entries
    ]
    return [dict(rng.sample(sorted(entry.items()), len(entry))) for entry in mixed]


@pytest.mark.some(2)
@pytest.mark.slow
@pytest.mark.parametrize("scenario", KIT.scenarios)
def test_the_order_of_models_and_keys_says_nothing(scenario):
    """A-52, A-41: equal events and bytes for any order in the file."""
    setting, seen = KIT.setting(scenario), 0
    for seed in range(6):
        rng = random.Random(seed)
        chooser, state = Chooser(setting, rng), RULESET.data.setup(setting)
        sealed: dict = {side: {} for side in setting.sides}
        for seq in range(1, 40):
            if state.stage == OVER:
                break
            reveal = sealed[state.side]
            dice = lambda seq=seq, seed=seed: SeededDice(random.Random(seed * 99 + seq), seq)  # noqa: E731
            probe = Filing(seq, state.side, reveal=reveal, resigns=True)
            middle = adjudicate(RULESET, setting, state, probe, dice()).middle
            content = {} if middle.stage == OVER else chooser.content(middle, seq)
            results = []
            for mixed in (False, True):
                lists = content.get("orders", {}), content.get("seal", {}), reveal
                orders, seal, shown = (
                    {key: shuffle_orders(each, rng) if mixed else each for key, each in entries.items()}
                    for entries in lists
                )
                filing = Filing(
                    seq, state.side, reveal=shown, orders=orders, sealed=seal, secret=dict.fromkeys(seal, "0" * 64)
                )
                results.append(adjudicate(RULESET, setting, state, filing, dice()))
            one, two = results
            assert not one.violations
            assert not two.violations
            assert one.after.with_(agenda={}).canonical() == two.after.with_(agenda={}).canonical()
            assert one.dice == two.dice
            told = [[event for event in each.events if type(event).__name__ != "Scheduled"] for each in results]
            assert told[0] == told[1]
            seen += len(one.dice)
            state, sealed[one.before.side] = one.after, content.get("seal", {})
    assert seen > 50


@pytest.mark.slow
def test_an_enemy_never_enlarges_reach_and_its_ends_are_legal():
    """4.5: in 24 directions, on random tables; an order accepts each end that ``moves`` shows."""
    rng, shorter = random.Random(5), 0
    for _ in range(60):
        foes = {
            f"s-t-{number}": (f"{rng.randint(0, 30)}.{rng.randint(0, 99):02d}, {rng.randint(0, 30)}.50", "6")
            for number in range(3)
        }
        corner = rng.randint(3, 20)
        ground = {"wood": ("wood", box(corner, corner, corner + 4, corner + 3))}
        reach = []
        for models in (dict(list(foes.items())[:1]), foes):
            setting = world({"g-pz-1": ("15.00, 15.00", "12"), **models}, ground)
            table = make_field(setting, begin(setting))
            ends = [ahead.find_straight_end(table, "g-pz-1", vector) for vector in CLOCK.values()]
            reach.append([plane.square(end, (1500, 1500)) if end else 0 for end in ends])
            orders = [green("g-panzer", ("g-pz-1", plane.text(end))) for end in ends if end]
            assert not [slip for order in orders for slip in refused(setting, begin(setting), "german", order)]
        assert all(fewer <= more for more, fewer in zip(*reach, strict=True))
        shorter += reach[0] != reach[1]
    assert shorter > 10
