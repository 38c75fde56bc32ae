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
    """A possible outcome of a declared action."""

    chance: Fraction
    faces: tuple[str, ...]  # the throws with this outcome; () without dice, or for too many throws
    result: str  # the result in the table
    text: tuple[str, ...]  # short sentences: what happens to the units
    figures: Mapping[str, str]  # the facts of ``text`` for programs


@frozen
class Chances:
    """A declared action, such as a battle, with the possible outcomes. The chances of the outcomes add up to 1.

    With too many dice, ``assumed`` names the ignored dice, and the chances are for the other dice; or there are no
    chances, and ``assumed`` has UNFOLLOWED. Every display of chances must print ``caveat``.
    """

    subject: str  # the id of the action
    fought: Fought | None  # the arithmetic before the roll, or None
    title: str  # the name of the action if ``fought`` is None
    assumed: tuple[str, ...]  # the answers and plans that the chances assume
    outcomes: tuple[Outcome, ...]
    sums: tuple[tuple[str, Fraction], ...]  # (name, total chance of several outcomes)
    means: tuple[tuple[str, Fraction], ...]  # (name, average number)
    caveat: str = ""  # how other battles can change these chances


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
    """A unit that can move in a phase."""

    unit: str
    place: str
    how: str  # the manner of movement, '' for the usual manner
    ends: tuple[Destination, ...]  # the possible destinations, in order
    within: str = ""  # the reachable area in words, if there are no destinations
    outline: tuple[Point, ...] = ()  # on a table top, the area that a straight move can reach
    holes: tuple[tuple[Point, int], ...] = ()  # (point, radius): not reachable inside ``outline``
    turns: tuple[str, ...] = ()  # orders for one step of turning to the left and to the right
    straight: tuple[tuple[str, str], ...] = ()  # direction -> the farthest point found


@frozen
class MovePhase:
    """A movement phase with the units that can move."""

    key: str
    rule: str
    notes: tuple[str, ...]  # the conditions of the phase
    movers: tuple[Mover, ...]
    signs: tuple[Sign, ...] = ()
    points: str = "MP"  # the unit of the costs
    verb: str = ""  # the verb of ``kursk order`` before unit and path


@frozen
class Target:
    """A place that can be attacked, with the units there."""

    units: tuple[str, ...]
    place: str
    fought: Fought | None  # the arithmetic of the attack; if None, ``lines`` describe the attack
    results: tuple[tuple[str, Fraction], ...]  # (result, chance); () without an attack
    variants: tuple[tuple[str, Fought], ...] = ()  # (name, arithmetic) of other forms of the attack
    lines: tuple[str, ...] = ()
    verb: str = ""  # the verb of ``kursk order`` for the attack
    who: str = ""  # the attackers, typed after the verb; '' if the place is typed
    brief: str = ""  # the lines in a few words
    price: str = ""  # the cost of the variants, such as 'an Offensive marker'


@frozen
class Outlook:
    """The possible moves and attacks of a side, or of one unit."""

    side: str
    phases: tuple[MovePhase, ...]
    targets: tuple[Target, ...]
    notes: tuple[str, ...]
    heading: str = ""  # the text above the targets
    at: str = "in"  # the preposition for places: 'in' a hex, 'at' a point
    attacks: str = ""  # the phase of the targets, '' for the last phase
    about: tuple[str, ...] = ()  # further facts about the unit, or about the side's formations
    sights: tuple[Sight, ...] = ()  # lines of sight of the unit
    ranges: tuple[Place, ...] = ()  # weapon ranges and arcs; models in a range ``near`` keep together with the unit
