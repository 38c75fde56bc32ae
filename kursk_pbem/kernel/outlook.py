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

    ``faces``: the throws with this outcome (empty without dice or with too many throws). ``result``: the entry of the
    table. ``text``: the fate of the units, in short sentences. ``figures``: the same for programs.
    """

    chance: Fraction
    faces: tuple[str, ...]
    result: str
    text: tuple[str, ...]
    figures: Mapping[str, str]


@frozen
class Chances:
    """A declared action, ``subject`` by its id, with every possible outcome; the chances add up to 1.

    ``fought``: the arithmetic without a die; if None, ``title`` names the action. ``assumed``: the answers and plans
    behind the outcomes. ``sums``: total chances of several outcomes. ``means``: average numbers, (what, value). With
    too many dice ``assumed`` names the ignored dice, and the chances cover only the remaining dice; with UNFOLLOWED
    there are no chances. ``caveat``: the possible effect of other battles; every display of these figures must print
    the caveat.
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
    """A sign after a destination: ``key`` for programs, ``sign`` and ``legend`` in a list, ``word`` in a table."""

    key: str
    sign: str
    legend: str
    word: str


@frozen
class Destination:
    """A possible end of a move: cost ('' without a count), path, and the units responsible for each sign."""

    place: str
    cost: str
    path: tuple[str, ...]
    marks: Mapping[str, tuple[str, ...]]


@frozen
class Mover:
    """A unit in one phase: manner of movement ('' for the usual one), destinations in order; or ``within``, in words.

    On a table top the unit may go straight to any point inside ``outline`` except ``holes`` (point, radius);
    ``straight``: direction -> farthest tried end. ``turns``: complete `kursk order` orders that turn the unit one step
    to the left and to the right.
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
    """A movement phase: ``notes`` about its conditions; ``points``: the unit of cost, as in 3 MP.

    ``verb``: the word of ``kursk order`` for a move in this phase; unit and path follow.
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
    """A possible target: units by id in a place, and the arithmetic of the attack, otherwise ``lines``.

    ``results``: (result, chance); empty without an attack. ``variants``: other forms of the attack, by name. ``verb``:
    the word of ``kursk order`` for the attack, followed by the attackers ``who``, otherwise by the place. ``brief``:
    the lines in a few words. ``price``: an extra cost of the variants, such as 'an Offensive marker'.
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
    """The possible actions of a side or a unit.

    ``heading``: above the targets. ``at``: units are in a hex or ``at`` a point. ``attacks``: the phase of the targets
    ('' for the last phase). ``about``: further facts about one unit, or about the formations of a side. ``sights`` and
    ``ranges``: lines of sight, weapon ranges and arcs of a unit. A model inside the ranges of kind ``near`` stays with
    its unit.
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
