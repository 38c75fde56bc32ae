"""The slowest legal scenario of Kursk (1971), and the slowest orders for it.

Pairs of enemies fill a map of the largest size, so every unit attacks and is attacked. The ground allows the longest
moves that the check accepts.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from helpers.registry import Content
from helpers.worst import Worst, allowances, put

from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971 import sequence
from kursk_pbem.rulesets.kursk_1971.movement import MOTOR
from kursk_pbem.rulesets.kursk_1971.position import position
from kursk_pbem.rulesets.kursk_1971.seen import outlook
from kursk_pbem.rulesets.kursk_1971.setting import SIDES, Setting
from rulesets.kursk_1971.random_play import Chooser

LINES, UNITS, FARTHEST, REACH, RANGE, SUPPLY, STACK = 60, 600, 24, 45_000, 36, 30, 12
TEXT = f"{'A name as long as can be, ' * 4}"[:99] + "."
FRONT = LINES // 2


def label(column: int, row: int) -> str:
    """Write a label such as '0113'."""
    return f"{column:02d}{row:02d}"


def chart(lines: int = LINES) -> dict[str, Any]:
    """Return clear land with a railway in every tenth row, cut in two by a front between columns."""
    odd = [f"{label(FRONT, row)}-{label(FRONT + 1, row)}" for row in range(1, lines + 1)]
    even = [f"{label(FRONT, row)}-{label(FRONT + 1, row + 1)}" for row in range(1, lines)]
    rails = {
        f"line-{row}": {"name": TEXT, "path": [label(column, row) for column in range(1, lines + 1)]}
        for row in range(5, lines, 10)
    }
    return {
        "title": TEXT,
        "grid": {"columns": f"01-{lines:02d}", "rows": f"01-{lines:02d}", "high-columns": "odd"},
        "absent": [],
        "default-terrain": "clear",
        "terrain": {"forest": [label(column, 3) for column in range(1, lines + 1)], "swamp": []},
        "cities": {label(column, 8): {"name": TEXT, "side": "german"} for column in range(1, lines, 2)},
        "towns": {label(column, 9): {"name": TEXT} for column in range(1, lines, 2)},
        "fortified": {"german": [label(1, 8)], "soviet": []},
        "rivers": {"river": {"name": TEXT, "kind": "river", "hexsides": odd}},
        "railroads": rails,
        "fortifications": {"line": {"name": TEXT, "owner": "german", "hexes": [label(5, row) for row in range(1, 9)]}},
        "fronts": {"front": [*odd, *even]},
        "edges": {
            "german": [label(1, row) for row in range(1, lines + 1)],
            "soviet": [label(lines, row) for row in range(1, lines + 1)],
        },
        "exits": {
            "german": [label(1, row) for row in range(5, lines, 10)],
            "soviet": [label(lines, row) for row in range(5, lines, 10)],
        },
    }


def data(units: int = UNITS, far: int = FARTHEST, reach: int = REACH, lines: int = LINES) -> dict[str, Any]:
    """Return the four parts of the scenario."""
    roster: dict[str, Any] = {}
    start: dict[str, str] = {}
    rows = (2, 5, 8, 11, 14, 17, 44, 47, 50, 53, 56, 59)
    pairs = [(column, row) for row in rows for column in range(1, lines, 2)]
    for side, sign in zip(SIDES, "gs", strict=True):
        going = allowances(units // 2, far, reach)
        for number in range(units // 2):
            uid = f"{sign}-unit-{number:03d}"
            air = number >= units // 2 - 30
            if number < 24:  # in the middle, three in a hex
                start[uid] = label(26 + number % 8, 29 + 2 * (side == "soviet"))
            else:
                column, row = pairs[number]
                start[uid] = label(column, row + (side == "soviet"))
            roster[uid] = {
                "name": TEXT,
                "short": "X" * 12,
                "side": side,
                "formation": TEXT,
                "type": "air" if air else "panzer" if side == "german" else "tank",
                "size": "division" if side == "german" else "corps",
                "motorized": "no" if air else "yes",
                "attack": "0" if air else "99",
                "defence": "0" if air else "99",
                "move": str(going[number]),
                **({"range": str(RANGE)} if air else {"army": "army"}),
            }
    rows = ["minus-1", "0", "1", "2", "3", "4", "5", "6"]
    cost = {"foot": "1", "motorized": "1", "die": "0"}
    return {
        "scenario": {
            "id": "kursk-1971/worst",
            "title": TEXT,
            "ruleset": "kursk-1971",
            "turns": [str(number) for number in range(1, 19)],
            "first": "german",
            "deployment": [],
            "front": "front",
            "man": {"german": [], "soviet": []},
            "lines": ["line"],
            "cities": {label(1, 8): "20"},
            "entry": {"german": [], "soviet": []},
            "arrivals": {},
            "start": start,
            "reserve": [],
        },
        "map": chart(lines),
        "units": {"units": roster},
        "tables": {
            "crt": {"columns": ["1:3", "1:2", "1:1", "2:1"], "rows": {row: ["EX"] * 4 for row in rows}},
            "air": {"columns": ["1:2", "1:1", "2:1"], "rows": {str(face): ["NE"] * 3 for face in range(1, 7)}},
            "terrain": dict.fromkeys(("clear", "forest", "swamp", "city", "river", "fortification"), cost),
            "limits": {
                "zoc-enter": "0",
                "zoc-leave": "0",
                "supply": str(SUPPLY),
                "stack": str(STACK),
                "stack-large": str(STACK),
                "support": "2",
                "integrity": {f"99-{each}": "15" for each in range(1, far + 1)},
            },
            "victory": {
                "motorized": "3",
                "kampfgruppe": "5",
                **{side: {"marginal": "1:1", "tactical": "2:1", "decisive": "3:1"} for side in SIDES},
            },
        },
    }


class Mind:
    """A player who attacks with every adjacent unit, after a step of every other unit, and answers every attack."""

    def __init__(self, setting: Setting, side: str) -> None:
        self.setting, self.side = setting, side
        self.chooser = Chooser(setting, random.Random(1))

    def content(self, state: State, seq: int) -> Content:
        """Return the content of the message due in ``state``, after its duties."""
        stage = {phase.key for phase in sequence.list_stages(self.setting)[state.stage].phases}
        if "movement" in stage:
            return {"orders": {"battles": self.battles(state), "superiority": self.raids(state)}}
        if "motorized" in stage:
            return {"orders": {"motorized": self.moves(state)}}
        return {}

    def battles(self, state: State) -> list[dict[str, Any]]:
        """Return an attack on each enemy by the units above."""
        pos, labels = position(self.setting, state), self.setting.board.labels
        found, busy = list[dict[str, Any]](), set[str]()
        for hex_, stack in sorted(pos.at.items()):
            if pos.side(stack[0]) == self.side:
                continue
            near = [
                uid
                for here, own in sorted(pos.at.items())
                if self.setting.board.near[hex_] >> here & 1 and pos.side(own[0]) == self.side
                for uid in own
                if self.setting.counters[uid].attack and uid not in busy
            ]
            if near:
                busy.update(near[:20])
                found.append(
                    {
                        "id": f"b{len(found)}",
                        "hex": labels[hex_],
                        "attackers": near[:20],
                        "losses": near[:20],
                        "advance": near[:20],
                    }
                )
        return found[:200]

    def raids(self, state: State) -> list[dict[str, Any]]:
        """Return an attack by aircraft on the first enemy base."""
        pos = position(self.setting, state)
        own, foes = (
            [uid for uid in pos.where if self.setting.counters[uid].air and (pos.side(uid) == self.side) == mine]
            for mine in (True, False)
        )
        pairs = zip(own, foes, strict=False)
        board = self.setting.board
        return [
            {"id": f"r{number}", "base": foe, "aircraft": [uid]}
            for number, (uid, foe) in enumerate(pairs)
            if board.distance(pos.where[uid], pos.where[foe]) <= self.setting.counters[uid].reach
        ]

    def moves(self, state: State) -> list[dict[str, Any]]:
        """Return the longest moves down the map."""
        pos, found, taken = position(self.setting, state), list[dict[str, Any]](), set[int]()
        for uid in pos.units(self.side):
            ends = [hex_ for hex_ in outlook.find_ends(pos, uid, MOTOR) if hex_ not in taken and hex_ not in pos.at]
            if ends:
                taken.add(ends[-1])
                found.append({"unit": uid, "to": self.setting.board.labels[ends[-1]]})
        return found[:500]


def wrong(setting: Setting, state: State) -> Content:
    """Return moves to the farthest corner, and moves of hundreds of unknown units."""
    stage = {phase.key for phase in sequence.list_stages(setting)[state.stage].phases}
    pos, last = position(setting, state), max(setting.board.index)
    far = [{"unit": uid, "to": last} for uid in pos.units(state.side)][:500]
    nobody = [{"unit": f"x-unit-{number:03d}", "to": last} for number in range(500)]
    orders = {key: each for key, each in (("movement", far), ("motorized", nobody)) if key in stage}
    return {"orders": orders} if orders else {}


def said(setting: Setting, state: State) -> str:
    """Return a move within a column."""
    stage = {phase.key for phase in sequence.list_stages(setting)[state.stage].phases}
    if "movement" not in stage:
        return ""
    pos = position(setting, state)
    uid = pos.units(state.side)[0]
    free = [hex_ for hex_ in setting.board.neighbours[pos.where[uid]] if hex_ not in pos.at]
    return f"move {uid} {setting.board.labels[free[0]]}" if free else ""


def minds(setting: Setting) -> dict[str, Mind]:
    """Return a player for each side."""
    return {side: Mind(setting, side) for side in setting.sides}


def _grid(parts: Any) -> None:
    """Add a row of hexes."""
    parts["map"]["grid"]["rows"] = f"01-{LINES + 1:02d}"


def _many(number: int, value: Any, *path: str) -> Callable[[Any], None]:
    """Return the number of equal entries."""
    return put({f"entry-{each}": value for each in range(number)}, *path)


def _reach(parts: Any) -> None:
    """Add a unit with a longer move."""
    last = max(uid for uid, each in parts["units"]["units"].items() if each["side"] == "german" and each["move"] == "1")
    parts["units"]["units"][last]["move"] = "3"


def _units(parts: Any) -> None:
    """Add a unit."""
    listed = parts["units"]["units"]
    listed["s-more"] = {**listed["s-unit-299"], "move": "0"}


UNIT = ("units", "units", "g-unit-000")
LIMITS = ("tables", "limits")
PLACE, RIVER = {"name": "A"}, {"name": "A", "kind": "river", "hexsides": []}
BEYOND: dict[str, tuple[Callable[[Any], None], str]] = {
    "hexes": (_grid, "hexes of the grid: 3660, and 3600 is the most"),
    "units": (_units, "at most 600 entries"),
    "reach": (_reach, "and 45000 is the most"),
    "allowance": (put("25", *UNIT, "move"), "from 0 to 24"),
    "range": (put("37", "units", "units", "g-unit-299", "range"), "from 0 to 36"),
    "strength": (put("100", *UNIT, "attack"), "from 0 to 99"),
    "supply": (put("31", *LIMITS, "supply"), "from 0 to 30"),
    "stack": (put("13", *LIMITS, "stack"), "from 1 to 12"),
    "integrity": (put({"99-1": "16"}, *LIMITS, "integrity"), "from 0 to 15"),
    "zones of control": (put("10", *LIMITS, "zoc-enter"), "from 0 to 9"),
    "a step": (put("7", "tables", "terrain", "forest", "foot"), "from 1 to 6"),
    "a step without a price": (put("0", "tables", "terrain", "clear", "foot"), "from 1 to 6"),
    "a fortification": (put("7", "tables", "terrain", "fortification", "foot"), "from 0 to 6"),
    "turns": (put([str(each) for each in range(1, 20)], "scenario", "turns"), "a list of at most 18"),
    "lines in force": (put([f"line-{each}" for each in range(41)], "scenario", "lines"), "a list of at most 40"),
    "cities": (
        put(
            {label(1 + each // 60, 1 + each % 60): {**PLACE, "side": "german"} for each in range(151)}, "map", "cities"
        ),
        "at most 150 entries",
    ),
    "towns": (
        put({label(1 + each // 60, 1 + each % 60): PLACE for each in range(151)}, "map", "towns"),
        "at most 150 entries",
    ),
    "rivers": (_many(101, RIVER, "map", "rivers"), "at most 100 entries"),
    "railways": (_many(301, {"name": "A", "path": ["0101", "0102"]}, "map", "railroads"), "at most 300 entries"),
    "fortified lines": (
        _many(41, {"name": "A", "owner": "german", "hexes": []}, "map", "fortifications"),
        "at most 40 entries",
    ),
    "fronts": (_many(13, [], "map", "fronts"), "at most 12 entries"),
    "text": (put(f"{TEXT}.", "scenario", "title"), "text of at most 100 characters"),
}
"""One step above each limit: the change, and the expected finding."""

WORST = Worst(data(), minds, wrong, said, messages=7, beyond=BEYOND)
