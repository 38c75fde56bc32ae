"""A position as shapes: ground, rivers, cities, lines and fronts, counters and markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from kursk_pbem.kernel.hexes import shapes
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.picture import Edge, Mark, Picture, Piece, Place, Zone
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.position import Position, position
from kursk_pbem.rulesets.juggernauts.setting import SIDES, Setting

_SYMBOLS = {
    "panzer": "armor",
    "tank": "armor",
    "tiger": "elite-armor",
    "panther": "elite-armor",
    "ferdinand": "assault-gun",
}
_FACED = {"E": (2, 0), "NE": (1, 2), "NW": (-1, 2), "W": (-2, 0), "SW": (-1, -2), "SE": (1, -2)}
_SIZES = {"korps": "XXX", "corps": "XXX", "army": "XXXX", "division": "XX", "detachment": "II"}


def draw_picture(setting: Setting, state: State) -> Picture:
    """Return the position as a picture: each hex of the map, ascending. A stack shows its strongest unit on top."""
    pos, labels = position(setting, state), setting.board.labels
    wet = [pair for pair in sorted(setting.rivers) if pair[0] < pair[1]]
    rivers = [Edge(labels[a], labels[b], "river", setting.streams.get((a, b), "")) for a, b in wet]
    cities = [
        Place(labels[hex_], name, "major-city" if setting.major >> hex_ & 1 else "city", pos.owner(labels[hex_]))
        for hex_, name in sorted(setting.cities.items())
    ]
    order = sorted(pos.where, key=lambda uid: (pos.where[uid], -pos.counter(uid).defence, uid))
    return Picture(
        shapes.grid_form(setting.board.grid),
        shapes.make_regions(setting.board, setting.terrain),
        (*rivers, *_fronts(pos)),
        tuple(cities),
        tuple(_piece(pos, uid) for uid in order),
        tuple(
            Mark(labels[hex_], "fortification", line.owner)
            for hex_, line in sorted(setting.lines.items())
            if pos.line(hex_)
        ),
        zones=tuple(Zone(side, tuple(setting.board.names(pos.zone(side).mask))) for side in SIDES),
        reached=tuple(Zone(side, tuple(setting.board.names(pos.supply(side)))) for side in SIDES),
        sea=shapes.list_sea(setting.board, setting.scenario),
    )


def _fronts(pos: Position) -> Iterator[Edge]:
    """15.2: yield the front hexsides of active lines, the line's own hex first."""
    labels = pos.setting.board.labels
    for hex_, line in sorted(pos.setting.lines.items()):
        if pos.line(hex_):
            yield from (Edge(labels[hex_], labels[ahead], "front") for ahead in bits(line.front))


def list_looks(setting: Setting, piece: Piece) -> Iterator[Piece]:
    """Yield every look of a counter: ready, Disrupted, and a panzerkorps as a Panzerkeil with each facing."""
    keil = _FACED.values() if setting.counters[piece.id].panzerkorps else ()
    for facing, band in product(((0, 0), *keil), (False, True)):
        yield replace(piece, facing=facing, band=band, marks=(marks.DISRUPTED,) if band else ())


def name_figures(_setting: Setting, piece: Piece) -> tuple[tuple[str, str], ...]:
    """10.0-brackets, 13.4: return each figure of a counter with its meaning, brackets, and the unit's condition."""
    figures = zip(piece.figures.strip("[()]").split("-"), ("attack", "defense", "movement"), strict=True)
    brackets = {"[": ("[ ]", "no zone of control, run over if alone"), "(": ("( )", "no zone of control")}
    bracket = [brackets[piece.figures[0]]] if piece.figures[0] in brackets else []
    return *figures, *bracket, ("", "" if piece.band else "good order")


def _piece(pos: Position, uid: str) -> Piece:
    counter, state = pos.counter(uid), pos.state
    figures = f"{counter.attack}-{counter.defence}-{counter.move}"
    figures = {"square": f"[{figures}]", "round": f"({figures})"}.get(counter.bracket, figures)
    shown = [table for table in (marks.DISRUPTED, marks.ENTRENCHED, marks.EMPLACED) if pos.is_marked(table, uid)]
    if facing := state.mark(marks.KEIL, uid):
        shown.append(f"{marks.KEIL} {facing}")
    return Piece(
        uid,
        pos.setting.board.labels[pos.where[uid]],
        counter.side,
        figures,
        _SYMBOLS.get(counter.kind, counter.kind),
        _SIZES[counter.size],
        band=pos.is_marked(marks.DISRUPTED, uid),
        marks=tuple(shown),
        facing=_FACED.get(facing, (0, 0)),
        name=counter.short,
    )
