"""What a player can ask of a position before he decides: chances of the battles declared, moves, targets.

Plain values that a ruleset fills in and a report renders; nothing here changes a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from kursk_pbem.kernel.events import Fought


@dataclass(frozen=True)
class Outcome:
    """One way in which a battle can end.

    ``faces`` are the faces of the die that lead to it ('' where no die falls), ``result`` what the table says,
    ``text`` what becomes of everybody, in short sentences, ``figures`` the same for programs.
    """

    chance: Fraction
    faces: str
    result: str
    text: tuple[str, ...]
    figures: Mapping[str, str]


@dataclass(frozen=True)
class BattleChances:
    """A declared battle with every outcome it can have; the chances add up to 1.

    ``fought`` is its arithmetic, without a die; ``assumed`` says by whose answers and plans the outcomes were found.
    ``sums`` are chances of several outcomes together, ``means`` numbers on average: (what, value).
    """

    fought: Fought
    assumed: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    sums: tuple[tuple[str, Fraction], ...]
    means: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True)
class Destination:
    """A hex where a move may end: points spent ('' where none are counted), the way, enemies whose zone it is in."""

    place: str
    mp: str
    path: tuple[str, ...]
    beside: tuple[str, ...]


@dataclass(frozen=True)
class Mover:
    """A unit in one phase: how it moves (``move``, ``rail``) and where it may end, ascending by label."""

    unit: str
    place: str
    how: str
    ends: tuple[Destination, ...]


@dataclass(frozen=True)
class MovePhase:
    """A phase of movement: ``notes`` say when it takes place at all and what else to know."""

    key: str
    rule: str
    notes: tuple[str, ...]
    movers: tuple[Mover, ...]


@dataclass(frozen=True)
class Target:
    """An enemy that can be attacked by everybody beside it: the arithmetic, and that of each Offensive possible.

    ``results``: (result, chance) of the attack without an Offensive; empty where there is none.
    """

    fought: Fought
    results: tuple[tuple[str, Fraction], ...]
    offensives: tuple[Fought, ...]


@dataclass(frozen=True)
class Outlook:
    """What a side, or one unit, may do from a position; ``notes`` say what else to know."""

    side: str
    phases: tuple[MovePhase, ...]
    targets: tuple[Target, ...]
    notes: tuple[str, ...]
