"""A position as shapes."""

from __future__ import annotations

from kursk_pbem.kernel.hexes import shapes
from kursk_pbem.kernel.picture import Picture, Piece, Place
from kursk_pbem.kernel.state import State
from rulesets.hex_toy.setting import HELD, Setting


def picture(setting: Setting, state: State) -> Picture:
    """Return ground, fords and stacks, with the strongest unit of a stack on top."""
    pieces = []
    for side in setting.sides:
        for label, who in setting.standing(state, side).items():
            for uid in sorted(who, key=lambda each: (-setting.worth(state, each), each)):
                counter, steps = setting.counters[uid], state.units[uid].steps
                figures = f"{setting.worth(state, uid)}-{counter.move}"
                pieces.append(Piece(uid, label, side, figures, counter.kind, band=steps < counter.steps))
    fords = (Place(label, name, "base", state.mark(HELD, label)) for label, name in setting.fords.items())
    regions = shapes.make_regions(setting.board, setting.terrain)
    return Picture(shapes.grid_form(setting.board.grid), regions, (), tuple(fords), tuple(pieces))
