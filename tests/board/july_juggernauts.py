"""Choices of the first game turn of Juggernauts by stage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from board.seats import Seat, begun, by_turn, sent
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.game import entropy

Content = Mapping[str, Any]
SCENARIO, LAST = "juggernauts/july-1943", 8

TURN: dict[str, Content] = {
    "german-orders": {
        "orders": {
            "panzerkeil": [
                {"unit": "g-47pzk", "facing": "SE"},
                {"unit": "g-41pzk", "facing": "SW"},
                {"unit": "g-2ss", "facing": "NW"},
            ],
            "movement": [
                {"unit": "g-4pz", "to": "H7"},
                {"unit": "g-12pz", "to": "H7"},
                {"unit": "g-10bde", "to": "Q7"},
            ],
            "battles": [
                {
                    "id": "b-i9",
                    "hex": "I9",
                    "attackers": ["g-41pzk", "g-47pzk", "g-505", "g-656"],
                    "losses": ["g-656"],
                    "advance": ["g-47pzk", "g-505"],
                    "breakthrough": ["join b-i8"],
                },
                {
                    "id": "b-i8",
                    "hex": "I8",
                    "attackers": ["g-12pz", "g-46pzk", "g-4pz"],
                    "push": ["1"],
                    "advance": ["g-4pz", "g-12pz only I7"],
                    "cancel": ["below 3:2"],
                },
                {
                    "id": "b-p8",
                    "hex": "P8",
                    "attackers": ["g-2ss", "g-48pzk"],
                    "pressed": "yes",
                    "push": ["2"],
                    "forced": ["D1", "AD"],
                    "advance": ["g-48pzk O8"],
                },
                {"id": "b-p7", "hex": "P7", "attackers": ["g-10bde", "g-52k"], "exchange": ["no"]},
            ],
        }
    },
    "german-answer": {
        "policy": {
            "withdraw": "1",
            "retreat": ["away I9", "N8"],
            "battles": {"b-i9": {"no-retreat": "yes"}, "b-p7": {"no-retreat": "no", "withdraw": "2"}},
            "units": {"r-4ak": {"withdraw": "2", "retreat": ["K9"]}},
        }
    },
    "german-dice": {
        "orders": {
            "movement": [{"unit": "g-10pzg", "to": "H7"}, {"unit": "g-24pzk", "to": "S10"}],
            "battles": [
                {
                    "id": "b-r10",
                    "hex": "R10",
                    "attackers": ["g-3pzk", "g-503"],
                    "push": ["1"],
                    "advance": ["g-3pzk"],
                    "exploit": ["g-3pzk only R11"],
                }
            ],
        }
    },
    "german-second-answer": {"policy": {"withdraw": "0", "retreat": ["away R9"]}},
    "russian-orders": {
        "orders": {
            "road": ["r-2ak"],
            "movement": [{"unit": "r-2ta", "to": "J8"}, {"unit": "r-3gta", "to": "C9"}],
            "battles": [
                {
                    "id": "b-c8",
                    "hex": "C8",
                    "attackers": ["r-11ga", "r-8ak"],
                    "push": ["2"],
                    "losses": ["r-11ga"],
                    "advance": ["r-11ga"],
                    "forced": ["D1", "AD"],
                },
                {"id": "b-c7", "hex": "C7", "attackers": ["r-1tc"]},
                {"id": "b-d8", "hex": "D8", "attackers": ["r-61a"], "exchange": ["no"]},
            ],
        }
    },
    "russian-answer": {"policy": {"no-retreat": "no", "withdraw": "2"}},
}


def due(root: Path) -> Seat:
    """Return the German seat before the orders of the first turn."""
    with entropy.fix_random_bytes("newcomer"):
        seats = begun(root, SCENARIO)
    mine, theirs = by_turn(seats)
    while mine.sit().game.state.stage != "german-orders":
        mine, theirs = sent(mine, theirs), mine
    return mine


def content(desk: Desk) -> Content:
    """Return the choices of the next message."""
    stage = desks.preview_duties(desk, desk.record_of_writer()).middle.stage
    return TURN.get(stage, {})
