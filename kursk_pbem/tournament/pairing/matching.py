"""``match/2`` and ``match/1``: of all complete pairings the best one, exactly one (docs/directors.md 8.1).

Everything that counts is mixed into one whole number a pair, the most important highest; the pairing with the smallest
sum is the answer. Chance, the lowest bits, leaves no two sums equal, so any correct solver finds the same answer:
neither the library nor its version, nor the order of the input, is part of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from kursk_pbem.errors import MissingError
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.pairing.sides import Candidate, order
from kursk_pbem.tournament.rules import MATCH

BYE = "bye"
"""Whom the last one meets where the number is odd."""

_CHANCE_BITS, _CHANCE = 96, 56
"""Bits of chance of a possible pair, and of these the first ones that ``match/2`` takes."""
_MOST = 1 << 124
"""Costs below this fit into the whole numbers of the fast solver, with what that adds to them."""

Pair: TypeAlias = tuple[str, str]
Edge: TypeAlias = tuple[int, int, int]
"""Two nodes, numbered from 0, and what the pair costs."""
Solver: TypeAlias = Callable[[Sequence[Edge], int], Iterable[tuple[int, int]]]
"""From the edges of all pairs, and more than any of them costs, the complete pairing with the smallest sum."""


def pairs(
    candidates: Sequence[Candidate], seed: bytes, method: str = MATCH, solver: Solver | None = None
) -> list[Pair]:
    """Return the pairs of these candidates, each in order of numbers, BYE last.

    ``seed`` is that of the round, 32 bytes. Raises MissingError without the solver's package.
    """
    nodes = sorted(candidates, key=lambda candidate: order(candidate.number))
    if len(nodes) % 2:
        nodes.append(Candidate(BYE, min((candidate.points for candidate in nodes), default=0)))
    count = levels if method == MATCH else levels_of_first
    counted = [
        (at, beyond, count(one, other, seed))
        for at, one in enumerate(nodes)
        for beyond, other in enumerate(nodes[at + 1 :], at + 1)
    ]
    if not counted:
        return []
    edges, most = _mix(counted, len(nodes) // 2)
    found = (solver or (_rustworkx if most < _MOST else _networkx))(edges, most)
    matched = sorted((min(pair), max(pair)) for pair in found)
    return [(nodes[one].number, nodes[other].number) for one, other in matched]


def levels(one: Candidate, other: Candidate, seed: bytes) -> tuple[int, ...]:
    """Return what a pair costs, the most important first.

    They are kept apart by paper 0; a second bye; meetings repeated; the points of who has the bye; both need one side;
    points apart, squared; both lean to one side; chance.
    """
    first = levels_of_first(one, other, seed)
    met, need, apart, lean, drawn = first
    bye = other.number == BYE
    return (
        int(other.number in one.apart),
        met if bye else 0,
        0 if bye else met,
        one.points - other.points if bye else 0,
        need,
        apart,
        lean,
        drawn >> _CHANCE_BITS - _CHANCE,
    )


def levels_of_first(one: Candidate, other: Candidate, seed: bytes) -> tuple[int, ...]:
    """Return the same by ``match/1``: meetings repeated, need, points apart, lean, chance."""
    need = int(bool(one.needs) and one.needs == other.needs)
    lean = int(bool(one.leans) and one.leans == other.leans)
    drawn, _bit = chance.of_pair(seed, one.number, other.number)
    return one.met.get(other.number, 0), need, (one.points - other.points) ** 2, lean, drawn


def _mix(counted: Sequence[tuple[int, int, tuple[int, ...]]], pairs_: int) -> tuple[list[Edge], int]:
    """Return each pair with one number, in which no sum of a level reaches the next one; and more than all of them."""
    shifts, bits = list[int](), 0
    for column in zip(*(reversed(level) for _one, _other, level in counted), strict=True):
        shifts.append(bits)
        bits += (max(column) * pairs_).bit_length()
    shifts.reverse()
    mixed = [(one, other, sum(map(int.__lshift__, level, shifts))) for one, other, level in counted]
    return mixed, 1 << bits


def _rustworkx(edges: Sequence[Edge], most: int) -> Iterable[tuple[int, int]]:
    try:
        import rustworkx  # noqa: PLC0415  only where pairs are made
    except ImportError:
        raise MissingError("pairing", "tournament") from None
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(max(other for _one, other, _cost in edges) + 1))
    graph.add_edges_from([(one, other, most - cost) for one, other, cost in edges])
    found: Iterable[tuple[int, int]] = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return found


def _networkx(edges: Sequence[Edge], most: int) -> Iterable[tuple[int, int]]:
    try:
        import networkx  # noqa: PLC0415  0.2 s, only for costs that the fast solver has no room for
    except ImportError:
        raise MissingError("pairing", "tournament") from None
    graph = networkx.Graph()
    graph.add_weighted_edges_from((one, other, most - cost) for one, other, cost in edges)
    found: Iterable[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return found
