"""Two boards play a whole game turn of Juggernauts by mouse and keyboard; typed drafts give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from board import july_juggernauts as july
from board.screens import Screen

ONE = {
    "pressed": "Pressed Attack",
    "push": "hexes that a D1 or D2 drives them",
    "exchange": "an exchange (X)",
    "cancel": "the attack is called off",
}
"""Parts of an attack with a single choice, as named in the form; then parts with several choices."""
SEVERAL = {
    "losses": "preferred losses, in order",
    "forced": "results with an exchange forced by No Retreat! orders",
    "advance": "advancing units, with hexes",
    "exploit": "units advancing after the second attack",
}
ANSWERS = {"no-retreat": "Do the units stay (No Retreat! orders)?", "withdraw": "How many hexes do the units withdraw?"}


def compose(screen: Screen, content: Mapping[str, Any]) -> None:
    """Give the orders of a message by mouse, in the order of the sequence of play."""
    orders = content.get("orders", {})
    for order in orders.get("panzerkeil", ()):
        screen.verb("keil")
        screen.sets("panzerkorps", [order["unit"]], "radio")
        screen.sets("the facing", [order["facing"]], "radio")
        screen.submit()
    if "road" in orders:
        screen.verb("road")
        screen.sets("artillery korps", orders["road"])
        screen.submit()
    for order in orders.get("movement", ()):
        screen.hex(screen.seat.sit().game.state.units[order["unit"]].place)  # spreads the stack
        screen.moves(order, "movement")
    for order in orders.get("battles", ()):
        _attacks(screen, order)
    policy = content.get("policy", {})
    parts = {**policy.get("battles", {}), **policy.get("units", {})}
    for name, said in {"all": policy, **parts}.items() if policy else ():
        _begins(screen, "answer", name)
        for key in [key for key in ANSWERS if key in said]:
            screen.sets(ANSWERS[key], [said[key]], "radio")
        screen.wishes("the way", said.get("retreat", []))
        screen.submit()


def _begins(screen: Screen, verb: str, name: str) -> None:
    """Return the beginning of an order; the form then shows the rest."""
    screen.verb(verb)
    panel = screen.page.get_by_role("tabpanel", name="Compose")
    panel.locator(f"input[type=radio][value='{name}']").click()
    screen.clicks += 1
    screen.settled()


def _attacks(screen: Screen, order: Mapping[str, Any]) -> None:
    _begins(screen, "attack", order["hex"])
    screen.sets("attackers", order["attackers"])
    more = screen.page.locator("details:not([open]) > summary", has_text="More choices")
    if more.count() and set(order) & {*ONE, *SEVERAL, "breakthrough"} - {"pressed", "advance"}:
        more.click()  # once: later forms show the whole list
        screen.clicks += 1
    for key in [key for key in ONE if key in order]:
        screen.sets(ONE[key], [order[key]] if isinstance(order[key], str) else order[key], "radio")
    for key in [key for key in SEVERAL if key in order or key == "advance"]:  # the form proposes an advance
        screen.ranks(SEVERAL[key], order.get(key, []))
    joined = [wish.replace("b-", "").replace("i8", "I8") for wish in order.get("breakthrough", [])]
    screen.wishes("second attack of a Panzerkeil after a DE", joined)
    screen.submit()


@pytest.mark.long  # Battle for Kursk plays by the same mouse
def test_two_boards_play_a_turn_of_juggernauts(alike):
    seats, _counts = alike(july.SCENARIO, july.content, compose, july.LAST)
    for seat in seats.values():
        assert seat.sit().game.state.turn == "2"
