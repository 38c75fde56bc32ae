"""Two boards play a whole game turn of Juggernauts by mouse and keyboard; typed drafts give the same bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import pytest

from board import july_juggernauts as july
from board.screens import Screen, opened
from board.seats import Seat, begun, proposed
from kursk_pbem.audit import verify
from kursk_pbem.desk import drafts, play
from kursk_pbem.game import entropy
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.trust import message as messages

SCENARIO = "juggernauts/july-1943"
WINGS = {"push": "hexes that a D1 or D2 drives them", "exchange": "an exchange (X)", "cancel": "when it is called off"}
"""Parts of a plan of which one thing is chosen, as the form calls them."""
LISTS = {
    "losses": "who is lost, in this order", "forced": "results that force an exchange on No Retreat! orders",
    "advance": "who advances: into the hex, through it to another, only past it", "exploit": "who advances after that",
}  # fmt: skip
BEYOND, BACK = "what a Panzerkeil attacks after a DE", "the way"
ANSWERS = {"no-retreat": "No Retreat! orders", "withdraw": "hexes of withdrawal"}


# What is the same for every system, but for the name of the scenario


@pytest.fixture
def nonces(monkeypatch):
    """The same nonces each time, in every thread: those of a board are not the test's."""
    with entropy.fixed(SCENARIO):
        found = [entropy.fresh() for _ in range(300)]

    def begin():
        stream = iter(found)
        monkeypatch.setattr(entropy, "fresh", lambda: next(stream))

    return begin


def by_turn(seats: Mapping[str, Seat]) -> tuple[Seat, Seat]:
    """Who writes, and who waits."""
    (due,) = [seat for seat in seats.values() if seat.sit().mine]
    (other,) = [seat for seat in seats.values() if seat is not due]
    return due, other


def mails(seat: Seat) -> list[bytes]:
    return [path.read_bytes() for path in folders.message_files(seat.folder)]


def typed(root: Any) -> list[bytes]:
    """The same choices written into drafts as an editor does."""
    seats = begun(root, SCENARIO)
    while (due := by_turn(seats))[0].sit().game.state.turn == "1":
        seat, other = due
        desk, path = seat.sit(), seat.draft()
        draft = messages.read_draft(folders.read_bytes(path), str(path))
        kept = {key: value for key, value in draft.content.items() if key not in games.CHOICE_FIELDS}
        folders.write(path, messages.emit({**kept, **july.content(desk)}), force=True)
        signed = play.sign(desk, drafts.check(desk, drafts.read(desk, folders.read_bytes(path), str(path))), None)
        play.receive(folders.read_bytes(signed.newest), "the mail", other.home, None)
    return mails(seats["german"])


# Orders of this system


def compose(screen: Screen, content: Mapping[str, Any]) -> None:
    """Give the orders of a message by mouse."""
    orders = content.get("orders", {})
    for order in orders.get("panzerkeil", ()):
        screen.verb("keil")
        screen.sets("panzerkorps", [order["unit"]], "radio")
        screen.sets("the hexside it faces", [order["facing"]], "radio")
        screen.submit()
    if "road" in orders:
        screen.verb("road")
        screen.sets("artillery korps", orders["road"])
        screen.submit()
    for order in orders.get("movement", ()):
        screen.verb("move")
        first(screen, order["unit"])
        screen.hex(order["to"])
        screen.submit()
    for order in orders.get("battles", ()):
        attacks(screen, order)
    for name, answer in {"all": content.get("policy", {}), **content.get("policy", {}).get("battles", {})}.items():
        if answer:
            answers(screen, name, answer)


def first(screen: Screen, name: str) -> None:
    """What an order is about; the form then shows the rest of it."""
    screen.click("radio", re.compile(rf"^{re.escape(name)}(\s|$)"), screen.page.get_by_role("tabpanel", name="Compose"))
    screen.settled()


def attacks(screen: Screen, order: Mapping[str, Any]) -> None:
    screen.verb("attack")
    first(screen, order["hex"])
    screen.sets("attackers", order["attackers"])
    if "pressed" in order:
        screen.sets("Pressed Attack", [order["pressed"]], "radio")
    for key, name in WINGS.items():
        if key in order:
            screen.sets(name, order[key], "radio")
    for key, name in LISTS.items():
        if key in order:
            screen.sets(name, [each.split()[0] for each in order[key]])
        for unit, _blank, more in (each.partition(" ") for each in order.get(key, ()) if " " in each):
            screen.group(name).get_by_role("combobox", name=f"{unit}: on what condition").select_option(more)
            screen.clicks += 2
    for wish in order.get("breakthrough", ()):
        wishes(screen, BEYOND, wish.replace("b-", ""))
    screen.submit()


def wishes(screen: Screen, name: str, wish: str) -> None:
    head, _blank, place = wish.rpartition(" ")
    screen.click("radio", head or "into", screen.group(name), exact=True)
    screen.hex(place.upper())


def answers(screen: Screen, name: str, answer: Mapping[str, Any]) -> None:
    screen.verb("answer")
    first(screen, name)
    for key, title in ANSWERS.items():
        if key in answer:
            screen.sets(title, [answer[key]], "radio")
    for wish in answer.get("retreat", ()):
        wishes(screen, BACK, wish)
    screen.submit()


@pytest.mark.slow
def test_two_boards_play_a_turn_of_juggernauts(browser, tmp_path, nonces):
    nonces()
    wanted = typed(tmp_path / "typed")
    nonces()
    seats = proposed(tmp_path / "played", SCENARIO)
    with ExitStack() as stack:
        screens = {side: stack.enter_context(opened(browser, seat)) for side, seat in seats.items()}
        proposer, other = screens.values()
        other.drop(folders.message_path(proposer.seat.folder, 0))
        other.page.get_by_text("A proposal").wait_for()
        other.button("Accept")
        other.click("link", "To the game")
        other.whole()
        while (due := by_turn(seats))[0].sit().game.state.turn == "1":
            mine, theirs = due
            seq = mine.sit().seq
            compose(screens[mine.side], july.content(mine.sit()))
            screens[mine.side].signs()
            screens[theirs.side].take(folders.message_path(mine.folder, seq))
        assert all(screen.typed == 0 for screen in screens.values())
    for seat in seats.values():
        assert mails(seat) == wanted
        assert verify.verify_game(seat.folder).status == 0
