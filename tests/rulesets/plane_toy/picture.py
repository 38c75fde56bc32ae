"""The table as shapes."""

from __future__ import annotations

from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Region
from kursk_pbem.kernel.state import State
from rulesets.plane_toy.setting import INCH, Setting


def picture(setting: Setting, state: State) -> Picture:
    """Return ground and models."""
    regions = tuple(Region(each.name, each.outline, each.kind) for each in setting.ground)
    pieces = []
    for uid in setting.alive(state):
        model, steps = setting.models[uid], state.units[uid].steps
        figures = f"{model.dice} dice, {steps} of {model.steps}"
        pieces.append(Piece(uid, "", model.side, figures, band=steps < model.steps, spot=setting.where(state, uid)))
    return Picture(PLANE, regions, pieces=tuple(pieces), size=setting.size, unit=INCH)
