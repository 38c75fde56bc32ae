"""``match/1``: the best pairing, found by any solver; sides and rematches over whole tournaments."""

import json
import random
import sys
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import networkx
import pytest
from helpers import sweeps

from kursk_pbem.errors import UsageError
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.pairing import matching
from kursk_pbem.tournament.pairing.matching import BYE
from kursk_pbem.tournament.pairing.sides import FIRST, SECOND, Candidate, first_side, order
from kursk_pbem.tournament.pairing.solve import solve

VECTORS = Path(__file__).with_name("match_vectors.json")


def by_force(edges):
    """A second solver: of the pairings with the most pairs the best, by trying them (subset by subset)."""
    weight = {}
    for one, other, worth in edges:
        weight[one, other] = weight[other, one] = worth
    nodes = sorted({node for edge in edges for node in edge[:2]})

    @cache
    def best(left):
        if not left:
            return 0, 0, ()
        first, *others = left
        found = [best(tuple(others))]
        for other in others:
            if (first, other) in weight:
                many, worth, pairs = best(tuple(node for node in others if node != other))
                found.append((many + 1, worth + weight[first, other], ((first, other), *pairs)))
        return max(found)

    return best(tuple(nodes))[2]


def of_all_pairs(candidates, seed):
    """The pairing as it was found before any pair was left out: one matching of all of them."""
    nodes = sorted(candidates, key=lambda each: order(each.number))
    if len(nodes) % 2:
        nodes.append(Candidate(BYE, min(each.points for each in nodes)))
    graph = networkx.Graph()
    for at, one in enumerate(nodes):
        for other in nodes[at + 1 :]:
            graph.add_edge(one.number, other.number, weight=matching.cost(one, other, seed))
    return {frozenset(pair) for pair in networkx.min_weight_matching(graph)}


def field_of(rng, number):
    """So many candidates in the middle of a tournament."""
    numbers = [str(each) for each in range(1, number + 1)]
    found = []
    for each in numbers:
        others = [other for other in numbers if other != each]
        met = dict.fromkeys(rng.sample(others, min(len(others), rng.randrange(4))), 1)
        if rng.random() < 0.2:
            met[BYE] = 1
        sides = "".join(rng.choice("FS") for _ in range(rng.randrange(5)))
        found.append(Candidate(each, rng.randrange(0, 20, 4), met, sides))
    for each in found:  # who has met somebody has been met by them
        for other in found:
            if each.number in other.met:
                each.met.setdefault(other.number, other.met[each.number])
    return found


@pytest.mark.parametrize("seed", sweeps.some(range(120), 5))
def test_the_library_and_brute_force_agree_in_any_order(seed):
    rng = random.Random(seed)
    candidates = field_of(rng, rng.randrange(2, 11))
    drawn = rng.randbytes(32)
    found = matching.pairs(candidates, drawn)
    assert found == matching.pairs(candidates, drawn, by_force)
    rng.shuffle(candidates)
    assert found == matching.pairs(candidates, drawn)


@pytest.mark.parametrize("seed", sweeps.some(range(240), 24))
def test_no_pair_that_is_left_out_belongs_to_the_best_pairing(seed):
    """Fields of up to 41 in the middle of a tournament: few points and many, meetings, needs, one score for all."""
    rng = random.Random(seed)
    candidates = field_of(rng, rng.randrange(2, 42))
    if seed % 4 == 1:
        candidates = [replace(each, points=rng.choice((0, 1, 7, 20)) * (seed % 8 > 3)) for each in candidates]
    if seed % 4 == 2:  # nearly everybody has met, so many pairs are bad and floors are never reached
        for each in candidates:
            each.met.update({other.number: 1 for other in candidates if other is not each and rng.random() < 0.5})
        for each in candidates:
            each.met.update({other.number: 1 for other in candidates if each.number in other.met})
    drawn = rng.randbytes(32)
    assert {frozenset(pair) for pair in matching.pairs(candidates, drawn)} == of_all_pairs(candidates, drawn)


def test_most_pairs_are_left_out(monkeypatch):
    """60 in a ninth round: less than two thirds of all pairs are looked at."""
    rng = random.Random(5)
    state, _told = simulate(rng, 60, 8)
    seen = []
    library = matching._networkx
    monkeypatch.setattr(matching, "_networkx", lambda edges: seen.append(len(edges)) or library(edges))
    matching.pairs(list(state.values()), rng.randbytes(32))
    assert max(seen) < 60 * 59 // 3


def test_vectors():
    """What every implementation of match/1 must find: inputs, and pairs with their sides."""
    for vector in json.loads(VECTORS.read_text(encoding="ascii")):
        solved = solve(vector["input"])
        assert {"pairs": [list(pair) for pair in solved.pairs], "bye": solved.bye} == vector["solved"]


@pytest.mark.parametrize("better", ["rematch", "need", "points", "lean"])
def test_what_counts_counts_in_this_order(better):
    """Each element outweighs all that come after it, however many pairs offend there."""
    seed = bytes(32)
    worst = Candidate("2", 9999, {}, "F"), Candidate("3", 0, {}, "F")
    values = {
        "rematch": matching.cost(Candidate("1", 0, {"4": 1}), Candidate("4", 0, {"1": 1}), seed),
        "need": matching.cost(Candidate("1", 0, {}, "FF"), Candidate("4", 0, {}, "FF"), seed),
        "points": matching.cost(Candidate("1", 1, {}), Candidate("4", 0, {}), seed),
        "lean": matching.cost(Candidate("1", 0, {}, "F"), Candidate("4", 0, {}, "F"), seed),
        "chance": matching.cost(Candidate("1"), Candidate("4"), seed),
    }
    names = list(values)
    after = names[names.index(better) + 1]
    assert values[better] > 100 * values[after]
    assert values["need"] > 100 * matching.cost(*worst, seed)


def simulate(rng, players, rounds, leaving=0.0):
    """A tournament of random results; the candidates after it, and what happened round by round."""
    state = {str(n): Candidate(str(n), 0, {}, "") for n in range(1, players + 1)}
    told = []
    there = list(state)
    for _ in range(rounds):
        there = [number for number in there if rng.random() >= leaving] if len(there) > 2 * rounds else there
        drawn = rng.randbytes(32)
        pairs = matching.pairs([state[number] for number in there], drawn)
        told.append(pairs)
        for one, other in pairs:
            if other == BYE:
                state[one] = add(state[one], 4, BYE, "")
                continue
            bit = chance.of_pair(drawn, *sorted((one, other), key=order))[1]
            first = first_side(state[one], state[other], bit)
            won = rng.choice((one, other))
            for each, against in ((one, other), (other, one)):
                points = 4 if each == won else 1
                state[each] = add(state[each], points, against, FIRST if each == first else SECOND)
    return state, told


def add(each, points, met, side):
    times = {**each.met, met: each.met.get(met, 0) + 1}
    return Candidate(each.number, each.points + points, times, each.sides + side)


@pytest.mark.parametrize("seed", sweeps.some(range(30), 4))
def test_no_rematch_no_second_bye_sides_even(seed):
    """Up to half as many rounds as players: never a rematch, a second bye, a balance of 3, a side three times."""
    rng = random.Random(seed)
    players = rng.randrange(6, 33)
    rounds = rng.randrange(2, min(7, players // 2) + 1)
    state, told = simulate(rng, players, rounds, leaving=0.03 if seed % 3 == 0 else 0)
    for pairs in told:
        assert len({number for pair in pairs for number in pair}) == 2 * len(pairs)
    for each in state.values():
        assert all(times == 1 for times in each.met.values()), each
        assert abs(each.balance) <= 2
        assert not any(
            a == b == c for (a, b), (_b, c) in zip(pairwise(each.sides), pairwise(each.sides[1:]), strict=False)
        )


def test_rematches_only_where_nothing_else_is_left():
    """Four players, three rounds: everybody has met everybody; the fourth round repeats as little as it must."""
    rng = random.Random(1)
    state, told = simulate(rng, 4, 4)
    assert sorted(times for each in state.values() for times in each.met.values()) == [1] * 8 + [2] * 4
    assert len({frozenset(pair) for pairs in told[:3] for pair in pairs}) == 6


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(UsageError, match="pip install networkx icalendar"):
        matching.pairs([Candidate("1"), Candidate("2")], bytes(32))
