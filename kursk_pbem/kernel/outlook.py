"""What a player can ask of a position before deciding: chances of what is declared, moves, targets.

Plain values that a ruleset fills in and a report renders; nothing here changes a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from kursk_pbem.kernel.events import Fought

if TYPE_CHECKING:
    from kursk_pbem.kernel.picture import Place, Point, Sight

UNFOLLOWED = "its dice can fall in too many ways: what comes of it is not worked out"
"""What is assumed where no outcome is given."""
LATER = "It neither moves nor attacks in the message that is due; this is what it could do from here."
"""Said of a unit that is asked about while nothing is ordered for it."""
FIRST = "it is fought first, so no other battle changes it"
"""The caveat of the first of several battles."""


@dataclass(frozen=True)
class Outcome:
    """One way in which something declared can end.

    ``faces`` are the throws that lead to it (empty where no die falls or there are too many to list), ``result`` what
    the table says, ``text`` what becomes of everybody, in short sentences, ``figures`` the same for programs.
    """

    chance: Fraction
    faces: tuple[str, ...]
    result: str
    text: tuple[str, ...]
    figures: Mapping[str, str]


@dataclass(frozen=True)
class Chances:
    """Something declared, ``subject`` by its id, with every outcome it can have; the chances add up to 1.

    ``fought`` is its arithmetic, without a die; where there is none ``title`` says what is meant. ``assumed`` says by
    whose answers and plans the outcomes were found. ``sums`` are chances of several outcomes together, ``means``
    numbers on average: (what, value). Where too many dice fall ``assumed`` says which of them are not followed, and the
    chances are those with the others; with UNFOLLOWED there are none. ``caveat``: what other battles can change of it;
    it is in the arithmetic of no other place that these figures are shown in, so each of them shows it.
    """

    subject: str
    fought: Fought | None
    title: str
    assumed: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    sums: tuple[tuple[str, Fraction], ...]
    means: tuple[tuple[str, Fraction], ...]
    caveat: str = ""


@dataclass(frozen=True)
class Sign:
    """A sign after a destination: ``key`` for programs, ``sign`` and its ``legend`` in a list, ``word`` in a table."""

    key: str
    sign: str
    legend: str
    word: str


@dataclass(frozen=True)
class Destination:
    """Where a move may end: its cost ('' where none is counted), the way, and the units that put each sign there."""

    place: str
    cost: str
    path: tuple[str, ...]
    marks: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Mover:
    """A unit in one phase: how it moves ('' the usual way) and where it may end, in order; or ``within``, in words.

    On a table top it may go straight to where ``outline`` encloses, but for ``holes``, each a point and how far about
    it. ``turns``: whole orders of ``kursk order`` that turn it one step to the left and to the right.
    """

    unit: str
    place: str
    how: str
    ends: tuple[Destination, ...]
    within: str = ""
    outline: tuple[Point, ...] = ()
    holes: tuple[tuple[Point, int], ...] = ()
    turns: tuple[str, ...] = ()


@dataclass(frozen=True)
class MovePhase:
    """A phase of movement: ``notes`` say when it takes place at all and what else to know; ``points`` as in 3 MP.

    ``verb``: the word of ``kursk order`` that orders a move in it, followed by the unit and the way.
    """

    key: str
    rule: str
    notes: tuple[str, ...]
    movers: tuple[Mover, ...]
    signs: tuple[Sign, ...] = ()
    points: str = "MP"
    verb: str = ""


@dataclass(frozen=True)
class Target:
    """What can be attacked: units by id in a place, the arithmetic if there is one, otherwise ``lines``.

    ``results``: (result, chance); empty where there is no attack. ``variants``: the same attack in other ways, by name.
    ``verb``: the word of ``kursk order`` that orders it, followed by ``who`` attacks, otherwise by the place.
    ``brief``: the lines in a few words. ``price``: what the variants take besides, such as 'an Offensive marker'.
    """

    units: tuple[str, ...]
    place: str
    fought: Fought | None
    results: tuple[tuple[str, Fraction], ...]
    variants: tuple[tuple[str, Fought], ...] = ()
    lines: tuple[str, ...] = ()
    verb: str = ""
    who: str = ""
    brief: str = ""
    price: str = ""


@dataclass(frozen=True)
class Outlook:
    """What a side or a unit may do; ``notes``, ``heading`` over the targets; units stand in a hex or ``at`` a point.

    ``attacks`` is the phase of the targets ('' for the last one); ``about`` says what else concerns one unit, or the
    formations of a side. ``sights`` and ``ranges`` are what a unit sees, how far its weapons reach, and its arcs;
    within all ranges of the kind ``near`` a model stays with its unit.
    """

    side: str
    phases: tuple[MovePhase, ...]
    targets: tuple[Target, ...]
    notes: tuple[str, ...]
    heading: str = ""
    at: str = "in"
    attacks: str = ""
    about: tuple[str, ...] = ()
    sights: tuple[Sight, ...] = ()
    ranges: tuple[Place, ...] = ()
