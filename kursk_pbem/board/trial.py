"""What if from here: a what-if game from the shown position, and messages taken back."""

from __future__ import annotations

from typing import Any

from flask import Flask, redirect, request, url_for

from kursk_pbem.desk.own.register import Known
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.desk.trial import what_if
from kursk_pbem.errors import UsageError
from kursk_pbem.practice import partner


def describe_trial(current: Scene) -> dict[str, Any]:
    """Return the choices of the form *What if from here*: (value, text) of each way to play."""
    rules, words = current.desk.game.ruleset, current.words
    programs = [
        (f"{side} {level}", f"{words.side(side)}, against level {level}")
        for side in rules.sides
        for level in rules.levels
    ]
    return {"trial": [("", "both sides"), *programs], "what_if": current.desk.game.what_if is not None}


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes of what-if games."""

    @app.post("/game/<game>/what-if")
    def begin_what_if(game: str) -> Any:
        side, _blank, level = request.form.get("how", "").partition(" ")
        if level and not level.isdigit():
            raise UsageError("choose a side and a level")
        with room.changing:
            folder = _find_known(room, game).folder
            start = what_if.find_start(folder, room.home, request.form.get("seq", type=int))
            begun = partner.start_what_if(room.home, start, side, int(level or 0))
        return redirect(url_for("show_game", game=begun), 303)

    @app.post("/game/<game>/take-back")
    def take_back(game: str) -> Any:
        with room.changing:
            what_if.take_back(room.home, game, program=partner.plays_program(_find_known(room, game)))
        return redirect(url_for("show_game", game=game), 303)


def _find_known(room: Room, game: str) -> Known:
    """Return a game of the player. Raises UsageError."""
    found = next((known for known in room.known() if known.game == game), None)
    if found is None:
        raise UsageError("you have no such game")
    return found
