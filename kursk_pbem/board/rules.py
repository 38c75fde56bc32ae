"""Paragraphs of the rules next to the map: our summary, omissions with reasons, and our rulings."""

from __future__ import annotations

from flask import Flask, Response, jsonify, render_template

from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.rulebook import paragraphs, rulings


def add_routes(app: Flask, room: Room) -> None:
    """Add the route that shows paragraphs of the rules, and rulings."""

    @app.get("/game/<game>/rule/<rule>")
    def show_rule(game: str, rule: str) -> Response:
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
