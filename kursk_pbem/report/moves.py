"""Possible actions as text: moves by unit and phase, targets with odds, a map of one unit.

The ruleset explains the signs after places in each phase.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.outlook import Destination, MovePhase, Mover, Outlook, Sign, Target
from kursk_pbem.kernel.picture import PLANE, Picture, find_adjacent
from kursk_pbem.kernel.words import Words, units
from kursk_pbem.report import textmap, textplane
from kursk_pbem.report.battle import explain_odds
from kursk_pbem.report.layout import wrap
from kursk_pbem.report.lines import to_json as as_json
from kursk_pbem.report.odds import show_chance


def list_side_moves(title: str, outlook: Outlook, words: Words, picture: Picture | None = None) -> str:
    """Return what a side can do, a paragraph for each unit. The text ends with a newline.

    ``picture``: if given, also list where all enemies are, for a reader who does not see the map.
    """
    lines = wrap(title, "", "  ")
    shown: dict[str, tuple[str, tuple[Destination, ...]]] = {}
    for phase in outlook.phases:
        lines += ["", *_make_head(phase, words)]
        if phase.movers:
            lines += [line for sign in phase.signs for line in wrap(f"{sign.sign} {sign.legend}", "  ", "      ")]
        for mover in phase.movers:
            same = bool(mover.ends) and shown.get(mover.unit) == (mover.how, mover.ends)
            text = "the same as above" if same else _group_by_cost(mover, phase)
            lines += wrap(f"{mover.unit} {outlook.at} {words.place(mover.place)}: {text}", "  ", "      ")
            shown.setdefault(mover.unit, (mover.how, mover.ends))
    lines += _list_notes(outlook.notes)
    lines += _list_targets(outlook, words)
    lines += _list_enemies(outlook, words, picture) if picture is not None else []
    lines += _list_notes(outlook.about)
    return "\n".join((*lines, ""))


def _list_enemies(outlook: Outlook, words: Words, picture: Picture) -> list[str]:
    found = [piece for piece in picture.pieces if piece.side != outlook.side]
    places = [words.place(piece.at) if piece.at else textplane.show_spot(piece.spot, picture.unit) for piece in found]
    told = "; ".join(f"{piece.id} {outlook.at} {place}" for piece, place in zip(found, places, strict=True))
    return ["", *wrap(f"Enemies: {told or 'none on the map'}.", "", "  ")]


def list_unit_moves(title: str, outlook: Outlook, words: Words, picture: Picture, width: int = 0) -> str:
    """Return what a unit can do: hexes with costs and paths, targets, and a map around the unit.

    ``width``: the most columns that the map may have, 0 for no limit.
    """
    lines = [*wrap(title, "", "  "), *(line for text in outlook.about for line in wrap(text, "  ", "      "))]
    shown: tuple[str, tuple[Destination, ...]] = "", ()
    for phase in outlook.phases:
        lines += ["", *_make_head(phase, words)]
        for mover in phase.movers:
            lines += [f"  {mover.unit} {outlook.at} {mover.place}:"] * (len(phase.movers) > 1)  # the models of one unit
            same = mover.ends and (mover.how, mover.ends) == shown
            lines += ["  The same as above."] if same else _list_ways(mover, phase, words)
            shown = mover.how, mover.ends
    lines += _list_notes(outlook.notes)
    lines += _list_targets(outlook, words)
    movers = [(phase, mover) for phase in outlook.phases for mover in phase.movers]
    if movers:
        marked = _mark_places(movers)
        signs = dict.fromkeys(f"{sign.sign} {sign.legend}" for phase, _mover in movers for sign in phase.signs)
        legend = ("> and points: where the unit may end a move.", *signs) if marked else ()
        around = None if picture.form == PLANE else movers[0][1].unit
        page = textmap.Page(width)
        lines += ["", textmap.render_map(picture, around=around, marked=marked, legend=legend, page=page).rstrip("\n")]
    return "\n".join((*lines, ""))


def describe_way(title: str, outlook: Outlook, words: Words, place: str, reasons: Sequence[str]) -> str:
    """Return a text on how a unit can reach a place, phase by phase. ``reasons``: why the unit cannot reach it."""
    lines, ways = wrap(title, "", "  "), False
    for phase in outlook.phases:
        for mover in phase.movers:
            for end in mover.ends:
                if end.place == place:
                    told = f"{words.phase(phase.key)}: {_show_points(mover, end, phase)}{_show_way(mover, end, phase)}"
                    lines += wrap(told, "  ", "      ")
                    ways = True
    lines += [line for reason in reasons for line in wrap(reason, "  ", "      ")]
    if not ways and not reasons:
        lines += _describe_free_place(outlook)
    lines += _list_targets(_at_place(outlook, place), words)
    return "\n".join((*lines, ""))


def _describe_free_place(outlook: Outlook) -> Iterator[str]:
    """Yield that a place is free, and which checks follow when all units have moved."""
    free = [phase for phase in outlook.phases if any(mover.within for mover in phase.movers)]
    if not free:
        yield "  The place is free, but the unit can move in no phase now."
    for phase in free:
        yield f"  The place is free for the unit{'. Checks after all moves:' if phase.notes else '.'}"
        yield from (line for note in phase.notes for line in wrap(note, "    ", "      "))


def _are(uids: Sequence[str]) -> str:
    return "is" if len(uids) == 1 else "are"


def describe_place(
    title: str, outlook: Outlook, words: Words, picture: Picture, place: str, reasons: Sequence[str] = ()
) -> str:
    """Return which units can reach a place (or a hex next to an enemy there), and the odds of an attack on the place.

    ``reasons``: why the nearest units cannot reach the place.
    """
    lines, pieces = wrap(title, "", "  "), {piece.id: piece for piece in picture.pieces}
    held = [piece.id for piece in picture.pieces if piece.at == place and piece.side != outlook.side]
    goals = find_adjacent(picture, place) if held else (place,)
    friends = [piece.id for piece in picture.pieces if piece.at == place and piece.side == outlook.side]
    if held:
        lines += wrap(f"{units(words, held)} {_are(held)} here; units in reach of an adjacent hex:", "  ", "      ")
    elif friends:
        lines += wrap(f"{units(words, friends)} {_are(friends)} here.", "  ", "      ")
    for phase in outlook.phases:
        lines += ["", *_make_head(phase, words)]
        arrivals = [(mover, end) for mover in phase.movers for end in _cheapest(mover, goals)]
        if not arrivals:
            lines.append("  No unit can move here.")
        for mover, end in arrivals:
            figures = f" {pieces[mover.unit].figures}" if mover.unit in pieces else ""
            told = f"{mover.unit}{figures}: {_show_points(mover, end, phase)}{_show_way(mover, end, phase)}"
            lines += wrap(told, "  ", "      ")
    lines += [line for reason in reasons for line in wrap(reason, "  ", "      ")]
    lines += _list_notes(outlook.notes)
    lines += _list_targets(_at_place(outlook, place), words)
    return "\n".join((*lines, ""))


def describe_spot(title: str, outlook: Outlook, words: Words, reasons: Mapping[str, Sequence[str]]) -> str:
    """Return which units can reach a point of a table top, and why others cannot. The text ends with a newline."""
    lines = wrap(title, "", "  ")
    for phase in outlook.phases:
        lines += ["", *_make_head(phase, words)]
        for mover in phase.movers:
            lines += wrap(
                f"{mover.unit} at {mover.place}: {'; '.join(reasons[mover.unit]) or 'it can get there'}", "  ", "      "
            )
    return "\n".join((*lines, ""))


def select_able(outlook: Outlook, reasons: Mapping[str, Sequence[str]]) -> Outlook:
    """Return the possible moves without the units that cannot move. ``reasons``: unit -> why the unit cannot move."""
    return _select_movers(outlook, lambda mover: None if reasons[mover.unit] else mover)


def select_towards(outlook: Outlook, place: str) -> Outlook:
    """Return the part of a forecast about a place: moves to the place, and attacks on the place."""

    def end_there(mover: Mover) -> Mover | None:
        ends = tuple(end for end in mover.ends if end.place == place)
        return replace(mover, ends=ends) if ends else None

    return _select_movers(_at_place(outlook, place), end_there)


def _select_movers(outlook: Outlook, choose: Callable[[Mover], Mover | None]) -> Outlook:
    """Return an outlook with the chosen part of each mover; None for no part."""
    phases = (replace(phase, movers=tuple(filter(None, map(choose, phase.movers)))) for phase in outlook.phases)
    return replace(outlook, phases=tuple(phases))


def find_nearest(outlook: Outlook, picture: Picture, place: str, most: int = 2) -> tuple[tuple[str, str], ...]:
    """Return a side's units nearest to a place, each with its goal: the place, or a hex next to an enemy there.

    Returns ``most`` units, or more if several are equally near; () if a unit can reach the place at once.
    """
    held = any(piece.at == place and piece.side != outlook.side for piece in picture.pieces)
    goals = find_adjacent(picture, place) if held else (place,)
    if not outlook.phases or any(_cheapest(mover, goals) for phase in outlook.phases for mover in phase.movers):
        return ()
    own = [piece for piece in picture.pieces if piece.side == outlook.side]
    near: list[tuple[str, str]] = []
    ring, to = [*goals], {goal: goal for goal in goals}
    while ring and len(near) < most:
        near += [(piece.id, to[spot]) for spot in ring for piece in own if piece.at == spot]
        ways = [(spot, to[inner]) for inner in ring for spot in find_adjacent(picture, inner) if spot not in to]
        ring = [*dict(ways)]
        to |= dict(reversed(ways))  # the first phase with a path there
    return tuple(near)


def _cheapest(mover: Mover, goals: Sequence[str]) -> list[Destination]:
    """Return the cheapest moves to some places; the first of equals."""
    ends = [end for end in mover.ends if end.place in goals]
    return [min(ends, key=lambda end: int(end.cost or 0))] if ends else []


def _at_place(outlook: Outlook, place: str) -> Outlook:
    return replace(outlook, targets=tuple(target for target in outlook.targets if target.place == place))


def _show_points(mover: Mover, end: Destination, phase: MovePhase) -> str:
    """Return 'by rail 2 MP '."""
    return "".join(f"{word} " for word in (mover.how, end.cost and f"{end.cost} {phase.points}") if word)


def _show_way(mover: Mover, end: Destination, phase: MovePhase) -> str:
    """Return '2016-2017; in the zone of control of r-3'."""
    told = (f"; {sign.word} {', '.join(end.marks[sign.key])}" for sign in phase.signs if end.marks.get(sign.key))
    return "-".join((mover.place, *end.path)) + "".join(told)


def _make_head(phase: MovePhase, words: Words) -> list[str]:
    lines = [f"{words.phase(phase.key)} [{phase.rule}]"]
    for note in phase.notes:
        lines += wrap(note, "  ", "      ")
    if not any(mover.ends or mover.within for mover in phase.movers):
        lines.append("  No move is possible.")
    return lines


def _show_signs(end: Destination, signs: Sequence[Sign]) -> str:
    return "".join(sign.sign for sign in signs if end.marks.get(sign.key))


def _group_by_cost(mover: Mover, phase: MovePhase) -> str:
    """Return 'by rail 1 MP 2017, 2118*; 2 MP 2018'."""
    groups: dict[str, list[str]] = {}
    for end in mover.ends:
        groups.setdefault(end.cost, []).append(end.place + _show_signs(end, phase.signs))
    ranked = sorted(groups.items(), key=lambda item: int(item[0] or 0))
    texts = [(f"{cost} {phase.points} " if cost else "") + ", ".join(places) for cost, places in ranked]
    within = [mover.within] if mover.within else []
    return (f"{mover.how} " if mover.how else "") + "; ".join([*within, *texts])


def _list_ways(mover: Mover, phase: MovePhase, words: Words) -> Iterator[str]:
    if mover.within:
        yield from wrap(mover.within, "  ", "      ")
    if not mover.ends:
        return
    places = {end.place: words.place(end.place) for end in mover.ends}
    width = max(map(len, places.values()))
    yield f"  {'to':<{width}}  {phase.points}  {mover.how or 'the way there'}"
    for end in sorted(mover.ends, key=lambda end: int(end.cost or 0)):
        first = f"  {places[end.place]:<{width}}  {end.cost or '-':>{len(phase.points)}}  "
        yield from wrap(_show_way(mover, end, phase), first, " " * (width + 10))


def _mark_places(movers: Sequence[tuple[MovePhase, Mover]]) -> dict[str, str]:
    """Return the reachable places, with the points of the first phase that reaches each place."""
    labels: dict[str, str] = {}
    for phase, mover in movers:
        for end in mover.ends:
            points = f"> {end.cost} {phase.points}" if end.cost else ">"
            labels.setdefault(end.place, points + _show_signs(end, phase.signs))
    return labels


def _list_targets(outlook: Outlook, words: Words) -> Iterator[str]:
    if outlook.targets:
        yield ""
        yield from wrap(outlook.heading, "", "  ")
    for target in outlook.targets:
        yield from wrap(f"{units(words, target.units)} {outlook.at} {words.place(target.place)}", "  ", "      ")
        for text in _describe_target(target):
            yield from wrap(text, "    ", "      ")


def _describe_target(target: Target) -> Iterator[str]:
    """Yield an attack in a few lines: attackers, odds, results, alternatives."""
    if target.fought is not None:
        rows = target.fought.attack.rows
        changes = [f" ({', '.join(row.changes)})" if row.changes else "" for row in rows]
        who = [f"{row.unit} from {row.place} {row.counts}{told}" for row, told in zip(rows, changes, strict=True)]
        yield f"by {', '.join(who)}"
        yield explain_odds(target.fought, cited=True)
    yield from target.lines
    if target.results:
        yield ", ".join(f"{result} {show_chance(value)}" for result, value in target.results)
    for name, fought in target.variants:
        # only the reading of the table differs
        odds = explain_odds(fought, cited=True)
        same = target.fought is not None and odds == explain_odds(target.fought, cited=True)
        yield name if same else f"{name}: {odds}"


def _list_notes(notes: Sequence[str]) -> list[str]:
    return ["", *(line for note in notes for line in wrap(note, "", "  "))] if notes else []


def to_json(outlook: Outlook) -> dict[str, Any]:
    """Return a forecast as plain data: every move with path and obstacles, every attack with its shifts."""
    phases = [
        {
            "phase": phase.key,
            "rule": phase.rule,
            "notes": list(phase.notes),
            "units": [_mover_json(mover) for mover in phase.movers],
        }
        for phase in outlook.phases
    ]
    targets = [
        {
            "place": target.place,
            "units": list(target.units),
            "attack": as_json(target.fought) if target.fought else {},
            "lines": list(target.lines),
            "results": {result: str(value) for result, value in target.results},
            "variants": {name: as_json(fought) for name, fought in target.variants},
        }
        for target in outlook.targets
    ]
    notes = {"notes": list(outlook.notes), "about": list(outlook.about)}
    return {"side": outlook.side, "phases": phases, "targets": targets, **notes}


def _mover_json(mover: Mover) -> dict[str, Any]:
    ends = [
        {"place": end.place, "cost": end.cost, "path": list(end.path), **{k: list(v) for k, v in end.marks.items()}}
        for end in mover.ends
    ]
    return {"unit": mover.unit, "place": mover.place, "how": mover.how, "within": mover.within, "to": ends}
