"""Check pages against the present draft and game: changes apply only to the version that the player saw."""

from __future__ import annotations

from typing import Any

from flask import Flask, jsonify, request

from kursk_pbem.desk.policies import ChangedError
from kursk_pbem.desk.seat import scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import UsageError


class StaleError(UsageError):
    """The draft differs from the draft on the page."""


def guard(app: Flask) -> None:
    """Let a refused page load the changes."""

    @app.errorhandler(StaleError)
    def stale(error: StaleError) -> tuple[Any, int]:
        return jsonify(why=str(error), stale=True), 409

    @app.errorhandler(ChangedError)
    def changed(error: ChangedError) -> tuple[Any, int]:
        return jsonify(why=str(error), policy=error.now, stamp=error.stamp), 409


def shown(room: Room, game: str) -> Scene:
    """Return the scene on the page. Raises StaleError if the draft or the game has changed."""
    current = scene.open_scene(room, game)
    if request.form.get("stamp", "") != current.stamp:
        raise StaleError(
            "The draft was changed outside just now: the page has taken the change in, and nothing of "
            "yours was written. Look at it and order again."
        )
    return current
