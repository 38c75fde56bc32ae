"""``match/2``: the one best complete pairing (docs/directors.md 8.1).

All criteria of a pair become one whole number, the most important criterion in the highest bits. The pairing with the
smallest sum wins. The lowest bits are random, so two sums are never equal: every correct solver finds the same pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from kursk_pbem.errors import load_library
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.pairing.sides import Candidate, number_order

BYE = "bye"
"""The pretended opponent of the entrant who has no game if the number of entrants is odd."""

_CHANCE_BITS, _CHANCE = 96, 56
"""Random bits of a possible pair, and the leading bits used by ``match/2``."""
_MOST = 1 << 124
"""Costs below this limit fit into the whole numbers of the fast solver."""

Pair: TypeAlias = tuple[str, str]
Edge: TypeAlias = tuple[int, int, int]
"""Two nodes, numbered from 0, and the cost of their pair."""
Solver: TypeAlias = Callable[[Sequence[Edge], int], Iterable[tuple[int, int]]]
"""A function that returns the cheapest complete pairing. Arguments: the edges, and a number above every cost."""


def find_pairs(players: Sequence[Candidate], seed: bytes, solver: Solver | None = None) -> list[Pair]:
    """Return pairs of the candidates. The lower number is first in a pair, BYE last. ``seed``: the round's 32 bytes."""
    nodes = sorted(players, key=lambda candidate: number_order(candidate.number))
    if len(nodes) % 2:
        nodes.append(Candidate(BYE, min((candidate.points for candidate in nodes), default=0)))
    counted = [
        (at, beyond, pair_costs(one, other, seed))
        for at, one in enumerate(nodes)
        for beyond, other in enumerate(nodes[at + 1 :], at + 1)
    ]
    if not counted:
        return []
    edges, most = _mix_costs(counted, len(nodes) // 2)
    found = (solver or (_rustworkx if most < _MOST else _networkx))(edges, most)
    matched = sorted((min(pair), max(pair)) for pair in found)
    return [(nodes[one].number, nodes[other].number) for one, other in matched]


def pair_costs(one: Candidate, other: Candidate, seed: bytes) -> tuple[int, ...]:
    """Return the costs of a pair, the most important cost first.

    The costs are: a pair excluded by paper 0; a second bye; a repeated meeting; points of the entrant with the bye;
    both need the same side; squared difference in points; both prefer the same side; chance.
    """
    met = one.met.get(other.number, 0)
    drawn, _bit = chance.draw_pair(seed, one.number, other.number)
    bye = other.number == BYE
    return (
        int(other.number in one.apart),
        met if bye else 0,
        0 if bye else met,
        one.points - other.points if bye else 0,
        int(bool(one.needs) and one.needs == other.needs),
        (one.points - other.points) ** 2,
        int(bool(one.leans) and one.leans == other.leans),
        drawn >> _CHANCE_BITS - _CHANCE,
    )


def _mix_costs(counted: Sequence[tuple[int, int, tuple[int, ...]]], pairs_: int) -> tuple[list[Edge], int]:
    """Return the pairs with one number each, and a number above every sum. Sums never reach the next level."""
    shifts, bits = list[int](), 0
    for column in zip(*(reversed(level) for _one, _other, level in counted), strict=True):
        shifts.append(bits)
        bits += (max(column) * pairs_).bit_length()
    shifts.reverse()
    mixed = [(one, other, sum(map(int.__lshift__, level, shifts))) for one, other, level in counted]
    return mixed, 1 << bits


def _rustworkx(edges: Sequence[Edge], most: int) -> Iterable[tuple[int, int]]:
    rustworkx = load_library("rustworkx", "pairing", "tournament")
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(max(other for _one, other, _cost in edges) + 1))
    graph.add_edges_from([(one, other, most - cost) for one, other, cost in edges])
    found: Iterable[tuple[int, int]] = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return found


def _networkx(edges: Sequence[Edge], most: int) -> Iterable[tuple[int, int]]:
    networkx = load_library("networkx", "pairing", "tournament")  # 0.2 s; for costs too large for the fast solver
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, most - cost) for one, other, cost in edges)
    found: Iterable[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return found
