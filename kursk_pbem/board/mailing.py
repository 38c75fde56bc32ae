"""The mail on the home page: arrived and waiting mails with buttons, as in 'kursk post'."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Any

from flask import Flask, Response, redirect, request, url_for

from kursk_pbem.desk.seat import frontpage
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import KurskError
from kursk_pbem.post import board_mail


def routes(app: Flask, room: Room) -> None:
    """Add the routes of the mail: both buttons, and a letter to save and send by hand."""

    @app.post("/post/<any(came, send):what>")
    def mailing(what: str) -> Any:
        with room.changing:
            outcomes = _done(room, what)
            room.tell([entry for came in outcomes for entry in _with_proposals(room, came)])
        return redirect(url_for("home", came=1), 303)

    @app.get("/letter.eml")
    def draft() -> Response:
        raw = board_mail.render_draft(room.home, room.here, room.key, request.args.get("of", ""))
        headers = {"Content-Disposition": 'attachment; filename="letter.eml"'}
        return Response(raw, mimetype="message/rfc822", headers=headers)


def _done(room: Room, what: str) -> list[dict[str, Any]]:
    """Return the results of a button; an error is shown on the page."""
    try:
        if what == "came":
            return board_mail.fetch_entries(room.home, room.key)
        said = (request.form.get(name, "") for name in ("first", "shown"))
        return board_mail.send_entries(room.home, room.here, room.key, *said)
    except KurskError as error:
        return [{"name": "The post", "headlines": [], "lines": [str(error)], "bad": True}]


def _with_proposals(room: Room, entry: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """Return an entry for the page; a proposal includes the form to accept the game."""
    raw = entry.get("raw")
    return frontpage.take_file(room, BytesIO(raw), entry["name"]) if raw else (entry,)


def told(room: Room) -> str:
    """Return the address of the mail account; '' without a readable account."""
    try:
        return board_mail.account_address(room.home)
    except KurskError:
        return ""
