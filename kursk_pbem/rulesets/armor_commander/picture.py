"""2.1: the table in shapes: ground, models with facing and chips, objectives."""

from __future__ import annotations

from kursk_pbem.kernel.picture import PLANE, Picture, Piece, Place, Region
from kursk_pbem.kernel.plane import CLOCK, INCH
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander import victory
from kursk_pbem.rulesets.armor_commander.position import FACING, IMMOBILE, PINNED, Field, field
from kursk_pbem.rulesets.armor_commander.setting import GUN, HOLDS, Setting


def picture(setting: Setting, state: State) -> Picture:
    """What stands where."""
    regions = tuple(Region(each.id, each.polygon.outline, each.drawn) for each in setting.ground)
    table = field(setting, state)
    pieces = tuple(_piece(table, mid) for mid in table.at)
    goals = tuple(Place("", each.name, "goal", victory.holder(table, each), each.at, HOLDS)
                  for each in setting.objectives)  # fmt: skip
    return Picture(PLANE, regions, places=goals, pieces=pieces, size=setting.size, unit=INCH)


def _piece(table: Field, mid: str) -> Piece:
    model, steps = table.setting.models[mid], table.state.units[mid].steps
    figures = f"gun, crew {steps}" if model.kind == GUN else f"tank, faces {table.state.mark(FACING, mid)}"
    chips = [f"pinned in turn {table.state.mark(PINNED, mid)}"] if table.state.mark(PINNED, mid) else []
    chips += ["immobile"] if table.state.mark(IMMOBILE, mid) else []
    return Piece(mid, "", model.side, ", ".join((figures, *chips)), symbol=model.kind, formation=model.unit,
                 band=steps < model.crew, spot=table.at[mid],
                 facing=CLOCK.get(table.state.mark(FACING, mid), (0, 0)))  # fmt: skip
