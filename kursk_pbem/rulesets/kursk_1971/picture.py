"""A position in shapes: ground, rivers, cities and their holders, fortified lines, counters stacked, aircraft."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.kernel.hexes import shapes
from kursk_pbem.kernel.picture import Edge, Mark, Picture, Piece, Place
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971.position import FLOWN, INTERDICTION, PATROL, Position, holder, position
from kursk_pbem.rulesets.kursk_1971.setting import SIDES, Setting

_TERRAIN = {"swamp": "marsh"}  # one sign for both on all maps


def picture(setting: Setting, state: State) -> Picture:
    """Every hex of the map in this position, ascending by label, and all that is on it."""
    pos, labels = position(setting, state), setting.board.labels
    ground = [_TERRAIN.get(kind, kind) for kind in setting.terrain]
    return Picture(
        shapes.form(setting.board.grid),
        shapes.regions(setting.board, ground),
        tuple(Edge(labels[a], labels[b], "river") for a, b in sorted(setting.rivers) if a < b),
        tuple(
            Place(labels[hex_], name, "major-city" if hex_ in setting.objectives else "city",
                  holder(setting, state, hex_))
            for hex_, name in setting.cities.items()
        ),
        tuple(piece for hex_ in sorted(pos.at) for piece in _pieces(pos, hex_)),
        tuple(_marks(pos)),
    )  # fmt: skip


def _pieces(pos: Position, hex_: int) -> Iterator[Piece]:
    """A stack, the strongest unit on top, air units below; what its aircraft do stands beside an air unit."""
    counters, label = pos.setting.counters, pos.setting.board.labels[hex_]
    for uid in sorted(pos.stack(hex_), key=lambda each: (counters[each].air, -counters[each].worth, each)):
        counter = counters[uid]
        yield Piece(uid, label, counter.side, counter.figures, counter.type, counter.size,
                    counter.army or counter.formation, marks=tuple(_missions(pos, uid)))  # fmt: skip


def _missions(pos: Position, uid: str) -> Iterator[str]:
    for table, word in ((PATROL, "patrols over"), (INTERDICTION, "interdicts")):
        if over := pos.state.mark(table, uid):
            yield f"{word} {over}"
    did = pos.state.mark(FLOWN, uid)
    if did and did not in (PATROL, INTERDICTION):
        yield did
    if not pos.supplied(uid):
        yield "out of supply"


def _marks(pos: Position) -> Iterator[Mark]:
    for label, hex_ in sorted(pos.setting.board.index.items()):
        for side in SIDES:
            if (pos.setting.forts[side] | pos.setting.strongholds[side]) >> hex_ & 1:
                yield Mark(label, "fortification", side)
