"""Whole-turn odds: the chances of positions after all waiting battles, in the order of resolution.

The real rules resolve one action after the other on every distinct position, and equal positions are merged. So the
chances are exact. If too many runs are necessary, plays with random dice give an estimate with a 95 % interval.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.branches import EACH, Groups, run_branches
from kursk_pbem.kernel.state import ANSWERED, State
from kursk_pbem.kernel.umpire import Dice, GameEnded, Umpire

MOST, PLAYS = 8_000, 1_000
"""Maximum number of runs of an exact forecast; number of plays of an estimate."""
WIDE = 2
"""Standard deviations of the interval, a little more than 95 % needs."""
NO_ANSWER = "the opponent has not answered: earlier answers and the defaults are assumed"
NO_PLAN = "the opponent's sealed plan is unknown here: no plan is assumed"
NO_ORDERS = "the opponent's orders are unknown here: no orders are assumed"


@frozen
class Turn:
    """The declared actions, in order, whose dice will be rolled."""

    start: Umpire[Any]  # an umpire in the position before the first action
    left: Hashable  # the actions, () at the end
    resolve: Callable[[Umpire[Any], Any], Hashable]  # carry out the first action; return the other actions
    groups: Callable[[Umpire[Any], Any, str], Groups]  # the faces of a die with this label, grouped by equal effect
    holds: Callable[[State, str], bool] | None = None  # whether a side holds the objective, on a table top

    def run(self, umpire: Umpire[Any], left: Hashable) -> Hashable:
        """Resolve the first action of ``left``. Return the remaining actions; () if the game has ended."""
        try:
            return self.resolve(umpire, left)
        except GameEnded:
            return ()

    def play(self, dice: Dice) -> State:
        """Resolve all actions with these dice; return the final position."""
        umpire, left = self.start.goes_on(dice), self.left
        while left:
            left = self.run(umpire, left)
        return umpire.state


@frozen
class Share:
    """A chance. ``plays`` 0: exact. Otherwise: an estimate; the chance is probably between ``low`` and ``high``."""

    chance: Fraction
    low: Fraction
    high: Fraction
    plays: int = 0


def assume(turn: Turn, sealed: Mapping[str, Any]) -> tuple[str, ...]:
    """Return sentences about assumed answers and plans. ``sealed``: the hidden plans that this computer knows."""
    agenda = turn.start.state.agenda
    labels = {key.removeprefix("sealed/") for key in agenda if key.startswith(("sealed/plans/", "sealed/orders/"))}
    lacking = (*[NO_ANSWER] * (ANSWERED not in agenda), *[NO_PLAN] * (not labels <= sealed.keys()))
    return lacking if turn.holds is None else (NO_ORDERS,) * bool(lacking)


def describe_position(state: State) -> tuple[Hashable, ...]:
    """Return the parts of a position that matter for odds: units, marks, tracks and stage."""
    marks = tuple((name, tuple(sorted(marks.items()))) for name, marks in sorted(state.marks.items()) if marks)
    units = tuple([(uid, unit.place, unit.steps) for uid, unit in state.units.items()])
    return units, marks, tuple(sorted(state.tracks.items())), state.stage


def spread(
    turn: Turn, value: Callable[[State], Hashable] = describe_position, most: int = MOST
) -> dict[Hashable, Fraction] | None:
    """Return how likely each final position is: its ``value`` -> chance; None if more than ``most`` runs are needed."""
    ended: dict[Hashable, Fraction] = {}
    now: dict[Hashable, tuple[Umpire[Any], Hashable, Fraction]] = {(): (turn.start, turn.left, Fraction(1))}
    while now:
        following: dict[Hashable, tuple[Umpire[Any], Hashable, Fraction]] = {}
        for umpire, left, chance in now.values():
            ways = _list_ways(turn, umpire, left, most)
            if ways is None:
                return None
            most -= len(ways)
            for way, _faces, (after, rest) in ways:
                key = (rest, describe_position(after.state)) if rest else value(after.state)
                if rest:
                    had = following[key][2] if key in following else Fraction(0)
                    following[key] = after, rest, had + chance * way
                else:
                    ended[key] = ended.get(key, Fraction(0)) + chance * way
        now = following
    return ended


def _list_ways(
    turn: Turn, before: Umpire[Any], left: Hashable, most: int
) -> list[tuple[Fraction, Groups, tuple[Umpire[Any], Hashable]]] | None:
    """Return the umpire and the rest for every throw of the next action."""
    known: dict[Hashable, Groups] = {}
    running = before

    def run(dice: Dice) -> tuple[Umpire[Any], Hashable]:
        nonlocal running
        running = before.goes_on(dice)
        return running, turn.run(running, left)

    def groups(label: str) -> Groups:
        key = label, *running.rolled.items()  # equal earlier dice give the same position
        if key not in known:
            known[key] = turn.groups(running, left, label)
        return known[key]

    return run_branches(before.seq, run, groups=groups, most=most)


@dataclass
class _Hashed:
    """Dice from hashes of a seed, so equal drafts give equal estimates."""

    seq: int
    seed: str
    rolls: int = 0

    def roll(self, _label: str, n: int) -> str:
        self.rolls += 1
        number = int(sha256_hex(f"{self.seed}/{self.rolls}".encode()), 16)
        return "".join(EACH[number // 6**die % 6] for die in range(n))


def forecast(
    turn: Turn, wants: Sequence[Callable[[State], bool]], seed: str, most: int = MOST, plays: int = PLAYS
) -> tuple[Share, ...]:
    """Return the chance of each goal in ``wants``, and of all together: all exact, or all estimated by random plays."""

    def value(state: State) -> tuple[bool, ...]:
        kept = [want(state) for want in wants]
        return (*kept, all(kept))

    exact: Mapping[Any, Fraction] | None = spread(turn, value, most)
    places = range(len(wants) + 1)
    if exact is not None:
        sums = [sum((chance for kept, chance in exact.items() if kept[place]), Fraction(0)) for place in places]
        return tuple(Share(chance, chance, chance) for chance in sums)
    dice = _Hashed(turn.start.seq, seed)
    played: list[tuple[bool, ...]] = []
    while len(played) < plays:
        played.append(value(turn.play(dice)))
    return tuple(estimate(sum(kept[place] for kept in played), plays) for place in places)


def estimate(hits: int, plays: int) -> Share:
    """Return the estimated chance from ``hits`` in ``plays``, with Wilson's 95 % interval, rounded outwards."""
    square, fine = WIDE**2, 10**6
    root = square * (square + Fraction(4 * hits * (plays - hits), plays))
    up = Fraction(isqrt(int(root * fine**2)) + 1, fine)
    low, high = ((2 * hits + square + by) / (2 * (plays + square)) for by in (-up, up))
    return Share(Fraction(hits, plays), max(low, Fraction(0)), min(high, Fraction(1)), plays)
