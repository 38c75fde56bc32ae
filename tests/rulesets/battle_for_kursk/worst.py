"""The most expensive scenario of Battle for Kursk that passes its check, and its most expensive orders.

Pairs of enemies are all over a map of the maximum size, so that every unit attacks and is attacked. Some units in
the middle move as far as the check permits for the units of a side together."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from helpers.registry import Content
from helpers.worst import Worst, allowances, put

from kursk_pbem.game import scenario_files
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import posture, sequence
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, SIDES, Setting
from rulesets.battle_for_kursk.first_turn import CITADEL
from rulesets.battle_for_kursk.random_play import Chooser

LINES, UNITS, FARTHEST, REACH = 60, 300, 18, 18_000
TEXT = f"{'A name as long as can be, ' * 4}"[:99] + "."
FRONT = LINES // 2


def label(column: int, row: int) -> str:
    """'0113'."""
    return f"{column:02d}{row:02d}"


def chart(lines: int = LINES) -> dict[str, Any]:
    """Clear land with a railway in every tenth row, cut in two between columns."""
    odd = [f"{label(FRONT, row)}-{label(FRONT + 1, row)}" for row in range(1, lines + 1)]
    even = [f"{label(FRONT, row)}-{label(FRONT + 1, row + 1)}" for row in range(1, lines)]
    rails = {
        f"line-{row}": {"name": TEXT, "path": [label(column, row) for column in range(1, lines + 1)]}
        for row in range(5, lines, 10)
    }
    city = {"name": TEXT, "kind": "city"}
    west = {label(column, 1): {**city, "side": "german"} for column in range(2, FRONT)}
    east = {label(column, 1): {**city, "side": "russian"} for column in range(FRONT + 2, lines)}
    return {
        "title": TEXT,
        "grid": {"columns": f"01-{lines:02d}", "rows": f"01-{lines:02d}", "high-columns": "odd"},
        "absent": [],
        "default-terrain": "clear",
        "terrain": {"forest": [label(column, 3) for column in range(1, lines + 1)]},
        "cities": west | east,
        "moscow": label(lines - 1, 1),
        "kiev": label(2, 1),
        "rivers": {"river": {"name": TEXT, "kind": "river", "hexsides": odd}},
        "railroads": rails,
        "start-line": [*odd, *even],
        "fortifications": {"line": {"name": TEXT, "owner": "russian", "active-from": "1", "hexes": [label(40, 2)]}},
        "edges": {
            "german": [label(1, row) for row in range(1, lines + 1)],
            "russian": [label(lines, row) for row in range(1, lines + 1)],
        },
        "objectives": {"russian": [label(2, 1)]},
    }


def data(units: int = UNITS, far: int = FARTHEST, reach: int = REACH) -> dict[str, Any]:
    """Return the four parts; the tables are the tables of the short scenario."""
    roster: dict[str, Any] = {}
    rows = [row for row in range(4, LINES, 4) if not 24 <= row <= 36]
    pairs = [(column, row) for row in rows for column in range(1, LINES, 4)]
    for side, sign in zip(SIDES, "gr", strict=True):
        going = allowances(units // 2, far, reach)
        for number in range(units // 2):
            column, row = pairs[number]
            spot = label(26 + number, 30 + 3 * (side == "russian"))
            if number > 9:
                spot = label(column, row + (side == "russian"))
            roster[f"{sign}-unit-{number:03d}"] = {
                "name": TEXT,
                "short": "X" * 12,
                "side": side,
                "formation": TEXT,
                "type": "panzer" if side == "german" else "shock",
                "size": "corps",
                "full": "98",
                "reduced": "49",
                "move": str(going[number]),
                "hex": spot,
                "starts": "full",
            }
    shipped = scenario_files.load(scenario_files.find(CITADEL)).data
    return {
        "scenario": {
            **{key: value for key, value in shipped["scenario"].items() if key not in ("based-on", "distribution")},
            "id": "battle-for-kursk/worst",
            "title": TEXT,
            "start": {
                **shipped["scenario"]["start"],
                "objective": {"hex": label(2, 1), "side": "german"},
                "offensives": {"german": "3", "russian": "3"},
                "previous": {"german": "engage", "russian": "engage"},
            },
        },
        "map": chart(),
        "units": {"units": roster},
        "tables": shipped["tables"],
    }


class Mind(Chooser):
    """Engage, and attack every enemy with all adjacent units; no unit is used twice."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting, random.Random(1))

    def posture(self, state: State, side: str) -> dict[str, str]:
        """The most that can be paid for."""
        return {"posture": list(posture.list_affordable(state, side))[-1], "reaction": "no"}

    def next_posture(self, state: State, side: str) -> dict[str, str]:
        """Return the posture of the next turn."""
        return {"posture": state.mark(side, "posture"), "reaction": "no"}

    def battles(self, shadow: Umpire[Setting], side: str) -> list[dict[str, Any]]:
        """Return an attack on each enemy by all free adjacent units."""
        pos, near = position(self.setting, shadow.state), self.setting.board.near
        used, found = set[str](), list[dict[str, Any]]()
        for hex_ in bits(pos.occupied[ENEMY[side]]):
            who = sorted(pos.unit(each) for each in bits(near[hex_] & pos.occupied[side]) if pos.unit(each) not in used)
            if who:
                used.update(who)
                name = f"b{len(found) + 1}"
                found.append({"id": name, "hex": self.setting.board.labels[hex_], "attackers": who, "advance": who})
        return found[:200]


def wrong(setting: Setting, state: State) -> Content:
    """Move every unit to the farthest corner, then hundreds of nonexistent units."""
    stage = {phase.key for phase in sequence.list_stages(setting)[state.stage].phases}
    pos, last = position(setting, state), max(setting.board.index)
    own = sorted(uid for uid in pos.where if setting.counters[uid].side == state.side)
    far = [{"unit": uid, "to": last} for uid in own][:500]
    nobody = [{"unit": f"x-unit-{number:03d}", "to": last} for number in range(500)]
    orders = {key: each for key, each in (("armor-and-rail", far), ("movement", nobody)) if key in stage}
    return {"orders": orders} if orders else {}


def said(_setting: Setting, _state: State) -> str:
    """Return no words."""
    return ""


def minds(setting: Setting) -> dict[str, Mind]:
    """A mind for each side."""
    return {side: Mind(setting) for side in setting.sides}


def _grid(parts: Any) -> None:
    """Add a row of hexes."""
    parts["map"]["grid"]["rows"] = f"01-{LINES + 1:02d}"


def _many(number: int, value: Any, *path: str) -> Callable[[Any], None]:
    """Return a number of similar entries."""
    return put({f"entry-{each}": value for each in range(number)}, *path)


def _reach(parts: Any) -> None:
    """Add a unit that moves farther, after the units that move the maximum."""
    last = max(uid for uid, each in parts["units"]["units"].items() if each["side"] == "german" and each["move"] == "1")
    parts["units"]["units"][last]["move"] = "9"


def _units(parts: Any) -> None:
    """A unit more."""
    listed = parts["units"]["units"]
    listed["r-more"] = {**listed["r-unit-149"], "hex": label(50, 58)}


UNIT = ("units", "units", "g-unit-000")
RIVER = {"name": "A", "kind": "river", "hexsides": []}
FORT = {"name": "A", "owner": "german", "active-from": "1", "hexes": []}
TOWN = {"name": "A", "kind": "city", "side": "german"}
BEYOND: dict[str, tuple[Callable[[Any], None], str]] = {
    "hexes": (_grid, "hexes of the grid: 3660, and 3600 is the most"),
    "units": (_units, "at most 300 entries"),
    "reach": (_reach, "and 18000 is the most"),
    "allowance": (put("19", *UNIT, "move"), "from 1 to 18"),
    "allowance without points": (put("0", *UNIT, "move"), "from 1 to 18"),
    "strength": (put("100", *UNIT, "full"), "from 0 to 99"),
    "a step": (put("7", "tables", "tec", "hexes", "rough", "mp"), "from 0 to 6"),
    "a step without a price": (put("0", "tables", "tec", "hexes", "clear", "mp"), "at least 1 movement point"),
    "a hexside": (put("7", "tables", "tec", "hexsides", "river", "mp"), "from 0 to 6"),
    "replacements": (put("31", "tables", "turn-track", "1", "german", "irp"), "from -30 to 30"),
    "replacements without end": (put("-31", "tables", "postures", "german", "deploy", "arp"), "from -30 to 30"),
    "distribution": (put({"infantry": "100", "armor": "0"}, "scenario", "distribution"), "from 0 to 99"),
    "cities": (
        put({label(1 + each // 60, 1 + each % 60): TOWN for each in range(151)}, "map", "cities"),
        "at most 150 entries",
    ),
    "rivers": (_many(101, RIVER, "map", "rivers"), "at most 100 entries"),
    "railways": (_many(301, {"name": "A", "path": ["0101", "0102"]}, "map", "railroads"), "at most 300 entries"),
    "fortified lines": (_many(41, FORT, "map", "fortifications"), "at most 40 entries"),
    "text": (put(f"{TEXT}.", "scenario", "title"), "text of at most 100 characters"),
}
"""A change to one step above each limit, and the words of the refusal."""

WORST = Worst(data(), minds, wrong, said, messages=9, beyond=BEYOND)
