"""The page "Find an opponent": invitations, their answers, the address to hand on, and the proposal to a stranger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Flask, Response, redirect, render_template, request, url_for

from kursk_pbem.board.downloads import send_file
from kursk_pbem.desk.deals import invitations
from kursk_pbem.desk.own import compared
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat import inviting, linked, posting
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.game import pins
from kursk_pbem.rulebook import balance


def add_routes(app: Flask, room: Room) -> None:
    """Add the routes of the page "Find an opponent" and its forms."""
    _add_pages(app, room)

    @app.post("/invite")
    def invite() -> Any:
        points = read_points(request.form, request.form.get("game", "").partition(" ")[0])
        paper = inviting.invite(room, request.form, points)
        return redirect(url_for("hand_over", paper_id=paper.id), 303)

    @app.post("/answer")
    def answer_invitation() -> Any:
        done = inviting.answer(room, request.form)
        if not isinstance(done, Desk):
            return redirect(url_for("hand_over", paper_id=done.id), 303)
        posting.note_way(done, by_address="by" in request.form)
        return redirect(url_for("show_game", game=done.game.chain.game), 303)

    @app.post("/pick")
    def pick_answer() -> Any:
        desk = inviting.pick(room, request.form)
        posting.note_way(desk, by_address="by" in request.form)
        return redirect(url_for("show_game", game=desk.game.chain.game), 303)

    @app.post("/answers/<any(keep, drop):what>")
    def change_answers(what: str) -> Any:
        paper = invitations.read_single(request.form.get("text", "").encode("utf-8", "replace"), "the answer")
        invitations.take(room.home, paper) if what == "keep" else invitations.drop_answer(room.home, paper)
        return redirect(url_for("show_opponents"), 303)

    @app.post("/game/<game>/compared")
    def note_compared(game: str) -> Any:
        compared.note_compared(room.home, room.desk(game), request.form.get("how", ""))
        return redirect(url_for("show_game", game=game), 303)


def read_points(form: Mapping[str, str], scenario: str) -> dict[str, str]:
    """Return the option that gives points to the weaker side, if the form asks for an even game; otherwise {}."""
    _by, side, points = balance.find_points(scenario)
    return pins.give(side, points) if points and "even" in form else {}


def _list_uneven(systems: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str, str, str]]:
    """Return whose games, side, points, name and id of each scenario that needs points."""
    every = [(balance.find_points(each["id"]), each) for system in systems for each in system["scenarios"]]
    return [(*found, each["name"], each["id"]) for found, each in every if found[-1]]


def _add_pages(app: Flask, room: Room) -> None:
    @app.post("/link")
    def show_link() -> str:
        return render_template("link.html", **linked.show_text(room, request.form.get("link", "")))

    @app.get("/opponents")
    def show_opponents() -> str:
        page = inviting.make_opponents_page(room)
        return render_template("opponents.html", uneven=_list_uneven(page["systems"]), **page)

    @app.get("/hand/<paper_id>")
    def hand_over(paper_id: str) -> str:
        asked, paper = inviting.find_to_send(room, paper_id)
        page = linked.find_page(room)
        address = invitations.make_link(room.home, paper, page) if page else ""
        words = inviting.describe_own(asked)
        return render_template("hand.html", asked=asked, paper=paper, words=words, address=address)

    @app.get("/hand/<paper_id>/<any(file, mail):how>")
    def save_paper(paper_id: str, how: str) -> Response:
        asked, paper = inviting.find_to_send(room, paper_id)
        title = f"{inviting.describe_own(asked)['title']}, {paper.type}"
        post = posting.Post(f"kursk-{paper.type}-{paper.id[:8]}", title, paper.emit().encode("ascii"))
        if how == "mail":
            return send_file(posting.make_letter(post), f"{post.name}.eml", "message/rfc822")
        return send_file(post.data, f"{post.name}.yaml", "text/yaml")
