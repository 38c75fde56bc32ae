"""What if from here: a what-if game from the shown position, messages taken back, and comments in a study."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, redirect, request, url_for

from kursk_pbem.board.downloads import send_file
from kursk_pbem.desk.own import desks, remembered
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.desk.trial import studies, what_if
from kursk_pbem.film.stage import draw_turn
from kursk_pbem.practice import opponent, partner
from kursk_pbem.practice.levels import LEVELS, list_levels, name_level
from kursk_pbem.report import replay as replay_page


def describe_trial(current: Scene) -> dict[str, Any]:
    """Return the data of the form that starts a what-if game: (value, text) of each choice, and the last message."""
    rules, words = current.desk.game.ruleset, current.words
    programs = [
        (f"{side} {level}", f"{words.side(side)}, against {name_level(level)}")
        for side in rules.sides
        for level in list_levels(rules.levels)
    ]
    trial = current.desk.game.what_if is not None
    return {"trial": [("", "both sides"), *programs], "what_if": trial, "last": current.desk.last.seq}


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes of what-if games."""

    @app.post("/game/<game>/what-if")
    def begin_what_if(game: str) -> Any:
        side, _blank, level = request.form.get("how", "").partition(" ")
        folder = room.find_known(game).folder
        start = partner.find_start(folder, room.home, request.form.get("seq", type=int))
        played = {str(each): each for each in LEVELS}.get(level, opponent.NOBODY)
        begun = partner.start_what_if(room.home, start, side, played)
        return redirect(url_for("show_game", game=begun), 303)

    @app.post("/game/<game>/take-back")
    def take_back(game: str) -> Any:
        what_if.take_back(room.home, game, program=partner.plays_program(room.find_known(game)))
        return redirect(url_for("show_game", game=game), 303)

    @app.post("/game/<game>/study")
    def add_comment(game: str) -> Any:
        at, text = request.form.get("at", type=int, default=-1), request.form.get("text", "").strip()
        name = remembered.recall(room.home).name
        studies.comment_at_board(room.home, room.desk(game), at, text, name)
        return redirect(url_for("show_game", game=game, message=at, came=1), 303)

    @app.get("/game/<game>/study/<kind>")
    def save_study(game: str, kind: str) -> Response:
        study = studies.read_at_board(room.home, game)
        if kind == "page":
            verified = studies.verify(study, "the study")
            page, branches = studies.make_pages(verified)
            turn = draw_turn(desks.leave_out_unmailed(verified.game, room.home))
            text = replay_page.render_page(page, branches=branches, turn=turn)
            return send_file(text.encode("utf-8"), f"study-{game[:16]}.html", "text/html")
        return send_file(study.to_bytes(), f"study-{game[:16]}{studies.SUFFIX}", "application/octet-stream")
