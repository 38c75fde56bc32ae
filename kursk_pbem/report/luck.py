"""The luck of a game: what the attackers' dice brought against what they could expect, exact to the last face."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb

from kursk_pbem.kernel.events import Event, Fought, Rolled

_FACES = 6
_MEAN = Fraction(7, 2)


def at_most(dice: int, total: int) -> int:
    """Of the 6**dice throws of so many dice, those whose sum is at most ``total`` (inclusion and exclusion)."""
    most = min(dice, (total - dice) // _FACES)
    return sum((-1) ** k * comb(dice, k) * comb(total - _FACES * k, dice) for k in range(most + 1))


@dataclass(frozen=True)
class Throws:
    """Dice thrown for attacks of one side, and their sum."""

    dice: int = 0
    sum: int = 0

    @property
    def expected(self) -> Fraction:
        """The sum of so many dice on average."""
        return self.dice * _MEAN

    @property
    def chance(self) -> Fraction:
        """The exact probability of a sum at least as high."""
        return 1 - Fraction(at_most(self.dice, self.sum - 1), _FACES**self.dice) if self.dice else Fraction(1)


@dataclass(frozen=True)
class Luck:
    """Attacking side -> its throws so far. Carried along from message to message, so that nothing is replayed."""

    throws: Mapping[str, Throws] = field(default_factory=dict)

    def add(self, events: Iterable[Event], side_of: Callable[[str], str]) -> Luck:
        """The luck with the battles of ``events`` counted in; ``side_of`` gives the owner of a unit.

        Only a die that falls here counts: a battle that had to wait for a decision is fought again with its old one.
        """
        found = dict(self.throws)
        before: Event | None = None
        for event in events:
            fresh = isinstance(before, Rolled)
            before = event
            if isinstance(event, Fought) and event.die and fresh:
                side = side_of(event.attackers[0].unit)
                had = found.get(side, Throws())
                found[side] = Throws(had.dice + len(event.die), had.sum + sum(map(int, event.die)))
        return Luck(found)

    def to_plain(self) -> dict[str, str]:
        """A mapping of words: ``{german: 12/44}``, dice and their sum."""
        return {side: f"{throws.dice}/{throws.sum}" for side, throws in sorted(self.throws.items())}

    @classmethod
    def from_plain(cls, plain: Mapping[str, str]) -> Luck:
        """The luck from its mapping; ValueError if it is not one."""
        found = {}
        for side, text in plain.items():
            dice, slash, total = text.partition("/")
            if not (slash and text.isascii() and dice.isdigit() and total.isdigit()):
                raise ValueError(f"the luck of {side} should be dice/sum such as 12/44")
            found[side] = Throws(int(dice), int(total))
        return cls(found)


def per_cent(chance: Fraction) -> str:
    """A probability with one decimal, halves up: '38.2%'."""
    tenths = (2000 * chance.numerator + chance.denominator) // (2 * chance.denominator)
    return f"{tenths // 10}.{tenths % 10}%"


def whole_or_half(value: Fraction) -> str:
    """'42' or '38 1/2'."""
    whole, rest = divmod(value.numerator, value.denominator)
    return f"{whole} {rest}/{value.denominator}" if rest else str(whole)
