"""``match/1``: of all complete pairings the one that is best, exactly one (docs/directors.md 8.1).

Everything that counts is mixed into one whole number a pair, the most important highest; the pairing with the smallest
sum is the answer. Chance, the lowest 96 bits, leaves no two of them equal, so any correct solver finds the same one:
neither the library nor its version, nor the order of the input, is part of the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from kursk_pbem.errors import MissingError
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.pairing import sparing
from kursk_pbem.tournament.pairing.sides import Candidate, order

if TYPE_CHECKING:
    import networkx

BYE = "bye"
"""Whom the last one meets where the number is odd."""

_CHANCE, _LEAN, _POINTS, _NEED = 112, 16, 72, 16
"""Bits for the sums of what counts, from below; the meetings repeated have what is above."""

Pair: TypeAlias = tuple[str, str]


def pairs(candidates: Sequence[Candidate], seed: bytes, solver: sparing.Solver | None = None) -> list[Pair]:
    """The pairs of these candidates, each in order of numbers, BYE last; ``seed`` is that of the round, 32 bytes."""
    nodes = sorted(candidates, key=lambda candidate: order(candidate.number))
    if len(nodes) % 2:
        nodes.append(Candidate(BYE, min((candidate.points for candidate in nodes), default=0)))
    edges = [
        (at, beyond, cost(one, other, seed))
        for at, one in enumerate(nodes)
        for beyond, other in enumerate(nodes[at + 1 :], at + 1)
    ]
    if not edges:
        return []
    matched = sparing.best([node.points for node in nodes], edges, _LEAN + _CHANCE, solver or _networkx)
    return [(nodes[one].number, nodes[other].number) for one, other in matched]


def cost(one: Candidate, other: Candidate, seed: bytes) -> int:
    """What a pair costs, in this order: meetings repeated, both need one side, points squared, both lean, chance."""
    met = one.met.get(other.number, 0)
    need = int(bool(one.needs) and one.needs == other.needs)
    apart = (one.points - other.points) ** 2
    lean = int(bool(one.leans) and one.leans == other.leans)
    drawn, _bit = chance.of_pair(seed, one.number, other.number)
    return ((((met << _NEED | need) << _POINTS | apart) << _LEAN | lean) << _CHANCE) | drawn


def _networkx(edges: Sequence[tuple[int, int, int]]) -> Iterable[tuple[int, int]]:
    matched: Iterable[tuple[int, int]] = _library().max_weight_matching(_graph(edges), maxcardinality=True)
    return matched


def _graph(edges: Sequence[tuple[int, int, int]]) -> networkx.Graph:
    graph = _library().Graph()
    graph.add_weighted_edges_from(edges)
    return graph


def _library() -> networkx:
    try:
        import networkx  # noqa: PLC0415  0.2 s, only where pairs are made
    except ImportError:
        raise MissingError("pairing", "tournament") from None
    return networkx
