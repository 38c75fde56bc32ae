"""Two boards play a game turn of July 4 (1971) by mouse and keyboard; typed drafts give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from board import july
from board.screens import Screen

MISSIONS = {"interception": "intercept", "patrol": "patrol", "interdiction": "interdict"}
RETREAT = "retreat of your units, and of attackers on AR or BR"
ADVANCE = "enters a hex left by attackers, in this order"


def compose(screen: Screen, content: Mapping[str, Any]) -> None:
    """Give the orders of a message in the order of the sequence of play."""
    orders = content.get("orders", {})
    _flights(screen, orders, ("interception",))
    for order in orders.get("movement", ()):
        screen.moves(order, "movement")
    for order in orders.get("superiority", ()):
        screen.verb("raid")
        screen.sets("base", [order["base"]], "radio")
        _flown(screen, order["aircraft"])
    for order in orders.get("battles", ()):
        _attacks(screen, order)
    for order in orders.get("motorized", ()):
        screen.moves(order, "motorized")
    _flights(screen, orders, ("patrol", "interdiction"))
    if policy := content.get("policy"):
        _answers(screen, policy)


def _flights(screen: Screen, orders: Mapping[str, Any], keys: Sequence[str]) -> None:
    """Return each verb with hex and aircraft."""
    for key in keys:
        for place in dict.fromkeys(each["hex"] for each in orders.get(key, ())):
            screen.verb(MISSIONS[key])
            screen.hex(place)
            _flown(screen, [each["unit"] for each in orders[key] if each["hex"] == place])


def _flown(screen: Screen, aircraft: list[str]) -> None:
    screen.settled()
    screen.sets("aircraft", aircraft)
    screen.submit()


def _attacks(screen: Screen, order: Mapping[str, Any]) -> None:
    """Click the enemy, then the choices that differ from the defaults."""
    units = screen.seat.sit().game.state.units
    screen.unit(next(uid for uid, unit in units.items() if unit.place == order["hex"]))
    screen.sets("attackers", order["attackers"])
    screen.sets("close support", [order["support"]], "radio")
    screen.sets("if a patrol keeps the aircraft away", [order["unsupported"]], "radio")
    screen.ranks("pays for an exchange, in this order", order["losses"])
    screen.ranks("enters the hex if it is left, in this order", order.get("advance", ()))
    screen.wishes("retreat of the defenders", order["retreat"])
    screen.submit()


def _answers(screen: Screen, policy: Mapping[str, Any]) -> None:
    """Answer for all attacks, for an attack, and name the patrols over a base."""
    for name, said in {"all": policy, **policy.get("battles", {})}.items():
        screen.verb("answer")
        screen.click("radio", name, screen.group("attack"))
        screen.settled()
        screen.wishes(RETREAT, said.get("retreat", []))
        screen.ranks(ADVANCE, said.get("advance", []))
        screen.submit()
    for base, patrols in policy.get("patrol", {}).items():
        screen.verb("share")
        screen.sets("base", [base], "radio")
        screen.settled()
        screen.sets("patrols", patrols)
        screen.submit()


@pytest.mark.long  # Battle for Kursk plays by the same mouse
def test_two_boards_play_a_turn_of_july_4(alike):
    alike(july.SCENARIO, july.content, compose, july.LAST)
