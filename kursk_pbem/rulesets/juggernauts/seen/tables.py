"""Tables beside the map, from the scenario, with the rating of their data; the turn track with arrivals."""

from __future__ import annotations

from kursk_pbem.kernel.brief import Table, rate_data
from kursk_pbem.kernel.state import OFF_MAP, State
from kursk_pbem.rulesets.juggernauts import arrivals
from kursk_pbem.rulesets.juggernauts.odds import MEANING, find_row
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, RUSSIAN, SIDES, Setting

LINES, AIR = (
    ("line", "to its front", "otherwise", "only with a unit"),
    ("die", "Luftwaffe bombing", "Russian bombing", "interception"),
)
BOMBS = (
    "Each ground unit in the hex has a die [20.1]. D: the unit is Disrupted in place, and Ferdinands are lost [14.3]. "
    "D*: a D, but without effect on armour, on an entrenched unit, in forest, or behind a friendly line. "
    "D-Rudel: a D, and the air unit with Rudel destroys a tank corps in the hex besides, otherwise another tank unit. "
    "none: no effect. AA: the mission ends, and the air unit does not strike in the next turn [20.4]."
)
MET = (
    "Interception: the named side turns back, and the opponent flies on; with '-down' the air unit is "
    "shot down, and out of the game until two player turns have passed [20.2]."
)


def make_tables(setting: Setting) -> tuple[Table, ...]:
    """Return the tables of a scenario. If the game has aircraft, the air tables are included."""
    shown = (_results(setting), _defence(), _lines(setting), _victory(setting))
    return (*shown, *_air(setting)) if setting.air else shown


def _results(setting: Setting) -> Table:
    """1.0: return the combat results table, with the die column of the scenario."""
    dice = range(6, 0, -1) if setting.die_b else range(1, 7)
    rows = tuple(
        (str(die), *(setting.crt[column, 7 - die if setting.die_b else die] for column in range(12))) for die in dice
    )
    return Table(
        "Ground Combat Results Table",
        "1.0",
        ("die", *setting.columns),
        rows,
        (
            "; ".join(f"{result}: {text}" for result, text in MEANING.items()) + ".",
            "Attacks below 1:5 are not allowed; more than 7:1 is a DE without a die.",
        ),
        rate_data(setting.scenario, "tables/crt"),
    )


def _defence() -> Table:
    """15.1 to 15.8, 4.0-column, 14.1, 16.2: return the changes of factors and columns."""
    rows = (
        ("entrenched infantry", "+1 each", "-", "15.1"),
        ("forest", "+1 for one infantry unit", "-", "15.7"),
        ("hill", "+1 for one unit", "-", "15.8"),
        ("major city", "up to +2 with infantry", "-", "15.5"),
        ("river, half of the attack across", "-", "-1", "15.6"),
        ("a defender Disrupted", "-", "+1", "4.0-column"),
        ("each attacking Panzerkeil, two at most", "-", "+1", "14.1"),
        ("Panzerkeil attacked: front, rear flank, rear", "-", "-1, 0, +1", "14.1"),
        ("an attacker out of supply", "-", "-1", "16.2"),
        ("a defender out of supply", "-", "+1", "16.2"),
    )
    return Table(
        "Factors and shifts",
        "1.0",
        ("what", "defence factors", "column", "rule"),
        rows,
        ("A hex costs 1 MP (movement factor); tanks pay 1 more to cross a river or to attack across one [15.6].",),
    )


def _lines(setting: Setting) -> Table:
    """15.2 to 15.4: return the strengths of lines."""
    seen = {line.name: line for _hex, line in sorted(setting.lines.items())}
    rows = tuple(
        (name, str(line.ahead), str(line.behind), "yes" if line.needs_unit else "no") for name, line in seen.items()
    )
    return Table("Fortification lines", "15.2", LINES, rows, (), rate_data(setting.scenario, "tables/lines"))


def _victory(setting: Setting) -> Table:
    """18.1, 18.2: return the victory conditions."""
    names = {setting.board.labels[hex_]: name for hex_, name in setting.cities.items()}

    def said(labels: tuple[str, ...]) -> str:
        return ", ".join(names[label] for label in labels)

    german, russian = setting.victory[GERMAN], setting.victory[RUSSIAN]
    rows = (
        ("German", f"{said(german['take'])} in supply", said(german["hold"]), f"{said(german['more'])} (one)"),
        (
            "Russian",
            f"{said(russian['take'])} and one of {said(russian['any'])}",
            said(russian["hold"]),
            f"{russian['smashing']} of the four",
        ),
    )
    return Table(
        "Victory",
        "18.0",
        ("side", "takes", "holds", "Smashing with"),
        rows,
        ("Otherwise the game is drawn after the last turn.",),
        rate_data(setting.scenario, "tables/victory"),
    )


def _air(setting: Setting) -> tuple[Table, ...]:
    """20.1, 20.2: return the air operations table."""
    columns = (*(setting.bombing[side] for side in SIDES), setting.meeting)
    rows = tuple((str(die), *(column[find_row(setting, die) - 1] for column in columns)) for die in range(1, 7))
    notes = (BOMBS, MET, *(f"Range of {side} air units: {setting.ranges[side]} hexes [20.3]." for side in SIDES))
    return (Table("Air Operations Table", "20.1", AIR, rows, notes, rate_data(setting.scenario, "tables/air")),)


def make_track(setting: Setting, state: State) -> tuple[Table, ...]:
    """19.1, 11.1: return a table of the turns, with arrivals and saved replacement factors."""
    rows = []
    for number, turn in enumerate(setting.turns, 1):
        comes = [
            f"{counter.name}{'' if state.units[uid].place == OFF_MAP else ' (has come)'}"
            for uid, counter in setting.counters.items()
            if counter.arrives == number
        ]
        rows.append((f"{'>' if turn == state.turn else ' '} {turn}", ", ".join(comes) or "-"))
    return (
        Table(
            "Turns",
            "19.1",
            ("turn", "reinforcements"),
            tuple(rows),
            (f"Russian tank replacement factors saved up: {state.tracks[arrivals.FACTORS]} [11.2].",),
            rate_data(setting.scenario, "scenario", "tables/arrivals"),
        ),
    )
