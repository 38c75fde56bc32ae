"""Two boards play two whole game turns of citadel by mouse and keyboard; typed drafts give the same bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from helpers import sweeps

from board import citadel
from board.screens import Screen
from kursk_pbem.rulesets.battle_for_kursk.seen.choices import RIGHTS
from kursk_pbem.trust import messages

CITADEL = "battle-for-kursk/citadel"
ATTACK, LAST = 4, 13
MOST_CLICKS = 60


def compose(screen: Screen, content: Mapping[str, Any]) -> None:
    """Give the orders of a message by mouse; defaults of the draft need no click."""
    desk = screen.seat.sit()
    orders = content.get("orders", {})
    drafted = messages.read_draft(screen.seat.draft().read_bytes(), "the draft").content
    if _posture(content) not in ("", _posture(drafted)):
        screen.verb("posture")
        screen.sets("posture", [_posture(content)], "radio")
        screen.submit()
    if "distribution" in orders:
        screen.verb("distribute")
        screen.sets("units at full strength", list(orders["distribution"]))
        screen.submit()
    for order in orders.get("replacements", ()):
        if order["gain"] == "place":
            screen.verb("rebuild")
            screen.sets("unit", [order["unit"]], "radio")
            screen.sets("hex", [order["hex"]], "radio")
        else:
            screen.verb("replace")
            screen.sets("units to gain a step", [order["unit"]])
        screen.submit()
    for order in orders.get("armor-and-rail", ()):
        screen.moves(order, "armor-and-rail")
    for order in orders.get("battles", ()):
        _attacks(screen, order, _defender(desk, order["hex"]))
    for order in orders.get("movement", ()):
        screen.moves(order, "movement")
    if policy := content.get("policy"):
        _answers(screen, policy)


def _posture(content: Mapping[str, Any]) -> str:
    written = {**content.get("choice", {}), **content.get("seal", {})}
    return next((value["posture"] for value in written.values()), "")


def _defender(desk: Any, place: str) -> str:
    return next(uid for uid, unit in desk.game.state.units.items() if unit.place == place)


def _answers(screen: Screen, policy: Mapping[str, str]) -> None:
    screen.verb("answer")
    screen.click("radio", re.compile("^all"))
    for right, when in policy.items():
        screen.sets(RIGHTS[right], [when], "radio")
    screen.submit()


def _attacks(screen: Screen, order: Mapping[str, Any], defender: str) -> None:
    """Click the enemy, then the choices that differ from the defaults."""
    screen.unit(defender)
    screen.sets("attackers", order["attackers"])
    if "offensive" in order:
        screen.page.get_by_role("checkbox", name="with an Offensive").check()
        screen.sets("leads an Offensive", [order["offensive"]["lead"]], "radio")
        screen.sets("supports it", order["offensive"]["support"])
    screen.ranks("takes losses, in order", order.get("losses", []))
    screen.ranks("enters the hex if it is left: the first that can", order.get("advance", []))
    screen.wishes("the path of the enemy", order.get("retreat", []))
    screen.submit()


@pytest.mark.parametrize("last", sweeps.sizes(ATTACK, LAST))
def test_two_boards_play_turns_of_citadel(alike, last):
    _seats, counts = alike(CITADEL, citadel.content, compose, last)
    assert counts[2] + counts[4] <= MOST_CLICKS, counts
