"""The post on the home page: what came, and what is to send, a button each; it does what 'kursk post' does."""

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
    """The routes of the post: both buttons, and a letter that is saved to be sent by hand."""

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
    """What came of a button; what goes wrong is told on the page, where both buttons are."""
    try:
        if what == "came":
            return board_mail.fetch_entries(room.home, room.key)
        said = (request.form.get(name, "") for name in ("first", "shown"))
        return board_mail.send_entries(room.home, room.here, room.key, *said)
    except KurskError as error:
        return [{"name": "The post", "headlines": [], "lines": [str(error)], "bad": True}]


def _with_proposals(room: Room, entry: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """An entry as the page shows it; a proposal with the form to accept it, as if it had been dropped there."""
    raw = entry.get("raw")
    return frontpage.take_file(room, BytesIO(raw), entry["name"]) if raw else (entry,)


def told(room: Room) -> str:
    """The address of the mail account, as the home page shows it; '' without one, or where it cannot be read."""
    try:
        return board_mail.account_address(room.home)
    except KurskError:
        return ""
