"""A tree of dice: what can happen, found by running the real rules once for every way in which their dice can fall."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from kursk_pbem.kernel.umpire import Dice

T = TypeVar("T")
FACES = 6
MOST = FACES**6
"""Ways that are run at most; where more dice fall, chances are found by convolution."""


@dataclass
class _Scripted:
    """Dice that fall as the script says, and as ones behind its end, where the script grows."""

    seq: int
    script: list[int] = field(default_factory=list)
    fallen: int = 0

    def roll(self, _label: str, n: int) -> str:
        """The next ``n`` digits."""
        self.fallen += n
        self.script += [1] * (self.fallen - len(self.script))
        return "".join(map(str, self.script[self.fallen - n : self.fallen]))


def branches(seq: int, run: Callable[[Dice], T]) -> Iterator[tuple[Fraction, str, T]]:
    """(chance, digits, what came of it) for every way in which the dice of message ``seq`` can fall in ``run``.

    The chances add up to 1. ``run`` must do the same whenever the same dice fall. ValueError beyond ``MOST`` ways.
    """
    script: list[int] = []
    for _way in range(MOST):
        dice = _Scripted(seq, script)
        found = run(dice)
        yield Fraction(1, FACES**dice.fallen), "".join(map(str, script)), found
        while script and script[-1] == FACES:
            script.pop()
        if not script:
            return
        script[-1] += 1
    raise ValueError(f"more than {MOST} ways in which dice can fall")
