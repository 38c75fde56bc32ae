"""Files for pages and downloads: styles and scripts of the map, pictures, mails, keys, the replay."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from importlib.resources import files

from flask import Flask, Response, jsonify, request

from kursk_pbem.desk.games import views
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.seat import linked, ownkeys, posting
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.film.stage import draw_turn
from kursk_pbem.game import histories, verified
from kursk_pbem.game import replay as replays
from kursk_pbem.practice import analysis
from kursk_pbem.report import replay as replay_page
from kursk_pbem.report.pictures import svg, svgstyle

SHARED = (*replay_page.SCRIPTS[:8], "share.js", *replay_page.STYLES[:2])
"""Files of the replay page that the board also uses."""


def _send_shared(name: str) -> Response:
    kind = "text/css" if name.endswith(".css") else "text/javascript"
    return Response((files("kursk_pbem.report") / "page" / name).read_bytes(), mimetype=kind)


def send_file(data: bytes, name: str, kind: str) -> Response:
    """Return a response that makes a browser save the data as a file with this name."""
    return Response(data, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@lru_cache(maxsize=64)
def _draw_first_position(scenario: str) -> str:
    """Return a small picture of a scenario. Raises UsageError for an unknown scenario, FileError for faulty data."""
    start = views.view_scenario(scenario)
    if start is None:
        raise UsageError("the scenario does not exist")
    return views.draw_small_view(start.ruleset.seen.picture(start.setting, start.state), start.ruleset.sides)


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes of downloads and other files."""
    _add_pictures(app, room)
    _add_files(app, room)


def _add_pictures(app: Flask, room: Room) -> None:
    @app.get("/map.css")
    def get_map_style() -> Response:
        return Response(svgstyle.CSS + svgstyle.PAGE, mimetype="text/css")

    for name in SHARED:
        app.add_url_rule(f"/static/{name}", f"shared-{name}", partial(_send_shared, name))

    @app.get("/picture/scenario/<path:scenario>")
    def draw_scenario(scenario: str) -> Response:
        return Response(_draw_first_position(scenario), mimetype="image/svg+xml")

    @app.get("/picture/game/<game>")
    def draw_game(game: str) -> Response:
        desk = room.desk(game)
        played = desk.history.last_step.before if "before" in request.args else desk.game
        shapes = played.ruleset.seen.picture(played.setting, played.state)
        draw = partial(svg.draw_thumbnail, whole=True) if "whole" in request.args else views.draw_small_view
        return Response(draw(shapes, played.ruleset.sides), mimetype="image/svg+xml")


def _add_files(app: Flask, room: Room) -> None:
    @app.get("/key.pub")
    def save_public_key() -> Response:
        name, text = ownkeys.export_public_key(ownkeys.find_own_key(room, request.args.get("key", "")))
        return send_file(text.encode("ascii"), name, "text/plain")

    @app.get("/game/<game>/mail")
    def save_mail(game: str) -> Response:
        post = posting.find_newest(room.desk(game))
        return send_file(post.text if "text" in request.args else post.data, f"{post.name}.yaml", "text/yaml")

    @app.get("/game/<game>/address")
    def get_address(game: str) -> Response:
        return jsonify(address=posting.find_newest(room.desk(game)).mailto)

    @app.get("/game/<game>/link")
    def get_link(game: str) -> Response:
        return jsonify(linked.make_link(room, room.desk(game)))

    @app.get("/game/<game>/mail.eml")
    def save_letter(game: str) -> Response:
        post = posting.find_newest(room.desk(game))
        return send_file(posting.make_letter(post), f"{post.name}.eml", "message/rfc822")

    @app.get("/game/<game>/turn.svg")
    def draw_newest_turn(game: str) -> Response:
        whole = verified.load_plain(room.desk(game).folder, room.home)
        return Response(draw_turn(desks.leave_out_unmailed(whole, room.home)), mimetype="image/svg+xml")

    @app.get("/game/<game>/replay")
    def save_replay(game: str) -> Response:
        desk = room.desk(game)
        whole = histories.load(desk.folder, what_if=desk.game.what_if)
        swings = list(analysis.analyze_game(whole, room.home, desk.folder)) if "analysis" in request.args else []
        lost = analysis.make_page(whole, swings) if swings else {}
        turn = draw_turn(desks.leave_out_unmailed(whole, room.home))
        page = replay_page.render_page(replace(replays.make_replay(whole), lost=lost), turn=turn)
        return send_file(page.encode("utf-8"), f"game-{game[:16]}.html", "text/html")
