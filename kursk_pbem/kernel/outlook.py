"""Information before a decision: chances of declared actions, moves, targets.

A ruleset fills in these plain values and a report prints them; no function here changes a position.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Fought

if TYPE_CHECKING:
    from kursk_pbem.kernel.picture import Place, Point, Sight

UNFOLLOWED = "too many dice combinations: outcomes are not computed"
"""The assumption if there are no outcomes."""
LATER = "The unit has no order in the next message; these are its possible actions from here."
"""The note about a unit without an order in the next message."""
FIRST = "fought first: later battles do not change the odds"
"""The caveat of the first of several battles."""
DECISION = "the defender's choice: "
"""The beginning of an outcome's line about the defender's choice."""


@frozen
class Outcome:
    """A possible outcome of a declared action.

    ``faces``: the throws with this outcome; () without dice, or if there are too many throws. ``result``: the result in
    the table. ``text``: what happens to the units, in short sentences. ``figures``: the same facts for programs.
    """

    chance: Fraction
    faces: tuple[str, ...]
    result: str
    text: tuple[str, ...]
    figures: Mapping[str, str]


@frozen
class Chances:
    """A declared action with all its possible outcomes. ``subject``: its id. The chances of the outcomes add up to 1.

    ``fought``: the arithmetic before the roll; if None, ``title`` names the action. ``assumed``: the answers and plans
    that the chances assume. ``sums``: total chances of several outcomes. ``means``: average numbers, (what, value). If
    there are too many dice, ``assumed`` names the ignored dice and the chances cover the other dice; with UNFOLLOWED
    there are no chances. ``caveat``: how other battles can change these chances. Every display of the chances must
    print the caveat.
    """

    subject: str
    fought: Fought | None
    title: str
    assumed: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    sums: tuple[tuple[str, Fraction], ...]
    means: tuple[tuple[str, Fraction], ...]
    caveat: str = ""


@frozen
class Sign:
    """A sign after a destination: ``key`` for programs, ``sign`` and ``legend`` for a list, ``word`` for a table."""

    key: str
    sign: str
    legend: str
    word: str


@frozen
class Destination:
    """A hex in which a move can end: its cost, '' without one; the path; ``marks``: sign -> units that cause it."""

    place: str
    cost: str
    path: tuple[str, ...]
    marks: Mapping[str, tuple[str, ...]]


@frozen
class Mover:
    """A unit that can move in a phase, with its destinations in order, or ``within``: the reachable area in words.

    ``how``: the manner of movement, '' for the usual one. On a table top the unit may go straight to any point inside
    ``outline``, except inside ``holes`` (point, radius). ``straight``: direction -> farthest point found. ``turns``:
    complete `kursk order` orders that turn the unit one step to the left and to the right.
    """

    unit: str
    place: str
    how: str
    ends: tuple[Destination, ...]
    within: str = ""
    outline: tuple[Point, ...] = ()
    holes: tuple[tuple[Point, int], ...] = ()
    turns: tuple[str, ...] = ()
    straight: tuple[tuple[str, str], ...] = ()


@frozen
class MovePhase:
    """A movement phase. ``notes``: its conditions. ``points``: the unit of the costs, such as MP.

    ``verb``: the verb of ``kursk order`` for a move in this phase. The unit and the path follow the verb.
    """

    key: str
    rule: str
    notes: tuple[str, ...]
    movers: tuple[Mover, ...]
    signs: tuple[Sign, ...] = ()
    points: str = "MP"
    verb: str = ""


@frozen
class Target:
    """A place that can be attacked, with its units. ``fought``: the arithmetic of the attack, or None with ``lines``.

    ``results``: (result, chance), () without an attack. ``variants``: other forms of the attack, by name. ``verb``: the
    verb of ``kursk order`` for the attack; the attackers ``who`` follow the verb, or the place if ``who`` is ''.
    ``brief``: the lines in a few words. ``price``: what the variants cost, such as 'an Offensive marker'.
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


@frozen
class Outlook:
    """What a side, or one unit, can do.

    ``heading``: the text above the targets. ``at``: the preposition for places, 'in' a hex or 'at' a point.
    ``attacks``: the phase of the targets, '' for the last phase. ``about``: further facts about the unit, or about the
    side's formations. ``sights``, ``ranges``: lines of sight, weapon ranges and arcs of the unit. A model within a
    range of kind ``near`` keeps together with the unit.
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
