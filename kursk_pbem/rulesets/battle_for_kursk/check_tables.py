"""Checks of a scenario's tables against each other, the rules and the examples.

This module contains the attested values. A table that differs is no error, because it may be the printed table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel.review import ERROR, WARNING, Finding
from kursk_pbem.rulesets.battle_for_kursk.odds import RESULTS
from kursk_pbem.rulesets.battle_for_kursk.setting import TURN_ORDER

Tables = Mapping[str, Any]

# (column, die) -> (result, the example that shows it)
CRT = {
    ("2:1", "3"): ("DR", "Combat Example 4"),
    ("1:1", "5"): ("DR", "Combat Example 5"),
    ("1:1", "4"): ("NE", "Combat Example 6"),
    ("4:1", "4"): ("DRL", "Combat Example 6"),
}
# kind -> (mp, shift, paragraph); None: unknown
HEXES: Mapping[str, tuple[str | None, str | None, str]] = {
    "clear": ("1", "0", "8.0-terrain"),
    "forest": ("2", "-1", "9.2"),
    "rough": (None, "-1", "9.2"),
    "marsh": ("all", "0", "8.0-terrain"),
    "city": ("1", "0", "8.0-terrain"),
    "major": (None, "-1", "9.2"),
    "fortification": (None, "-1", "9.2"),
}
HEXSIDES: Mapping[str, tuple[str | None, str | None, str]] = {
    "river": ("0", "-1", "9.2-river"),
    "major": ("all", "-2", "8.0-major-river"),
}
# (turn, side) -> (IRP, ARP)
TURN_TRACK = {("1", "german"): ("1", "7"), ("1", "russian"): ("3", "2"), ("2", "german"): ("1", "-1")}
MUD = ("A", "C", "7")
MUD_DIE = {"A": "3", "B": "2", "C": "1", "6": "1", "7": "2", "8": "3"}
POSTURES = {
    "german": {"pause": ("1", "0"), "reposition": ("0", "0"), "deploy": ("0", "-1"), "engage": ("-1", "-1")},
    "russian": {"pause": ("2", "0"), "reposition": ("0", "0"), "deploy": ("0", "-2"), "engage": ("-2", "-2")},
}
PHASES = {
    "pause": ("replacement",),
    "reposition": ("replacement", "movement"),
    "deploy": ("replacement", "armor-and-rail", "movement"),
    "engage": ("replacement", "armor-and-rail", "combat", "movement"),
}
STRATEGIC = 10  # the historical points, a strategic victory (5.0)


def check(tables: Tables) -> Iterator[Finding]:
    """Return the errors and warnings about the tables of a scenario."""
    yield from _check_crt(tables["crt"])
    yield from _check_tec(tables["tec"])
    yield from _check_turn_track(tables["turn-track"])
    yield from _check_postures(tables)
    yield from _check_victory(tables["victory"])


def _check_crt(crt: Tables) -> Iterator[Finding]:
    """9.1, 9.3: compare cells with the examples, and check that results rise with die and odds."""
    columns, rows = crt["columns"], crt["rows"]
    for (column, die), (result, example) in CRT.items():
        place = columns.index(column)
        if rows[die][place] != result:
            text = f"{column}, die {die}, is {rows[die][place]}; {example} shows {result}"
            yield Finding(WARNING, "9.3", text, ("tables", "crt", "rows", die, place))
    for die in sorted(rows):
        for place, result in enumerate(rows[die]):
            path = ("tables", "crt", "rows", die, place)
            if result == "AL" and place:
                text = f"{columns[place]}, die {die}, is AL; by Combat Example 5, 2:1 and better avoid AL"
                yield Finding(WARNING, "9.3-al", text, path)
            if result == "NE" and columns[place] == "4:1":
                text = f"4:1, die {die}, is NE; by Combat Example 6, no roll at 4:1 spares the defender"
                yield Finding(WARNING, "9.3-ne", text, path)
            before = [(rows[die][place - 1], "to its left")] if place else []
            if die != "1":
                before.append((rows[str(int(die) - 1)][place], "above it"))
            for other, side in before:
                if RESULTS.index(result) < RESULTS.index(other):
                    text = f"{columns[place]}, die {die}, is {result}, less than the {other} {side}"
                    yield Finding(WARNING, "9.3", text, path)
    if not any(row[0] == "AL" for row in rows.values()):
        text = "no AL at 1:1; by Combat Example 5, 2:1 avoids AL"
        yield Finding(WARNING, "9.3-al", text, ("tables", "crt", "rows"))


def _check_tec(tec: Tables) -> Iterator[Finding]:
    """8.0, 9.2: compare the terrain effects with the rules and the movement examples."""
    for table, told in (("hexes", HEXES), ("hexsides", HEXSIDES)):
        for kind, (mp, shift, rule) in told.items():
            entry, path = tec[table][kind], ("tables", "tec", table, kind)
            if table == "hexes" and entry.get("mp") == "0":
                text = f"entering {kind} must cost at least 1 movement point"
                yield Finding(ERROR, "8.0-terrain", text, (*path, "mp"))
            elif mp is not None and entry["mp"] != mp:
                yield Finding(WARNING, rule, f"{kind} costs {entry['mp']}; in the rules {mp}", (*path, "mp"))
            if shift is not None and entry["shift"] != shift:
                text = f"{kind} shifts {entry['shift']} columns; in the rules {shift}"
                yield Finding(WARNING, rule, text, (*path, "shift"))
    for kind, entry in ((kind, tec["hexes"][kind]) for kind in HEXES):
        halved = entry.get("attack-from") == "halved"
        if halved != (kind == "marsh"):
            verb = "are" if halved else "are not"
            text = f"attacks from {kind} {verb} halved; the rules halve only attacks from marsh"
            yield Finding(WARNING, "9.0-1", text, ("tables", "tec", "hexes", kind))


def _check_turn_track(track: Tables) -> Iterator[Finding]:
    """10.6, 11.0, 11.3: compare the boxes with the rules."""
    for turn, box in track.items():
        if turn not in TURN_ORDER:
            text = f"turn {turn} is not a turn of the game; the box has no effect"
            yield Finding(WARNING, "4.0-turn-track", text, ("tables", "turn-track", turn))
            continue
        for side in POSTURES:
            told = TURN_TRACK.get((turn, side))
            for key, value in zip(("irp", "arp"), told or (), strict=False):
                printed = box[side][key]
                if printed != value:
                    text = f"turn {turn} gives the {side} side {printed} {key.upper()}; the example of 10.6 has {value}"
                    yield Finding(WARNING, "10.6", text, ("tables", "turn-track", turn, side, key))
        if (box["mud"] == "yes") != (turn in MUD):
            text = f"turn {turn} is {'' if box['mud'] == 'yes' else 'not '}muddy; the mud turns are {', '.join(MUD)}"
            yield Finding(WARNING, "11.0", text, ("tables", "turn-track", turn, "mud"))
        if box.get("mud-die") != MUD_DIE.get(turn):
            printed, told_die = box.get("mud-die", "none"), MUD_DIE.get(turn, "none")
            text = f"turn {turn} has mud up to a roll of {printed}; in the rules {told_die}"
            yield Finding(WARNING, "11.3", text, ("tables", "turn-track", turn, "mud-die"))


def _check_postures(tables: Tables) -> Iterator[Finding]:
    """12.0: compare the points and phases of every posture."""
    for side, told in POSTURES.items():
        for posture, points in told.items():
            for key, value in zip(("irp", "arp"), points, strict=True):
                printed = tables["postures"][side][posture][key]
                if printed != value:
                    text = f"{posture} gives the {side} side {printed} {key.upper()}; in the rules {value}"
                    yield Finding(WARNING, f"12.0-{posture}", text, ("tables", "postures", side, posture, key))
    for posture, phases in PHASES.items():
        if sorted(tables["phases"][posture]) != sorted(phases):
            text = f"{posture} grants {', '.join(tables['phases'][posture])}; in the rules {', '.join(phases)}"
            yield Finding(WARNING, "12.0-4", text, ("tables", "phases", posture))


def _check_victory(victory: Tables) -> Iterator[Finding]:
    """5.0: compare the levels of victory."""
    operational, strategic = int(victory["operational"]), int(victory["strategic"])
    if not 1 <= operational <= strategic:
        text = f"operational {operational} and strategic {strategic}: the first is at least 1 and not above the second"
        yield Finding(ERROR, "5.0-level", text, ("tables", "victory", "operational"))
    if strategic > STRATEGIC:
        text = f"a strategic victory takes {strategic} points; in the rules {STRATEGIC}"
        yield Finding(WARNING, "5.0-level", text, ("tables", "victory", "strategic"))
