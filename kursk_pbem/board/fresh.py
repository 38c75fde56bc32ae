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
    """Raised if the draft has changed since the page showed it."""


def add_error_handlers(app: Flask) -> None:
    """Add the answers for refused changes: they contain the present state."""

    @app.errorhandler(StaleError)
    def show_stale(error: StaleError) -> tuple[Any, int]:
        return jsonify(why=str(error), stale=True), 409

    @app.errorhandler(ChangedError)
    def show_changed(error: ChangedError) -> tuple[Any, int]:
        return jsonify(why=str(error), policy=error.now, stamp=error.stamp), 409


def open_shown_scene(room: Room, game: str) -> Scene:
    """Return the scene of the page. Raises StaleError if the draft or the game has changed since."""
    current = scene.open_scene(room, game)
    if request.form.get("stamp", "") != current.stamp:
        raise StaleError(
            "The draft was changed outside this page, so your order was not written. The page now shows the change. "
            "Look at the draft and order again."
        )
    return current
