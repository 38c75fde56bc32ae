"""A position as shapes: ground, rivers, cities and owners, fortifications, the objective, counters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import product

from kursk_pbem.kernel.hexes import shapes
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.picture import Edge, Line, Mark, Picture, Piece, Place, Zone
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.seen import formations
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, MAJOR, REDUCED, SIDES, Setting

_EDGES = {"river": "river", MAJOR: "major-river"}
_SYMBOLS = {"panzer": "armor", "tank": "armor", "guards": "elite-armor", "shock": "elite-infantry"}
_PLACES = {"city": "city", MAJOR: "major-city"}


def draw_picture(setting: Setting, state: State) -> Picture:
    """Return every playable hex of the map with its content, ascending by label."""
    pos, labels = position(setting, state), setting.board.labels
    rivers, railways, formations_, faces = _draw_printed(setting)
    return Picture(
        shapes.grid_form(setting.board.grid),
        shapes.make_regions(setting.board, setting.terrain),
        rivers,
        tuple(
            Place(labels[hex_], setting.city_names[hex_], _PLACES[kind], _find_owner(pos, hex_))
            for hex_, kind in sorted(setting.cities.items())
        ),
        tuple(_draw_piece(pos, hex_, pos.unit(hex_)) for hex_ in sorted(pos.at)),
        tuple(_draw_marks(pos)),
        lines=railways,
        zones=tuple(Zone(side, tuple(setting.board.names(pos.zoc(side)))) for side in SIDES),
        notes=lambda: tuple(formations.cut_off(pos)),
        reached=tuple(Zone(side, tuple(setting.board.names(pos.communication(side)))) for side in SIDES),
        formations=formations_,
        faces=faces,
        sea=shapes.list_sea(setting.board, setting.scenario),
    )


_Printed = tuple[tuple[Edge, ...], tuple[Line, ...], tuple[str, ...], tuple[tuple[str, str], ...]]


@lru_cache(maxsize=4)
def _draw_printed(setting: Setting) -> _Printed:
    """Return the constant parts: rivers, railways, formations, faces of fortified lines."""
    labels, streams, rails = setting.board.labels, setting.streams, sorted(setting.rails.items())
    wet = [(a, b, _EDGES[kind]) for (a, b), kind in sorted(setting.rivers.items()) if a < b]
    return (
        tuple(Edge(labels[a], labels[b], kind, streams.get((a, b), "")) for a, b, kind in wet),
        tuple(Line(labels[a], labels[b], "railway") for a, links in rails for b in bits(links) if a < b),
        tuple(sorted({counter.formation for counter in setting.counters.values()})),
        shapes.list_faces(setting.board, setting.own_side.values()),
    )


def _find_owner(pos: Position, hex_: int) -> str:
    return next(side for side in SIDES if pos.cities[side] >> hex_ & 1)


def _draw_piece(pos: Position, hex_: int, uid: str) -> Piece:
    counter = pos.setting.counters[uid]
    figures = f"{pos.strength(uid)}-{counter.move}"
    reduced = pos.state.units[uid].steps < FULL
    label = pos.setting.board.labels[hex_]
    branch = _SYMBOLS.get(counter.type, counter.type)
    cut = () if pos.communication(counter.side) >> hex_ & 1 else ("uncommunicated",)
    return Piece(
        uid,
        label,
        counter.side,
        figures,
        branch,
        formation=counter.formation,
        band=reduced,
        marks=cut,
        name=counter.short,
    )


def list_looks(setting: Setting, piece: Piece) -> Iterator[Piece]:
    """Yield every look of a counter: full or reduced, and in or out of communication."""
    counter = setting.counters[piece.id]
    for steps, cut in product((FULL, REDUCED), ((), ("uncommunicated",))):
        yield replace(piece, figures=f"{counter.strength[steps]}-{counter.move}", band=steps < FULL, marks=cut)


def name_figures(_setting: Setting, piece: Piece) -> tuple[tuple[str, str], ...]:
    """Return each figure of a counter with its meaning, and the counter's steps."""
    strength, _dash, move = piece.figures.partition("-")
    return (strength, "strength"), (move, "movement"), ("", "reduced" if piece.band else "full strength")


def _draw_marks(pos: Position) -> Iterator[Mark]:
    for label, hex_ in sorted(pos.setting.board.index.items()):
        for side in SIDES:
            if pos.setting.fort_of(hex_, pos.state.turn, side):
                yield Mark(label, "fortification", side)
    if goal := pos.state.mark("objective", "hex"):
        yield Mark(goal, "objective", pos.state.mark("objective", "side"))
