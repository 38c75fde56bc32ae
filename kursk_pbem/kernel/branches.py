"""A tree of dice rolls: run the real rules once for every combination of dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeVar

from kursk_pbem.kernel.umpire import Dice

T = TypeVar("T")
Groups = tuple[str, ...]
"""Faces of a die, in groups with equal effect. The first face represents its group."""
EACH: Groups = ("1", "2", "3", "4", "5", "6")
MOST, MOST_THROWS = 600, 1296
"""Default limit of runs; limit of listed throws."""


@dataclass
class _Scripted:
    """Dice that follow a script. After the end of the script they show the first group, and the script grows."""

    seq: int
    groups: Callable[[str], Groups]
    script: list[int] = field(default_factory=list)
    fallen: list[Groups] = field(default_factory=list)

    def roll(self, label: str, n: int) -> str:
        """Return the next ``n`` digits."""
        digits = ""
        for _die in range(n):
            at, groups = len(self.fallen), self.groups(label)
            self.script += [0] * (at + 1 - len(self.script))
            self.fallen.append(groups)
            digits += groups[self.script[at]][0]
        return digits

    @property
    def way(self) -> Groups:
        """The group of every die rolled so far."""
        return tuple(groups[at] for groups, at in zip(self.fallen, self.script, strict=True))


def run_branches(
    seq: int, run: Callable[[Dice], T], *, groups: Callable[[str], Groups] = lambda _label: EACH, most: int = MOST
) -> list[tuple[Fraction, Groups, T]] | None:
    """Return (chance, groups of faces, result of ``run``) for every combination of the dice of message ``seq``.

    ``groups(label)``: the faces of a die, grouped by equal effect. The chances add up to 1. ``run`` must depend only
    on the dice. Returns None for more than ``most`` combinations; the caller must then tell the player.
    """
    script: list[int] = []
    ways: list[tuple[Fraction, Groups, T]] = []
    while len(ways) < most:
        dice = _Scripted(seq, groups, script)
        outcome = run(dice)
        chance = Fraction(prod(map(len, dice.way)), len(EACH) ** len(dice.way))
        ways.append((chance, dice.way, outcome))
        while script and script[-1] == len(dice.fallen[len(script) - 1]) - 1:
            script.pop()
        if not script:
            return ways
        script[-1] += 1
    return None


def group_faces(result: Callable[[int], object]) -> Groups:
    """Return the faces of a die grouped by the value of ``result`` for each face."""
    groups: dict[object, str] = {}
    for face in EACH:
        groups[result(int(face))] = groups.get(result(int(face)), "") + face
    return tuple(groups.values())


def run_once(seq: int, run: Callable[[Dice], T]) -> T:
    """Return the result of ``run`` for an arbitrary throw of the dice, to read facts that are equal for every throw."""
    return run(_Scripted(seq, lambda _label: EACH))


def list_throws(ways: Sequence[Groups]) -> tuple[str, ...]:
    """Return the throws in some combinations of dice, as strings of digits; () without dice, or for too many throws."""
    if sum(prod(map(len, way)) for way in ways) > MOST_THROWS:
        return ()
    return tuple("".join(digits) for way in ways if way for digits in product(*way))
