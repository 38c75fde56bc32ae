"""Laws of movement, communication, retreat and payment, compared with slow and simple calculations."""

import itertools

import pytest
from helpers import sweeps
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.kernel.hexes import fights as losses
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.fights import level_of
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk import movement
from kursk_pbem.rulesets.battle_for_kursk.movement import MOVE
from kursk_pbem.rulesets.battle_for_kursk.position import position
from rulesets.battle_for_kursk.board import kursk, walked
from rulesets.battle_for_kursk.compared import (
    BOARD,
    HEXES,
    compare,
    compare_communication,
    compare_odds,
    compare_reach,
    compare_retreats,
    crowd,
)

pytestmark = pytest.mark.slow

seeds = st.integers(0, 2**32 - 1)
hexes = st.sampled_from(HEXES)


@sweeps.tries(60)
@given(seeds, st.booleans(), st.booleans())
def test_reach_is_exactly_what_declared_paths_can_do(seed, mud, by_rail):
    """The ends of all legal paths are the hexes in reach; the way offered is the cheapest, of equals the lowest."""
    compare_reach(seed, mud=mud, by_rail=by_rail)


@pytest.mark.parametrize(("fast", "answers"), [(True, 2), (False, 3)])
def test_what_is_not_compared_is_not_counted(fast, answers):
    """The reach of a unit of six or more is not tried path by path."""
    seed = next(seed for seed in range(99) if (kursk().counters[crowd(seed)[1]].move > 5) == fast)
    assert compare(seed) - compare_odds(seed) == answers


@sweeps.tries(150)
@given(seeds)
def test_every_way_in_reach_is_a_legal_path_at_its_cost(seed):
    """Panzers and tanks too."""
    pos, uid, _rng = crowd(seed)
    for there, way in movement.reach(pos, uid, MOVE).items():
        assert way.path[-1] == there
        assert walked(pos, uid, way.path, MOVE) == way.mp


@sweeps.tries(100)
@given(seeds)
def test_another_enemy_never_enlarges_reach(seed):
    """Whatever a unit can reach with one more enemy on the map it can reach without him, at no higher cost."""
    pos, uid, rng = crowd(seed)
    enemies = sorted(
        other
        for other, unit in pos.state.units.items()
        if kursk().counters[other].side != pos.side(uid) and unit.place == "eliminated"
    )
    spot = rng.choice([hex_ for hex_ in HEXES if hex_ not in pos.at and BOARD.distance(hex_, pos.where[uid]) <= 5])
    units = {**pos.state.units, rng.choice(enemies): Unit(BOARD.labels[spot], 2)}
    more = movement.reach(position(kursk(), pos.state.with_(units=units)), uid, MOVE)
    before = movement.reach(pos, uid, MOVE)
    assert set(more) <= set(before)
    assert all(more[there].mp >= before[there].mp for there in more)


@sweeps.tries(60)
@given(seeds)
def test_communication_is_what_a_search_from_each_hex_finds(seed):
    """Hex by hex: on the own edge, or a chain whose every further hex is open and whose last is on the edge (K-37)."""
    compare_communication(seed)


@sweeps.tries(200)
@given(seeds)
def test_retreats_are_ranked_as_ruled(seed):
    """Compares the permitted paths, and their costs, with a search of all pairs of hexes (K-61)."""
    compare_retreats(seed)


@sweeps.tries(100)
@given(seeds)
def test_odds_are_what_the_data_say(seed):
    """9.0, 9.2, 7.2: strengths, shifts and column, reckoned from the lists of the map (K-45 to K-52)."""
    compare_odds(seed)


strengths = st.integers(1, 11).map(lambda full: (0, full // 2, full))
purses = st.lists(st.tuples(st.integers(1, 2), strengths), min_size=1, max_size=5).map(
    lambda each: tuple(losses.Purse(f"u{number}", steps, strength) for number, (steps, strength) in enumerate(each))
)


@sweeps.tries(200)
@given(purses, st.integers(1, 12))
def test_payments_are_all_the_tight_ones(line, due):
    """Every sufficient choice without a superfluous last step; all steps if no choice suffices (K-58)."""

    def worth(choice):
        return sum(purse.worth(lost) for purse, lost in zip(line, choice, strict=True))

    def tight(choice):
        less = [tuple(lost - (i == n) for i, lost in enumerate(choice)) for n in range(len(choice)) if choice[n]]
        return worth(choice) >= due and all(worth(smaller) < due for smaller in less)

    choices = list(itertools.product(*(range(purse.steps + 1) for purse in line)))
    everything = tuple(purse.steps for purse in line)
    expected = [choice for choice in choices if tight(choice)] if worth(everything) >= due else [everything]
    found = losses.list_payments(line, due)
    assert sorted(found) == sorted(expected)
    chosen = losses.choose_exchange(line, due, ())
    assert tuple(chosen.get(purse.unit, 0) for purse in line) in found
    assert worth(tuple(chosen.get(purse.unit, 0) for purse in line)) == min(map(worth, found))


@given(st.fractions(0, 60), st.integers(1, 11))
def test_odds_are_rounded_for_the_defender(attack, defence):
    """k:1 means at least k times the defence; 1:k that the attack is at least a k-th of it, and less than a better one
    (K-47)."""
    level = level_of(attack, defence)
    if level >= 1:
        assert level * defence <= attack < (level + 1) * defence
    elif attack:
        parts = 2 - level
        assert attack * parts >= defence > attack * (parts - 1)


@given(hexes, hexes, hexes)
def test_distance_is_a_distance(a, b, c):
    """Symmetric, zero only for the hex itself, never longer over a third hex; neighbours are at one."""
    assert BOARD.distance(a, b) == BOARD.distance(b, a)
    assert (BOARD.distance(a, b) == 0) == (a == b)
    assert BOARD.distance(a, c) <= BOARD.distance(a, b) + BOARD.distance(b, c)
    assert (b in BOARD.neighbours[a]) == (BOARD.distance(a, b) == 1)


@given(st.sets(hexes, max_size=40))
def test_spread_is_the_union_of_neighbours(chosen):
    """The shifts of the mask find the same hexes as the table of neighbours."""
    mask = sum(1 << hex_ for hex_ in chosen)
    assert set(bits(BOARD.spread(mask))) == {near for hex_ in chosen for near in BOARD.neighbours[hex_]}


@given(hexes)
def test_neighbours_are_mutual_and_labels_ascend(hex_):
    """Who is next to me, I am next to; the order of indices is the order of labels."""
    assert all(hex_ in BOARD.neighbours[near] for near in BOARD.neighbours[hex_])
    assert [BOARD.labels[index] for index in HEXES] == sorted(BOARD.index)
    assert BOARD.near[hex_] == sum(1 << near for near in BOARD.neighbours[hex_])
