"""The pages of the board. Each view parses a request, calls ``desk`` and renders.

The browser sends ids of games, fingerprints of keys and words of orders, but no paths and no list positions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, wraps
from typing import Any

from flask import Flask, Response, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from kursk_pbem.board import account, confirm, downloads, home, mailing, moving, once, opponents, trial, verifying
from kursk_pbem.board.access import BoardAccess
from kursk_pbem.desk.deals import agreement
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.ordering import Written
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.own import missing, notes
from kursk_pbem.desk.rescue import saved
from kursk_pbem.desk.seat import battles, forms, guides, naming, panels, playback, posting, scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import ChangedError, KurskError, UsageError
from kursk_pbem.game.journal import Record
from kursk_pbem.practice import analysis, hints
from kursk_pbem.practice.partner import Partner
from kursk_pbem.report.pictures import svglegend
from kursk_pbem.rulebook import paragraphs, rulings

MAX_UPLOAD = 16 << 20
"""The largest upload in bytes. The inbox has a lower limit for each file."""
MAX_FORM = 1 << 20
"""The largest form in bytes."""
PANELS = ("bar", "orders", "draft", "tables", "offers")
"""The panels of the page to load again after every order."""


def create_app(room: Room, access: BoardAccess) -> Flask:
    """Return the board's web application for one player."""
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=MAX_UPLOAD, MAX_FORM_MEMORY_SIZE=MAX_FORM)
    app.jinja_env.globals["machine"] = machine.get_machine()
    app.jinja_env.globals["list_unsaved_keys"] = partial(moving.list_unsaved_keys, room)
    app.jinja_env.filters.update(
        account=account.arrange_report, grouped=account.group_equal, cut=agreement.cut, day=agreement.tell_day
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    access.guard(app)
    room.partner = room.partner or Partner(room.home, room.changing, patient=False).bring

    @app.before_request
    def limit_form() -> None:
        if request.endpoint != "take":
            request.max_content_length = saved.MAX_BYTES if request.endpoint == "open_saved" else MAX_FORM
        if request.endpoint == "verify_archive":
            request.max_content_length, request.max_form_parts = verifying.MAX_UPLOAD, verifying.MAX_FILES

    _handle_errors(app, room)
    verifying.add_routes(app)
    for part in (home, mailing, moving, opponents, downloads, trial, confirm):
        part.add_routes(app, room)
    _add_game_pages(app, room)
    _add_queries(app, room)
    _add_answers(app, room)
    _add_notes(app, room)
    _add_commands(app, room)
    once.guard(app, room.changing)
    return app


def _handle_errors(app: Flask, room: Room) -> None:
    """Make the application explain errors; a refused change gets the present draft or text as its answer."""

    @app.errorhandler(confirm.StaleError)
    def show_stale(error: confirm.StaleError) -> tuple[Any, int]:
        return jsonify(why=str(error), stale=True), 409

    @app.errorhandler(ChangedError)
    def show_changed(error: ChangedError) -> tuple[Any, int]:
        return jsonify(why=str(error), text=error.text, stamp=error.stamp), 409

    @app.errorhandler(KurskError)
    def show_error(error: KurskError) -> tuple[Any, int]:
        return _render_error(str(missing.explain_error(error, room.home)), 400)

    @app.errorhandler(HTTPException)
    def show_http_error(error: HTTPException) -> tuple[Any, int]:
        return _render_error(str(error.description or error.name), error.code or 500)


def _render_error(why: str, status: int) -> tuple[Any, int]:
    """Return an error page; return JSON if a script asked."""
    why = machine.leave_out_commands(why)
    if request.headers.get("Sec-Fetch-Dest", "") == "empty":
        return jsonify(why=why), status
    return render_template("stop.html", why=why, status=status), status


def _add_game_pages(app: Flask, room: Room) -> None:
    @app.get("/game/<game>/")
    def show_game(game: str) -> str:
        current = scene.open_scene(room, game, request.args.get("message", type=int))
        sides = [current.words.side(side) for side in current.desk.game.ruleset.sides]
        room.went(game)
        layers = [(key, name.format(*sides), key in scene.SHOWN) for key, name in scene.list_layers(current)]
        return render_template(
            "table.html",
            map=scene.draw_page_map(current),
            layers=layers,
            table=current.on_table,
            legend=svglegend.list_signs(current.picture, current.sides, sides, current.name_figures),
            parts=svglegend.draw_parts(current.picture, current.sides, current.name_figures),
            came=request.args.get("came", ""),
            watch=playback.find_first_battle(current.desk) if "watch" in request.args else "",
            news=_find_news(current),
            seq=current.desk.seq,
            scenario=current.desk.game.setting.scenario.id,
            guided="guide" in request.args or _begins_by_address(current),
            notepad=notes.MOST if current.desk.own else 0,
            bad=[entry for entry in room.told if entry.get("bad")] if request.args.get("came") else [],
            **trial.describe_trial(current),
            **panels.make_context(room, current),
        )

    @app.get("/game/<game>/stamp")
    def get_stamp(game: str) -> Response:
        current = scene.open_scene(room, game)
        return jsonify(stamp=current.stamp, seq=current.desk.seq)

    @app.get("/game/<game>/now")
    def get_panels(game: str) -> Response:
        return _render_changes(room, scene.open_scene(room, game))


def _begins_by_address(current: Scene) -> bool:
    """Return whether the player writes the first message of a game that began by an address."""
    wrote = any(step.message.sender == current.desk.own_side for step in current.desk.history.steps[1:])
    return posting.goes_by_address(current.desk) and not wrote


def _find_news(current: Scene) -> dict[str, Any]:
    """Return the news of the page: the present page and the last message have news, earlier messages have none."""
    desk, past = current.desk, current.message
    rolled = current.checked is not None and bool(current.checked.result.dice)
    news = playback.find_news(desk, own_dice=rolled)
    if "watch" in request.args:
        news["end"] = max(news["end"], 2 * desk.last.seq)
    return news if past in (None, desk.last.seq) else {**news, "end": 0}


def _render_changes(room: Room, current: Scene, said: tuple[str, ...] = (), before: Scene | None = None) -> Response:
    """Return all panels, and the layers of the map that differ from the scene before."""
    context = panels.make_context(room, current)
    known = {words for _path, words in before.writable.orders} if before else set()
    fresh = [order for order in context["orders"] if before and order["words"] not in known]
    shown = [name for name in PANELS if name != "draft" or machine.get_machine().folders]
    filled = {name: render_template(f"{name}.html", **context, fresh=fresh) for name in shown}
    drawn = scene.find_changed_layers(before, current)
    had = {panels.format_violation(violation) for violation in before.violations} if before else set()
    refused = [f"Not allowed: {line}." for line in map(panels.format_violation, current.violations) if line not in had]
    wrong = refused[:2] or [f"Still not allowed: {line}." for line in panels.list_still_wrong(current, before)][:1]
    vain = [f"No effect: {line}." for line in current.cautions if line not in before.cautions] if before else []
    more = [*wrong, *vain]
    told = [line if line.endswith((".", "!", "?")) or not more else f"{line}." for line in said] + more
    named = [] if current.on_table else [order["named"].partition(" with ")[0] for order in fresh]
    plain = [f"Ordered: {order}." for order in named] + more if named else []
    return jsonify(stamp=current.stamp, layers=drawn, panels=filled, said=told, plain=plain, bad=bool(wrong))


def _add_queries(app: Flask, room: Room) -> None:
    """Add the routes for units, places and moves."""

    @app.get("/game/<game>/unit/<unit>")
    def get_unit(game: str, unit: str) -> Response:
        details = forms.make_unit_card(scene.open_scene(room, game), unit)
        told = {key: details[key] for key in ("mine", "phases", "targets", "verb", "words", "drawn")}
        return jsonify(html=render_template("unit.html", unit=details), **told)

    @app.get("/game/<game>/watch/<int:seq>")
    def get_playback(game: str, seq: int) -> Response:
        current = scene.open_scene(room, game)
        draft = current.checked.result if current.checked else None
        return jsonify(playback.make_playback(current.desk, seq, draft))

    @app.get("/game/<game>/place/<place>")
    def get_place(game: str, place: str) -> Response:
        details = forms.make_place_card(scene.open_scene(room, game), place)
        return jsonify(html=render_template("place.html", place=details))

    @app.get("/game/<game>/guide")
    def get_guide(game: str) -> Response:
        return jsonify(steps=guides.make_guide(scene.open_scene(room, game)))

    @app.get("/game/<game>/find")
    def find_name(game: str) -> Response:
        return jsonify(forms.find_by_name(scene.open_scene(room, game), request.args.get("text", "")))

    @app.get("/game/<game>/why")
    def explain_refusal(game: str) -> Response:
        unit, place, phase = (request.args.get(key, "") for key in ("unit", "place", "phase"))
        return jsonify(lines=forms.explain_refusal(scene.open_scene(room, game), unit, place, phase))

    @app.get("/game/<game>/plan")
    def get_plan(game: str) -> Response:
        return jsonify(lines=battles.describe_plan(scene.open_scene(room, game), request.args.get("text", "")))


def _add_answers(app: Flask, room: Room) -> None:
    """Add the routes for questions before an order."""

    @app.get("/game/<game>/hints")
    def get_hints(game: str) -> Response:
        current = scene.open_scene(room, game)
        sheet = current.writable
        found = hints.find_hints(sheet)
        ideas = [(hints.describe_idea(_name_idea(current, advice)), advice) for advice in found]
        told = hints.describe_hints(sheet, found)[-1]
        return jsonify(html=render_template("hints.html", ideas=ideas, told=told))

    @app.get("/game/<game>/rule/<rule>")
    def show_rule(game: str, rule: str) -> Response:
        """Show a paragraph of the rules: our summary, omissions with reasons, and our rulings."""
        system = room.desk(game).game.ruleset.id
        known = rulings.load(system)
        if rule in known:
            resting = paragraphs.find_citing(system, rule)
            return jsonify(html=render_template("ruling.html", ruling=known[rule], resting=resting))
        listed = paragraphs.list_paragraphs(system, rule)
        exact = next((paragraph for paragraph in listed if paragraph.id == rule), None)
        if exact is None:
            raise UsageError(f"these rules have no paragraph {rule!a}")
        below = [paragraph for paragraph in listed if paragraph is not exact]
        cited = [known[ruling] for ruling in exact.rulings if ruling in known]
        return jsonify(html=render_template("rule.html", rule=exact, below=below, rulings=cited))

    @app.get("/game/<game>/moments")
    def get_moments(game: str) -> Response:
        desk = room.desk(game)
        found = analysis.find_moments(desk.history, room.home, desk.folder, desk.own_side)
        moments = [(swing.seq, analysis.describe_moment(swing)) for swing in found]
        return jsonify(html=render_template("moments.html", game=game, moments=moments))

    @app.get("/game/<game>/form")
    def get_form(game: str) -> Response:
        verb, words = request.args.get("verb", ""), request.args.get("words", "")
        fields = forms.make_form(scene.open_scene(room, game), verb, words)
        html = render_template("order.html", form=fields) if fields["clauses"] else ""
        return jsonify(html=html, example=fields["example"], at=fields["at"], told=fields["on_map"])

    @app.post("/game/<game>/try")
    def try_order(game: str) -> Response:
        outcome = forms.try_order(scene.open_scene(room, game), request.form.get("words", ""))
        return jsonify(
            html=render_template("odds.html", **outcome),
            strip=render_template("strip.html", **outcome),
            brief=outcome["brief"],
            wrong=bool(outcome["wrong"]),
        )


def _add_notes(app: Flask, room: Room) -> None:
    """Add the routes of the notepad: private notes, which the page saves after each pause."""

    def find_record(game: str) -> Record:
        own = room.desk(game).own
        if own is None:
            raise UsageError("only a player of this game can keep notes about the game")
        return own

    @app.get("/game/<game>/notes")
    def read_notes(game: str) -> Response:
        text = notes.read_notes(find_record(game))
        return jsonify(text=text, stamp=notes.make_stamp(text))

    @app.post("/game/<game>/notes")
    def save_notes(game: str) -> Response:
        text, seen = request.form.get("text", ""), request.form.get("stamp", "")
        return jsonify(stamp=notes.save_notes(find_record(game), text, seen))


def _name_idea(current: Scene, advice: hints.Advice) -> hints.Advice:
    """Return an idea with names in its title."""
    return replace(advice, title=naming.name_order(current, advice.title)) if advice.title in advice.orders else advice


def _add_commands(app: Flask, room: Room) -> None:
    """Add the routes that change the draft."""

    def add_command(path: str) -> Callable[[Callable[[DraftFile], Written]], Any]:
        """Return a decorator for functions that write into the draft of the page."""

        def route(write: Callable[[DraftFile], Written]) -> Any:
            @app.post(f"/game/<game>/{path}", endpoint=path)
            @wraps(write)
            def run_command(game: str) -> Response:
                before = confirm.open_shown_scene(room, game)
                done = write(before.writable)
                return _render_changes(room, scene.make_scene_after(room, before.desk, done), done.said, before)

            return run_command

        return route

    def read_orders(field: str) -> list[list[str]]:
        """Return the typed orders in a field of the form. Raises UsageError without an order."""
        if orders := ordering.split_orders(request.form.get(field, "")):
            return orders
        raise UsageError("you gave no order: type an order such as 'note good luck'")

    def find_number(sheet: DraftFile) -> int:
        """Return the number of the order with these words; of equal orders the order with the old number."""
        return ordering.find_number(sheet, request.form.get("words", ""), request.form.get("number", type=int) or 0)

    @add_command("order")
    def write_order(sheet: DraftFile) -> Written:
        write = forms.write_typed_orders if request.form.get("typed") else ordering.write_orders
        return write(sheet, read_orders("words"))

    @add_command("out")
    def take_out_order(sheet: DraftFile) -> Written:
        return ordering.take_out_order(sheet, find_number(sheet))

    @add_command("edit")
    def replace_order(sheet: DraftFile) -> Written:
        return ordering.replace_order(sheet, find_number(sheet), read_orders("then"))

    @add_command("up")
    def move_order_up(sheet: DraftFile) -> Written:
        return ordering.move_order_up(sheet, find_number(sheet))

    @add_command("hint")
    def write_hint(sheet: DraftFile) -> Written:
        return hints.take_hint(sheet, hints.find_hints(sheet), request.form.get("number", type=int) or 0)

    add_command("undo")(ordering.undo_command)
    add_command("redo")(ordering.redo_command)
