"""The most expensive scenario and orders that the check accepts.

A front crosses the largest map with the most units on both sides, so every unit attacks and is attacked, with the most
Panthers, whose dice multiply, and a breakthrough wherever possible.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from helpers.registry import Content
from helpers.worst import Worst, put

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.juggernauts import check, marks, movement
from kursk_pbem.rulesets.juggernauts.position import position
from kursk_pbem.rulesets.juggernauts.setting import Setting
from rulesets.juggernauts import heavy
from rulesets.juggernauts.random_play import Chooser

ORDERS = ("german-orders", "russian-orders")


class Mind:
    """German attacks by all units at the front, moves of all others, and answers to everything."""

    def __init__(self, setting: Setting, side: str) -> None:
        self.setting, self.side = setting, side
        self.chooser = Chooser(setting, random.Random(1))

    def content(self, state: State, seq: int) -> Content:
        """Return the content of the message that ``state``, after its duties, requires."""
        if state.stage == "german-orders":
            there = position(self.setting, state).where
            wedges = [uid for uid, counter in sorted(self.setting.counters.items()) if counter.tigers and uid in there]
            del wedges[100:]
            facing = state.with_(marks={**state.marks, "panzerkeil": dict.fromkeys(wedges, "NE")})
            battles = heavy.make_attacks(self.setting, facing)
            return {"orders": {"panzerkeil": [{"unit": uid, "facing": "NE"} for uid in wedges], "battles": battles}}
        if state.stage == "russian-orders":
            return {"orders": {"movement": self.moves(state)}}
        return self.chooser.content(state, seq)

    def moves(self, state: State) -> list[dict[str, Any]]:
        """Return the longest moves of all units, each to its own hex."""
        pos, found, taken = position(self.setting, state), list[dict[str, Any]](), set[int]()
        for uid in pos.where:
            if pos.side(uid) != self.side or state.mark(marks.DISRUPTED, uid):
                continue
            ends = [hex_ for hex_ in sorted(movement.find_ends(pos, uid)) if hex_ not in taken and not pos.at.get(hex_)]
            if ends:
                taken.add(ends[-1])
                found.append({"unit": uid, "to": self.setting.board.labels[ends[-1]]})
        return found


def wrong(setting: Setting, state: State) -> Content:
    """Return moves of all units to the farthest corner."""
    if state.stage not in ORDERS:
        return {}
    pos, last = position(setting, state), max(setting.board.index)
    return {"orders": {"movement": [{"unit": uid, "to": last} for uid in pos.where if pos.side(uid) == state.side]}}


def said(setting: Setting, state: State) -> str:
    """Return a move to an adjacent hex."""
    if state.stage not in ORDERS:
        return ""
    pos = position(setting, state)
    for uid in pos.where:
        free = pos.side(uid) == state.side and not state.mark(marks.DISRUPTED, uid)
        beside = pos.setting.board.near[pos.where[uid]] if free else 0
        for hex_ in bits(beside):
            if hex_ in movement.find_ends(pos, uid):
                return f"move {uid} {setting.board.labels[hex_]}"
    return ""


def minds(setting: Setting) -> dict[str, Mind]:
    """Return a mind for each side."""
    return {side: Mind(setting, side) for side in setting.sides}


def _unit(parts: Any) -> None:
    """Return an additional unit."""
    units = parts["units"]["units"]
    units["r-more"] = {**units["r-0"], "hex": "A3"}


def _panther(parts: Any) -> None:
    """Return an additional Panther."""
    units = parts["units"]["units"]
    units["g-50"] = {**units["g-0"], "hex": units["g-50"]["hex"]}


UNIT = ("units", "units", "g-7")
BEYOND: dict[str, tuple[Callable[[Any], None], str]] = {
    "hexes": (put(f"1-{heavy.COLUMNS + 2}", "map", "grid", "columns"), f"and {check.MOST_HEXES} is the most"),
    "units": (_unit, f"and {check.MOST_UNITS} is the most"),
    "Panthers": (_panther, f"and {check.MOST_PANTHERS} is the most"),
    "allowance": (put("9", *UNIT, "move"), "and 8 is the most"),
    "bonus": (put("7", *UNIT, "bonus"), "and 6 is the most"),
    "strength": (put("31", *UNIT, "attack"), "and 30 is the most"),
    "strength without attack": (put("31", *UNIT, "defence"), "and 30 is the most"),
}
"""For each limit, a change of one step beyond it, and a key word of the error."""

WORST = Worst(heavy.make_data(heavy.front), minds, wrong, said, messages=4, beyond=BEYOND)
