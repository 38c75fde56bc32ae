"""A position on the board and its errors, for a system with units that stack, block and lose steps.

A setting has ``board``, ``counters`` (id -> ``side``, ``name``, ``short``, ``hex`` and ``steps`` at the start),
``towns`` (hex -> name), ``turns``, ``sides`` and ``stack``, the maximum number of units of a side in a hex after a
move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import stands
from kursk_pbem.kernel.hexes.board import Board, Mask
from kursk_pbem.kernel.hexes.stands import Stack
from kursk_pbem.kernel.review import ERROR, Finding
from kursk_pbem.kernel.state import ELIMINATED, State, Unit
from kursk_pbem.kernel.umpire import Umpire


@frozen
class Position(stands.Standing):
    """The units on the map. ``at``: index -> units. ``where``: unit -> index. ``occupied``: side -> hexes in use."""

    setting: Any
    state: State
    at: Mapping[int, Stack]
    where: Mapping[str, int]
    occupied: Mapping[str, Mask]

    def beside(self, side: str, hex_: int) -> list[str]:
        """Return the units of a side adjacent to a hex, by id."""
        return [uid for uid in self.units(side) if self.setting.board.near[hex_] >> self.where[uid] & 1]

    def zone(self, side: str) -> Mask:
        """Return the hexes adjacent to units of a side."""
        board: Board = self.setting.board
        return board.spread(self.occupied[side])

    def full(self, side: str, uid: str) -> Mask:
        """Return the hexes without room for unit ``uid``, because the maximum number of ``side``'s units is there."""
        stacks = ((hex_, [one for one in who if one != uid]) for hex_, who in self.at.items())
        most: int = self.setting.stack
        return sum({1 << hex_ for hex_, who in stacks if len(who) >= most and self.side(who[0]) == side})


_VIEW = stands.make_view(Position, {})


def view_now(umpire: Umpire[Any]) -> Position:
    """Return the units on the map in the umpire's present position."""
    return umpire.derived(_VIEW)


def position(setting: Any, state: State) -> Position:
    """Return the units on the map in a position."""
    return _VIEW.of(setting, state)


def set_up(setting: Any, stage: str) -> State:
    """Return the first position: each unit in its printed hex. The first word of ``stage`` is the side to begin."""
    units = {uid: Unit(counter.hex, counter.steps) for uid, counter in setting.counters.items()}
    return State(setting.turns[0], stage.partition("-")[0], stage, units)


def check_units(units: Mapping[str, Mapping[str, Any]], board: Board, stack: int, rule: str) -> Iterator[Finding]:
    """Check that units begin on the map, within the stacking limit, and never in one hex with the enemy."""
    placed: dict[str, list[str]] = {}
    for uid, unit in units.items():
        path, here = ("units", "units", uid, "hex"), placed.setdefault(unit["hex"], [])
        if unit["hex"] not in board.index:
            yield Finding(ERROR, rule, f"{uid} is set up in {unit['hex']}, which is no playable hex", path)
        elif len(here) == stack:
            yield Finding(ERROR, rule, f"{uid} is one unit too many in {unit['hex']}", path)
        elif here and units[here[0]]["side"] != unit["side"]:
            yield Finding(ERROR, rule, f"{uid} shares {unit['hex']} with the enemy", path)
        here.append(uid)


def find_errors(setting: Any, state: State) -> list[str]:
    """Return the errors of a position: units of both sides in a hex, too many units in a hex, impossible steps."""
    pos, labels = position(setting, state), setting.board.labels
    one, other_ = (pos.occupied[side] for side in setting.sides)
    breaches = [f"{label} holds units of both sides" for label in setting.board.names(one & other_)]
    breaches += [f"{labels[hex_]} holds too many units" for hex_, who in pos.at.items() if len(who) > setting.stack]
    for uid, unit in sorted(state.units.items()):
        most = setting.counters[uid].steps if uid in pos.where else 0
        if not (min(most, 1) <= unit.steps <= most) or (not most and unit.place != ELIMINATED):
            breaches.append(f"{uid} has {unit.steps} steps at {unit.place}")
    return breaches
