"""The luck of a game: the dice of each side against the expectation, in exact fractions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from math import comb

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import HIGH, Event, Rolled

_FACES = 6
_MEAN = Fraction(7, 2)
LONG = 11
"""The maximum length of a fraction for people: '16807/46656'."""


def count_throws(dice: int, total: int) -> int:
    """Return how many of the possible throws of dice have a sum of at most ``total``. ``dice``: the number of dice."""
    most = min(dice, (total - dice) // _FACES)
    return sum((-1) ** k * comb(dice, k) * comb(total - _FACES * k, dice) for k in range(most + 1))


@frozen
class Throws:
    """The number and the sum of one side's dice. A high sum is lucky."""

    dice: int = 0
    sum: int = 0

    @property
    def expected(self) -> Fraction:
        """The sum that the thrown dice have on average."""
        return self.dice * _MEAN

    @property
    def chance(self) -> Fraction:
        """The exact chance of the thrown sum or a higher sum."""
        return 1 - Fraction(count_throws(self.dice, self.sum - 1), _FACES**self.dice) if self.dice else Fraction(1)


@frozen
class Luck:
    """Side -> its dice so far. Every message keeps these sums, so that nobody has to replay the game."""

    throws: Mapping[str, Throws] = field(default_factory=dict)

    def add(self, events: Iterable[Event]) -> Luck:
        """Return the sums with the dice of ``events``. If low dice are good, 1 counts as 6, 2 as 5, and so on."""
        throws = dict(self.throws)
        for event in events:
            if isinstance(event, Rolled) and event.whose:
                had = throws.get(event.whose, Throws())
                faces = [int(face) if event.good == HIGH else _FACES + 1 - int(face) for face in event.digits]
                throws[event.whose] = Throws(had.dice + len(faces), had.sum + sum(faces))
        return Luck(throws)

    def to_plain(self) -> dict[str, str]:
        """Return each side's number of dice and their sum as plain data: ``{german: 12/44}``."""
        return {side: f"{throws.dice}/{throws.sum}" for side, throws in sorted(self.throws.items())}

    @classmethod
    def from_plain(cls, plain: Mapping[str, str]) -> Luck:
        """Return the sums from plain data, as `to_plain` writes it. Raises ValueError for other data."""
        throws = {}
        for side, text in plain.items():
            dice, slash, total = text.partition("/")
            if not (slash and text.isascii() and dice.isdigit() and total.isdigit()):
                raise ValueError(f"the luck of {side} must be dice/sum, for example 12/44")
            throws[side] = Throws(int(dice), int(total))
        return cls(throws)


def show_per_cent(chance: Fraction) -> str:
    """Return a chance in per cent with one decimal, halves rounded up: '38.2%'. Near 0 and 1: '<0.1%', '>99.9%'."""
    tenths = (2000 * chance.numerator + chance.denominator) // (2 * chance.denominator)
    if 0 < chance < 1 and tenths in (0, 1000):
        return ">99.9%" if tenths else "<0.1%"
    return f"{tenths // 10}.{tenths % 10}%"


def show_fraction(value: Fraction) -> str:
    """Return a fraction such as '1/3', or '' if the fraction is long."""
    return text if len(text := str(value)) <= LONG else ""


def show_mixed(value: Fraction) -> str:
    """Return a number such as '2', '1 1/3' or '1/3'. Long fractions are rounded: 'about 2.67'."""
    whole, rest = divmod(value.numerator, value.denominator)
    if not rest:
        return str(whole)
    if not show_fraction(value):
        hundredths = (200 * value.numerator + value.denominator) // (2 * value.denominator)
        return f"about {hundredths // 100}.{hundredths % 100:02}" if hundredths else "less than 0.01"
    return f"{whole} {rest}/{value.denominator}" if whole else f"{rest}/{value.denominator}"
