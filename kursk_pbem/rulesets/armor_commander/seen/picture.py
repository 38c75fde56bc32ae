"""2.1: the table as shapes: ground, models with facing and chips, objectives, zones before deployment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import PLANE, TERRAIN, Picture, Piece, Place, Point, Region, find_middle
from kursk_pbem.kernel.plane import CLOCK, INCH
from kursk_pbem.kernel.scenario import read_decor
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander import victory
from kursk_pbem.rulesets.armor_commander.position import FACING, IMMOBILE, PINNED, Field, make_field
from kursk_pbem.rulesets.armor_commander.seen.outlook import list_wrecks
from kursk_pbem.rulesets.armor_commander.setting import GUN, HOLDS, SIDES, Setting


def draw_picture(setting: Setting, state: State) -> Picture:
    """Return the position as a picture. Terrain without its own sign is drawn as the scenario says."""
    regions = tuple(
        Region(
            ground.id, ground.polygon.outline, ground.kind if ground.kind in TERRAIN else ground.drawn, kind=ground.kind
        )
        for ground in setting.ground
    )
    table = make_field(setting, state)
    pieces = tuple(_make_piece(table, mid) for mid in table.at)
    waiting = table.list_undeployed()
    goals = tuple(
        Place("", objective.name, "goal", "" if waiting else victory.find_holder(table, objective), objective.at, HOLDS)
        for objective in setting.objectives
    )
    zones = tuple(_make_zone(setting, side) for side in SIDES) if waiting else ()
    return Picture(
        PLANE,
        regions,
        places=(*goals, *zones),
        pieces=pieces,
        size=setting.size,
        unit=INCH,
        roads=tuple(tuple(map(plane.point, way)) for way in read_decor(setting.scenario).get("roads", {}).values()),
        notes=lambda: (*list_wrecks(table), *_list_waiting(setting, waiting)),
    )


def _make_zone(setting: Setting, side: str) -> Place:
    """2.2: return the zone of a side."""
    outline = setting.zones[side].outline
    return Place("", f"{side.capitalize()} deployment", "zone", side, find_middle(outline), outline=outline)


def _list_waiting(setting: Setting, waiting: list[str]) -> Iterator[str]:
    """2.2: yield lines on undeployed models and the scenario's places."""
    for side in SIDES:
        if models := [setting.models[mid] for mid in waiting if setting.models[mid].side == side]:
            there = "; ".join(f"{model.id} {plane.text(model.place)}" for model in models)
            yield f"{side.capitalize()} models before deployment, at their places in the scenario: {there}."


def list_looks(setting: Setting, piece: Piece) -> Iterator[Piece]:
    """Yield every model in all its drawn forms: a tank by facing, a gun with its whole crew and with losses."""
    if setting.models[piece.id].kind == GUN:
        yield from (replace(piece, band=False), replace(piece, band=True))
    else:
        yield from (replace(piece, facing=facing) for facing in (piece.facing, *CLOCK.values()))


def name_figures(setting: Setting, piece: Piece) -> tuple[tuple[str, str], ...]:
    """4.2: return a model's number, unit and condition in words, because a model has no printed figures."""
    model = setting.models[piece.id]
    unit, number = setting.units[model.unit], f"number {piece.id.rpartition('-')[2]}"
    place = f"{number} of the unit {unit.name}" if unit.models[1:] else f"{number}, a unit by itself"
    whole = "whole crew" if model.kind == GUN else "unharmed"
    return ("", piece.figures), ("", place), ("", "" if piece.band or "immobile" in piece.figures else whole)


def _make_piece(table: Field, mid: str) -> Piece:
    model, steps = table.setting.models[mid], table.state.units[mid].steps
    figures = f"gun, crew {steps}" if model.kind == GUN else f"tank, faces {table.state.mark(FACING, mid)}"
    chips = [f"pinned in turn {table.state.mark(PINNED, mid)}"] if table.state.mark(PINNED, mid) else []
    chips += ["immobile"] if table.state.mark(IMMOBILE, mid) else []
    symbol = "anti-tank" if model.kind == GUN else "armor"
    return Piece(
        mid,
        "",
        model.side,
        ", ".join((figures, *chips)),
        symbol=symbol,
        formation=model.unit,
        band=steps < model.crew,
        spot=table.at[mid],
        reach=model.radius,
        facing=CLOCK.get(table.state.mark(FACING, mid), (0, 0)),
        aim=_find_aim(table, mid) if model.kind == GUN else (0, 0),
    )


def _find_aim(table: Field, mid: str) -> Point:
    """Return the direction to the nearest enemy, or to the enemy's zone: guns have no facing in the rules."""
    models, (x, y), side = table.setting.models, table.at[mid], table.setting.models[mid].side
    foes = [at for other, at in table.at.items() if models[other].side != side]
    zones = [find_middle(zone.outline) for owner, zone in table.setting.zones.items() if owner != side]
    to = min(foes or zones, key=lambda at: ((at[0] - x) ** 2 + (at[1] - y) ** 2, at))
    return to[0] - x, to[1] - y
