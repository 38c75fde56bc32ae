"""Choices of one game turn of July 4 (1971), like the demonstration, with more air orders.

Attacks have names and units have an order, as in typed orders.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.demo import players_1971 as players
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY

Content = Mapping[str, Any]
SCENARIO, LAST = "kursk-1971/july4-historical", 6
NAMES = {"1812": "ponyri", "1823": "b1823", "2024": "b2024", "1302": "b1302", "2108": "b2108"}
RAIDS = {
    "german": [{"id": "r1", "base": "s-air1", "aircraft": ["g-air2"]}],
    "soviet": [{"id": "r1", "base": "g-air1", "aircraft": ["s-air2", "s-air3"]}],
}
SUPPORT = {"2108": {"support": "s-air4", "unsupported": "skip"}}
FLIGHTS = {
    "german": {
        "patrol": [{"unit": "g-air1", "hex": "1708"}, {"unit": "g-air7", "hex": "1427"}],
        "interdiction": [{"unit": "g-air6", "hex": "1721"}],
    },
    "soviet": {"patrol": [{"unit": "s-air6", "hex": "2125"}]},
}
ANSWERS = {
    "german": {"retreat": ["toward 1717"], "battles": {"b1823": {"retreat": ["1822", "toward 1821"]}}},
    "soviet": {"retreat": ["toward 1708", "away 1908"], "patrol": {"g-air1": ["g-air1"]}},
}


def content(desk: Desk) -> Content:
    """Return the choices of the next message."""
    state = desks.preview_duties(desk, desk.record_of_writer()).middle
    found = players.make_choices(desk, state)
    side, _dash, kind = state.stage.partition("-")
    if kind == "answer":
        return {"policy": ANSWERS[side]}
    if kind == "dice":
        return {"orders": {"motorized": found["orders"]["motorized"], **FLIGHTS[side]}}
    battles = [
        {**_entered(desk, each), "id": NAMES[each["hex"]], **SUPPORT.get(each["hex"], {})}
        for each in found["orders"]["battles"]
    ]
    return {"orders": {**found["orders"], "superiority": RAIDS[side], "battles": battles}}


def _entered(desk: Desk, battle: Mapping[str, Any]) -> dict[str, Any]:
    """Return an attack without an advance forbidden by 8.0-advance: no form offers an advance into an enemy line."""
    setting = desk.game.setting
    line = setting.forts[ENEMY[desk.own_side]] >> setting.board.index[battle["hex"]] & 1
    return {key: value for key, value in battle.items() if key != "advance" or not line}
