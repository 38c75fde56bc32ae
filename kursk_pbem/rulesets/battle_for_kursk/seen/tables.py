"""Printed tables: combat results, terrain, postures, victory levels, the turn track (4.0, 5.0, 9.1).

All figures come from the setting, like those of the rules; every table states the reliability of its data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from kursk_pbem.kernel import past
from kursk_pbem.kernel.brief import Table, rate_data
from kursk_pbem.kernel.given import list_notes
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.ways import ALL
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk.combat import MEANING
from kursk_pbem.rulesets.battle_for_kursk.posture import weather_due
from kursk_pbem.rulesets.battle_for_kursk.setting import CITY, MAJOR, POSTURES, SIDES, TURN_ORDER, Setting

_COLUMNS, _FACES = range(1, 7), range(1, 7)
_PHASES = ("replacement", "armor-and-rail", "combat", "movement")
_CITIES, _RIVERS = {CITY: "city", MAJOR: "Major City"}, {"river": "river", MAJOR: "Major River"}


def make_tables(setting: Setting) -> tuple[Table, ...]:
    """Return the tables of a scenario, the combat results table first."""
    return _make_results(setting), _make_terrain(setting), _make_postures(setting), _make_levels(setting)


def _make_results(setting: Setting) -> Table:
    """9.1: return the Combat Results Table; rows are the die."""
    rows = tuple((str(die), *(setting.crt[column, die] for column in _COLUMNS)) for die in _FACES)
    used = dict.fromkeys(result for _die, *results in rows for result in results)
    notes = (
        "; ".join(f"{result}: {MEANING[result]}" for result in MEANING if result in used) + ".",
        "Below 1:1 after all shifts no attack takes place; above 6:1 the last column holds.",
    )
    head = ("die", *(odds_text(column) for column in _COLUMNS))
    return Table("Combat Results Table", "9.1", head, rows, notes, rate_data(setting.scenario, "tables/crt"))


def _make_terrain(setting: Setting) -> Table:
    """8.0-terrain, 9.2: return the cost of terrain, and its column shifts."""
    entries = setting.scenario.data["tables"]["tec"]["hexes"]
    rows = [
        (
            _CITIES.get(kind, kind),
            str(entry.get("mp", "-")),
            _shift(setting.shift.get(kind, 0)),
            "at half strength" if kind in setting.halved_from else "",
        )
        for kind, entry in entries.items()
        if kind != "provenance"
    ]
    for kind, name in _RIVERS.items():
        cost = setting.river_cost[kind]
        rows.append((f"across a {name}", "all" if cost == ALL else f"+{cost}", _shift(setting.river_shift[kind]), ""))
    moving = (
        "MP to enter a hex, plus MP for the hexside; all: the whole allowance, with no MP spent before. In a hex the "
        "dearest terrain counts; in mud a unit moves one hex, except by rail [11.1]. By rail a hex costs 1 MP [8.1]."
    )
    fighting = (
        "Columns for the attacker: the shifts of the defender's hex add up [9.2]. A river counts if every attacker is "
        "across the river [9.2-river]; a fortification counts if active and the defender's own."
    )
    head, data = ("terrain", "MP", "columns", "attack from it"), rate_data(setting.scenario, "tables/tec")
    return Table("Terrain Effects Chart", "8.0-terrain", head, tuple(rows), (moving, fighting), data)


def _shift(by: int) -> str:
    return f"{by:+d}" if by else "-"


def _make_postures(setting: Setting) -> Table:
    """12.0: return the phases and replacement points of every posture."""
    rows = []
    for posture in POSTURES:
        points = (_format_signed(*setting.posture_rp[side][posture]) for side in SIDES)
        rows.append((posture, ", ".join(list_phases(setting, posture)), *(end for both in points for end in both)))
    note = (
        "The first box to the right of the posture of the turn before is free; each further box costs an Offensive "
        "marker [12.0-2]."
    )
    head = ("posture", "phases", "G IRP", "G ARP", "R IRP", "R ARP")
    return Table(
        "Postures", "12.0", head, tuple(rows), (note,), rate_data(setting.scenario, "tables/postures", "tables/phases")
    )


def list_phases(setting: Setting, posture: str) -> list[str]:
    """12.0: return the phases of a player turn that a posture includes."""
    return [key for key in _PHASES if key in setting.phases[posture]]


def _format_signed(*points: int) -> tuple[str, ...]:
    return tuple(f"{point:+d}" for point in points)


def _make_levels(setting: Setting) -> Table:
    """5.0, 5.0-level: return the points of every level of victory."""
    operational, strategic = setting.victory
    rows = (
        ("draw", "0" if operational == 1 else f"0 to {operational - 1}"),
        ("operational", f"{operational} to {strategic - 1}"),
        ("strategic", f"{strategic} or more"),
    )
    note = (
        "A point for each Major City taken behind the enemy's Start Line, a point for the Strategic Objective, a point "
        "for fewer units eliminated; the difference counts. German troops in Moscow win at once [5.0-moscow]."
    )
    notes, data = (note, *list_notes(setting.given, "K-71")), rate_data(setting.scenario, "tables/victory")
    return Table("Victory levels", "5.0-level", ("level", "points"), rows, notes, data)


def make_track(setting: Setting, state: State) -> tuple[Table, ...]:
    """4.0-turn-track, 11.0: return the events of every turn as a table. ``>`` marks the current turn."""
    rows, then = [], past.read_past(setting.scenario).get("postures", {})
    for turn in setting.turns:
        box, here = setting.boxes[turn], turn == state.turn
        figures = ((*_format_signed(box.irp[side], box.arp[side]), f"{box.offensives[side] or '-'}") for side in SIDES)
        brings = (cell for cells in figures for cell in cells)
        history = ["/".join(then[turn].get(side, "-")[0].upper() for side in SIDES)] if turn in then else []
        weather = _describe_weather(setting, state, turn)
        rows.append((f"{'>' if here else ' '} {turn}", box.label, weather, *brings, *history))
    head = ("turn", "from", "weather", "G IRP", "ARP", "O", "R IRP", "ARP", "O", *["then"] * bool(then))
    notes = tuple(_list_notes(setting, state))
    return (Table("Turn Track", "4.0-turn-track", head, tuple(rows), notes, _track_data(setting)),)


def _describe_weather(setting: Setting, state: State, turn: str) -> str:
    """11.0, 11.3: return mud or dry: by script, by die, or the necessary rolls."""
    box, order = setting.boxes[turn], TURN_ORDER.index
    rolled = setting.weather_die and box.mud_die
    if turn == state.turn and not weather_due(state):
        return "mud" if state.tracks.get("mud") else "dry"
    if rolled and order(turn) >= order(state.turn):
        return "mud on 1" if box.mud_die == 1 else f"mud on 1-{box.mud_die}"
    return "rolled" if rolled else "mud" if box.mud else "dry"


def _list_notes(setting: Setting, state: State) -> Iterator[str]:
    """4.0-offensives, 4.0-fortifications, 12.0: return the available markers, and the meaning of the columns."""
    yield "G: German. R: Russian. O: Offensive markers that become available, at most three [4.0-offensives]."
    yield "IRP, ARP: the turn's replacement points before the posture changes them. Unused points lapse [10.6]."
    if past.read_past(setting.scenario):
        why = past.cite_source(setting.scenario)
        yield f"then: the historical postures, German/Russian: P Pause, R Reposition, D Deploy, E Engage ({why})."
    for side in SIDES:
        markers = state.tracks[f"offensives-{side}"]
        chosen, before = state.mark(side, "posture"), state.mark(side, "previous")
        posture = f"posture {chosen}, after {before}" if chosen else f"no posture shown yet, {before} the turn before"
        yield f"{side.capitalize()}: {markers} of 3 Offensive markers available; {posture}."
    yield from _list_forts(setting, state)


def _list_forts(setting: Setting, state: State) -> Iterator[str]:
    now = TURN_ORDER.index(state.turn)
    lines = setting.scenario.data["map"]["fortifications"].values()
    forts = [(TURN_ORDER.index(line["active-from"]), line["owner"], hex_) for line in lines for hex_ in line["hexes"]]
    # If two lines share a hex, the earlier line counts, so it is set last.
    first = {(owner, hex_): (turn, owner) for turn, owner, hex_ in sorted(forts, reverse=True)}
    for (turn, owner), number in sorted(Counter(first.values()).items()):
        if turn > now:
            yield f"Turn {TURN_ORDER[turn]}: {number} {owner.capitalize()} fortifications become active."


def _track_data(setting: Setting) -> str:
    parts = [part for part in setting.scenario.provenance if part.part.startswith("tables/turn-track/")]
    own = [part for part in parts if part.part.rpartition("/")[2] in setting.turns]
    return rate_data(replace(setting.scenario, provenance=tuple(own)), "tables/turn-track")
