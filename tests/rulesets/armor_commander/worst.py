"""The slowest scenario that the check of Armor Commander accepts, and the slowest orders.

All models see and reach each other past terrain whose bounding box crosses every line of sight. One blast covers half
of a side, and every number is at the limit of schema and check.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from helpers.registry import Content
from helpers.worst import Worst, put

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander import plotting, sequence, setup
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, Field, make_field
from kursk_pbem.rulesets.armor_commander.setting import TANK, Setting

SIDES = {"german": "g", "soviet": "s"}
GROUNDS, CORNERS, OUTLINE = 60, 240, 64
TANKS, GUNS = 13, 11
MOVE, RANGE, BLAST, TABLE = "24.00", "200.00", "8.00", "300.00, 300.00"
TEXT = f"{'A name as long as can be, ' * 4}"[:99] + "."


def at(x: float, y: float) -> str:
    """Return a place in inches."""
    return f"{x:.2f}, {y:.2f}"


def fence(left: float, low: float, right: float, high: float, corners: int) -> list[str]:
    """Return a horseshoe that is open at its lower edge and leaves its bounding box free except for a thin rim.

    More corners make more teeth inside.
    """
    rim = 0.3
    teeth = max(0, (corners - 8) // 2)
    step = (right - left - 4 * rim) / (teeth + 1)
    inner = [at(right - rim, low), at(right - rim, high - rim)]
    for number in range(teeth):
        x = right - 2 * rim - step * (number + 1)
        inner += [at(x + 0.2, high - rim - 0.5), at(x, high - rim)]
    inner += [at(left + rim, high - rim), at(left + rim, low)]
    return [at(left, low), at(left, high), at(right, high), at(right, low), *inner]


def ground(corners: int = CORNERS, most: int = OUTLINE, pieces: int = GROUNDS) -> dict[str, Any]:
    """Return nested horseshoes around the table, as large as allowed, and small pieces for the remaining corners."""
    fences = corners // most - (corners % most < 3 * 3)
    found: dict[str, Any] = {}
    for number in range(min(fences, pieces)):
        rim = fence(1 + number, 1, 199 - number, 118 - number, most)
        found[f"fence-{number:02d}"] = {"kind": "wood", "outline": rim, "name": TEXT}
    left = corners - sum(len(each["outline"]) for each in found.values())
    for number in range(min(left // 3, pieces - len(found))):
        x, y = 70.0 + number % 8, 30 + number // 8 * 0.8
        found[f"bush-{number:02d}"] = {
            "kind": "orchard",
            "name": TEXT,
            "outline": [at(x, y), at(x + 0.2, y), at(x, y + 0.1)],
        }
    return found


def units(tanks: int = TANKS, guns: int = GUNS) -> dict[str, Any]:
    """Return a platoon and guns for each side, close enough that one blast reaches many; ids and names are long."""
    found: dict[str, Any] = {}
    for side, sign in SIDES.items():
        left = 40.0 if side == "german" else 100.0
        spots = [(left + 0.5 * (number % 6), 30 + 0.5 * (number // 6)) for number in range(tanks + guns)]
        models = {
            f"{sign}-tank-of-the-li-{number:02d}": {"place": at(*spots[number]), "face": "12", "name": TEXT}
            for number in range(tanks)
        }
        alike = {"name": TEXT, "side": side, "radius": "0.20"}
        found[f"{sign}-tanks-of-the-line"] = {**alike, "type": "tank", "models": models}
        for number in range(guns):
            uid = f"{sign}-gun-of-the-lin-{number:02d}"
            place = {uid: {"place": at(*spots[tanks + number])}}
            found[uid] = {**alike, "type": "gun", "crew": "9", "models": place}
    return found


def data(**changes: Any) -> dict[str, Any]:
    """Return the four parts; ``changes`` apply to `ground`, `units` and the tables: ``move``, ``far``, ``blast``."""
    far = changes.get("far", RANGE)
    weapon = {"close": "50.00", "effective": "100.00", "long": far}
    return {
        "scenario": {
            "id": "armor-commander/worst",
            "title": TEXT,
            "ruleset": "armor-commander",
            "turns": [str(number) for number in range(1, 31)],
            "seals": "german",
            "wrecks": "obstacle",
            "zones": {
                "german": [at(30, 20), at(60, 20), at(60, 50), at(30, 50)],
                "soviet": [at(90, 20), at(120, 20), at(120, 50), at(90, 50)],
            },
            "objectives": {f"goal-{number}": {"at": at(75, 30 + number), "name": TEXT} for number in range(9)},
        },
        "map": {"size": TABLE, "ground": ground(*changes.get("ground", ()))},
        "units": {"units": units(*changes.get("units", ()))},
        "tables": {
            "weapons": {
                "tank-ap": weapon,
                "tank-he": {"effective": "100.00", "long": far, "blast": changes.get("blast", BLAST)},
                "gun": weapon,
            },
            "move": {"tank": changes.get("move", MOVE), "gun": changes.get("move", MOVE)},
            "terrain": {
                "wood": {"drawn": "forest", "blocks": "yes", "cover": "no"},
                "orchard": {"drawn": "forest", "blocks": "no", "cover": "yes"},
            },
        },
    }


class Mind:
    """A player who fires at guns among other models with every weapon, and moves everything each third turn."""

    def __init__(self, setting: Setting, side: str) -> None:
        self.setting, self.side = setting, side

    def content(self, state: State, _seq: int) -> Content:
        """Return the content of the message after the duties in ``state``."""
        phases = sequence.list_stages(self.setting)[state.stage].phases
        stands = [
            {"id": mid, "at": plane.text(place)}
            for mid, (place, _face) in setup.list_scenario_places(self.setting, self.side).items()
        ]
        if sequence.DEPLOY in phases:
            return {"seal": {DEPLOYMENT: stands}}
        if sequence.PLACE in phases:
            return {"orders": {"deployment": stands}}
        orders = self.orders(make_field(self.setting, state)) if {sequence.PLOT, sequence.ORDERS} & set(phases) else []
        if sequence.PLOT in phases:
            return {"seal": {plotting.name_seal(state.turn): orders}}
        return {"orders": {"units": orders}} if sequence.ORDERS in phases else {}

    def orders(self, table: Field) -> list[dict[str, Any]]:
        """Return a chip for every unit."""
        found: list[dict[str, Any]] = []
        foes = table.list_enemies(self.side)
        guns = [foe for foe in foes if self.setting.models[foe].kind != TANK]
        tanks = [foe for foe in foes if self.setting.models[foe].kind == TANK]
        for unit in self.setting.list_units(self.side):
            models = table.list_unit(unit.id)
            if not models or table.is_pinned(unit.id):
                continue
            if unit.kind == TANK and table.state.turn == "1" and guns:
                shots = [{"id": mid, "at": [guns[number % len(guns)]]} for number, mid in enumerate(models)]
                found.append({"id": unit.id, "chip": "red", "at": (guns + tanks)[:24], "shots": shots})
            elif unit.kind != TANK and tanks:
                found.append({"id": unit.id, "chip": "red", "at": tanks[:24]})
        return found


def write_wrong(setting: Setting, state: State) -> Content:
    """Return lists of the allowed length with the longest wrong paths."""
    phases = set(sequence.list_stages(setting)[state.stage].phases)
    side = state.side
    own = setting.list_units(side)
    far = [at(190.0 - number % 2 * 180, 110 - number) for number in range(12)]
    green = [
        {
            "id": unit.id,
            "chip": "green",
            "moves": [{"id": mid, "path": [*way(setting, mid), *far][:12]} for mid in unit.models],
        }
        for unit in own
    ]
    stands = [{"id": mid, "at": "75.00, 110.00"} for unit in own for mid in unit.models][:50]
    if sequence.DEPLOY in phases:
        return {"seal": {DEPLOYMENT: stands}}
    if sequence.PLACE in phases:
        return {"orders": {"deployment": stands}}
    if sequence.PLOT in phases:
        return {"seal": {plotting.name_seal(state.turn): green[:50]}}
    return {"orders": {"units": green[:50]}} if sequence.ORDERS in phases else {}


def way(setting: Setting, mid: str) -> list[str]:
    """Return legs back and forth without bars."""
    x, y = setting.models[mid].place
    return [plane.text((x + number % 2 * 5, y + 100)) for number in range(6)]


def type_orders(setting: Setting, state: State) -> str:
    """Return an advance of the whole platoon, or a deployment."""
    phases = set(sequence.list_stages(setting)[state.stage].phases)
    tanks = next(unit for unit in setting.list_units(state.side) if unit.kind == TANK)
    if {sequence.PLOT, sequence.ORDERS} & phases:
        table = make_field(setting, state)
        able = any(mid in table.at and table.is_mobile(mid) for mid in tanks.models)
        return f"advance {tanks.id} {next(iter(CLOCK))} 5" if able else ""
    if {sequence.DEPLOY, sequence.PLACE} & phases:
        x, y = setting.models[tanks.models[0]].place
        return f"deploy {tanks.models[0]} {plane.text((x, y)).replace(',', '')}"
    return ""


def minds(setting: Setting) -> dict[str, Mind]:
    """Return a player for each side."""
    return {side: Mind(setting, side) for side in setting.sides}


def _one_more(side: str, kind: str) -> Callable[[Any], None]:
    """Add a gun, or a tank to the platoon."""

    def change(parts: Any) -> None:
        listed, sign = parts["units"]["units"], SIDES[side]
        spot = {"place": at(45.0 if side == "german" else 105.0, 45)}
        if kind == TANK:
            listed[f"{sign}-tanks-of-the-line"]["models"][f"{sign}-more"] = {**spot, "face": "12"}
        else:
            listed[f"{sign}-more"] = {"name": "Gun", "side": side, "type": "gun", "models": {f"{sign}-more": spot}}

    return change


def _tanks_only(parts: Any) -> None:
    """Add a tank to a platoon of the largest allowed size."""
    listed = parts["units"]["units"]
    tanks = listed["g-tanks-of-the-line"]
    for number in range(25):
        tanks["models"][f"g-{number}"] = {"place": at(31 + number, 21), "face": "12"}


def _corners(parts: Any) -> None:
    """Add a corner to the total."""
    parts["map"]["ground"]["bush-00"]["outline"].append(at(69.9, 30.05))


def _outline(parts: Any) -> None:
    """Add a corner to one outline."""
    parts["map"]["ground"]["fence-00"]["outline"].append(at(1, 0.5))


def _pieces(parts: Any) -> None:
    """Add a piece of ground."""
    triangle = [at(1, 1), at(2, 1), at(1, 2)]
    parts["map"]["ground"] = {f"g-{number}": {"kind": "wood", "outline": triangle} for number in range(61)}


def _kinds(parts: Any) -> None:
    """Add a kind of terrain."""
    kind = {"drawn": "hill", "blocks": "no", "cover": "no"}
    parts["tables"]["terrain"] |= {f"kind-{number}": kind for number in range(19)}


BEYOND: dict[str, tuple[Callable[[Any], None], str]] = {
    "corners together": (_corners, "corners of all ground together: 241, and 240 is the most"),
    "corners of one": (_outline, "expected a list of at most 64"),
    "pieces of ground": (_pieces, "expected at most 60 entries"),
    "kinds of terrain": (_kinds, "expected at most 20 entries"),
    "models of a side": (_one_more("soviet", TANK), "soviet models: 25, and 24 is the most"),
    "models of a unit": (_tanks_only, "expected at most 24 entries"),
    "units": (_one_more("german", "gun"), "expected at most 24 entries"),
    "crew": (put("10", "units", "units", "g-gun-of-the-lin-00", "crew"), "a number from 1 to 9"),
    "base": (put("3.00", "units", "units", "g-gun-of-the-lin-00", "radius"), "from '0.10' to '2.99'"),
    "move": (put("24.01", "tables", "move", "tank"), "inches that a tank moves: 24.01, and 24.00 is the most"),
    "range": (
        put("200.01", "tables", "weapons", "gun", "long"),
        "inches of long of gun: 200.01, and 200.00 is the most",
    ),
    "blast": (
        put("8.02", "tables", "weapons", "tank-he", "blast"),
        "inches of blast of tank-he: 8.02, and 8.00 is the most",
    ),
    "table": (put("300.00, 300.01", "map", "size"), "inches of a side of the table: 300.01, and 300.00 is the most"),
    "turns": (put([str(number) for number in range(1, 32)], "scenario", "turns"), "expected a list of at most 30"),
    "objectives": (
        put({f"goal-{number}": {"at": at(75, 30)} for number in range(10)}, "scenario", "objectives"),
        "expected at most 9 entries",
    ),
    "text": (put(f"{TEXT}.", "scenario", "title"), "text of at most 100 characters"),
}
"""One step above each limit: the change, and the expected message."""

WORST = Worst(data(), minds, write_wrong, type_orders, messages=8, beyond=BEYOND)
