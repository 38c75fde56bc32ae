"""Two boards play two whole game turns of citadel by mouse and keyboard; typed drafts give the same bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import pytest

from board import citadel
from board.screens import Screen, opened
from board.seats import Seat, begun, proposed
from kursk_pbem.audit import verify
from kursk_pbem.desk import drafts, play
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.trust import message as messages

LAST = 13
MOST_CLICKS = 60


def mails(seat: Seat) -> list[bytes]:
    return [folders.message_path(seat.folder, seq).read_bytes() for seq in range(LAST + 1)]


def typed(root: Any) -> list[bytes]:
    """The same choices written into drafts as an editor does."""
    seats = begun(root, "battle-for-kursk/citadel")
    for seq in range(1, LAST + 1):
        (seat,), (other,) = _by_turn(seats)
        desk, path = seat.sit(), seat.draft()
        draft = messages.read_draft(folders.read_bytes(path), str(path))
        kept = {key: value for key, value in draft.content.items() if key not in games.CHOICE_FIELDS}
        folders.write(path, messages.emit({**kept, **citadel.content(desk)}), force=True)
        signed = play.sign(desk, drafts.check(desk, drafts.read(desk, folders.read_bytes(path), str(path))), None)
        play.receive(folders.read_bytes(signed.newest), f"message {seq}", other.home, None)
    return mails(seat)


def _by_turn(seats: Mapping[str, Seat]) -> tuple[list[Seat], list[Seat]]:
    due = [seat for seat in seats.values() if seat.sit().mine]
    return due, [seat for seat in seats.values() if seat not in due]


def compose(screen: Screen, content: Mapping[str, Any]) -> None:
    """Give the orders of a message by mouse; what the draft proposes already needs no click."""
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
            screen.sets("units that gain a step", [order["unit"]])
        screen.submit()
    for order in orders.get("armor-and-rail", ()):
        screen.moves(order, "armor-and-rail")
    for order in orders.get("battles", ()):
        screen.attacks(order, _defender(desk, order["hex"]))
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
        screen.sets(right.replace("-", " "), [when], "radio")
    screen.submit()


@pytest.mark.slow
def test_two_boards_play_two_turns_of_citadel(browser, tmp_path, nonces):
    nonces()
    wanted = typed(tmp_path / "typed")
    nonces()
    seats = proposed(tmp_path / "played", "battle-for-kursk/citadel")
    with ExitStack() as stack:
        screens = {side: stack.enter_context(opened(browser, seat)) for side, seat in seats.items()}
        first, second = screens.values()
        second.drop(folders.message_path(first.seat.folder, 0))
        second.page.get_by_text("A proposal").wait_for()
        second.button("Accept")
        second.click("link", "To the game")
        second.whole()
        counts = {}
        for seq in range(1, LAST + 1):
            (mine,), (theirs,) = _by_turn(seats)
            screen, other = screens[mine.side], screens[theirs.side]
            before = screen.clicks
            compose(screen, citadel.content(mine.sit()))
            screen.signs()
            counts[seq] = screen.clicks - before
            other.take(folders.message_path(mine.folder, seq))
        assert all(screen.typed == 0 for screen in screens.values())
    assert counts[2] + counts[4] <= MOST_CLICKS, counts
    for seat in seats.values():
        assert mails(seat) == wanted
        assert verify.verify_game(seat.folder).status == 0
