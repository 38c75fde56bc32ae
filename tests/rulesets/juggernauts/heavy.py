"""The heaviest scenarios that the checks accept: map, units, Panthers, lines and allowances at their limits."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.juggernauts import RULESET, check, setting
from kursk_pbem.rulesets.juggernauts.odds import find_odds
from kursk_pbem.rulesets.juggernauts.position import position
from kursk_pbem.rulesets.juggernauts.seen import possible
from kursk_pbem.rulesets.juggernauts.setting import PANTHER, Setting
from rulesets.juggernauts.plots import JULY

HEAVY = "juggernauts/heavy"
COLUMNS, ROWS = 60, 26
ROW = {"german-1st": "N", "russian-1st": "M", "russian-2nd": "L", "russian-3rd": "K"}
Place = Callable[[int, str], str]
"""From a unit's number on its side, and the side, to its hex."""


def front(number: int, side: str) -> str:
    """Return a hex next to the start line, one unit behind the other."""
    rank, column = divmod(number, COLUMNS)
    return f"{chr(ord('N') + rank if side == 'german' else ord('M') - rank)}{1 + column}"


def depth(number: int, side: str) -> str:
    """Return a hex anywhere in the hinterland, so that all units have far to go."""
    return f"{('PQRSTUV' if side == 'german' else 'ABCDEFG')[number % 7]}{1 + number * 7 % COLUMNS}"


def heap(number: int, side: str) -> str:
    """Return the one hex of the side, face to face with the enemy."""
    return f"{'N' if side == 'german' else 'M'}10"


def _towards(row: str, other: str) -> dict[str, list[str]]:
    """Return hexes of a row with their fronts to the next row; even rows are half a hex further west."""
    east = (ord(row) - 64) % 2
    return {
        f"{row}{column}": [f"{other}{each}" for each in (column + east - 1, column + east) if 0 < each <= COLUMNS]
        for column in range(1, COLUMNS + 1)
    }


def make_data(place: Place, units: int = check.MOST_UNITS, panthers: int = check.MOST_PANTHERS) -> dict[str, Any]:
    """Return the four files of a scenario with a front across the map; every second unit is German."""
    found: dict[str, Any] = copy.deepcopy(dict(scenarios.load(JULY).data))
    found["scenario"] |= {"id": HEAVY, "title": "Everything at its limit"}
    rows = [chr(65 + row) for row in range(ROWS)]
    lines = {
        key: {"name": key, "owner": key.partition("-")[0], "grade": grade, "front": _towards(ROW[key], other)}
        for key, grade, other in (
            ("german-1st", "first", "M"),
            ("russian-1st", "first", "N"),
            ("russian-2nd", "second", "M"),
            ("russian-3rd", "third", "L"),
        )
    }
    river = [f"{here}-{there}" for here, beside in _towards("P", "O").items() for there in beside]
    found["map"] |= {
        "grid": {"columns": f"1-{COLUMNS}", "rows": "A-Z", "west-rows": "even"},
        "absent": [],
        "terrain": {"forest": [f"{row}{column}" for row in rows if row in "CVW" for column in range(1, COLUMNS + 1)]},
        "cities": {
            label: {"name": f"City {label}", "kind": "major", "side": side}
            for label, side in (
                ("H8", "russian"),
                ("A12", "russian"),
                ("H15", "russian"),
                ("E4", "russian"),
                ("Z1", "german"),
                ("V4", "german"),
                ("T8", "german"),
                ("Y8", "german"),
            )
        },
        "rivers": {"river": {"name": "The river", "kind": "river", "hexsides": river}},
        "lines": lines,
        "start-line": [f"{here}-{there}" for here, beside in _towards("N", "M").items() for there in beside],
        "edges": {
            "german": [f"Z{column}" for column in range(1, COLUMNS + 1)],
            "russian": [f"A{column}" for column in range(1, COLUMNS + 1)],
        },
    }
    found["units"]["units"] = dict(_unit(number, panthers, place) for number in range(units))
    tables = found["tables"]
    tables["arrivals"] |= {"reinforcements": ["A12"], "replacements": ["A12", "H15"]}
    tables["victory"] = {
        "german": {"take": ["H8"], "hold": ["Z1"], "more": ["A12"]},
        "russian": {"take": ["V4"], "any": ["T8", "Y8"], "hold": ["H8"], "smashing": "2"},
    }
    return found


def _unit(number: int, panthers: int, place: Place) -> tuple[str, dict[str, Any]]:
    """Return a unit and its id: first Panthers, then panzerkorps with Tigers; Russian tank armies."""
    at, side = number // 2, ("german", "russian")[number % 2]
    kind, size = ("panther", "detachment") if side == "german" and at < panthers else ("panzer", "korps")
    kind, size = (kind, size) if side == "german" else ("tank", "army")
    factors = str(1 + number % 9)
    tigers = {"tigers": "yes"} if kind == "panzer" else {}
    return f"{side[0]}-{at}", {
        "name": f"Unit {number}",
        "short": f"U {number}",
        "side": side,
        "kind": kind,
        "size": size,
        "zone": "full",
        **{key: str(most) for key, most in check.MOST_OF.items()},
        "attack": factors,
        "defence": factors,
        "hex": place(at, side),
        **tigers,
    }


def load_heavy(place: Place, **limits: int) -> tuple[Setting, State]:
    """Return the checked scenario and its first position, with every panzerkorps a Panzerkeil facing north."""
    whole = make_data(place, **limits)
    assert check.check_scenario(whole) == []
    found = setting.load(Scenario(HEAVY, "Everything at its limit", "juggernauts", whole, "0" * 64, ()))
    state = RULESET.data.setup(found)
    wedges = {uid: "NE" for uid, counter in found.counters.items() if counter.tigers}
    return found, state.with_(marks={**state.marks, "panzerkeil": wedges})


def make_attacks(found: Setting, state: State, only: str = "") -> list[dict[str, Any]]:
    """Return as many attacks as possible, one by each stack, with advance and breakthrough. ``only``: on this hex."""
    pos, board = position(found, state), found.board
    listed, used = list[dict[str, Any]](), set[str]()
    for chance in possible.attacks(pos, "german"):
        label, onward = board.labels[chance.battle.hex], board.names(board.near[chance.battle.hex])
        for hex_ in bits(board.near[chance.battle.hex]) if only in ("", label) else ():
            able = [uid for uid in pos.here(hex_, "german") if uid in chance.battle.attackers and uid not in used]
            who = sorted(able, key=lambda uid: (found.counters[uid].kind != PANTHER, uid))[:50]
            if who and find_odds(pos, replace(chance.battle, attackers=tuple(who))).allowed:
                used |= {*who}
                listed.append(
                    {
                        "id": f"b{len(listed) + 1}",
                        "hex": label,
                        "attackers": who,
                        "exploit": who,
                        "advance": [f"{uid} {onward[0]}" for uid in who],
                        "breakthrough": onward,
                    }
                )
                break
    return listed


def write(folder: Path, place: Place, **limits: int) -> Path:
    """Write the scenario as a folder of JSON files, which are YAML, too."""
    folder.mkdir(parents=True)
    for name, part in make_data(place, **limits).items():
        (folder / f"{name}.yaml").write_text(json.dumps(part, indent=1), encoding="ascii")
    return folder
