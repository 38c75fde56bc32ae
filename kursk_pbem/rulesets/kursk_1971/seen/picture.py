"""A position as shapes: terrain, rivers, cities, fortified lines, stacks, aircraft."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from kursk_pbem.kernel.hexes import shapes
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.picture import Edge, Line, Mark, Picture, Piece, Place, Region, Zone
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971.position import FLOWN, INTERDICTION, PATROL, Position, find_holder, position
from kursk_pbem.rulesets.kursk_1971.setting import ATTACK_ONLY, BRACKETED, DEFENCE_ONLY, SIDES, Setting

_LIMITS = {
    BRACKETED: "strength (never fights alone)",
    ATTACK_ONLY: "strength (only attacks, never alone)",
    DEFENCE_ONLY: "strength (only defends, never alone)",
}
_SIZES = {"": "", "battalion": "II", "brigade": "X", "division": "XX", "corps": "XXX"}
_SYMBOLS = {
    "panzer": "armor",
    "panzergrenadier": "mechanized",
    "armor": "assault-gun",
    "kampfgruppe": "armor",
    "tank": "armor",
    "guards-tank": "elite-armor",
    "rifle": "infantry",
    "guards-rifle": "elite-infantry",
    "motorized-infantry": "motorized",
}


def draw_picture(setting: Setting, state: State) -> Picture:
    """Return the position as a picture: each hex of the map with its contents, ascending by label."""
    pos, labels = position(setting, state), setting.board.labels
    regions, rivers, railways, marks, formations, faces = _draw_map(setting)
    return Picture(
        shapes.grid_form(setting.board.grid),
        regions,
        rivers,
        tuple(
            Place(
                labels[hex_],
                name,
                "major-city" if hex_ in setting.objectives else "city",
                find_holder(setting, state, hex_),
            )
            for hex_, name in setting.cities.items()
        ),
        tuple(piece for hex_ in sorted(pos.at) for piece in _draw_stack(pos, hex_)),
        marks,
        lines=railways,
        zones=tuple(
            Zone(side, tuple(setting.board.names(pos.find_zone(side) | pos.interdicted[side]))) for side in SIDES
        ),
        notes=lambda: tuple(_make_notes(pos)),
        reached=tuple(Zone(side, tuple(setting.board.names(pos.find_supplied(side)))) for side in SIDES),
        formations=formations,
        names=tuple((labels[hex_], name) for hex_, name in setting.towns.items()),
        faces=faces,
        sea=shapes.list_sea(setting.board, setting.scenario),
    )


_Printed = tuple[
    tuple[Region, ...],
    tuple[Edge, ...],
    tuple[Line, ...],
    tuple[Mark, ...],
    tuple[str, ...],
    tuple[tuple[str, str], ...],
]


@lru_cache(maxsize=4)
def _draw_map(setting: Setting) -> _Printed:
    """Return the shapes common to every position: terrain, rivers, railways, fortifications, formations, faces."""
    labels, streams, rails = setting.board.labels, setting.streams, sorted(setting.rails.items())
    strong = {side: setting.forts[side] | setting.strongholds[side] for side in SIDES}
    hexes = sorted(setting.board.index.items())
    wet = [pair for pair in sorted(setting.rivers) if pair[0] < pair[1]]
    return (
        shapes.make_regions(setting.board, setting.terrain),
        tuple(Edge(labels[a], labels[b], "river", streams.get((a, b), "")) for a, b in wet),
        tuple(Line(labels[a], labels[b], "railway") for a, mask in rails for b in bits(mask) if a < b),
        tuple(
            Mark(label, "fortification", side) for label, hex_ in hexes for side in SIDES if strong[side] >> hex_ & 1
        ),
        tuple(sorted({counter.army or counter.formation for counter in setting.counters.values()})),
        shapes.list_faces(setting.board, setting.own_side.values()),
    )


def _make_notes(pos: Position) -> Iterator[str]:
    """6.0, 9.0-d2, 9.0-d3: yield notes on supply and missions."""
    for side in SIDES:
        cut = [uid for uid in pos.units(side) if not pos.is_supplied(uid)]
        if cut:
            yield f"{side.capitalize()} out of supply: {', '.join(cut)}."
    for table, word in ((PATROL, "patrols"), (INTERDICTION, "interdicts")):
        for uid, over in sorted(pos.state.marks.get(table, {}).items()):
            yield f"{uid} {word} {over}."


def _draw_stack(pos: Position, hex_: int) -> Iterator[Piece]:
    """Yield the counters of a stack, the strongest on top, air units below."""
    counters, label = pos.setting.counters, pos.setting.board.labels[hex_]
    for uid in sorted(pos.stack(hex_), key=lambda other: (counters[other].air, -counters[other].worth, other)):
        counter = counters[uid]
        symbol = _SYMBOLS.get(counter.type, counter.type)
        yield Piece(
            uid,
            label,
            counter.side,
            counter.figures,
            symbol,
            _SIZES[counter.size],
            counter.army or counter.formation,
            marks=tuple(_describe_missions(pos, uid)),
            name=counter.short,
        )


def name_figures(setting: Setting, piece: Piece) -> tuple[tuple[str, str], ...]:
    """7.0-g: return each figure of a counter with its meaning."""
    counter = setting.counters[piece.id]
    if counter.air:
        return (str(counter.move), "movement"), (str(counter.reach), "range")
    strength, _dash, move = piece.figures.partition("-")
    return (strength, _LIMITS.get(counter.limited, "strength")), (move, "movement")


def _describe_missions(pos: Position, uid: str) -> Iterator[str]:
    for table, word in ((PATROL, "patrols over"), (INTERDICTION, "interdicts")):
        if over := pos.state.mark(table, uid):
            yield f"{word} {over}"
    did = pos.state.mark(FLOWN, uid)
    if did and did not in (PATROL, INTERDICTION):
        yield did
    if not pos.is_supplied(uid):
        yield "out of supply"
