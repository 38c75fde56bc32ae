"""What a player of a system thinks about: the worth of a position, and named plans. Chance has no part in either."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.state import State

POINT = 100
"""The worth of a victory point. Games without victory points value a decisive result as 1,000 or more."""
Seals = Mapping[str, Any]
"""The sealed values of the writer, by label."""
Whim = Callable[[str], int]
"""A mood: a whole number for a choice by its name, such as "move 2113 3/SS", mostly from 0 to 99, of a beginner to 396.

The calm mood gives 0."""


def be_calm(_choice: str) -> int:
    """Return the mood of a player who always takes the best choice."""
    return 0


class Places(Protocol):
    """Units that need places, for a search: what is good is known to the system, the search only compares.

    The search moves units from end to end; at last it marches them there.
    """

    def list_units(self) -> Sequence[str]:
        """Return the units, the most endangered first."""

    def list_ends(self, unit: str) -> Sequence[int]:
        """Return the places of a unit to compare; the first one is its present place."""

    def draw(self, unit: str, end: int) -> int:
        """Return what a place is worth by itself, without its enemies: quick, for units beyond the search's effort."""

    def put(self, unit: str, end: int) -> None:
        """Imagine a unit in a place."""

    def measure_worth(self) -> int:
        """Return the worth of all places together."""

    def march(self, unit: str, end: int) -> bool:
        """Order a unit to its place; return whether the unit can march there now."""


Solve = Callable[[Places], None]
"""A search that finds places and orders the marches."""


def march_nearest(places: Places) -> None:
    """Order every unit to the place that is best by itself, without a search."""
    for unit in places.list_units():
        places.march(unit, max(places.list_ends(unit), key=lambda end: places.draw(unit, end)))


@frozen
class Idea:
    """A plan that differs from others in kind. ``text``: what the plan tries, in one sentence for a player."""

    key: str
    title: str
    text: str


@frozen
class Ideas:
    """The thoughts of a system.

    ``plans``: the first plan is the usual one. ``evaluate``: the worth of a position for a side, in hundredths of a
    victory point; the worth for the other side is the negative. ``guess``: a likely value of the opponent's sealed
    label, for looks ahead; it does not read the sealed value.

    ``propose(setting, state, seq, plan, own, whim, solve)``: the content of the next message by the plan with this key:
    choices, orders, seals, policy, decisions. ``state``: the position after the duties of the message. ``solve``:
    places units, if the system asks. The proposal rests on nothing else and is always legal; {} says nothing.

    ``efforts``: level -> the maximum number of positions that its search compares in a message; at a level without an
    effort `march_nearest` solves.

    ``measure``: what players of the system count, with the worth of one ``unit``.

    ``threats``: place -> what the enemy of a side should gain there by an attack in its next turn, if a system knows.
    """

    plans: tuple[Idea, ...]
    evaluate: Callable[[Any, State, str], int]
    propose: Callable[[Any, State, int, str, Seals, Whim, Solve], dict[str, Any]]
    guess: Callable[[Any, State, str, Whim], Any]
    efforts: Mapping[int, int] = field(default_factory=dict)
    threats: Callable[[Any, State, str], Mapping[str, int]] | None = None
    measure: str = "points"
    unit: int = POINT
