"""The players of Juggernauts in the demonstration: the first German turn with a Blitzkrieg, the first Russian turn.

Moves and attacks follow from the position, so the demonstration plays with any dice.
"""

from __future__ import annotations

from typing import Any

from kursk_pbem.demo.script import Script
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.juggernauts import readiness
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.seen import possible

FACING = {"g-47pzk": "SE", "g-41pzk": "SW", "g-2ss": "NW", "g-3pzk": "NE"}
ATTACKS: tuple[dict[str, Any], ...] = (
    {
        "id": "ponyri",
        "hex": "I9",
        "attackers": ["g-41pzk", "g-47pzk", "g-505", "g-656"],
        "losses": ["g-656"],
        "advance": ["g-47pzk", "g-505"],
        "breakthrough": ["join teploye"],
    },
    {"id": "teploye", "hex": "I8", "attackers": ["g-46pzk", "g-4pz", "g-12pz"], "push": ["1"], "advance": ["g-4pz"]},
    {"id": "oboyan", "hex": "P8", "attackers": ["g-2ss", "g-48pzk"], "push": ["2"], "advance": ["g-48pzk"]},
    {"id": "sumy", "hex": "P7", "attackers": ["g-10bde", "g-52k"], "losses": ["g-52k"]},
)
MIN_COLUMN = 7  # 3:1: a chance worth a Blitzkrieg


def make_choices(desk: Desk, state: State) -> dict[str, Any]:
    """Return the choices of the next message in a demonstration game. The stage of the message decides."""
    setting, stage = desk.game.setting, state.stage
    pos = position(setting, state)
    if stage.endswith("-answer"):
        return {"policy": {"withdraw": "1", "hexes": {"I9": {"no-retreat": "yes"}}}}
    if stage == "german-orders" and state.turn == setting.turns[0]:
        wedges = [{"unit": uid, "facing": way} for uid, way in FACING.items() if readiness.can_form(pos, uid)]
        moves: list[dict[str, Any]] = [{"unit": uid, "to": "H7"} for uid in ("g-4pz", "g-12pz")]
        moves.append({"unit": "g-10bde", "path": ["Q7"]})
        return {"orders": {"panzerkeil": wedges, "movement": moves, "battles": [dict(attack) for attack in ATTACKS]}}
    if stage == "german-dice":
        return {"orders": {"battles": battles}} if (battles := _find_attack(pos)) else {}
    return {}


def _find_attack(pos: Position) -> list[dict[str, Any]]:
    """Return one attack at good odds by fresh units on an unsupported enemy."""
    for chance in possible.attacks(pos, pos.state.side):
        able = [uid for uid in chance.battle.attackers if not pos.state.mark("acted", uid)]
        label = pos.setting.board.labels[chance.battle.hex]
        if able == [*chance.battle.attackers] and chance.odds.reached >= MIN_COLUMN and not pos.line(chance.battle.hex):
            return [{"id": "second", "hex": label, "attackers": able, "advance": able}]
    return []


SCRIPT = Script(
    scenario="juggernauts/july-1943",
    proposer="russian",
    titles=(
        "Anna proposes a game; Boris takes it and orders the first German turn",
        "Anna answers: Ponyri is held to the last, the south gives way",
        "Boris's Panther and combat dice fall, his plans are shown; a Blitzkrieg follows if he sees a chance",
        "Anna answers, or plays her own turn",
        "Boris takes the last message; then anyone proves the whole game from the files alone",
    ),
    loud=(3,),
    around=("L8", "3"),
    choices=make_choices,
)
