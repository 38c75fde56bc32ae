"""The tables of the game for players: weapons, saves, terrain, units; and the turns."""

from __future__ import annotations

from kursk_pbem.kernel.brief import Table, rate_data
from kursk_pbem.kernel.plane import inches, text
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander import morale, victory
from kursk_pbem.rulesets.armor_commander.position import INITIATIVE, PINNED, make_field
from kursk_pbem.rulesets.armor_commander.saves import Effect
from kursk_pbem.rulesets.armor_commander.setting import AP, BANDS, GUN, HE, HIT, TANK, Setting


def make_tables(setting: Setting) -> tuple[Table, ...]:
    """5.5, 6.1 to 6.9, 7.2, 8.1 to 8.3, 2.1: return the tables that players use in the game."""
    return (_make_weapons(setting), _make_saves(), _make_terrain(setting), _make_forces(setting))


def _print_inches(far: int) -> str:
    """Return a distance in inches, whole inches without decimals."""
    return inches(far).removesuffix(".00")


def _make_weapons(setting: Setting) -> Table:
    """5.5, 8.1 to 8.3: return the table of ranges and hits."""
    rows = []
    for key, targets, mover in ((AP, "tanks", TANK), (HE, "guns", ""), (GUN, "tanks", GUN)):
        weapon = setting.weapons[key]
        bands = dict(weapon.bands)
        blast = f"{_print_inches(2 * weapon.blast)} across" if weapon.blast else ""
        reach = (_print_inches(bands[band]) if band in bands else "-" for band in BANDS)
        rows.append((weapon.name, *reach, _print_inches(setting.moves[mover]) if mover else "", targets, blast))
    rows.append(("hits at", *(f"{HIT[band]} or more" for band in BANDS)))
    head = ("weapon", *BANDS, "move", "targets", "blast")
    notes = ("Inches from centre to centre; a distance exactly on a limit is inside (A-7).",)
    return Table("Weapons", "8.1", head, tuple(rows), notes, rate_data(setting.scenario, "tables/weapons"))


def _make_saves() -> Table:
    """6.1 to 6.9, 7.2: return the table of saves with their chances."""
    rows = []
    for name, one in (
        ("tank", Effect("", TANK, blast=False, obscured=False, flank=False)),
        ("tank, half obscured", Effect("", TANK, blast=False, obscured=True, flank=False)),
        ("tank, side or rear", Effect("", TANK, blast=False, obscured=False, flank=True)),
        ("gun hit itself", Effect("", GUN, blast=False, obscured=False, flank=False)),
        ("man of a crew in a blast", Effect("", GUN, blast=True, obscured=False, flank=False)),
        ("man of a crew in a blast, in cover", Effect("", GUN, blast=True, obscured=True, flank=False)),
    ):
        rows.append((name, one.description, str(one.chance)))
    rows.append(("morale of a gun", f"passes at {morale.MORALE} or more with two dice", str(morale.PASSES)))
    return Table("Saves and morale", "6.1", ("who", "needs", "chance"), tuple(rows))


def _make_terrain(setting: Setting) -> Table:
    """2.1, 4.5, 5.2, 6.9: return the table of terrain."""
    rows = tuple(
        (ground.id, ground.name, ground.kind, "yes" if ground.blocks else "no", "yes" if ground.cover else "no")
        for ground in setting.ground
    )
    notes = ("No model moves into terrain (4.5), and terrain obscures (6.5).",)
    head = ("terrain", "name", "kind", "blocks sight", "cover")
    return Table("Terrain", "4.5", head, rows, notes, rate_data(setting.scenario, "map", "tables/terrain"))


def _make_forces(setting: Setting) -> Table:
    """4.2: return the table of units and models."""
    rows = tuple(
        (
            unit.side.capitalize(),
            unit.id,
            unit.name,
            unit.kind,
            str(len(unit.models)),
            str(setting.models[unit.models[0]].crew) if unit.kind == GUN else "-",
        )
        for unit in setting.units.values()
    )
    head = ("side", "unit", "name", "kind", "models", "crew")
    return Table("Units", "4.2", head, rows, (), rate_data(setting.scenario, "units"))


def make_track(setting: Setting, state: State) -> tuple[Table, ...]:
    """2.4, 3.1, 7.4, 9.2: return two tables: the turns with initiative and pins, and the objectives."""
    rows = []
    for turn in setting.turns:
        told = []
        if turn == state.turn and (first := state.mark(INITIATIVE, "first")):
            told.append(f"the {first.capitalize()} side acts first")
        out = [mid for mid, when in sorted(state.marks.get(PINNED, {}).items()) if when == turn]
        told += [f"pinned: {', '.join(out)}"] if out else []
        told += ["the game ends"] if turn == setting.turns[-1] else []
        rows.append((f"{'>' if turn == state.turn else ' '} {turn}", "; ".join(told)))
    charts = [Table("Turns", "2.4", ("turn", ""), tuple(rows))]
    table = make_field(setting, state)
    if setting.objectives and not table.list_undeployed():  # sealed models may hold objectives, too
        held = tuple(
            (objective.name, text(objective.at), victory.find_holder(table, objective).capitalize() or "nobody")
            for objective in setting.objectives
        )
        charts.append(Table("Objectives", "9.2", ("objective", "at", "held by"), held))
    return tuple(charts)
