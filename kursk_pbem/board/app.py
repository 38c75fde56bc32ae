"""The board's pages: each view parses a request, calls ``desk`` and renders. Nothing is decided here.

Paths never come from the browser: games are named by their ids, keys by their place in a list, files by their bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib.resources import files
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from kursk_pbem.board.door import Door
from kursk_pbem.desk import composing, ordering, play, scene, visits
from kursk_pbem.desk.room import Room
from kursk_pbem.desk.scene import Scene
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.game import history
from kursk_pbem.game import replay as replays
from kursk_pbem.report import replay as replay_page
from kursk_pbem.report import svgstyle

MOST_UPLOAD = 16 << 20
"""Bytes of one upload; what a mail may hold is smaller."""
KEYS = (
    ("Tab", "walks the counters; Enter chooses one"),
    ("click a lit hex", "orders the move; click another to change it"),
    ("click an enemy", "composes an attack; clicks on your counters then take part or not"),
    ("Esc", "lets go of the counter"),
    ("Ctrl+Z, Ctrl+Y", "takes back the last order, and gives it again"),
    ("arrows, + and -, 0", "move the map, zoom, show all of it"),
    ("/", "finds a unit or a place"),
    ("?", "shows these keys"),
)


def create(room: Room, door: Door) -> Flask:
    """The application of one player."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=MOST_UPLOAD, MAX_FORM_MEMORY_SIZE=1 << 20)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    door.guard(app)
    _errors(app)
    _home(app, room)
    _table(app, room)
    _ask(app, room)
    _change(app, room)
    return app


def _errors(app: Flask) -> None:
    @app.errorhandler(KurskError)
    def wrong(error: KurskError) -> tuple[Any, int]:
        return _stop(str(error), 400)

    @app.errorhandler(HTTPException)
    def stopped(error: HTTPException) -> tuple[Any, int]:
        return _stop(str(error.description or error.name), error.code or 500)


def _stop(why: str, status: int) -> tuple[Any, int]:
    """A page that says what is wrong; to the script of a page the same as JSON."""
    if request.path.startswith("/game/") and request.headers.get("Sec-Fetch-Dest", "") == "empty":
        return jsonify(why=why), status
    return render_template("stop.html", why=why, status=status), status


def _home(app: Flask, room: Room) -> None:
    @app.get("/")
    def home() -> str:
        return render_template("home.html", **visits.home(room))

    @app.get("/map.css")
    def map_style() -> Response:
        return Response(svgstyle.CSS, mimetype="text/css")

    @app.get("/map.js")
    def map_script() -> Response:
        return Response((files("kursk_pbem.report") / "page" / "map.js").read_bytes(), mimetype="text/javascript")

    @app.post("/take")
    def take() -> str:
        told = [each for file in request.files.getlist("mails") for each in visits.take(room, file.stream)]
        return render_template("home.html", told=told, **visits.home(room))

    @app.post("/accept")
    def accept() -> str:
        told = visits.accept(room, request.form.get("proposal", ""), request.form.get("key", ""))
        return render_template("home.html", told=[told], **visits.home(room))

    @app.post("/propose")
    def propose() -> str:
        opponent = request.files.get("opponent")
        told = visits.propose(room, request.form, opponent.stream if opponent else None)
        return render_template("home.html", told=[told], **visits.home(room))


def _table(app: Flask, room: Room) -> None:
    @app.get("/game/<game>/")
    def table(game: str) -> str:
        found = scene.of(room, game, request.args.get("message", type=int))
        sides = [found.desk.game.ruleset.seen.words(found.desk.game.setting).side(each)
                 for each in found.desk.game.ruleset.sides]  # fmt: skip
        layers = [(key, name.format(*sides)) for key, name in scene.LAYERS]
        drawn = scene.page_map(found)
        return render_template("table.html", map=drawn, layers=layers, keys=KEYS, **scene.context(found))

    @app.get("/game/<game>/replay")
    def replay(game: str) -> Response:
        page = replay_page.page(replays.of(history.load(room.desk(game).folder)))
        saved = {"Content-Disposition": f'attachment; filename="game-{game[:16]}.html"'}
        return Response(page, mimetype="text/html", headers=saved)

    @app.get("/game/<game>/stamp")
    def stamp(game: str) -> Response:
        return jsonify(stamp=scene.of(room, game).stamp)

    @app.get("/game/<game>/now")
    def now(game: str) -> Response:
        return _shown(scene.of(room, game))


def _shown(found: Scene, said: tuple[str, ...] = ()) -> Response:
    """What a page fills in anew."""
    context = scene.context(found)
    panels = {name: render_template(f"{name}.html", **context) for name in ("bar", "orders", "draft")}
    wrong = [f"Not allowed: {each}." for each in found.wrong[:2]]
    return jsonify(stamp=found.stamp, layers=scene.layers(found), panels=panels, said=[*said, *wrong], bad=bool(wrong))


def _ask(app: Flask, room: Room) -> None:
    """What is asked without changing anything."""

    @app.get("/game/<game>/unit/<unit>")
    def unit(game: str, unit: str) -> Response:
        found = composing.unit(scene.of(room, game), unit)
        return jsonify(html=render_template("unit.html", unit=found), mine=found["mine"], ends=found["lit"],
                       verb=found["verb"], words=found["words"])  # fmt: skip

    @app.get("/game/<game>/place/<place>")
    def place(game: str, place: str) -> Response:
        return jsonify(html=render_template("place.html", place=composing.place(scene.of(room, game), place)))

    @app.get("/game/<game>/why")
    def why(game: str) -> Response:
        unit, place = request.args.get("unit", ""), request.args.get("place", "")
        return jsonify(lines=composing.why(scene.of(room, game), unit, place))

    @app.get("/game/<game>/form")
    def form(game: str) -> Response:
        verb, words = request.args.get("verb", ""), request.args.get("words", "")
        found = composing.form(scene.of(room, game), verb, words)
        html = render_template("order.html", form=found) if found["clauses"] else ""
        return jsonify(html=html, example=found["example"])

    @app.post("/game/<game>/try")
    def tried(game: str) -> Response:
        found = composing.tried(scene.of(room, game), request.form.get("words", ""))
        return jsonify(html=render_template("odds.html", **found))


def _change(app: Flask, room: Room) -> None:
    """What changes the draft, and what signs it."""

    def changes(view: Callable[[Scene], Any]) -> Callable[..., Any]:
        @wraps(view)
        def guarded(game: str) -> Any:
            found = scene.of(room, game)
            if found.sheet is None:
                raise UsageError(found.unread or "there is nothing to order here now")
            if request.form.get("stamp", "") != found.stamp:
                raise UsageError("the draft was changed outside just now; look at it and order again")
            return view(found)

        return guarded

    @app.post("/game/<game>/order", endpoint="order")
    @changes
    def order(found: Scene) -> Response:
        words = ordering.split(request.form.get("words", ""))
        if not words:
            raise UsageError("say what is ordered")
        return _written(room, found, ordering.write(_sheet(found), words).said)

    @app.post("/game/<game>/undo", endpoint="undo")
    @changes
    def undo(found: Scene) -> Response:
        return _written(room, found, ordering.undo(_sheet(found)).said)

    @app.post("/game/<game>/out", endpoint="out")
    @changes
    def out(found: Scene) -> Response:
        number = request.form.get("number", type=int) or 0
        return _written(room, found, ordering.take_out(_sheet(found), number).said)

    @app.post("/game/<game>/sign", endpoint="sign")
    @changes
    def sign(found: Scene) -> Response:
        if found.wrong or found.checked is None:
            raise UsageError("what is not allowed must go first")
        if request.form.get("really") != "yes":
            return jsonify(html=render_template("understood.html", text=scene.understood(found)))
        found.desk.unlocked()
        signed = play.sign(found.desk, found.checked, str(room.key) if room.key else None)
        return jsonify(said=[f"wrote {signed.newest}: {signed.to_mail}"])


def _sheet(found: Scene) -> ordering.Sheet:
    if found.sheet is None:
        raise UsageError("there is nothing to order here now")
    return found.sheet


def _written(room: Room, found: Scene, said: tuple[str, ...]) -> Response:
    return _shown(scene.of(room, found.desk.game.chain.game), said)
