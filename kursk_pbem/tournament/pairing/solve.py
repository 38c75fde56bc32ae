"""The pairs of a round from its input alone. The log contains a hash of the input (docs/directors.md 8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.pairing import berger, matching
from kursk_pbem.tournament.pairing.bracket import NOBODY
from kursk_pbem.tournament.pairing.sides import Candidate, first_side, number_order
from kursk_pbem.tournament.rules import BERGER, BRACKET, MATCH, SNAKE

DECIDER = "decider/1"
"""The method of deciding games in a knock-out."""


@frozen
class Solved:
    """The pairs of a round in order (first side, second side), and the numbers without a game."""

    pairs: list[tuple[str, str]]
    bye: str = ""  # a number
    free: tuple[str, ...] = ()  # without an opponent in a table
    walkovers: Mapping[str, str] = field(default_factory=dict)  # number -> absent opponent


def solve_round(given: Mapping[str, Any]) -> Solved:
    """Return the pairs of a round by the method of its data. Raises KeyError for an unknown method."""
    return _METHODS[given["method"]](given)


def read_candidate(said: Mapping[str, Any]) -> Candidate:
    """Return a candidate from the data of a pairing."""
    met = {number: int(times) for number, times in said["met"].items()}
    return Candidate(said["number"], int(said["points"]), met, said["sides"], frozenset(said.get("apart", ())))


def _pair_swiss(given: Mapping[str, Any]) -> Solved:
    """Pair a Swiss. The meetings are in order of the higher points, then the sum of points, then the lower number."""
    seed = bytes.fromhex(given["seed"])
    there = {said["number"]: read_candidate(said) for said in given["players"]}
    guests = [read_candidate(said) for said in given["guests"]]
    matched = matching.find_pairs(list(there.values()), seed)
    bye = next((one for one, other in matched if other == matching.BYE), "")
    meetings = [(there[one], there[other]) for one, other in matched if other != matching.BYE]
    meetings.sort(key=_meeting_order)
    if bye and guests:
        meetings.append((there[bye], guests[0]))
        bye = ""
    return Solved([_assign_sides(one, other, seed) for one, other in meetings], bye)


def _meeting_order(pair: tuple[Candidate, Candidate]) -> tuple[int, int, tuple[bool, int]]:
    """Return the sort key of a meeting."""
    points = [player.points for player in pair]
    return -max(points), -sum(points), number_order(pair[0].number)


def _assign_sides(one: Candidate, other: Candidate, seed: bytes) -> tuple[str, str]:
    _drawn, bit = chance.draw_pair(seed, *sorted((one.number, other.number), key=number_order))
    first = first_side(one, other, bit)
    return (one.number, other.number) if first == one.number else (other.number, one.number)


def _pair_tables(given: Mapping[str, Any]) -> Solved:
    """Pair a round of ``berger/1`` or ``snake/1``, with one or several tables."""
    pairs: list[tuple[str, str]] = []
    free: list[str] = []
    walkovers: dict[str, str] = {}
    turn, gone = int(given["turn"]), set(given["gone"])
    for group in given["groups"]:
        if turn > berger.count_rounds(len(group)):
            free += group
            continue
        round_pairs, left_over = berger.pair_numbers(group, turn)
        free += [left_over] if left_over else []
        for one, other in round_pairs:
            if not gone & {one, other}:
                pairs.append((one, other))
            elif len(gone & {one, other}) == 1:
                there, left = (one, other) if other in gone else (other, one)
                walkovers[there] = left
    return Solved(pairs, free=tuple(number for number in free if number not in gone), walkovers=walkovers)


def _pair_ties(given: Mapping[str, Any]) -> Solved:
    """Pair known ties of ``bracket/1`` or ``decider/1``; only the sides are open."""
    seed = bytes.fromhex(given["seed"])
    there = {said["number"]: read_candidate(said) for said in given["players"]}
    gone = set(given["gone"])
    pairs, free = list[tuple[str, str]](), list[str]()
    walkovers = dict.fromkeys(given.get("walkovers", ()), NOBODY)
    for one, other in given["ties"]:
        if NOBODY in (one, other):
            free += [number for number in (one, other) if number and number not in walkovers]
        elif gone & {one, other}:
            stays, left = (other, one) if one in gone else (one, other)
            walkovers[stays] = left
        else:
            pairs.append(_assign_sides(there[one], there[other], seed))
    return Solved(pairs, free=tuple(free), walkovers=walkovers)


_METHODS = {BERGER: _pair_tables, SNAKE: _pair_tables, BRACKET: _pair_ties, DECIDER: _pair_ties, MATCH: _pair_swiss}
