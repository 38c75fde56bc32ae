"""The page 'Save and move': everything in one file, a saved folder opened, the key saved, everything deleted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, redirect, render_template, request, url_for

from kursk_pbem.board.downloads import send_file
from kursk_pbem.desk.ground import jsonfiles
from kursk_pbem.desk.ground.machine import get_machine
from kursk_pbem.desk.rescue import arriving, moving
from kursk_pbem.desk.rescue.saved import SAVED
from kursk_pbem.desk.seat import ownkeys
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders

WORDS = ("delete", "everything")
"""The words to type, in this order, for deleting everything."""


def list_unsaved_keys(room: Room) -> list[ownkeys.OwnKey]:
    """Return the player's private keys without a saved copy."""
    saved = jsonfiles.read_object(room.home / SAVED)
    own = ownkeys.list_own_keys(room)[0]
    return [each for each in own if each.path.suffix != ".pub" and each.fingerprint not in saved]


def _note_keys(room: Room) -> None:
    """Save the time for each key, because a saved folder contains the keys."""
    for key in ownkeys.list_own_keys(room)[0]:
        moving.note_saved(room.home, key.fingerprint)


def _add_opening(app: Flask, room: Room, show: Callable[..., str]) -> None:
    waiting: list[moving.Opening] = []  # the saved folder that was shown last

    @app.post("/open-saved")
    def open_saved() -> str:
        with request.files["saved"].stream as stream:
            waiting[:] = [moving.survey_saved(stream, room.home)]
        return show(opening=waiting[0])

    @app.post("/open-shown")
    def open_shown() -> Any:
        if not waiting or request.form.get("shown") != waiting[0].folder.digest:
            raise UsageError("the saved folder was not opened: choose the file again, and read the contents")
        opening = waiting.pop()
        opened = moving.open_saved(opening)
        _note_keys(room)
        names = {short: name for short, name, _treatment in opening.games}
        told = [f"{names.get(game[:8], game[:8])} was not opened: {why}." for game, why in opened.left.items()]
        room.tell([{"name": f"The file is open; games here: {len(opened.games)}", "lines": told}])
        return redirect(url_for("show_home", came=1), 303)


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes of saving and moving."""

    def show(**more: Any) -> str:
        keys, saved = ownkeys.list_own_keys(room)[0], jsonfiles.read_object(room.home / SAVED).get("everything", "")
        sides = ((known, known.own.side if known.own else "watching") for known in room.known())
        games = [arriving.name_game(known.head, side, known.opponent) for known, side in sides]
        page = {"keys": keys, "unsaved": list_unsaved_keys(room), "games": games, "saved": saved}
        return render_template("moving.html", **page, **more)

    app.add_url_rule("/moving", "show_moving", show)

    @app.get("/everything")
    def save_everything() -> Response:
        with room.changing:
            key = next((each.path for each in ownkeys.list_own_keys(room)[0]), None)
            data, _unsigned = moving.save_everything(room.home, key=key)
            _note_keys(room)
        return send_file(data, "kursk-saved.zip", "application/zip")

    _add_opening(app, room, show)

    @app.get("/private-key")
    def save_private_key() -> Response:
        key = ownkeys.find_own_key(room, request.args.get("key", ""))
        moving.note_saved(room.home, key.fingerprint)
        return send_file(folders.read_bytes(key.path), f"{key.name}.key", "application/octet-stream")

    @app.post("/delete-everything")
    def delete_everything() -> Any:
        typed = tuple(request.form.getlist("word"))
        if not get_machine().page or typed != WORDS[: len(typed)]:
            raise UsageError("nothing was deleted: type the word exactly as the page shows the word")
        if typed != WORDS:
            return show(typed=typed)
        moving.delete_everything(room.home)
        return redirect(url_for("show_home"), 303)
