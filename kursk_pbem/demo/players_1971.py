"""The players of Kursk (1971) in the demonstration. Plain rules of thumb fill in the drafts.

The orders follow from the position, so the demonstration works for all rolls. The players see only their side's view.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from kursk_pbem.demo.script import Script
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971 import air, movement
from kursk_pbem.rulesets.kursk_1971.movement import INITIAL, MOTOR
from kursk_pbem.rulesets.kursk_1971.position import Position, position
from kursk_pbem.rulesets.kursk_1971.seen import outlook

# Turn 1 of July 4: both pincers towards Kursk, and a Soviet answer towards Orel.
GERMAN_RAID = {"id": "bases", "base": "s-air1", "aircraft": ["g-air1", "g-air2"]}
GERMAN_MOVES = {"g-4pz": ("1611", "1511"), "g-12pz": ("1510", "1511"), "g-t": ("1724", "1725")}
GERMAN_BATTLES = {
    "ponyri": ("1812", "g-air3", "away 1812"),
    "oboyan": ("1823", "g-air4", "toward 1721"),
    "donets": ("2024", "g-air5", "toward 2223"),
}
GERMAN_DRIVE = {"g-2pz": ("1712", "1612", "1711"), "g-9pz": ("1712", "1612", "1711"), "g-18pz": ("1711", "1710")}
GERMAN_PATROLS = {"g-air7": "1427"}
GERMAN_BLOCK = {"g-air6": "1721"}
SOVIET_RAID = {"id": "orel", "base": "g-air1", "aircraft": ["s-air1", "s-air2"]}
SOVIET_MOVES = {"s-2gt": ("1822", "1821"), "s-5gt": ("1822", "1821", "1921")}
SOVIET_BATTLES = {"zhizdra": ("1302", "s-air7", "away 1302"), "novosil": ("2108", "s-air3", "away 2108")}
SOVIET_DRIVE = {"s-1t": ("1402", "1302"), "s-5t": ("1602", "1503")}
SOVIET_PATROLS = {"s-air5": "1823"}


def make_choices(desk: Desk, state: State) -> dict[str, Any]:
    """Return the choices of the next message in a demonstration game. The stage of the message decides."""
    pos = position(desk.game.setting, state)
    match state.stage:
        case "german-orders":
            return {
                "orders": {
                    "movement": _plan_moves(pos, INITIAL, GERMAN_MOVES),
                    "superiority": _plan_raid(pos, GERMAN_RAID),
                    "battles": _plan_battles(pos, GERMAN_BATTLES),
                }
            }
        case "german-answer":
            return {"policy": {"retreat": ["toward 1717"], "battles": {"oboyan": {"retreat": ["toward 1821"]}}}}
        case "german-dice":
            moves, patrols = _plan_moves(pos, MOTOR, GERMAN_DRIVE), _plan_flights(pos, GERMAN_PATROLS)
            blocks = _plan_flights(pos, GERMAN_BLOCK)
            return {"orders": {"motorized": moves, "patrol": patrols, "interdiction": blocks}}
        case "soviet-orders":
            orders = {
                "interception": _plan_interception(pos),
                "movement": _plan_moves(pos, INITIAL, SOVIET_MOVES),
                "superiority": _plan_raid(pos, SOVIET_RAID),
                "battles": _plan_battles(pos, SOVIET_BATTLES),
            }
            return {"orders": {key: value for key, value in orders.items() if value}}
        case "soviet-answer":
            return {"policy": {"retreat": ["toward 1708"], "patrol": {}}}
        case "soviet-dice":
            moves, patrols = _plan_moves(pos, MOTOR, SOVIET_DRIVE), _plan_flights(pos, SOVIET_PATROLS)
            return {"orders": {"motorized": moves, "patrol": patrols}}
        case _:
            return {}


def _plan_moves(pos: Position, phase: str, wishes: Mapping[str, Iterable[str]]) -> list[dict[str, str]]:
    """Return moves of units to the first free wished hex within reach."""
    orders: list[dict[str, str]] = []
    taken: set[str] = set()
    for uid, spots in wishes.items():
        if uid not in pos.where or movement.find_move_fault(pos, uid, phase):
            continue
        open_ = {pos.setting.board.labels[there] for there in outlook.find_ends(pos, uid, phase)} - taken
        for spot in spots:
            if spot in open_:
                orders.append({"unit": uid, "to": spot})
                taken.add(spot)
                break
    return orders


def _plan_battles(pos: Position, wanted: Mapping[str, tuple[str, str, str]]) -> list[dict[str, Any]]:
    """Return attacks by all units adjacent to a hex that have not moved, with aircraft and plan."""
    side = pos.state.side
    battles: list[dict[str, Any]] = []
    used: set[str] = set()
    for attack in outlook.find_attacks(pos, side):
        label = pos.setting.board.labels[attack.battle.hex]
        for name, (hex_, flyer, retreat) in wanted.items():
            free = [uid for uid in attack.battle.attackers if uid not in used]
            if label == hex_ and free == list(attack.battle.attackers):
                used |= {*free}
                plan = {"losses": free[:2], "advance": free[-1:], "retreat": [retreat]}
                flown = {"support": flyer, "unsupported": "attack"} if flyer in air.list_ready(pos, side) else {}
                battles.append({"id": name, "hex": hex_, "attackers": free, **flown, **plan})
    return battles


def _plan_raid(pos: Position, wanted: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return an air attack by the remaining aircraft, if the base remains."""
    able = [uid for uid in wanted["aircraft"] if uid in air.list_ready(pos, pos.state.side)]
    return [{**wanted, "aircraft": able}] if able and wanted["base"] in pos.where else []


def _plan_flights(pos: Position, wanted: Mapping[str, str]) -> list[dict[str, str]]:
    able = air.list_ready(pos, pos.state.side)
    return [
        {"unit": uid, "hex": hex_}
        for uid, hex_ in wanted.items()
        if uid in able and air.is_in_range(pos, uid, pos.setting.board.index[hex_])
    ]


def _plan_interception(pos: Position) -> list[dict[str, str]]:
    """Return the interception by the last aircraft that reaches an enemy in the air."""
    for uid in reversed(air.list_ready(pos, pos.state.side)):
        for label in pos.setting.board.names(air.find_range(pos, uid)):
            if air.find_prey(pos, pos.state.side, pos.setting.board.index[label]):
                return [{"unit": uid, "hex": label}]
    return []


SCRIPT = Script(
    scenario="kursk-1971/july4-historical",
    proposer="soviet",
    titles=(
        "Anna, the Soviet side, proposes a game; Boris takes it, and begins: an air raid, three attacks, sealed plans",
        "Anna answers: where units are to retreat",
        "Boris's dice fall, in the air and on the ground; his armor moves again, and aircraft take off",
        "The Soviet player turn: an interception, moves, an air raid, attacks",
        "Boris answers",
        "Anna's dice fall, and her armor moves again; game turn 1 is over",
        "Boris takes the last message; then anyone proves the whole game from the files alone",
    ),
    loud=(3, 6),
    around=("1722", "3"),
    choices=make_choices,
)
