"""The luck of a game: what each side's dice brought against what it could expect, exact to the last face."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb

from kursk_pbem.kernel.events import HIGH, Event, Rolled

_FACES = 6
_MEAN = Fraction(7, 2)
LONG = 11
"""The most characters of a fraction that people read: '16807/46656'."""


def at_most(dice: int, total: int) -> int:
    """Of the 6**dice throws of so many dice, those whose sum is at most ``total`` (inclusion and exclusion)."""
    most = min(dice, (total - dice) // _FACES)
    return sum((-1) ** k * comb(dice, k) * comb(total - _FACES * k, dice) for k in range(most + 1))


@dataclass(frozen=True)
class Throws:
    """Dice that were the luck of one side, and their sum, counted so that high is lucky."""

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
    """Side -> its throws so far. Carried along from message to message, so that nothing is replayed."""

    throws: Mapping[str, Throws] = field(default_factory=dict)

    def add(self, events: Iterable[Event]) -> Luck:
        """The luck with the dice of ``events`` counted in: those that are somebody's luck, low ones turned over."""
        throws = dict(self.throws)
        for event in events:
            if isinstance(event, Rolled) and event.whose:
                had = throws.get(event.whose, Throws())
                faces = [int(face) if event.good == HIGH else _FACES + 1 - int(face) for face in event.digits]
                throws[event.whose] = Throws(had.dice + len(faces), had.sum + sum(faces))
        return Luck(throws)

    def to_plain(self) -> dict[str, str]:
        """A mapping of words: ``{german: 12/44}``, dice and their sum."""
        return {side: f"{throws.dice}/{throws.sum}" for side, throws in sorted(self.throws.items())}

    @classmethod
    def from_plain(cls, plain: Mapping[str, str]) -> Luck:
        """The luck from its mapping; ValueError if it is not one."""
        throws = {}
        for side, text in plain.items():
            dice, slash, total = text.partition("/")
            if not (slash and text.isascii() and dice.isdigit() and total.isdigit()):
                raise ValueError(f"the luck of {side} should be dice/sum such as 12/44")
            throws[side] = Throws(int(dice), int(total))
        return cls(throws)


def per_cent(chance: Fraction) -> str:
    """A probability with one decimal, halves up: '38.2%'; '<0.1%' and '>99.9%' next to none and to all."""
    tenths = (2000 * chance.numerator + chance.denominator) // (2 * chance.denominator)
    if 0 < chance < 1 and tenths in (0, 1000):
        return ">99.9%" if tenths else "<0.1%"
    return f"{tenths // 10}.{tenths % 10}%"


def short(value: Fraction) -> str:
    """'1/3'; '' for a fraction of more digits than people read."""
    return text if len(text := str(value)) <= LONG else ""


def mixed(value: Fraction) -> str:
    """'2', '1 1/3', '1/3'; in hundredths where the fraction would be long: 'about 2.67'."""
    whole, rest = divmod(value.numerator, value.denominator)
    if not rest:
        return str(whole)
    if not short(value):
        hundredths = (200 * value.numerator + value.denominator) // (2 * value.denominator)
        return f"about {hundredths // 100}.{hundredths % 100:02}" if hundredths else "less than 0.01"
    return f"{whole} {rest}/{value.denominator}" if whole else f"{rest}/{value.denominator}"
