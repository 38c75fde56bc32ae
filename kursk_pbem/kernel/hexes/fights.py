"""Fights: ratios and columns of odds, results of a table, and losses in steps. No floats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction

from kursk_pbem.frozen import frozen

Number = int | Fraction
NOTHING = -98  # the level of an attack without strength: below any column


def level_of(attack: Number, defence: int) -> int:
    """Return the odds as a number, rounded in favour of the defender: 4 is 4:1, 1 is 1:1, 0 is 1:2, -1 is 1:3."""
    if attack >= defence:
        return int(attack // defence)
    return 2 - -(-Fraction(defence) // attack) if attack else NOTHING


def odds_text(level: int) -> str:
    """Return the odds of a level as text: 1 -> '1:1', 4 -> '4:1', 0 -> '1:2', -1 -> '1:3'."""
    return f"{level}:1" if level >= 1 else f"1:{2 - level}"


def column_of(attack: Number, defence: int, columns: Sequence[str]) -> int:
    """Return the index of the highest odds in ``columns`` (such as 1:2, 1:1, 3:2) that the attack reaches; or -1."""
    ratios = [Fraction(int(one), int(other)) for one, _colon, other in (text.partition(":") for text in columns)]
    return sum(0 < attack >= ratio * defence for ratio in ratios) - 1


def clamp_value(value: int, low: int, high: int) -> int:
    """Return a column or a die roll after modifiers, limited to the lowest and highest value of the table."""
    return max(low, min(value, high))


def count_faces(table: Mapping[tuple[int, int], str], column: int, order: Sequence[str]) -> dict[str, int]:
    """Count the die faces for every result in a column of the combat results table, in the ``order`` of results."""
    results = [result for (at, _die), result in table.items() if at == column]
    return {result: results.count(result) for result in order if result in results}


def fraction_text(value: Number) -> str:
    """Return strength points as text: 10, 7 1/2, 1/4."""
    whole, rest = divmod(value.numerator, value.denominator)
    part = f"{rest}/{value.denominator}" if rest else ""
    return f"{whole} {part}" if whole and part else part or str(whole)


Payment = tuple[int, ...]  # steps lost, one number per participant


@frozen
class Purse:
    """A unit that can lose steps. ``strength``: its strength with 0, 1, ... steps left."""

    unit: str
    steps: int
    strength: tuple[int, ...]

    def worth(self, lost: int) -> int:
        """Return the strength points that the unit loses with ``lost`` steps: all points with the last step."""
        return self.strength[self.steps] - self.strength[self.steps - lost]


def list_payments(purses: tuple[Purse, ...], due: int) -> list[Payment]:
    """Return the ways to lose ``due`` strength points without an unnecessary step; all steps if that is not enough."""
    if sum(purse.worth(purse.steps) for purse in purses) < due:
        return [tuple(purse.steps for purse in purses)]
    ways: list[Payment] = []

    def extend_payment(taken: Payment, paid: int) -> None:
        if paid >= due:
            full = taken + (0,) * (len(purses) - len(taken))
            spare = [p.worth(lost) - p.worth(lost - 1) for p, lost in zip(purses, full, strict=True) if lost]
            if all(paid - last < due for last in spare):
                ways.append(full)
        elif len(taken) < len(purses):
            purse = purses[len(taken)]
            for lost in range(purse.steps + 1):
                extend_payment((*taken, lost), paid + purse.worth(lost))

    extend_payment((), 0)
    return ways


def named_first(units: Collection[str], wishes: Iterable[str]) -> list[str]:
    """Return the units in this order: the units in ``wishes``, as listed there, then the other units by id."""
    named = [uid for uid in dict.fromkeys(wishes) if uid in units]
    return [*named, *sorted(uid for uid in units if uid not in named)]


def take_losses(worth: Mapping[str, int], due: int, wishes: Iterable[str]) -> list[str]:
    """Return the first units of ``wishes`` that together are worth ``due`` points; all units if they are worth less."""
    taken: list[str] = []
    for uid in (uid for uid in dict.fromkeys(wishes) if uid in worth):
        if sum(worth[other] for other in taken) < due:
            taken.append(uid)
    return taken


def order_purses(purses: tuple[Purse, ...], wishes: tuple[str, ...]) -> tuple[Purse, ...]:
    """Return the units in this order: the units in ``wishes``, as listed there, then the other units by id."""
    by_unit = {purse.unit: purse for purse in purses}
    return tuple(by_unit[uid] for uid in named_first(by_unit, wishes))


def choose_exchange(purses: tuple[Purse, ...], due: int, wishes: tuple[str, ...]) -> Mapping[str, int]:
    """Return unit -> lost steps for a loss of ``due`` points: the first wish pays most, or the loss is the cheapest."""
    line = order_purses(purses, wishes)

    def price_payment(payment: Payment) -> tuple[int, int, Payment]:
        lost = list(zip(line, payment, strict=True))
        dead = sum(steps == purse.steps for purse, steps in lost)
        return sum(purse.worth(steps) for purse, steps in lost), dead, tuple(-steps for steps in payment)

    ways = list_payments(line, due)
    best = max(ways) if line[0].unit in wishes else min(ways, key=price_payment)
    return {purse.unit: lost for purse, lost in zip(line, best, strict=True) if lost}


def choose_single(purses: tuple[Purse, ...], wishes: tuple[str, ...]) -> str:
    """Return the unit that loses one step: the first of ``wishes`` that is in the battle, otherwise the cheapest."""
    line = order_purses(purses, wishes)
    if line[0].unit in wishes:
        return line[0].unit
    return min(line, key=lambda purse: (purse.steps == 1, purse.worth(1), purse.unit)).unit
