"""Signing at a board: the text is shown first, and only the shown text is signed (decision 49).

The first answer contains the text and a digest, and the confirmation returns the digest. If the digest has changed,
nothing is signed and the page shows the changes.
"""

from __future__ import annotations

from flask import Flask, Response, jsonify, make_response, render_template, request, url_for

from kursk_pbem.board import fresh
from kursk_pbem.desk import play
from kursk_pbem.desk.seat import dialogs, panels, scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.desk.shown import Shown
from kursk_pbem.errors import UsageError
from kursk_pbem.game import reports
from kursk_pbem.game.games import Game


def routes(app: Flask, room: Room) -> None:
    """Add the routes that sign."""

    @app.post("/game/<game>/sign")
    def sign(game: str) -> Response:
        with room.changing:
            current = _scene(room, game)
            told = panels.show_draft(current)
            current.desk.unlocked()
            if asked := _asked(room, told):
                return asked
            if current.checked is None:
                raise AssertionError("what was shown was checked")
            signed = play.sign_shown(current.desk, current.checked, room.key_for(current.desk))
            if room.both(game) and not signed.game.over:
                said = [f"Signed. Now the {_named(signed.game)} side is at this board."]
                return jsonify(said=said, mail="", next=url_for("table", game=game, came=1))
            said = [f"Wrote {signed.newest.resolve()}: {current.desk.to_mail}."]
            return jsonify(said=said, mail=url_for("mail", game=game))

    @app.post("/game/<game>/talk")
    def talk(game: str) -> Response:
        with room.changing:
            desk = _scene(room, game).desk
            dialog = dialogs.make_talk(desk, request.form.get("what", ""), request.form)
            if dialog.checked is None:
                return jsonify(said=dialog.lines)
            if asked := _asked(room, dialog.shown):
                return asked
            return jsonify(said=dialogs.sign_talk(desk, dialog, room.key_for(desk)), mail=url_for("mail", game=game))

    @app.post("/game/<game>/again")
    def again(game: str) -> Response:
        with room.changing:
            done = play.resume_signing(room.desk(game))
            if done is None:
                raise UsageError("no message of yours is missing here now")
            said = [f"Wrote {done.newest.resolve()} again: {done.to_mail}."]
            return jsonify(said=said, mail=url_for("mail", game=game))

    @app.post("/game/<game>/policy")
    def policy(game: str) -> Response:
        with room.changing:
            text, seen = request.form.get("policy", ""), request.form.get("kept", "")
            said, stamp = dialogs.store_policy(room.desk(game), text, seen)
            return jsonify(said=[said], stamp=stamp)


def _named(game: Game) -> str:
    """Return the side whose message is due."""
    return game.ruleset.seen.words(game.setting).side(game.chain.writer(game.chain.next_seq))


def _confirms() -> bool:
    return request.form.get("really") == "yes"


def _scene(room: Room, game: str) -> Scene:
    """Return the scene on the page; for a confirmation the present scene, because the digest covers the text."""
    return scene.open_scene(room, game) if _confirms() else fresh.shown(room, game)


def _hidden_first(text: str) -> str:
    """Return the text for signing with hidden choices first: some messages contain only hidden choices."""
    first, *rest = text.split("\n\n")
    return "\n\n".join((first, *sorted(rest, key=lambda part: not part.startswith(reports.HIDDEN))))


def _asked(room: Room, told: Shown) -> Response | None:
    """Return the page to confirm, or ``None`` if the player has confirmed this very version."""
    brought = request.form.get("shown", "")
    if _confirms() and brought == told.digest:
        return None
    changes = room.asked.changes(brought, told) if _confirms() else []
    room.asked.keep(told)
    html = render_template("understood.html", text=_hidden_first(told.text), hidden=reports.HIDDEN, changes=changes)
    answer = make_response(jsonify(html=html, shown=told.digest, changed=bool(changes)))
    answer.status_code = 409 if changes else 200
    return answer
