"""What a player of a system thinks about: the worth of a position, and named plans. Both are free of chance."""

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
    """Return 0 for every choice: the mood of a player who always takes the best choice."""
    return 0


class Places(Protocol):
    """Units for which a search compares places. The rule system rates the places, and the search compares the ratings.

    The search imagines the units in different places. At the end it orders every unit to march to its best place.
    """

    def list_units(self) -> Sequence[str]:
        """Return the units, the most endangered first."""

    def list_ends(self, unit: str) -> Sequence[int]:
        """Return the places to compare for a unit. The first place is the present place."""

    def draw(self, unit: str, end: int) -> int:
        """Return the worth of a place for a unit, without regard to enemies: quick, for units that are not searched."""

    def put(self, unit: str, end: int) -> None:
        """Place a unit for the search, without an order."""

    def measure_worth(self) -> int:
        """Return the total worth of all places."""

    def march(self, unit: str, end: int) -> bool:
        """Order a unit to march to a place. Return whether the unit can march there now."""


Solve = Callable[[Places], None]
"""A search that finds places and orders the marches."""


def march_nearest(places: Places) -> None:
    """Order every unit to the place with the greatest worth for this unit alone. No search takes place."""
    for unit in places.list_units():
        places.march(unit, max(places.list_ends(unit), key=lambda end: places.draw(unit, end)))


@frozen
class Idea:
    """A plan that clearly differs from the other plans. ``text``: the aim of the plan, in a sentence for a player."""

    key: str
    title: str
    text: str


@frozen
class Ideas:
    """The knowledge of a practice opponent about a system.

    ``propose(setting, state, seq, plan, own, whim, solve)``: return the next message by the ``plan`` with this key,
    always legal: choices, orders, seals, policy, decisions. ``state``: the position after the duties of the message.
    ``own``: the writer's sealed values. ``solve``: the search that places units, for systems that call it.
    """

    plans: tuple[Idea, ...]  # the usual plan is the first
    evaluate: Callable[[Any, State, str], int]  # the worth of a position for a side (minus for the other side)
    propose: Callable[[Any, State, int, str, Seals, Whim, Solve], dict[str, Any]]
    guess: Callable[[Any, State, str, Whim], Any]  # a likely value of the opponent's sealed label, without reading it
    efforts: Mapping[int, int] = field(default_factory=dict)
    """Level -> maximum number of compared positions in a message. Other levels use `march_nearest`."""
    threats: Callable[[Any, State, str], Mapping[str, int]] | None = None
    """Place -> gain that the enemy of a side may expect from an attack there in its next turn. Optional."""
    measure: str = "points"  # the things that players of the system count
    unit: int = POINT  # the worth of one of these, in hundredths of a victory point
