"""Answers to questions during a turn: possible moves, possible attacks, effects of an order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from kursk_pbem.desk.draft import cautions, ordering, preview, prospects
from kursk_pbem.desk.draft.ordering import Written
from kursk_pbem.desk.draft.prospects import Prospect
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.seat import advances, answers, battles, editing, panels, rings
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.account.lines import capitalize_first
from kursk_pbem.kernel.brief import Table
from kursk_pbem.kernel.outlook import Chances, Destination, MovePhase, Mover, Outlook
from kursk_pbem.kernel.picture import PLANE, Piece, Place, Region
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.verbs import ORDER, PLACE, UNIT, UNITS, WISHES, Clause, Verb
from kursk_pbem.report.pictures import svg, svgtable

ANSWERING = "Choose a battle, then what its defender does on each result. Without an answer the usual choice applies."
TAKEN = "No unit is free: all units have orders in the draft."
MOST_SHOWN = 8
"""Maximum number of battles shown with chances on one page of answers."""


def make_unit_card(scene: Scene, uid: str) -> dict[str, Any]:
    """Return the board's card for a unit: description, moves and targets. An enemy's card lists possible attackers.

    Raises UsageError if the unit is not on the map.
    """
    words = scene.words
    piece = next((piece for piece in scene.picture.pieces if piece.id == uid), None)
    if piece is None:
        raise UsageError(f"the map has no unit {uid!r}")
    mine = scene.sheet is not None and piece.side == scene.desk.own_side
    unmoved = prospects.compute_outlook(scene.seen(uid if mine else ""), uid)
    ordered = panels.list_orders_of(scene, uid)
    phases = _list_phases(scene, uid, ordered if mine else [])
    moves = [
        _describe_phase(scene, phase, mover) for phase, _seen in phases for mover in phase.movers if mover.unit == uid
    ]
    now = prospects.compute_outlook(scene.seen(), uid) if mine and ordered else unmoved
    able, attack = mine and rings.can_attack(scene, now), _find_attack(scene, uid, mine=mine)
    aims = [rings.make_ring(scene, target, unmoved.at) for target in now.targets if able]
    return {
        "id": uid,
        "name": words.unit(uid),
        "where": words.place(piece.at) if piece.at else "",
        "ordered": ordered,
        "lines": _list_lines(scene, piece, now.about),
        "stack": [
            (other.id, words.unit(other.id))
            for other in scene.picture.pieces
            if other.at and other.at == piece.at and other.id != uid
        ],
        "together": any(place.kind == "near" for place in now.ranges),
        "phases": [phase for phase in moves if phase["verb"] or phase["refused"]] if mine else [],
        "others": list(_list_other_verbs(scene, piece, {shown["verb"] for shown in (*moves, *aims)})) if mine else [],
        "notes": unmoved.notes if mine else scene.outlook.notes if scene.sheet and not attack["verb"] else (),
        "targets": aims,
        "legend": list(rings.explain_rings(aims)),
        "threats": list(_list_threats(scene, piece)) if mine and scene.on_table else [],
        "waiting": battles.list_waiting(scene, piece.at) if piece.at else [],
        "past": battles.list_past(scene, piece.at) if piece.at else [],
        "mine": mine,
        "drawn": _draw_reach(scene, unmoved, now, uid) if mine else "",
        "sights": [sight.text for sight in now.sights if sight.text] if mine else (),
        **attack,
    }


def _list_lines(scene: Scene, piece: Piece, about: Sequence[str]) -> list[str]:
    """Return the lines about a unit; on hexes, with names in place of ids."""
    what = _describe_piece(scene, piece)
    lines = filter(None, (what, *(_remove_said(line, f"{what}, {piece.figures}") for line in about)))
    return [*lines] if scene.on_table else [battles.name_units(scene.words, line) for line in lines]


def _list_phases(scene: Scene, uid: str, ordered: Sequence[tuple[int, str]]) -> Iterator[tuple[MovePhase, Prospect]]:
    """Yield the movement phases, each from the unit's position after the ``ordered`` moves of earlier phases."""
    fields = {verb.name: verb.fields for verb in scene.sheet.verbs} if scene.sheet else {}
    verbs = {words.split()[0] for _number, words in ordered}
    seen, kept = scene.seen(uid), set[str]()
    for number, unmoved in enumerate(prospects.compute_outlook(seen, uid).phases):
        seen = scene.seen(uid, kept) if kept else seen
        yield (prospects.compute_outlook(seen, uid).phases[number] if kept else unmoved), seen
        if unmoved.verb in verbs:
            kept |= {field.removeprefix("orders/") for field in fields.get(unmoved.verb, ())}


def _list_other_verbs(scene: Scene, piece: Piece, shown: Collection[str]) -> Iterator[tuple[Verb, str]]:
    """Yield other verbs that can begin with the unit, with the unit or its formation. ``shown``: verbs to skip."""
    sheet = scene.writable
    for verb in sheet.verbs:
        for clause in ordering.list_clauses(sheet, verb.name, ())[1][:1] if verb.name not in shown else ():
            meant = [uid for uid in (piece.formation, piece.id) if uid in dict(clause.among)]
            if clause.kind in (UNIT, UNITS) and meant:
                yield verb, meant[0]


def _draw_reach(scene: Scene, unmoved: Outlook, now: Outlook, uid: str) -> str:
    """Draw a table unit's reach, and the ranges and lines of sight from its destination."""
    movers = [mover for phase in unmoved.phases for mover in phase.movers if mover.unit == uid and mover.outline]
    if scene.picture.form != PLANE:
        return ""
    game = scene.desk.game
    plain = game.ruleset.seen.picture(game.setting, scene.state)
    outlines = tuple(Region("", mover.outline, "clear") for mover in movers)
    holes = [Place("", "", "hole", spot=at, far=far) for mover in movers for at, far in mover.holes]
    places = (*plain.places, *now.ranges, *holes)
    shapes = svg.to_scale(replace(plain, regions=outlines, places=places, sights=now.sights))
    kinds = ("goal", "range", "hole", "near")
    goals, reach, gone, near = ([place for place in shapes.places if place.kind == kind] for kind in kinds)
    lit = "".join(
        svgtable.draw_allowance(region.outline, gone) + svgtable.clip_to_circles(region.outline, near)
        for region in shapes.regions
    )
    ranges = svgtable.draw_ranges(reach, shapes.size[0], (*shapes.pieces, *goals))
    return lit + ranges + svgtable.sights(shapes.sights, shapes.pieces)


def _describe_piece(scene: Scene, piece: Piece) -> str:
    able = ["can still move"] if piece.id in panels.list_movable(scene) else []
    return f"{scene.words.side(piece.side)}: {', '.join([*scene.list_words(piece), *able])}"


def _remove_said(line: str, what: str) -> str:
    """Return the parts of a line that the description of the unit does not contain."""
    said = what.partition(": ")[2].split(", ")
    return "" if line in what else ", ".join(part for part in line.split(", ") if part not in said)


def _list_threats(scene: Scene, mine: Piece) -> Iterator[tuple[str, str, str]]:
    """Yield the enemy models on a table top that can fire at a model now, with their chances."""
    for piece in scene.picture.pieces:
        if piece.side == mine.side:
            continue
        with suppress(UsageError):  # the piece is not on the table
            for target in prospects.compute_outlook(scene.seen(), piece.id).targets:
                if mine.id in target.units:
                    yield from ((piece.id, scene.words.unit(piece.id), line) for line in target.lines)


def _find_attack(scene: Scene, uid: str, *, mine: bool) -> dict[str, str]:
    targets = scene.outlook.targets if scene.sheet is not None and not mine else ()
    target = next((each for each in targets if uid in each.units and each.verb in scene.offered), None)
    return {"verb": target.verb, "words": target.who or target.place} if target else {"verb": "", "words": ""}


def _describe_phase(scene: Scene, phase: MovePhase, mover: Mover) -> dict[str, Any]:
    """Return a movement phase with the unit's destinations; without a verb if the draft permits no move."""
    offered = phase.verb in scene.offered
    refused = scene.refused(f"{phase.verb} {mover.unit} {mover.ends[0].place}") if offered and mover.ends else ""
    notes = [*phase.notes, *([f"Not now: {refused}."] if refused else [])]
    verb = phase.verb if offered and not refused else ""
    warned = {key for end in mover.ends for key, marked in end.marks.items() if marked}
    legends = [sign.legend for sign in phase.signs if sign.key in warned]
    return {
        "key": phase.key,
        "rule": phase.rule,
        "notes": notes,
        "verb": verb,
        "refused": refused,
        "within": mover.within,
        "warned": bool(warned),
        "ends": [_describe_end(scene, end) for end in mover.ends] if verb else [],
        "unit": mover.unit,
        "points": phase.points,
        "turns": mover.turns if offered else (),
        "start": scene.ground.point(mover.place),
        "name": scene.words.phase(phase.key),
        "signs": [capitalize_first(legend.removeprefix("after a hex: ")) for legend in legends],
    }


def _describe_end(scene: Scene, end: Destination) -> dict[str, Any]:
    points = [point for place in end.path if (point := scene.ground.point(place)) is not None]
    return {"place": end.place, "cost": end.cost, "marked": any(end.marks.values()), "way": points}


def make_place_card(scene: Scene, label: str) -> dict[str, Any]:
    """Return the board's card for a hex: terrain, name, owner, units, markers, and attacks possible there."""
    shapes, words = scene.picture, scene.words
    region = next((region for region in shapes.regions if region.id == label), None)
    if region is None:
        raise UsageError(f"the map has no place {label!r}")
    lines = [ground := region.kind or region.terrain]
    lines += [
        f"{site.kind.replace('-', ' ')} {site.name}" + (f", {words.side(site.owner)}" if site.owner else "")
        for site in shapes.places
        if site.at == label
    ]
    lines += [
        f"{mark.kind}" + (f" of the {words.side(mark.side)} side" if mark.side else "")
        for mark in shapes.marks
        if mark.at == label
    ]
    lines += [f"in a zone of control of the {words.side(zone.side)} side" for zone in shapes.zones if label in zone.at]
    lines += [f"in communication for the {words.side(zone.side)} side" for zone in shapes.reached if label in zone.at]
    kinds = {ground, *(site.kind.replace("-", " ") for site in shapes.places if site.at == label)}
    lines += [
        _describe_row(table, row)
        for table in scene.desk.game.ruleset.seen.tables(scene.desk.game.setting)
        for row in table.rows
        if row and row[0].lower() in kinds
    ]
    units = [(piece.id, f"{words.unit(piece.id)}, {piece.figures}") for piece in shapes.pieces if piece.at == label]
    targets = scene.outlook.targets if scene.sheet is not None else ()
    able = targets and rings.can_attack(scene, scene.outlook)
    aimed = [rings.make_ring(scene, target, "in") for target in targets if able and target.place == label]
    return {
        "label": words.place(label),
        "lines": lines,
        "attacks": [target for target in aimed if target["verb"]],
        "units": units,
        "battles": [*battles.list_waiting(scene, label), *battles.list_past(scene, label)],
    }


def _describe_row(table: Table, row: Sequence[str]) -> str:
    """Return a table's row for a kind of terrain: 'forest: MP 2, columns -1 [8.0-terrain]'."""
    cells = list(zip(table.head, row, strict=False))[1:]
    said = ", ".join(f"{head} {cell}" for head, cell in cells if cell not in ("", "-"))
    return f"{row[0]}: {said}{f' [{table.rule}]' if table.rule else ''}"


def find_by_name(scene: Scene, text: str) -> dict[str, Any]:
    """Return the card of the unit or place whose name or id contains a text. Raises UsageError without a match."""
    wanted, shapes, words = text.strip().lower(), scene.picture, scene.words
    spots = {piece.id: piece.spot if shapes.form == PLANE else scene.ground.point(piece.at) for piece in shapes.pieces}
    known: list[tuple[str, str, Any, str]] = [(uid, words.unit(uid), spot, "unit") for uid, spot in spots.items()]
    known += [(site.at, site.name, scene.ground.point(site.at), "place") for site in shapes.places]
    known += [(region.id, region.id, scene.ground.point(region.id), "place") for region in shapes.regions]
    ranked = sorted(
        known,
        key=lambda entry: (wanted not in (entry[0].lower(), entry[1].lower()), not entry[1].lower().startswith(wanted)),
    )
    for name, title, at, kind in ranked:
        if wanted and at is not None and (wanted in name.lower() or wanted in title.lower()):
            return {"id": name, "name": title, "at": at, "kind": kind}
    raise UsageError(f"the map has no unit or place {text.strip()!r}")


def explain_refusal(scene: Scene, uid: str, label: str, key: str = "") -> list[str]:
    """Return the reasons why a unit cannot end a move in a place: in the phase ``key``, or in all phases.

    One reason may be that moves must wait until declared battles are fought.
    """
    listed = _list_phases(scene, uid, panels.list_orders_of(scene, uid)) if key else ()
    lit = {phase.key: seen for phase, seen in listed}
    every = prospects.explain(lit.get(key) or scene.seen(uid), uid, label, key if key in lit else "")
    told = [line for line in every if key in lit and line.startswith(f"{scene.words.phase(key)}: ")] or [*every]
    later = scene.put_off
    for phase in prospects.compute_outlook(scene.seen(uid), uid).phases if later else ():
        ends = [end.place for mover in phase.movers if mover.unit == uid for end in mover.ends]
        if label in ends and phase.key in later:
            told.append(f"{scene.words.phase(phase.key)}: {later[phase.key]}")
    return told


# One order


def make_form(scene: Scene, verb: str, words: str) -> dict[str, Any]:
    """Return the board's form for composing an order, with the choices that are possible after ``words``."""
    sheet, said = scene.writable, words.split()
    understood, clauses = ordering.list_clauses(sheet, verb, said)
    clauses = advances.propose_advance(scene, understood.name, said, clauses)
    if clauses and said and clauses[0].kind == UNITS and not clauses[0].among:
        clauses = (replace(clauses[0], notes=(*clauses[0].notes, TAKEN)),)
    fought = next((battle.place for battle in scene.declared if battle.battle in said[:1]), "")
    effects = answers.list_effects(scene, understood.name, said, clauses)
    attacked = battles.list_attacked(scene)
    opens = not said and editing.needs_first_choice(sheet, verb, clauses)
    return {
        "title": f"{understood.label or understood.name} {words}".strip(),
        "whom": _describe_target(scene, said, fought),
        "at": fought,
        "verb": understood.name,
        "words": words,
        "text": ANSWERING if opens and attacked else understood.text,
        "example": understood.example,
        "on_map": "" if said else _explain_map_use(scene, understood.name),
        "opens": opens,
        "clauses": [_describe_clause(scene, clause, said, effects.get(clause.word, {})) for clause in clauses],
        "weighed": any(any(shown.values()) for shown in effects.values()),
        "compared": bool(effects) and all(each.word in effects or not each.among for each in clauses),
        "odds": [{**card, "verb": "", "why": ""} for card in attacked if card["subject"] in said[:1]],
        "past": battles.list_past(scene, fought or next(iter(said), "")),
        "table": scene.picture.form == PLANE,
        "rare": any(clause.rare and not any(clause.chosen) for clause in clauses),
        "budgets": {budget.name: budget.most for clause in clauses for budget in clause.budgets},
    }


def _explain_map_use(scene: Scene, verb: str) -> str:
    """Return how to give a move on the map; '' for other orders."""
    if all(phase.verb != verb for phase in scene.outlook.phases):
        return ""
    who, where = ("model", "place inside the shaded area") if scene.on_table else ("unit", "lit hex")
    return f"Choose a {who} on the map, then a {where}. Or choose both in the form."


def _explain_clicks(scene: Scene, clause: Clause, said: Sequence[str]) -> str:
    """Return the effect of clicks on the map for a clause, '' for no effect."""
    hexes = {region.id for region in scene.picture.regions if scene.picture.form != PLANE}
    if clause.kind == PLACE and any(word in hexes for word, _meaning in clause.among):
        return "Choose the hex here or on the map."
    onward = any(word.split()[-1] in hexes for word in clause.more)
    into = clause.word == "advance" and said[:1] and said[0] in hexes
    if clause.kind != ORDER or not clause.among or not (into or onward):
        return ""
    entered = "Choose the attacked hex on the map once for every advancing unit, in this order." if into else ""
    sent = "Choose a lit hex to send the last ticked unit." if onward else ""
    return f"{entered} {sent}".strip()


def _describe_target(scene: Scene, said: Sequence[str], fought: str) -> str:
    there = [piece.id for piece in scene.picture.pieces if said and piece.at in (said[0], fought or said[0])]
    where = f"in {scene.words.place(fought)}" if fought else ""
    return f"{', '.join(map(scene.words.unit, there))} {where}".strip()


def _describe_clause(
    scene: Scene, clause: Clause, said: Sequence[str], effects: Mapping[str, answers.Effects]
) -> dict[str, Any]:
    known = dict(clause.among)
    rows = [(word, meaning, word in clause.chosen, "") for word, meaning in clause.among]
    if clause.kind == ORDER:
        chosen = [(words.partition(" ")[0], words.partition(" ")[2]) for words in clause.chosen]
        first = [(word, known.get(word, ""), True, more) for word, more in chosen]
        rows = first + [(word, meaning, False, "") for word, meaning in clause.among if word not in dict(chosen)]
    elif clause.kind == WISHES:
        rows = [(word, known.get(word, ""), True, "") for word in clause.chosen]
    return {
        "word": clause.word,
        "text": clause.text,
        "names": {word: _name_choice(scene, clause, word, meaning) for word, meaning in clause.among},
        "clicked": _explain_clicks(scene, clause, said),
        "effects": effects if any(effects.values()) else {},
        "alike": answers.group_alike(clause, effects),
        "same": answers.SAME if effects and not any(effects.values()) else "",
        "kind": clause.kind,
        "rows": rows,
        "more": clause.more,
        "usual": clause.usual,
        "had": any(clause.chosen),
        "one": clause.kind in editing.ONE,
        "places": dict(clause.among),
        "costs": {word: _list_costs(clause, word) for word, _meaning in clause.among},
        "notes": clause.notes,
        "chosen": clause.chosen if any(clause.chosen) else ("",),
        "rare": clause.rare and not any(clause.chosen),
        "of": " ".join(clause.of),
        "tick": clause.tick,
        "fits": dict(clause.fits),
    }


def _name_choice(scene: Scene, clause: Clause, word: str, meaning: str) -> tuple[str, str]:
    """Return a choice's name and facts: 'III Panzer Corps' and '9-6, 2111' for a unit, otherwise word and meaning.

    Units of equal name and models keep their ids among the facts.
    """
    name = scene.words.unit(word)
    if word not in scene.state.units or name == word:
        return word, meaning if scene.on_table else battles.name_units(scene.words, meaning)
    _short, *facts = meaning.split(", ")
    figures = next((piece.figures for piece in scene.picture.pieces if piece.id == word), "")
    alike = scene.on_table or sum(scene.words.unit(other) == name for other, _meaning in clause.among) > 1
    return name, ", ".join(dict.fromkeys(filter(None, (word if alike else "", figures, *facts))))


def _list_costs(clause: Clause, word: str) -> dict[str, int]:
    return {budget.name: price for budget in clause.budgets if (price := budget.prices.get(word, 0))}


def try_order(scene: Scene, words: str) -> dict[str, Any]:
    """Return the effect of an order: how the program reads the order, the rules violated, and the exact chances."""
    orders = ordering.split_orders(words)
    try:
        done = ordering.try_orders(scene.writable, orders)
    except UsageError as error:
        why = machine.leave_out_commands(error.message)
        return {"said": (), "vain": (), "wrong": [why], "odds": [], "brief": why, "advance": "", "nobody": False}
    result = done.checked.result
    wrong = scene.list_new(result.violations)
    odds: list[Chances] = []
    answers = scene.desk.game.stage.kind == ANSWER
    most = MOST_SHOWN if answers else 1
    if done.checked.declares and not result.violations:
        seen = Prospect(scene.desk.game, result.after, done.checked.hidden, "")
        wanted, every = words.split(), prospects.compute_odds(seen)
        who = wanted[1:2] if scene.picture.form == PLANE else []
        odds = preview.select_chances(every, wanted, who, done.said[-1:]) or list(every if answers else ())
    vain = () if result.violations else cautions.format_cautions(cautions.list_cautions(scene.desk, done.checked))
    told = [line for line in vain if line not in scene.cautions]
    advance, nobody = advances.describe_advance(scene, orders[-1] if orders else (), odds)
    brief = wrong[:1] or told[:1] or [line for one in odds[:1] for line in preview.summarize_chances(one)]
    return {
        "said": done.said,
        "vain": told,
        "wrong": wrong,
        "odds": [battles.make_battle_card(scene.words, chances) for chances in odds[:most]],
        "brief": "; ".join(brief),
        "advance": advance,
        "nobody": nobody,
    }


def write_typed_orders(sheet: DraftFile, orders: Sequence[Sequence[str]]) -> Written:
    """Write typed orders into the draft like 'kursk order'. Raises UsageError if the rules refuse an order."""
    done = ordering.try_orders(sheet, orders)
    if not (new := ordering.find_refusals(sheet, done)):
        return ordering.keep_orders(sheet, done)
    told = " ".join(f"Not allowed: {panels.format_violation(violation)}." for violation in new)
    former = ", ".join(words for _number, words in ordering.find_blocking_orders(sheet, done, new))
    raise UsageError(f"{told} An earlier order is refused now; remove the order first: {former}." if former else told)
