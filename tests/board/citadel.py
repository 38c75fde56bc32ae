"""Choices of two game turns of citadel, message by message, like the demonstration and one turn more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.demo import players
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk

Content = Mapping[str, Any]

ANSWER = {"policy": {"stand-fast": "doomed", "exchange-dr": "full", "exchange-drl": "always"}}
ENGAGE = {"posture": "engage", "reaction": "no"}
LATER: dict[int, Content] = {
    8: {
        "choice": {"posture/turn-2": ENGAGE},
        "waive": "posture",
        "orders": {
            "give-ups": ["g-40-pz", "g-56-pz"],
            "armor-and-rail": [{"unit": "g-esebeck", "to": "1910"}],
            "battles": [
                {
                    "id": "b2014",
                    "hex": "2014",
                    "attackers": ["g-48-pz"],
                    "offensive": {"lead": "g-48-pz", "support": ["g-2-ss", "g-3-pz"]},
                    "retreat": ["toward 2113", "away 2215"],
                    "losses": ["g-3-pz", "g-48-pz"],
                    "advance": ["g-48-pz if-supplied"],
                },
                {
                    "id": "b2319",
                    "hex": "2319",
                    "attackers": ["g-24-pz", "g-57-pz"],
                    "losses": ["g-57-pz"],
                    "advance": ["g-24-pz"],
                },
            ],
        },
    },
    9: ANSWER,
    10: {"orders": {"movement": [{"unit": "g-11", "to": "2117"}, {"unit": "g-7", "to": "1815"}]}},
    11: {
        "orders": {
            "replacements": [{"unit": "r-10", "gain": "flip"}, {"unit": "r-40", "gain": "place", "hex": "2713"}],
            "armor-and-rail": [{"unit": "r-5-gt", "to": "2514"}, {"unit": "r-4-gtc", "to": "2313"}],
            "battles": [
                {
                    "id": "b2011",
                    "hex": "2011",
                    "attackers": ["r-13", "r-2-t", "r-9-tc"],
                    "offensive": {"lead": "r-2-t", "support": ["r-60", "r-70"]},
                    "losses": ["r-9-tc", "r-13"],
                    "advance": ["r-9-tc"],
                }
            ],
        }
    },
    12: ANSWER,
    13: {"orders": {"movement": [{"unit": "r-52", "to": "2411"}]}, "seal": {"posture/turn-3": ENGAGE}},
}
"""Orders from message 8 on, with the dice of the demonstration."""


def content(desk: Desk) -> Content:
    """Return the choices of the next message; names and lists as typed orders write them."""
    if desk.seq in LATER:
        return LATER[desk.seq]
    found = players.make_choices(desk, desks.preview_duties(desk, desk.record_of_writer()).middle)
    if "policy" in found:
        return ANSWER
    if battles := found.get("orders", {}).get("battles"):
        found["orders"]["battles"] = [_listed(each) for each in battles]
    return found


def _listed(battle: dict[str, Any]) -> dict[str, Any]:
    led = battle.get("offensive")
    more = {"offensive": {**led, "support": sorted(led["support"])}} if led else {}
    return {**battle, "id": f"b{battle['hex']}", "attackers": sorted(battle["attackers"]), **more}
