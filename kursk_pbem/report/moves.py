"""What may be done from a position, as text: moves by unit and phase, targets with their arithmetic, a map of one unit.

A ``*`` stands after every hex in an enemy zone of control.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.events import Fought, to_plain
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.outlook import Destination, MovePhase, Mover, Outlook, Target
from kursk_pbem.kernel.ruleset import Cell, Names
from kursk_pbem.report import textmap
from kursk_pbem.report.battle import level
from kursk_pbem.report.layout import wrap
from kursk_pbem.report.lines import unit
from kursk_pbem.report.odds import chance

_STAR = "* after a hex: in an enemy zone of control; a move that enters it ends."


def of_side(title: str, outlook: Outlook, names: Names) -> str:
    """Everything a side may do, a paragraph for each unit; text that ends in a newline."""
    lines = wrap(title, "", "  ")
    shown: dict[str, tuple[Destination, ...]] = {}
    for phase in outlook.phases:
        lines += ["", *_head(phase, names)]
        if phase.movers:
            lines.append(f"  {_STAR}")
        for mover in phase.movers:
            text = "the same hexes as above" if shown.get(mover.unit) == mover.ends else _by_cost(mover)
            lines += wrap(f"{mover.unit} in {names.place(mover.place)}: {text}", "  ", "      ")
            shown.setdefault(mover.unit, mover.ends)
    lines += _notes(outlook.notes)
    lines += _targets(outlook.targets, names)
    return "\n".join((*lines, ""))


def of_unit(title: str, outlook: Outlook, names: Names, grid: Grid, cells: Iterable[Cell]) -> str:
    """Everything one unit may do: each hex with points and way, its targets, and the map around it."""
    lines = wrap(title, "", "  ")
    shown: tuple[Destination, ...] = ()
    for phase in outlook.phases:
        lines += ["", *_head(phase, names)]
        for mover in phase.movers:
            lines += ["  The same as above."] if mover.ends and mover.ends == shown else _ways(mover, names)
            shown = mover.ends
    lines += _notes(outlook.notes)
    lines += _targets(outlook.targets, names)
    movers = [mover for phase in outlook.phases for mover in phase.movers]
    if movers:
        legend = ("> and points: a hex that can be reached, ! if it lies in an enemy zone of control.",)
        lines += ["", textmap.render(grid, _marked(cells, movers), around=movers[0].place, legend=legend).rstrip("\n")]
    return "\n".join((*lines, ""))


def _head(phase: MovePhase, names: Names) -> list[str]:
    lines = [f"{names.phase(phase.key)} [{phase.rule}]"]
    for note in phase.notes:
        lines += wrap(note, "  ", "      ")
    if not phase.movers or not any(mover.ends for mover in phase.movers):
        lines.append("  No move is possible.")
    return lines


def _by_cost(mover: Mover) -> str:
    """'rail; 1 MP 2017, 2118*; 2 MP 2018'."""
    groups: dict[str, list[str]] = {}
    for end in mover.ends:
        groups.setdefault(end.mp, []).append(end.place + ("*" if end.beside else ""))
    ranked = sorted(groups.items(), key=lambda item: int(item[0] or 0))
    texts = [(f"{mp} MP " if mp else "") + ", ".join(places) for mp, places in ranked]
    return ("by rail " if mover.how == "rail" else "") + "; ".join(texts)


def _ways(mover: Mover, names: Names) -> Iterator[str]:
    if not mover.ends:
        return
    places = {end.place: names.place(end.place) for end in mover.ends}
    width = max(map(len, places.values()))
    by = "by rail" if mover.how == "rail" else "the way there"
    yield f"  {'hex':<{width}}  MP  {by}"
    for end in sorted(mover.ends, key=lambda each: (int(each.mp or 0), each.place)):
        zone = f"; EZOC of {', '.join(end.beside)}" if end.beside else ""
        first = f"  {places[end.place]:<{width}}  {end.mp or '-':>2}  "
        yield from wrap("-".join((mover.place, *end.path)) + zone, first, " " * (width + 10))


def _marked(cells: Iterable[Cell], movers: Sequence[Mover]) -> list[Cell]:
    """The hexes of the map, those that can be reached with the points of the first phase that leads there."""
    found: dict[str, str] = {}
    for mover in movers:
        for end in mover.ends:
            points = f"> {end.mp} MP" if end.mp else "> 1 hex"
            found.setdefault(end.place, points + ("!" if end.beside else ""))
    return [
        replace(cell, lines=(*cell.lines[:2], found[cell.label])) if cell.label in found else cell for cell in cells
    ]


def _targets(targets: Sequence[Target], names: Names) -> Iterator[str]:
    if targets:
        yield ""
        yield "What can be attacked from where units stand now, by all beside it [9.0]"
    for target in targets:
        fought = target.fought
        yield from wrap(f"{unit(names, fought.defender)} in {names.place(fought.place)}", "  ", "      ")
        who = [f"{each.unit} from {each.place} {each.counts}{_halved(each.halvings)}" for each in fought.attackers]
        yield from wrap(f"by {', '.join(who)}", "    ", "      ")
        yield from wrap(_odds(fought), "    ", "      ")
        if target.results:
            faces = ", ".join(f"{result} {chance(value)}" for result, value in target.results)
            yield from wrap(faces, "    ", "      ")
        for each in target.offensives:
            text = f"Offensive led by {each.lead}, in support {', '.join(each.supporters)}: {_odds(each)}"
            yield from wrap(text, "    ", "      ")


def _halved(halvings: Sequence[str]) -> str:
    return f" (halved: {', '.join(halvings)})" if halvings else ""


def _odds(fought: Fought) -> str:
    """'27:8 = 3:1, -1 defender in forest [9.2]: 2:1'."""
    shifts = "".join(f", {shift.columns:+d} {shift.why} [{shift.rule}]" for shift in fought.shifts)
    final = level(fought.ratio) + sum(shift.columns for shift in fought.shifts)
    reached = f"{final}:1" if final >= 1 else f"1:{2 - final}"
    column = fought.column or f"{reached}, no attack"
    if fought.column and fought.column != reached:
        column = f"{reached}, taken as {fought.column}"
    after = f": {column}" if shifts or column != reached else ""
    return f"{fought.attack}:{fought.defence} = {fought.ratio}{shifts}{after}"


def _notes(notes: Sequence[str]) -> list[str]:
    return ["", *(line for note in notes for line in wrap(note, "", "  "))] if notes else []


def to_json(outlook: Outlook) -> dict[str, Any]:
    """The same for programs: every move with its path, every attack with its shifts."""
    return {
        "side": outlook.side,
        "phases": [
            {
                "phase": phase.key,
                "rule": phase.rule,
                "notes": list(phase.notes),
                "units": [
                    {
                        "unit": mover.unit,
                        "hex": mover.place,
                        "how": mover.how,
                        "to": [
                            {"hex": end.place, "mp": end.mp, "path": list(end.path), "ezoc": list(end.beside)}
                            for end in mover.ends
                        ],
                    }
                    for mover in phase.movers
                ],
            }
            for phase in outlook.phases
        ],
        "targets": [
            {
                "hex": target.fought.place,
                "defender": target.fought.defender,
                "attack": to_plain(target.fought),
                "results": {result: str(value) for result, value in target.results},
                "offensives": [to_plain(each) for each in target.offensives],
            }
            for target in outlook.targets
        ],
        "notes": list(outlook.notes),
    }
