"""What a player asks while composing a turn: where a unit may go, whom it may attack, what an order would bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kursk_pbem.desk import ordering
from kursk_pbem.desk import outlook as outlooks
from kursk_pbem.desk.scene import Scene
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.outlook import Chances, MovePhase, Mover, Target
from kursk_pbem.report import odds as odds_report
from kursk_pbem.report import trails
from kursk_pbem.report.battle import battle
from kursk_pbem.report.luck import mixed, per_cent


def _seen(scene: Scene, without: str = "") -> outlooks.Seen:
    """The position after the draft, as ``moves`` asks for it, but for the moves of one unit."""
    if scene.sheet is None:
        game = scene.desk.game
        return outlooks.Seen(game, scene.state, {}, "now")
    return outlooks.of_draft(scene.desk, scene.sheet.message, ahead=True, without=without)


def unit(scene: Scene, uid: str) -> dict[str, Any]:
    """The card of a unit: what it is, where it may go in each phase, what it can attack; of an enemy who can attack it.

    UsageError if there is no such unit.
    """
    game = scene.desk.game
    words = game.ruleset.seen.words(game.setting)
    piece = next((each for each in scene.picture.pieces if each.id == uid), None)
    if piece is None:
        raise UsageError(f"there is no unit {uid!r} on the map")
    mine = scene.sheet is not None and piece.side == scene.desk.own_side
    seen = _seen(scene, uid if mine else "")
    found = outlooks.outlook(seen, uid)
    phases = [_phase(scene, phase, mover) for phase in found.phases for mover in phase.movers if mover.unit == uid]
    lit = [end for phase in phases for end in phase["ends"] if phase["verb"]]
    target = next(iter(_against(scene, uid)), None)
    figures = f"{piece.figures}{', reduced' if piece.band else ''}, {piece.formation}".rstrip(", ")
    return {
        "id": uid,
        "name": words.unit(uid),
        "lines": [f"{words.side(piece.side)}, {piece.symbol.replace('-', ' ')} {figures}", *found.about],
        "phases": [{**phase, "name": words.phase(phase["key"])} for phase in phases] if mine else [],
        "targets": [_target(words.place, each) for each in found.targets if each.verb] if mine else [],
        "mine": mine,
        "lit": lit if mine else [],
        "verb": target.verb if target and not mine else "",
        "words": target.place if target and not mine else "",
    }


def _against(scene: Scene, uid: str) -> Iterator[Target]:
    """The attacks of the player at this desk in which a unit is what is attacked."""
    if scene.sheet is not None:
        found = outlooks.outlook(_seen(scene), "")
        yield from (each for each in found.targets if uid in each.units and each.verb)


def _phase(scene: Scene, phase: MovePhase, mover: Mover) -> dict[str, Any]:
    ground = trails.Ground(scene.picture)
    ends = []
    for end in mover.ends:
        marked = any(end.marks.values())
        ends.append({
            "place": end.place, "cost": end.cost, "marked": marked, "at": ground.point(end.place) or (0, 0),
            "order": f"{phase.verb} {mover.unit} {' '.join(end.path) or end.place}",
        })  # fmt: skip
    return {"key": phase.key, "rule": phase.rule, "notes": phase.notes, "verb": phase.verb, "ends": ends,
            "within": mover.within}  # fmt: skip


def _target(place: Any, target: Target) -> dict[str, str]:
    odds = target.fought.column or "no attack" if target.fought else ""
    text = f"{place(target.place)} {', '.join(target.units)}: {odds or '; '.join(target.lines)}"
    return {"verb": target.verb, "place": target.place, "text": text}


def place(scene: Scene, label: str) -> dict[str, Any]:
    """The card of a hex: its ground, its name and owner, what stands and lies there."""
    shapes, game = scene.picture, scene.desk.game
    words = game.ruleset.seen.words(game.setting)
    region = next((each for each in shapes.regions if each.id == label), None)
    if region is None:
        raise UsageError(f"there is no place {label!r} on this map")
    lines = [region.terrain]
    lines += [f"{each.kind.replace('-', ' ')} {each.name}" + (f", {words.side(each.owner)}" if each.owner else "")
              for each in shapes.places if each.at == label]  # fmt: skip
    lines += [f"{each.kind}" + (f" of the {words.side(each.side)} side" if each.side else "")
              for each in shapes.marks if each.at == label]  # fmt: skip
    lines += [f"in a zone of control of the {words.side(each.side)} side" for each in shapes.zones if label in each.at]
    lines += [f"{words.unit(each.id)} ({each.id}), {each.figures}" for each in shapes.pieces if each.at == label]
    return {"label": words.place(label), "lines": lines}


def why(scene: Scene, uid: str, label: str) -> list[str]:
    """Why a unit may not end a move in a place."""
    return list(outlooks.why(_seen(scene, uid), uid, label))


def form(scene: Scene, verb: str, words: str) -> dict[str, Any]:
    """What can be chosen for an order."""
    if scene.sheet is None:
        raise UsageError("there is nothing to order here now")
    found, clauses = ordering.clauses(scene.sheet, verb, words.split())
    return {
        "title": f"{found.name} {words}".strip(),
        "verb": found.name,
        "words": words,
        "example": found.example,
        "clauses": [{"word": each.word, "text": each.text, "kind": each.kind, "among": each.among,
                     "chosen": each.chosen, "optional": bool(each.word)} for each in clauses],
    }  # fmt: skip


def tried(scene: Scene, words: str) -> dict[str, Any]:
    """What an order would bring: what is understood, what is wrong, the exact chances of its battle."""
    if scene.sheet is None:
        raise UsageError("there is nothing to order here now")
    done = ordering.tried(scene.sheet, ordering.split(words))
    result = done.checked.result
    before = {each.message for each in scene.checked.result.violations} if scene.checked else set()
    wrong = [f"{each.message} [{each.rule}]" for each in result.violations if each.message not in before]
    found: list[Chances] = []
    if done.checked.declares and not result.violations:
        seen = outlooks.Seen(scene.desk.game, result.after, done.checked.hidden, "")
        wanted = set(words.split())
        found = [each for each in outlooks.odds(seen) if each.fought is None or each.fought.place in wanted]
    game = scene.desk.game
    names = game.ruleset.seen.words(game.setting)
    return {"said": done.said, "wrong": wrong, "odds": [_odds(names, each) for each in found[:1]]}


def _odds(names: Any, each: Chances) -> dict[str, Any]:
    lines = [f"{'  ' * level}{text}" for level, text in battle(each.fought, names)] if each.fought else []
    rows = [{
        "result": one.result, "chance": odds_report.chance(one.chance), "percent": per_cent(one.chance),
        "thousandths": one.chance.numerator * 1000 // one.chance.denominator, "text": "; ".join(one.text),
    } for one in each.outcomes]  # fmt: skip
    sums = [f"chance that {what}: {odds_report.chance(value)} = {per_cent(value)}" for what, value in each.sums]
    sums += [f"{what} on average: {mixed(value)}" for what, value in each.means]
    return {"title": each.title or each.subject, "arithmetic": "\n".join(lines), "rows": rows, "sums": sums,
            "assumed": " ".join(text[:1].upper() + text[1:] + "." for text in each.assumed)}  # fmt: skip
