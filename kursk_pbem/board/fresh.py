"""What a page shows against what there is: a change is written only into what its player has seen."""

from __future__ import annotations

from typing import Any

from flask import Flask, jsonify, request

from kursk_pbem.desk.policies import ChangedError
from kursk_pbem.desk.seat import scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import UsageError


class StaleError(UsageError):
    """The draft is not the one that the page shows."""


def guard(app: Flask) -> None:
    """Let a page take in what has changed, where it was refused for that."""

    @app.errorhandler(StaleError)
    def stale(error: StaleError) -> tuple[Any, int]:
        return jsonify(why=str(error), stale=True), 409

    @app.errorhandler(ChangedError)
    def changed(error: ChangedError) -> tuple[Any, int]:
        return jsonify(why=str(error), policy=error.now, stamp=error.stamp), 409


def shown(room: Room, game: str) -> Scene:
    """The scene that the page shows; StaleError if the draft or the game has changed since."""
    current = scene.open_scene(room, game)
    if request.form.get("stamp", "") != current.stamp:
        raise StaleError(
            "The draft was changed outside just now: the page has taken the change in, and nothing of "
            "yours was written. Look at it and order again."
        )
    return current
