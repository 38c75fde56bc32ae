"""A tree of dice: what can happen, found by running the real rules once for every way in which their dice can fall."""

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
"""Faces of a die, in groups that lead to the same; of each group the first face stands for all."""
EACH: Groups = ("1", "2", "3", "4", "5", "6")
MOST, MOST_THROWS = 600, 1296
"""Ways that are run at most, unless a caller says otherwise; single throws that are worth listing."""


@dataclass
class _Scripted:
    """Dice that fall as the script says, and as the first group behind its end, where the script grows."""

    seq: int
    groups: Callable[[str], Groups]
    script: list[int] = field(default_factory=list)
    fallen: list[Groups] = field(default_factory=list)

    def roll(self, label: str, n: int) -> str:
        """The next ``n`` digits."""
        digits = ""
        for _die in range(n):
            at, groups = len(self.fallen), self.groups(label)
            self.script += [0] * (at + 1 - len(self.script))
            self.fallen.append(groups)
            digits += groups[self.script[at]][0]
        return digits

    @property
    def way(self) -> Groups:
        """The group of each die that has fallen."""
        return tuple(groups[at] for groups, at in zip(self.fallen, self.script, strict=True))


def branches(
    seq: int, run: Callable[[Dice], T], *, groups: Callable[[str], Groups] = lambda _label: EACH, most: int = MOST
) -> list[tuple[Fraction, Groups, T]] | None:
    """(chance, groups of faces, what came of it) for every way in which the dice of message ``seq`` fall in ``run``.

    ``groups`` says of the label of a die which of its faces lead to the same. The chances add up to 1. ``run`` must do
    the same whenever the same dice fall. None where there are more than ``most`` ways: whoever asks says so.
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


def once(seq: int, run: Callable[[Dice], T]) -> T:
    """What comes of one way in which the dice can fall: for what is the same in all of them."""
    return run(_Scripted(seq, lambda _label: EACH))


def throws(ways: Sequence[Groups]) -> tuple[str, ...]:
    """The single throws that ways stand for, their digits run together; () where none falls or there are too many."""
    if sum(prod(map(len, way)) for way in ways) > MOST_THROWS:
        return ()
    return tuple("".join(digits) for way in ways if way for digits in product(*way))
