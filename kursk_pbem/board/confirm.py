"""Signing and changing drafts: only what the page has shown to the player (decision 49).

The confirmation contains the digest of the text. If the text has changed, the board shows the changes.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Flask, Response, jsonify, make_response, render_template, request, url_for

from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.ground.shown import Shown
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat import dialogs, panels, posting, scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError
from kursk_pbem.game import reports


class StaleError(UsageError):
    """The draft has changed since the page showed it, so the request is refused."""


def open_shown_scene(room: Room, game: str) -> Scene:
    """Return the data of a game's page. Raises StaleError if draft or game has changed since the page was loaded."""
    current = scene.open_scene(room, game)
    if request.form.get("stamp", "") != current.stamp:
        raise StaleError(
            "The draft was changed outside this page, so your order was not written. The page now shows the change. "
            "Look at the draft and order again."
        )
    return current


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes for confirming and signing a message."""

    @app.post("/game/<game>/sign")
    def sign_draft(game: str) -> Response:
        current = _open_scene(room, game)
        told = panels.show_draft(current)
        current.desk.unlocked()
        if asked := _make_confirmation(room, told):
            return asked
        if current.checked is None:
            raise AssertionError("a draft without a check was shown")
        signed = play.sign_shown(current.desk, current.checked, room.key_for(current.desk))
        said = [f"Wrote {machine.name_file(signed.newest.resolve())}: {current.desk.to_mail}."]
        return _tell_signed(room, signed, said)

    @app.post("/game/<game>/talk")
    def sign_talk(game: str) -> Response:
        desk = _open_scene(room, game).desk
        dialog = dialogs.make_talk(desk, request.form.get("what", ""), request.form)
        if dialog.checked is None:
            return jsonify(said=dialog.lines)
        if asked := _make_confirmation(room, dialog.shown):
            return asked
        said = dialogs.sign_talk(desk, dialog, room.key_for(desk))
        if room.both(game):
            return jsonify(said=said, mail=url_for("save_mail", game=game))
        return _tell_signed(room, room.desk(game) if desk.practice else desk, said)

    @app.post("/game/<game>/again")
    def write_again(game: str) -> Response:
        done = play.resume_signing(room.desk(game))
        if done is None:
            raise UsageError("the file of your last message exists already; there is nothing to write")
        said = [f"Wrote {machine.name_file(done.newest.resolve())} again: {done.to_mail}."]
        return jsonify(said=said, mail=url_for("save_mail", game=game))

    @app.post("/game/<game>/policy")
    def keep_policy(game: str) -> Response:
        text, seen = request.form.get("policy", ""), request.form.get("kept", "")
        said, stamp = dialogs.store_policy(room.desk(game), text, seen)
        return jsonify(said=[said], stamp=stamp)


def _tell_signed(room: Room, signed: Desk, said: Sequence[str]) -> Response:
    """Return the next step after a message: another side at this board, the program's answer, an address, or a mail."""
    game = signed.game.chain.game
    here = (room.both(game) and not signed.game.over) or signed.practice
    if not here and posting.goes_by_address(signed) and len(said) == 1:  # more lines are about a second file
        told = f"Signed message {signed.last.seq}."
        return jsonify(said=[told], mail="", next=url_for("show_game", game=game), link=url_for("get_link", game=game))
    if not here:
        return jsonify(said=said, mail=url_for("save_mail", game=game))
    words = signed.game.ruleset.seen.words(signed.game.setting)
    told = f"Now the {words.side(signed.game.chain.writer(signed.seq))} side is at this board."
    if signed.practice:
        told = "The game is over." if signed.game.over else f"{signed.against.capitalize()} answers."
    return jsonify(said=[f"Signed. {told}"], mail="", next=url_for("show_game", game=game, came=1))


def _is_confirmed() -> bool:
    return request.form.get("really") == "yes"


def _open_scene(room: Room, game: str) -> Scene:
    """Return the scene of the page. After a confirmation return the present scene: the digest is the check."""
    return scene.open_scene(room, game) if _is_confirmed() else open_shown_scene(room, game)


def _move_hidden_first(text: str) -> str:
    """Move the hidden parts of a text to the top: in a sealed message they contain all choices of the player."""
    first, *rest = text.split("\n\n")
    return "\n\n".join((first, *sorted(rest, key=lambda part: not part.startswith(reports.HIDDEN))))


def _make_confirmation(room: Room, told: Shown) -> Response | None:
    """Return the page to confirm, or None if the player has confirmed this very version."""
    brought = request.form.get("shown", "")
    if _is_confirmed() and brought == told.digest:
        return None
    changes = room.asked.changes(brought, told) if _is_confirmed() else []
    room.asked.keep(told)
    html = render_template(
        "understood.html", text=_move_hidden_first(told.text), hidden=reports.HIDDEN, changes=changes
    )
    answer = make_response(jsonify(html=html, shown=told.digest, changed=bool(changes)))
    answer.status_code = 409 if changes else 200
    return answer
