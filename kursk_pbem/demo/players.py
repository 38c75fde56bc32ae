"""The players of Battle for Kursk in the demonstration. Plain rules of thumb fill in the drafts.

The orders follow from the position, so the demonstration works for all rolls. The players see only their side's view.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.demo.script import Script
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk import movement
from kursk_pbem.rulesets.battle_for_kursk.position import position

# Turn 1 of Citadel: both pincers towards Kursk, and a Russian answer towards Orel, Bryansk and Smolensk.
DISTRIBUTION = (
    *("r-3", "r-5", "r-10", "r-13", "r-31", "r-33", "r-38", "r-40", "r-48", "r-49", "r-50", "r-60", "r-61", "r-63"),
    *("r-65", "r-69", "r-70", "r-1-t", "r-2-t", "r-3-gt", "r-5-gt", "r-6-g", "r-7-g", "r-10-g", "r-11-g"),
)
GERMAN_RAIL = {"g-24-pz": ("2219",)}
GERMAN_BATTLES: tuple[dict[str, Any], ...] = (
    {
        "id": "ponyri",
        "hex": "2011",
        "attackers": ["g-41-pz", "g-46-pz", "g-47-pz"],
        "offensive": {"lead": "g-41-pz", "support": ["g-23"]},
        "retreat": ["away 2113"],
        "losses": ["g-46-pz"],
        "advance": ["g-46-pz if-supplied"],
    },
    {
        "id": "oboyan",
        "hex": "2015",
        "attackers": ["g-48-pz", "g-3-pz", "g-52"],
        "offensive": {"lead": "g-3-pz", "support": ["g-11", "g-2-ss"]},
        "retreat": ["away 2113"],
        "losses": ["g-52", "g-48-pz"],
        "advance": ["g-48-pz"],
    },
    {
        "id": "izyum",
        "hex": "2218",
        "attackers": ["g-24-pz", "g-42", "g-57-pz"],
        "retreat": ["toward 2319"],
        "advance": ["g-24-pz if-free", "g-57-pz"],
    },
)
GERMAN_MOVES = {
    "g-esebeck": ("2110", "2010"),
    "g-2-ss": ("2015", "2016", "2118"),
    "g-56-pz": ("1807",),
    "g-27": ("1505",),
}
RUSSIAN_FLIPS = ("r-46", "r-12", "r-43", "r-44")
RUSSIAN_RAIL = {"r-3-gt": ("2208",), "r-11-g": ("2007",), "r-10-g": ("1805",), "r-5-gt": ("2415", "2515", "2514")}
RUSSIAN_BATTLES: tuple[dict[str, Any], ...] = (
    {
        "id": "kutuzov",
        "hex": "2209",
        "attackers": ["r-3-gt", "r-3", "r-63"],
        "retreat": ["toward 2110", "away 2110"],
        "losses": ["r-63", "r-3"],
        "advance": ["r-3-gt"],
    },
    {"id": "zhizdra", "hex": "1908", "attackers": ["r-11-g", "r-50"], "losses": ["r-50"], "advance": ["r-50"]},
    {
        "id": "yelnya",
        "hex": "1706",
        "attackers": ["r-10-g", "r-33", "r-10"],
        "offensive": {"lead": "r-10-g", "support": ["r-68", "r-49"]},
        "losses": ["r-10", "r-33"],
        "advance": ["r-33 if-supplied"],
    },
)
RUSSIAN_MOVES = {
    "r-4-t": ("2205", "2106"),
    "r-53": ("2413", "2412"),
    "r-27": ("2312", "2411"),
    "r-11": ("2206", "2305"),
    "r-52": ("2613", "2612"),
}


def make_choices(desk: Desk, state: State) -> dict[str, Any]:
    """Return the choices of the next message in a demonstration game. The stage of the message decides."""
    setting, engage = desk.game.setting, {"posture": "engage", "reaction": "no"}
    match state.stage:
        case "opening":
            return {"orders": {"distribution": sorted(DISTRIBUTION)}, "seal": {"posture/turn-1": engage}}
        case "posture":
            rail = _plan_moves(setting, state, GERMAN_RAIL)
            orders: dict[str, Any] = {"armor-and-rail": rail, "battles": [dict(battle) for battle in GERMAN_BATTLES]}
            return {"choice": {"posture/turn-1": engage}, "waive": "posture", "orders": orders}
        case "german-answer" | "russian-answer":
            return {"policy": {"exchange-dr": "full", "exchange-drl": "always", "stand-fast": "doomed"}}
        case "german-dice":
            return {"orders": {"movement": _plan_moves(setting, state, GERMAN_MOVES)}}
        case "russian-orders":
            reduced = [uid for uid in RUSSIAN_FLIPS if state.units[uid].steps == 1]
            orders = {
                "replacements": [{"unit": uid, "gain": "flip"} for uid in reduced[:1]],
                "armor-and-rail": _plan_moves(setting, state, RUSSIAN_RAIL),
                "battles": [dict(battle) for battle in RUSSIAN_BATTLES],
            }
            return {"orders": orders}
        case "russian-dice":
            moves = _plan_moves(setting, state, RUSSIAN_MOVES)
            return {"orders": {"movement": moves}, "seal": {"posture/turn-2": engage}}
        case _:
            return {}


def _plan_moves(setting: Any, state: State, wishes: Mapping[str, tuple[str, ...]]) -> list[dict[str, str]]:
    """Return for each unit the first wished hex within reach of the present position."""
    orders: list[dict[str, str]] = []
    taken: set[str] = set()
    pos = position(setting, state)
    for uid, spots in wishes.items():
        if uid not in pos.where:
            continue
        ways = movement.reach(pos, uid, movement.MOVE)
        open_ = {setting.board.labels[there] for there in ways}
        for spot in spots:
            if spot in open_ and spot not in taken:
                orders.append({"unit": uid, "to": spot})
                taken.add(spot)
                break
    return orders


SCRIPT = Script(
    scenario="battle-for-kursk/citadel",
    proposer="german",
    titles=(
        "Anna proposes a game; Boris takes it, brings units to full strength and seals his posture",
        "Anna engages, waives seeing his posture, and declares three battles; her plans are sealed",
        "Boris shows his posture and answers the battles: his full units in fortifications exchange",
        "Anna's dice fall, her plans are shown, her units move",
        "The Russian player turn: a replacement, tanks move up, three battles",
        "Anna answers",
        "Boris's dice fall, his units move, the turn ends; he seals his next posture",
        "Anna takes the last message; then anyone proves the whole game from the files alone",
    ),
    loud=(4, 7),
    around=("2113", "2"),
    choices=make_choices,
)
