"""Checks that the page shows the present draft. A page must not change a draft that the player has not seen."""

from __future__ import annotations

from typing import Any

from flask import Flask, jsonify, request

from kursk_pbem.desk.draft.policies import ChangedError
from kursk_pbem.desk.seat import scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import UsageError


class StaleError(UsageError):
    """The draft has changed since the page showed it, so the request is refused."""


def add_error_handlers(app: Flask) -> None:
    """Make an application answer a refused change with the present draft or policy."""

    @app.errorhandler(StaleError)
    def show_stale(error: StaleError) -> tuple[Any, int]:
        return jsonify(why=str(error), stale=True), 409

    @app.errorhandler(ChangedError)
    def show_changed(error: ChangedError) -> tuple[Any, int]:
        return jsonify(why=str(error), policy=error.now, stamp=error.stamp), 409


def open_shown_scene(room: Room, game: str) -> Scene:
    """Return the data of a game's page. Raises StaleError if draft or game has changed since the page was loaded."""
    current = scene.open_scene(room, game)
    if request.form.get("stamp", "") != current.stamp:
        raise StaleError(
            "The draft was changed outside this page, so your order was not written. The page now shows the change. "
            "Look at the draft and order again."
        )
    return current
