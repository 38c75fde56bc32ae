"""The board's pages: each view parses a request, calls ``desk`` and renders.

Paths and list positions never come from the browser. Games are named by id, keys by fingerprint, orders by words, files
by content.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from kursk_pbem.board import account, confirm, downloads, fresh, home, mailing, once, rules
from kursk_pbem.board.door import Door
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.ordering import Written
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.desk.seat import forms, guides, panels, playback, scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.report import svglegend

MOST_UPLOAD = 16 << 20
"""Maximum number of bytes of one upload; the inbox limits each file."""
MOST_FORM = 1 << 20
"""Maximum number of bytes of other requests."""
FILLED = ("bar", "orders", "draft", "tables", "offers")
"""Panels that change with every order."""
KEYS = (
    ("n, p", "choose the next of your units that can still move, or the one before"),
    ("arrows", "move the mark from hex to hex, while the map has the focus"),
    ("Enter", "does what a click does, where the mark is"),
    ("click a lit hex", "orders the move; click another to change it"),
    ("Shift+click, v", "go by way of this hex"),
    ("the number on a lit hex", "does the same where a counter lies"),
    ("the number on a stack, s", "spreads its counters out in their hex"),
    ("drag a counter", "moves it too; with Shift by the way that you draw"),
    ("m", "between the phases in which the unit can move"),
    ("w", "says why the unit cannot go where the mark is"),
    ("click an enemy", "composes an attack; clicks on your counters then take part or not, on hexes say where to"),
    ("Space, arrows", "while a message is watched: play or pause, a step on or back"),
    ("Esc, right click", "lets go of the counter, or ends what is being watched"),
    ("Ctrl+Z, Ctrl+Y", "takes back the last order, and gives it again"),
    ("Shift+arrows, + and -, 0", "move the map, zoom, show all of it"),
    ("/", "finds a unit or a place"),
    ("?", "shows these keys"),
)


ON_A_TABLE = {
    "arrows": ("arrows", "move the mark by an inch, while the map has the focus"),
    "click a lit hex": ("click, drag", "moves the chosen model there; if something bars the way, that is said"),
    "Shift+click, v": ("Shift+click", "goes by way of this place; while dragging Shift does the same"),
    "drag a counter": (", and .", "turn the chosen model to the left and to the right"),
    "m": ("", ""),
    "click an enemy": ("click an enemy", "composes fire at it; on a form clicks choose models, and places of a way"),
}
"""Keys with another function, or none, on a table top."""


def create(room: Room, door: Door) -> Flask:
    """Return the application of one player."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=MOST_UPLOAD, MAX_FORM_MEMORY_SIZE=MOST_FORM)
    app.jinja_env.filters["account"] = account.arranged
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    door.guard(app)

    @app.before_request
    def small() -> None:
        if request.endpoint != "take":
            request.max_content_length = MOST_FORM

    _errors(app)
    fresh.guard(app)
    home.routes(app, room)
    mailing.routes(app, room)
    downloads.routes(app, room)
    rules.routes(app, room)
    _table(app, room)
    _ask(app, room)
    _change(app, room)
    confirm.routes(app, room)
    once.guard(app)
    return app


def _errors(app: Flask) -> None:
    @app.errorhandler(KurskError)
    def wrong(error: KurskError) -> tuple[Any, int]:
        return _stop(str(error), 400)

    @app.errorhandler(HTTPException)
    def stopped(error: HTTPException) -> tuple[Any, int]:
        return _stop(str(error.description or error.name), error.code or 500)


def _stop(why: str, status: int) -> tuple[Any, int]:
    """Return an error page; for a script the same text as JSON."""
    if request.headers.get("Sec-Fetch-Dest", "") == "empty":
        return jsonify(why=why), status
    return render_template("stop.html", why=why, status=status), status


def _table(app: Flask, room: Room) -> None:
    @app.get("/game/<game>/")
    def table(game: str) -> str:
        current = scene.open_scene(room, game, request.args.get("message", type=int))
        sides = [current.words.side(side) for side in current.desk.game.ruleset.sides]
        room.went(game)
        layers = [(key, name.format(*sides), key in scene.SHOWN) for key, name in scene.list_layers(current)]
        return render_template(
            "table.html",
            map=scene.draw_page_map(current),
            layers=layers,
            keys=_keys(current),
            legend=svglegend.signs(current.picture, current.sides, sides),
            came=request.args.get("came", ""),
            watch=request.args.get("watch", ""),
            guided=request.args.get("guide", ""),
            bad=[entry for entry in room.told if entry.get("bad")] if request.args.get("came") else [],
            **panels.make_context(room, current),
        )

    @app.get("/game/<game>/stamp")
    def stamp(game: str) -> Response:
        current = scene.open_scene(room, game)
        return jsonify(stamp=current.stamp, seq=current.desk.seq)

    @app.get("/game/<game>/now")
    def now(game: str) -> Response:
        return _shown(room, scene.open_scene(room, game))


def _keys(current: Scene) -> list[tuple[str, str]]:
    """Return the keys of this map."""
    if not current.on_table:
        return list(KEYS)
    told = [ON_A_TABLE.get(key, (key, what)) for key, what in KEYS]
    return [pair for pair in told if pair[0]]


def _shown(room: Room, current: Scene, said: tuple[str, ...] = (), before: Scene | None = None) -> Response:
    """Return new panels, and the map layers that differ from the scene before."""
    context = panels.make_context(room, current)
    filled = {name: render_template(f"{name}.html", **context) for name in FILLED}
    drawn = scene.find_changed_layers(before, current)
    had = {panels.format_violation(violation) for violation in before.violations} if before else set()
    wrong = [f"Not allowed: {line}." for line in map(panels.format_violation, current.violations) if line not in had][
        :2
    ]
    wrong = wrong or [f"Still not allowed: {line}." for line in panels.list_still_wrong(current, before)][:1]
    vain = [f"In vain: {line}." for line in current.cautions if line not in before.cautions] if before else []
    ended = [line if line.endswith((".", "!", "?")) or not (wrong or vain) else f"{line}." for line in said]
    return jsonify(stamp=current.stamp, layers=drawn, panels=filled, said=[*ended, *wrong, *vain], bad=bool(wrong))


def _ask(app: Flask, room: Room) -> None:
    """Add the routes that change nothing."""

    @app.get("/game/<game>/unit/<unit>")
    def unit(game: str, unit: str) -> Response:
        details = forms.make_unit_card(scene.open_scene(room, game), unit)
        return jsonify(
            html=render_template("unit.html", unit=details),
            mine=details["mine"],
            phases=details["phases"],
            targets=details["targets"],
            verb=details["verb"],
            words=details["words"],
            drawn=details["drawn"],
        )

    @app.get("/game/<game>/watch/<int:seq>")
    def watch(game: str, seq: int) -> Response:
        return jsonify(playback.make_playback(room.desk(game), seq))

    @app.get("/game/<game>/place/<place>")
    def place(game: str, place: str) -> Response:
        return jsonify(
            html=render_template("place.html", place=forms.make_place_card(scene.open_scene(room, game), place))
        )

    @app.get("/game/<game>/guide")
    def guide(game: str) -> Response:
        return jsonify(steps=guides.make_guide(scene.open_scene(room, game)))

    @app.get("/game/<game>/find")
    def find(game: str) -> Response:
        return jsonify(forms.find_by_name(scene.open_scene(room, game), request.args.get("text", "")))

    @app.get("/game/<game>/why")
    def why(game: str) -> Response:
        unit, place, phase = (request.args.get(key, "") for key in ("unit", "place", "phase"))
        return jsonify(lines=forms.explain_refusal(scene.open_scene(room, game), unit, place, phase))

    @app.get("/game/<game>/form")
    def form(game: str) -> Response:
        verb, words = request.args.get("verb", ""), request.args.get("words", "")
        fields = forms.make_form(scene.open_scene(room, game), verb, words)
        html = render_template("order.html", form=fields) if fields["clauses"] else ""
        return jsonify(html=html, example=fields["example"], at=fields["at"], told=fields["on_map"])

    @app.post("/game/<game>/try")
    def tried(game: str) -> Response:
        outcome = forms.try_order(scene.open_scene(room, game), request.form.get("words", ""))
        return jsonify(
            html=render_template("odds.html", **outcome), brief=outcome["brief"], wrong=bool(outcome["wrong"])
        )


def _change(app: Flask, room: Room) -> None:
    """Add the routes that change the draft."""

    def writes(path: str) -> Callable[[Callable[[DraftFile], Written]], Any]:
        """Return a decorator for a route that writes to the draft on the page."""

        def route(write: Callable[[DraftFile], Written]) -> Any:
            @app.post(f"/game/<game>/{path}", endpoint=path)
            @wraps(write)
            def view(game: str) -> Response:
                with room.changing:
                    before = fresh.shown(room, game)
                    done = write(before.writable)
                    return _shown(room, scene.make_scene_after(room, before.desk, done), done.said, before)

            return view

        return route

    def numbered(sheet: DraftFile) -> int:
        """Return the number of an order by its words; of equal orders, by the earlier number."""
        return ordering.find_number(sheet, request.form.get("words", ""), request.form.get("number", type=int) or 0)

    @writes("order")
    def order(sheet: DraftFile) -> Written:
        words = ordering.split_orders(request.form.get("words", ""))
        if not words:
            raise UsageError("say what is ordered")
        return (
            forms.write_typed_orders(sheet, words) if request.form.get("typed") else ordering.write_orders(sheet, words)
        )

    @writes("out")
    def out(sheet: DraftFile) -> Written:
        return ordering.take_out_order(sheet, numbered(sheet))

    @writes("edit")
    def edit(sheet: DraftFile) -> Written:
        then = ordering.split_orders(request.form.get("then", ""))
        if not then:
            raise UsageError("say what is ordered")
        return ordering.replace_order(sheet, numbered(sheet), then)

    @writes("up")
    def up(sheet: DraftFile) -> Written:
        return ordering.move_order_up(sheet, numbered(sheet))

    writes("undo")(ordering.undo_command)
    writes("redo")(ordering.redo_command)
