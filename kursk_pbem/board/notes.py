"""The notepad of a game: private notes, which the page saves after each pause."""

from __future__ import annotations

from flask import Flask, Response, jsonify, request

from kursk_pbem.desk.own import notes
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.game.journal import Record


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes of the notepad."""

    @app.get("/game/<game>/notes")
    def read_notes(game: str) -> Response:
        text = notes.read_notes(_find_record(room, game))
        return jsonify(text=text, stamp=notes.make_stamp(text))

    @app.post("/game/<game>/notes")
    def save_notes(game: str) -> Response:
        own = _find_record(room, game)
        stamp = notes.save_notes(own, request.form.get("text", ""), request.form.get("stamp", ""))
        return jsonify(stamp=stamp)


def _find_record(room: Room, game: str) -> Record:
    own = room.desk(game).own
    if own is None:
        raise UsageError("only a player of this game can keep notes about the game")
    return own
