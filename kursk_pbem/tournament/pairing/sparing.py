"""The best complete pairing from a part of all possible pairs, with a proof that no other pair belongs to it.

A matching of 200 takes seconds because there are 19,900 pairs; most of them join people whose points are far apart. Two
proofs leave such pairs out. Neither changes the answer: it is the one best pairing of all (docs/directors.md 8.1).

**Points.** Put everybody in order of points. Above a step in points where an odd number stand, somebody of these meets
somebody below, in any complete pairing. So all its pairs together cost at least the sum, over such odd steps, of the
step squared: the *floor*. A pair that crosses steps costs at least their squares, for a square is more than the sum of
the squares of its parts; what it costs above that is its *excess*. The excesses of a pairing add up to at most what it
costs above the floor. Hence once some complete pairing costs R above the floor, no pair with an excess above R is in
the best one; and if every pair up to R was there to choose from, the best of these is the best of all.

**Prices.** Where all have the same points, give everybody a price, such that no pair costs less than its two prices
together. A complete pairing costs the sum of all prices and what its pairs cost beyond them. So no pair that costs more
beyond its prices than a pairing that is known costs beyond all prices is in the best one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

Edge: TypeAlias = tuple[int, int, int]
"""Two nodes, numbered from 0, and a whole number: a cost, or for a solver what is to be made great."""
Solver: TypeAlias = Callable[[Sequence[Edge]], Iterable[tuple[int, int]]]
"""From edges the pairing with the most pairs, and of these the one with the greatest sum."""

_NEAREST, _SWEEPS = 8, 12
"""Pairs of each node that a first pairing is sought among; how often prices are raised."""


def best(points: Sequence[int], edges: Sequence[Edge], lower: int, solver: Solver) -> list[tuple[int, int]]:
    """The complete pairing that costs least. ``points``: of each node; ``edges``: every pair, with its cost.

    ``lower``: how many bits of a cost lie below the squares of points. Sums of what lies there stay below that bit.
    """
    if len(set(points)) == 1:
        return solve(_priced(edges, len(points), solver), solver)
    floor, before = _steps(points)
    excess = [(cost >> lower) - abs(before[one] - before[other]) for one, other, cost in edges]
    there, limit = sorted(excess), 0
    while True:
        some = [edge for edge, over in zip(edges, excess, strict=True) if over <= limit]
        found = solve(some, solver)
        if 2 * len(found) == len(points):
            above = sum(cost >> lower for _one, _other, cost in _of(found, some)) - floor
            if above <= limit:
                return found
            limit = above
        else:
            limit = there[min(2 * bisect_right(there, limit), len(there) - 1)]  # twice as many pairs


def solve(edges: Sequence[Edge], solver: Solver) -> list[tuple[int, int]]:
    """What a solver finds where costs are to be small: pairs in order, the lower node first."""
    most = max((cost for _one, _other, cost in edges), default=0)
    found = solver([(one, other, most - cost) for one, other, cost in edges])
    return sorted((min(pair), max(pair)) for pair in found)


def _of(found: Iterable[tuple[int, int]], edges: Iterable[Edge]) -> list[Edge]:
    """The edges of a pairing."""
    pairs = set(found)
    return [edge for edge in edges if (min(edge[:2]), max(edge[:2])) in pairs]


def _steps(points: Sequence[int]) -> tuple[int, list[int]]:
    """The floor of the points, and for each node the part of it that lies above that node."""
    falling = sorted(points, reverse=True)
    below: dict[int, int] = {}
    floor = 0
    below[falling[0]] = 0
    for number, (high, low) in enumerate(pairwise(falling), 1):
        if high != low:
            floor += (high - low) ** 2 if number % 2 else 0
            below[low] = floor
    return floor, [below[each] for each in points]


def _priced(edges: Sequence[Edge], number: int, solver: Solver) -> Sequence[Edge]:
    """The edges that may belong to the best pairing, by prices; all of them where no first pairing is found."""
    near: list[list[Edge]] = [[] for _node in range(number)]
    for edge in sorted(edges, key=lambda edge: edge[2]):
        for node in edge[:2]:
            if len(near[node]) < _NEAREST:
                near[node].append(edge)
    some = sorted({edge for mine in near for edge in mine})
    first = solve(some, solver)
    if 2 * len(first) < number:
        return edges
    prices = _prices(edges, number)
    beyond = sum(cost for _one, _other, cost in _of(first, some)) - sum(prices)
    return [(one, other, cost) for one, other, cost in edges if cost - prices[one] - prices[other] <= beyond]


def _prices(edges: Sequence[Edge], number: int) -> list[int]:
    """Prices that no pair undercuts: at first half of each node's cheapest pair, then raised one after the other."""
    mine: list[list[tuple[int, int]]] = [[] for _node in range(number)]
    for one, other, cost in edges:
        mine[one].append((other, cost))
        mine[other].append((one, cost))
    prices = [min(cost for _other, cost in pairs) // 2 for pairs in mine]
    for _sweep in range(_SWEEPS):
        for node, pairs in enumerate(mine):
            prices[node] = min(cost - prices[other] for other, cost in pairs)
    return prices
