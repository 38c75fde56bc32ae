"""9.3 EX and AL: how the attacker pays. Losses count in printed strength points, mud and marsh ignored (11.2).

Pure arithmetic over the participants of a battle: (unit, steps left, printed strength by steps).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Payment = tuple[int, ...]  # steps lost, one number per participant


@dataclass(frozen=True)
class Purse:
    """A participant that can be taken as a loss: steps left and strength with 0, 1, 2 steps."""

    unit: str
    steps: int
    strength: tuple[int, int, int]

    def worth(self, lost: int) -> int:
        """Strength points gone with ``lost`` steps: full - reduced for a flip, all that is left for the last step."""
        return self.strength[self.steps] - self.strength[self.steps - lost]


def payments(purses: tuple[Purse, ...], due: int) -> list[Payment]:
    """9.3 EX, K-58: every tight way to lose at least ``due`` points.

    Tight: giving back any one unit's last lost step would bring the sum below ``due``. If everything together is not
    enough, everything is lost.
    """
    if sum(purse.worth(purse.steps) for purse in purses) < due:
        return [tuple(purse.steps for purse in purses)]
    found: list[Payment] = []

    def extend(taken: Payment, paid: int) -> None:
        if paid >= due:
            full = taken + (0,) * (len(purses) - len(taken))
            if _tight(purses, full, paid, due):
                found.append(full)
        elif len(taken) < len(purses):
            purse = purses[len(taken)]
            for lost in range(purse.steps + 1):
                extend((*taken, lost), paid + purse.worth(lost))

    extend((), 0)
    return found


def _tight(purses: tuple[Purse, ...], payment: Payment, paid: int, due: int) -> bool:
    return all(
        paid - (purse.worth(lost) - purse.worth(lost - 1)) < due
        for purse, lost in zip(purses, payment, strict=True)
        if lost
    )


def ordered(purses: tuple[Purse, ...], wishes: tuple[str, ...]) -> tuple[Purse, ...]:
    """The participants, those named in ``wishes`` first and in that order, the others by id (K-77)."""
    named = [purse for wish in dict.fromkeys(wishes) for purse in purses if purse.unit == wish]
    return (*named, *sorted((p for p in purses if p not in named), key=lambda purse: purse.unit))


def exchange(purses: tuple[Purse, ...], due: int, wishes: tuple[str, ...]) -> Mapping[str, int]:
    """9.3 EX, K-77: steps lost by unit. With a list the first in it bleed first; without, the cheapest payment."""
    line = ordered(purses, wishes)
    found = payments(line, due)
    if any(purse.unit in wishes for purse in purses):
        best = max(found)
    else:

        def price(payment: Payment) -> tuple[int, int, tuple[int, ...]]:
            paid = sum(purse.worth(lost) for purse, lost in zip(line, payment, strict=True))
            dead = sum(lost == purse.steps for purse, lost in zip(line, payment, strict=True))
            return paid, dead, tuple(-lost for lost in payment)

        best = min(found, key=price)
    return {purse.unit: lost for purse, lost in zip(line, best, strict=True) if lost}


def single(purses: tuple[Purse, ...], wishes: tuple[str, ...]) -> str:
    """9.3 AL, K-77: the one unit that loses a step: the first of the list, else the one that is missed least."""
    line = ordered(purses, wishes)
    if line[0].unit in wishes:
        return line[0].unit
    return min(line, key=lambda purse: (purse.steps == 1, purse.worth(1), purse.unit)).unit
