"""The printed tables: results on the ground and in the air, terrain, limits, victory, game turns (8.0).

Figures come from the setting, like those of the rules; every table rates its data.
"""

from __future__ import annotations

from kursk_pbem.kernel.brief import Table, rate_data
from kursk_pbem.kernel.given import list_notes
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.state import OFF_MAP, State
from kursk_pbem.rulesets.kursk_1971 import raids
from kursk_pbem.rulesets.kursk_1971.combat import MEANING
from kursk_pbem.rulesets.kursk_1971.setting import FOOT, HIGHEST_DIE, LEVELS, LOWEST_DIE, MOTORIZED, SIDES, Setting

ADDED, MANNERS = ("city", "river", "fortification"), (FOOT, MOTORIZED)


def make_tables(setting: Setting) -> tuple[Table, ...]:
    """Return the tables of a scenario, the combat results table first."""
    return _make_results(setting), _make_air(setting), _make_terrain(setting), _make_levels(setting)


def _make_results(setting: Setting) -> Table:
    """8.0: return the Combat Results Table; rows are dice with modifiers."""
    low, high = setting.levels
    columns, dice = range(low, high + 1), range(HIGHEST_DIE, LOWEST_DIE - 1, -1)
    rows = tuple((str(die), *(setting.crt[column, die] for column in columns)) for die in dice)
    notes = (
        "; ".join(f"{result}: {text}" for result, text in MEANING.items()) + ".",
        f"More than {HIGHEST_DIE} counts as {HIGHEST_DIE}; odds beyond the table as its ends.",
    )
    head = ("die", *map(odds_text, columns))
    return Table("Combat Results Table", "8.0", head, rows, notes, rate_data(setting.scenario, "tables/crt"))


def _make_air(setting: Setting) -> Table:
    """9.0-d4: return the Air Superiority Table."""
    columns = range(len(setting.raid_columns))
    rows = tuple((str(die), *(setting.raids[column, die] for column in columns)) for die in range(6, 0, -1))
    note = "; ".join(f"{result}: {text}" for result, text in raids.MEANING.items()) + "."
    head = ("die", *setting.raid_columns)
    return Table("Air Superiority Table", "9.0-d4", head, rows, (note,), rate_data(setting.scenario, "tables/air"))


def _make_terrain(setting: Setting) -> Table:
    """3.0-a, 3.0-combat-terrain: return terrain costs and die roll modifiers."""
    entries = setting.scenario.data["tables"]["terrain"]
    rows = tuple(
        (kind, *(f"{'+' * (kind in ADDED)}{entry[manner]}" for manner in MANNERS), entry["die"])
        for kind, entry in entries.items()
        if kind != "provenance"
    )
    limits = setting.limits
    moving = (
        "MP to enter, + on top of the ground; a fortification for the enemy only [3.0-fortified]. "
        f"{limits['zoc-enter']} more to enter an enemy controlled hex, {limits['zoc-leave']} more to leave one [4.0]. "
        "Bases pay as motorized [9.0-c]."
    )
    fighting = (
        f"Only the worst counts on the die; rivers if all attackers are across [3.0-combat-terrain]. Close support: "
        f"{limits['support']:+d} [9.0-d1]."
    )
    head, data = ("terrain", "on foot", "motorized", "die"), rate_data(setting.scenario, "tables/terrain")
    return Table("Terrain Effects Chart", "3.0-a", head, rows, (moving, fighting), data)


def _make_levels(setting: Setting) -> Table:
    """14.0-levels: return the ratio of points for every level."""
    rows = tuple(
        (level, *(f"{setting.ratios[side][number]}:1".replace("3/2:1", "3:2") for side in SIDES))
        for number, level in enumerate(LEVELS)
    )
    cities = ", ".join(f"{setting.cities[hex_]} {points}" for hex_, points in sorted(setting.objectives.items()))
    strength = (
        f"A point for each strength point eliminated, {setting.motorized_points} if motorized, "
        f"{setting.kampfgruppe_points} for a Kampfgruppe [14.0-strength]."
    )
    notes = (strength, f"Cities held in supply: {cities} [14.0-cities].", *list_notes(setting.given, "S-32"))
    head = ("level", *(side.capitalize() for side in SIDES))
    return Table("Victory levels", "14.0-levels", head, rows, notes, rate_data(setting.scenario, "tables/victory"))


def make_track(setting: Setting, state: State) -> tuple[Table, ...]:
    """2.0-c, 13.0: return a table of the game turns with reinforcements. ``>`` marks the current turn."""
    now = setting.turns.index(state.turn) + 1
    rows = []
    for number, turn in enumerate(setting.turns, 1):
        coming = [uid for uid, when in setting.arrivals.items() if when == number]
        waits = [uid for uid in coming if state.units[uid].place == OFF_MAP]
        shown = ", ".join(f"{setting.counters[uid].short} {setting.counters[uid].figures}" for uid in waits)
        rows.append((f"{'>' if turn == state.turn else ' '} {turn}", shown or ("all have come" if coming else "-")))
    late = [uid for uid, when in setting.arrivals.items() if when <= now and state.units[uid].place == OFF_MAP]
    notes = (
        f"Each side has a player turn, the {setting.first.capitalize()} side first [2.0-a].",
        *([f"Due, and enter in an initial movement of their own side: {', '.join(late)} [13.0]."] if late else []),
    )
    return (Table("Game turns", "2.0-c", ("turn", "reinforcements"), tuple(rows), notes),)
