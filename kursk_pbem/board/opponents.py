"""The page "Find an opponent": open invitations, their answers, and the proposal to a picked stranger."""

from __future__ import annotations

from typing import Any

from flask import Flask, redirect, render_template, request, url_for

from kursk_pbem.desk.seat import linked
from kursk_pbem.desk.seat.room import Room


def add_routes(app: Flask, room: Room) -> None:
    """Add the page and its forms."""

    @app.get("/opponents")
    def show_opponents() -> str:
        return render_template("opponents.html", made=None, **linked.make_opponents_page(room))

    @app.post("/invite")
    def invite() -> Any:
        with room.changing:
            made = linked.invite(room, request.form)
        return render_template("opponents.html", made=made, **linked.make_opponents_page(room))

    @app.post("/pick")
    def pick_answer() -> Any:
        with room.changing:
            room.tell([linked.pick(room, request.form.get("answer", ""), request.form.get("key", ""))])
        return redirect(url_for("show_home", came=1), 303)
