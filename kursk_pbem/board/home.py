"""The home page: the list of games, and the forms for mails, proposals, new games and keys."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from flask import Flask, Response, make_response, redirect, render_template, request, url_for

from kursk_pbem.board import mailing, opponents
from kursk_pbem.demo import script as scripts
from kursk_pbem.desk.ground import clock, machine
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.register import DEMONSTRATIONS
from kursk_pbem.desk.seat import bothsides, frontpage, ownkeys, posting
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk, keyring
from kursk_pbem.practice import partner
from kursk_pbem.practice.levels import list_levels
from kursk_pbem.rulebook import balance
from kursk_pbem.tournament import any_here

NAMES = ("Anna, in a demonstration", "Boris, in a demonstration")


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes of the home page."""
    _add_taking_routes(app, room)
    _add_beginning_routes(app, room)

    @app.get("/")
    def show_home() -> Response:
        kept = room.told if request.args.get("came") else [entry for entry in room.told if entry.get("proposal")]
        room.went("")
        page = frontpage.make_home_page(room)
        more = {
            "tournaments": _list_tournaments(room),
            "demonstrations": [scripts.load_script(system) for system in scripts.SCRIPTS],
            "account": mailing.find_address(room),
            "chances": partner.CHANCES,
            "figures": balance.find_row,
            "points_of": balance.find_points,
            "levels": {system["id"]: list_levels(system["levels"]) for system in page["systems"]},
            **_find_proposed(page["systems"], request.args.get("propose", "")),
        }
        return make_response(render_template("home.html", told=kept, **more, **page))


def _list_tournaments(room: Room) -> list[Any]:
    """Return the player's tournaments. Without any, their modules are not imported: a web page loads slowly."""
    if not any_here(room.home):
        return []
    from kursk_pbem.post.mailbox.events import Event  # noqa: PLC0415
    from kursk_pbem.post.tournaments import directing  # noqa: PLC0415
    from kursk_pbem.tournament import status  # noqa: PLC0415

    return status.list_statuses(room.home, clock.now(), lambda own: directing.list_mail_steps(room.home, Event(own)))


def _find_proposed(systems: list[dict[str, Any]], scenario: str) -> dict[str, Any]:
    """Return the scenario of the form for a proposal, with its options; None without a choice of the player."""
    known = {each["id"]: each for system in systems for each in system["scenarios"]}
    if scenario not in known:
        return {"proposed": None}
    points = balance.find_points(scenario)
    return {"proposed": known[scenario], "points": points, **frontpage.describe_options(scenario)}


def _redirect_to_results(room: Room, entries: list[dict[str, Any]]) -> Any:
    """Save the results and redirect to a page with them: the page of the game that took the mail, or the home page."""
    room.tell(entries)
    here = request.form.get("game", "")
    if here and all(entry.get("bad") or entry.get("game") == here for entry in entries):
        came = "bad" if any(entry.get("bad") for entry in entries) else 1
        return redirect(url_for("show_game", game=here, came=came), 303)
    return redirect(url_for("show_home", came=1), 303)


def _add_taking_routes(app: Flask, room: Room) -> None:
    @app.post("/take")
    def take() -> Any:
        entries: list[dict[str, Any]] = []
        for file in request.files.getlist("mails"):
            with file.stream:
                entries += frontpage.take_file(room, file.stream, file.filename or "")
        for text in request.form.getlist("text"):
            entries += frontpage.take_file(room, BytesIO(text.encode("utf-8", "replace")), "what you pasted")
        for game in {entry["game"] for entry in entries if entry.get("game") and not entry.get("bad")}:
            posting.note_way(room.desk(game), by_address="by" in request.form)
        return _redirect_to_results(room, entries)

    @app.post("/accept")
    def accept() -> Any:
        from kursk_pbem.post import board_mail  # noqa: PLC0415  as in _list_tournaments
        from kursk_pbem.tournament.entrant import games as entrants  # noqa: PLC0415

        form = request.form
        entrants.check_proposal_text(form.get("proposal", ""), room.home)
        text, key, shown = (form.get(name, "") for name in ("proposal", "key", "shown"))
        accepted = frontpage.accept_shown(room, text, key, shown, " ".join(form.get("name", "").split()))
        board_mail.take_accepted(room.home, form.get("proposal", "").encode("utf-8", "replace"))
        room.told = [entry for entry in room.told if entry.get("id") != accepted["id"]]
        if form.get("straight") and not accepted.get("bad"):
            posting.note_way(room.desk(accepted["game"]), by_address="by" in form)
            return redirect(url_for("show_game", game=accepted["game"], guide=1), 303)
        return _redirect_to_results(room, [accepted])


def _play_script(room: Room, system: str) -> str:
    """Return the id of a demonstration: a game of both sides with new keys, played by a script. Raises KurskError."""
    if system not in scripts.SCRIPTS:
        raise UsageError("this system has no demonstration")
    script = scripts.load_script(system)
    place = room.home / DEMONSTRATIONS
    there = place / system
    known = next((known.game for known in room.known() if known.folder.parent.resolve() == there.resolve()), None)
    if known is not None:
        return known
    disk.make_private(there)
    key = keyring.find_or_make(place)
    names = dict(zip((script.proposer, script.other), NAMES, strict=True))
    game = bothsides.start_game(room, script.scenario, key, {}, there, names).game.chain.game
    scripts.play_messages(lambda: room.desk(game), script, script.last)
    return game


def _add_beginning_routes(app: Flask, room: Room) -> None:
    @app.post("/propose")
    def propose() -> Any:
        opponent = request.files.get("opponent")
        entry = frontpage.propose_shown(room, request.form, opponent.stream if opponent else None)
        if entry.get("begun"):
            return redirect(url_for("show_game", game=entry["game"], guide=1), 303)
        return _redirect_to_results(room, [entry])

    @app.post("/play")
    def play_both_sides() -> Any:
        game = bothsides.start_practice(room, request.form.get("scenario", ""))
        return redirect(url_for("show_game", game=game, guide=1), 303)

    @app.post("/practise")
    def practise() -> Any:
        form = request.form
        points = opponents.read_points(form, form["scenario"])
        desk = partner.start_game(room.home, form["scenario"], form["side"], form.get("level", 1, type=int), points)
        return redirect(url_for("show_game", game=desk.game.chain.game, guide=1), 303)

    @app.post("/demonstration")
    def play_demonstration() -> Any:
        game = _play_script(room, request.form.get("system", ""))
        return redirect(url_for("show_game", game=game, came=1, watch=1), 303)

    @app.post("/key")
    def make_key() -> Any:
        name = " ".join(request.form.get("owner", "").split())
        made, said = ownkeys.make_own_key(room, name, request.form.get("how", ""))
        remembered.remember(room.home, remembered.recall(room.home).usable_key or made.path, name)
        here = machine.get_machine().here
        lines = [f"Send your public key to your opponent. The private key is another file and never leaves {here}."]
        lines += [said] if said else []
        room.tell([{"name": "Your key is ready", "lines": lines, "own": made.fingerprint}])
        return redirect(url_for("show_home", came=1, propose=request.form.get("propose") or None), 303)
