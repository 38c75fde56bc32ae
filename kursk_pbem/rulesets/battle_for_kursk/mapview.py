"""The hexes of a text map: label, terrain, city and its owner, fortifications, and the unit in it.

Four short lines a hex, of at most nine characters each, so that seven columns fit on a terminal.
"""

from __future__ import annotations

from kursk_pbem.kernel.ruleset import Cell
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, MAJOR, SIDES, Setting

WIDTH = 9
LEGEND = (
    "Line 1 of a hex: number; terrain . clear, f forest, m marsh, ^ rough;",
    "c City or C Major City, with g or r for the side that controls it;",
    "# an active fortification (## one of each side).",
    "Line 2: name of the city, after ! if the Strategic Objective lies there.",
    "Line 3: the unit by its id, German g-, Russian r-.",
    "Line 4: its strength and movement, (in brackets) if it is reduced.",
    "Left edge of a hex: ~ a river, = a Major River. In place of + it runs along",
    "the upper side, on line 2 along the upper left, on 3 and 4 the lower left.",
    "Railways are not drawn.",
)

_RIVER = {"river": "~", MAJOR: "="}
_TERRAIN = {"clear": ".", "forest": "f", "marsh": "m", "rough": "^"}


def cells(setting: Setting, state: State) -> tuple[Cell, ...]:
    """Every playable hex of the map in this position, ascending by label."""
    pos = position(setting, state)
    hexes = sorted(setting.board.index.items())
    return tuple(Cell(label, _lines(pos, label, hex_), _edge(setting, label, hex_)) for label, hex_ in hexes)


def _edge(setting: Setting, label: str, hex_: int) -> str:
    """The rivers on the upper side, the upper left and the lower left."""
    grid, index = setting.board.grid, setting.board.index
    north, _, _, _, southwest, northwest = (
        _RIVER.get(setting.rivers.get((hex_, index.get(grid.label(*place), -1)), ""), "")
        for place in grid.neighbours(int(label[:2]), int(label[2:]))
    )
    return (north or "+") + (northwest or "|") + (southwest or "|") * 2


def _lines(pos: Position, label: str, hex_: int) -> tuple[str, ...]:
    setting, state = pos.setting, pos.state
    head = f"{label} {_TERRAIN.get(setting.terrain[hex_], '?')}"
    if hex_ in setting.cities:
        owner = next(side for side in SIDES if pos.cities[side] >> hex_ & 1)
        head += f"{'C' if setting.cities[hex_] == MAJOR else 'c'}{owner[0]}"
    head += "#" * sum(setting.fort_of(hex_, state.turn, side) for side in SIDES)
    name = setting.city_names.get(hex_, "")
    if state.mark("objective", "hex") == label:
        name = f"!{name}"
    return head, _ascii(name)[:WIDTH], *_unit(pos, hex_)


def _unit(pos: Position, hex_: int) -> tuple[str, str]:
    uid = pos.at.get(hex_)
    if uid is None:
        return "", ""
    printed = f"{pos.strength(uid)}-{pos.setting.counters[uid].move}"
    return uid, printed if pos.state.units[uid].steps == FULL else f"({printed})"


def _ascii(text: str) -> str:
    """A name from a scenario in characters that take one column each."""
    return "".join(c if " " <= c <= "~" else "?" for c in text)
