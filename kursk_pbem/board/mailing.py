"""Mail on the home page: a button to fetch and a button to send, like 'kursk post'."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any

from flask import Flask, Response, redirect, request, url_for

from kursk_pbem.board.downloads import send_file
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.seat import frontpage
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import KurskError, UsageError


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes of the buttons that fetch and send mail, and of letters that the player sends by hand."""

    @app.post("/post/<any(came, send):what>")
    def run_post(what: str) -> Any:
        room.tell([entry for came in _run_post(room, what) for entry in _with_proposals(room, came)])
        return redirect(url_for("show_home", came=1), 303)

    @app.get("/letter.eml")
    def save_unsent_letter() -> Response:
        from kursk_pbem.post import board_mail  # noqa: PLC0415  not in a web page

        raw = board_mail.render_draft(room.home, room.here, room.key, request.args.get("of", ""))
        return send_file(raw, "letter.eml", "message/rfc822")


def _run_post(room: Room, what: str) -> list[dict[str, Any]]:
    """Fetch or send mail; return the results for the page. An error becomes a result."""
    try:
        if not machine.get_machine().mail:
            raise UsageError("a web page has no mail account: save your letters as files, and mail the files yourself")
        from kursk_pbem.post import board_mail  # noqa: PLC0415  not in a web page

        if what == "came":
            return board_mail.fetch_entries(room.home, room.key)
        said = (request.form.get(name, "") for name in ("first", "shown"))
        return board_mail.send_entries(room.home, room.here, room.key, *said)
    except KurskError as error:
        return [{"name": "The post", "lines": [str(error)], "bad": True}]


def _with_proposals(room: Room, entry: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Return an entry for the page; a proposal gets the form to accept it."""
    raw = entry.get("raw")
    return frontpage.take_file(room, BytesIO(raw), entry["name"]) if raw else (entry,)


def find_address(room: Room) -> str:
    """Return the address of the player's mail account, or '' if no account is set up or its file is unreadable."""
    if not machine.get_machine().mail:
        return ""
    from kursk_pbem.post import board_mail  # noqa: PLC0415  not in a web page

    try:
        return board_mail.account_address(room.home)
    except KurskError:
        return ""
