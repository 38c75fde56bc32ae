"""What the panels of a board say: the strip on top, orders of the draft, tracks and tables, report, log, signing.

Plain values for the pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from kursk_pbem.desk import play, policies, successors
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import leftovers, ordering, orderlines, prospects, wording
from kursk_pbem.desk.seat import battles, editing
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import WORD, Scene
from kursk_pbem.desk.shown import Shown
from kursk_pbem.errors import UsageError, Violation
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import chapters, folders, reports
from kursk_pbem.kernel.brief import Left, Table
from kursk_pbem.kernel.events import Fought, Rolled, Tested
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.outlook import Chances
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.state import OVER
from kursk_pbem.kernel.verbs import Verb
from kursk_pbem.kernel.words import plural
from kursk_pbem.report import svgcounters, svgstyle


def context(room: Room, scene: Scene) -> dict[str, Any]:
    """What all panels need."""
    desk, sheet = scene.desk, scene.sheet
    left = left_over(scene)
    orders, wrong = _orders(scene)
    waits = scene.after_dice
    verbs = [(verb, verb.name not in waits and wording.possible(sheet, verb)) for verb in sheet.verbs] if sheet else []
    return {
        "game": desk.game.chain.game,
        "bar": bar(scene, left, both=room.both(desk.game.chain.game))
        | room.by_log(desk, past=scene.message is not None),
        "orders": orders,
        "wrong": wrong,
        "asked": list(asked(scene)),
        "example": example(scene, [verb for verb, able in verbs if able]),
        "verbs": verbs,
        "left": left,
        "mail": to_mail(desk),
        "again": again(desk) if scene.again else "",
        "outside": scene.unread,
        "draft": scene.raw.decode("utf-8", "replace") if scene.raw is not None else "",
        "good": _last_good(room, scene) if scene.unread else "",
        "draft_name": folders.draft_path(desk.folder, desk.seq).name,
        "dice": _dice(scene),
        "note": scene.desk.last.content.get("note", "") if scene.message is None else "",
        "past": _past(scene),
        "report": _report(scene),
        "log": list(_log(desk)),
        "beside": beside(scene),
        "attacked": attacked(scene),
        "watched": len(desk.history.steps) - 1 if scene.message is None else scene.message,
        "talk": talk(scene),
    }


def bar(scene: Scene, left: tuple[Left, ...], *, both: bool) -> dict[str, Any]:
    """The strip on top: which message, what it holds and what comes later, how the draft is."""
    desk, words = scene.desk, scene.words
    game = desk.game
    stage = game.stage
    stages = game.ruleset.play.stages(game.setting)
    then = [stages[key] for key in stage.then if key != OVER]
    later = [_sides_named(scene, one.brings) for one in then if one.duties or one.phases]
    told = [phase for phase in stage.phases if phase.announced and not game.over]
    keys = [phase.key for phase in told if phase.reads] or [phase.key for phase in told]
    absent = {*scene.put_off, *scene.lacking}
    wrong = len(scene.violations) + bool(scene.unread)
    return {
        "title": game.title,
        "rulings": game.ruleset.rulings,
        "turn": scene.state.turn,
        "own": svgstyle.of_side(desk.own_side, game.ruleset.sides) if scene.sheet else "",
        "you": words.side(desk.own_side) if desk.own_side in game.ruleset.sides else desk.own_side,
        "message": _which(scene),
        "phases": [words.phase(key) for key in keys if key not in absent],
        "now": _now(scene),
        "then": _then(scene, both=both),
        "both": both,
        "able": " ".join(able(scene)),
        "reduced": " ".join(piece.id for piece in scene.picture.pieces if svgcounters.reduced(piece)),
        "disrupted": " ".join(piece.id for piece in scene.picture.pieces if "disrupted" in piece.marks),
        "cut": " ".join(_cut_off(scene)),
        "later": [*(f"{words.phase(key)}, after the dice" for key in keys if key in scene.put_off), *later[:2]]
        if keys
        else [],
        "due": scene.sheet is not None or bool(scene.unread),
        "over": game.over and scene.message is None,
        "can_sign": scene.sheet is not None and not wrong,
        "wrong_words": plural(wrong, "problem") if wrong else "",
        "left_words": f"{len(left)} left over" if left else "",
        "waits": _waits(scene),
    }


def _now(scene: Scene) -> str:
    """What to do now, in a sentence, without dice that have fallen already; '' where nothing can be ordered."""
    if scene.sheet is None:
        return ""
    if scene.violations:
        return "Take out, change or complete what is not allowed, then sign."
    stage = scene.desk.game.stage
    return f"Now: {_sides_named(scene, stage.split.left if stage.split else stage.brings)}."


def _then(scene: Scene, *, both: bool) -> str:
    """What comes after that, and who can still move; '' where nothing can be ordered, or something is not allowed."""
    if scene.sheet is None or scene.violations:
        return ""
    waits = len(able(scene))
    kind = "model" if scene.on_table else "unit"
    more = f" {plural(waits, kind)} can still move: n goes through them." if waits else ""
    return f"Then sign{'' if both else ', and mail it'}.{more}"


def _sides_named(scene: Scene, text: str) -> str:
    """A text with the sides as people write them: 'the German set-up'."""
    for side in scene.sides:
        text = re.sub(rf"\b{side}\b", scene.words.side(side), text)
    return text


def able(scene: Scene) -> tuple[str, ...]:
    """The units that may still be moved by a word of this message and are not named in its orders yet."""
    if scene.sheet is None:
        return ()
    offered = {verb.name for verb in scene.sheet.verbs}
    units = [
        mover.unit
        for phase in scene.outlook.phases
        if phase.verb in offered and phase.key not in scene.put_off
        for mover in phase.movers
        if (mover.ends or mover.outline) and mover.unit not in scene.ordered
    ]
    return tuple(dict.fromkeys(units))


def _cut_off(scene: Scene) -> Iterator[str]:
    """The units on the map that stand where their side has no communication or supply, as their system calls it."""
    reached = {zone.side: frozenset(zone.at) for zone in scene.picture.reached}
    for piece in scene.picture.pieces:
        if piece.side in reached and piece.at and piece.at not in reached[piece.side]:
            yield piece.id


def attacked(scene: Scene) -> list[dict[str, Any]]:
    """What waits while this player answers, what can be answered first: chances with the draft, and the word."""
    checked, sheet = scene.checked, scene.sheet
    if checked is None or sheet is None or scene.desk.game.stage.kind != ANSWER:
        return []
    known = prospects.Prospect(scene.desk.game, checked.result.after, checked.hidden, "")
    firsts = [(verb.name, clause) for verb in sheet.verbs for clause in ordering.clauses(sheet, verb.name, ())[1][:1]]
    answers = {word: verb for verb, clause in firsts for word, _meaning in clause.among}
    whys = dict(note.partition(": ")[::2] for _verb, clause in firsts for note in clause.notes)
    cards = [
        {
            **battles.card(scene.words, chances),
            "title": _titled(scene, chances),
            "subject": chances.subject,
            "verb": answers.get(chances.subject, ""),
            "why": whys.get(chances.subject, "There is nothing to answer here."),
        }
        for chances in prospects.odds(known)
    ]
    return sorted(cards, key=lambda card: not card["verb"])


def _titled(scene: Scene, chances: Chances) -> str:
    """A battle by its place, which the defender looks for on the map, and by the word with which it is answered."""
    where = scene.words.place(chances.fought.place) if chances.fought and chances.fought.place else ""
    return chances.title or (f"{where} ({chances.subject})" if where else chances.subject)


def _which(scene: Scene) -> str:
    """The message that is due, or after which the position stands."""
    if scene.message is not None:
        return f"after message {scene.message}"
    return "over" if scene.desk.game.over else f"message {scene.desk.seq}"


def _waits(scene: Scene) -> str:
    """Why nothing can be ordered."""
    desk = scene.desk
    if scene.message is not None:
        return f"This is the position after message {scene.message}."
    if desk.game.over:
        return desk.game.verdict.text if desk.game.verdict else "The game is over."
    if desk.lock:
        return desk.lock
    if scene.again:
        return f"Message {desk.seq} is signed, and its file is missing. Write it again before anything else."
    if desk.mine and desk.game.chain.offer:
        return f"Your opponent offers {reports.offered(desk.game.chain.offer)}: accept or decline it."
    return "" if desk.mine else f"Message {desk.seq} is for {_sides_named(scene, desk.game.due)} to write."


def left_over(scene: Scene) -> tuple[Left, ...]:
    """What a legal draft leaves unused."""
    checked = None if scene.violations else scene.checked
    return leftovers.with_(scene.desk, checked, *scene.weighed) if checked else ()


def told(violation: Violation) -> str:
    """What is wrong, with the name of the order that is."""
    order = f"{violation.order}: " if violation.order else ""
    return f"{order}{violation.message} [{violation.rule}]"


def _orders(scene: Scene) -> tuple[list[dict[str, Any]], list[str]]:
    """The orders of the draft one by one, with what is wrong about each; and what is wrong and belongs to none."""
    if scene.sheet is None:
        return [], []
    listed = scene.sheet.orders
    alone = {verb.name: verb.text for verb in scene.sheet.verbs if not verb.usage}
    orders = [
        {
            "words": words,
            "turn": _turn(path),
            "means": alone.get(words, ""),
            "edit": way,
            "up": isinstance(path[-1], int) and path[-1] > 0,
            "wrong": [told(violation) for violation in scene.violations if _concerns(violation, path)],
        }
        for (path, words), way in zip(
            listed, editing.ways(scene.sheet, (words for _path, words in listed)), strict=True
        )
    ]
    return orders, [
        told(violation) for violation in scene.violations if not any(_concerns(violation, path) for path, _ in listed)
    ]


def _turn(path: Path) -> str:
    """Of what is chosen or sealed for a turn, which: '2' of 'posture/turn-2'; '' of other orders."""
    return next((str(key).partition("/turn-")[2] for key in path if "/turn-" in str(key)), "")


def example(scene: Scene, offered: Sequence[Verb]) -> str:
    """An order in words, of units that are there: a move, otherwise what is listed first; '' without one."""
    names = {verb.name for verb in offered}
    for phase in scene.outlook.phases if not scene.on_table else ():
        for mover in phase.movers if phase.verb in names else ():
            if mover.ends and phase.key not in scene.put_off:
                return f"{phase.verb} {mover.unit} {mover.ends[0].place}"
    for verb in offered:
        needed = [clause for clause in ordering.clauses(scene.writable, verb.name, ())[1] if not clause.word]
        if len(needed) > 1 and all(clause.among for clause in needed):
            return " ".join((verb.name, *(clause.among[0][0] for clause in needed)))
    return ""


def still(scene: Scene, before: Scene | None) -> list[str]:
    """What is wrong about an order that has just been written anew, where it names a unit of that order."""
    if before is None or not scene.violations:
        return []
    old = {words for _path, words in before.sheet.orders} if before.sheet else set()
    orders, _wrong = _orders(scene)
    return [
        line
        for order in orders
        for line in order["wrong"]
        if order["words"] not in old
        and {*WORD.findall(order["words"])} & {*WORD.findall(line)} & scene.state.units.keys()
    ]


def about(scene: Scene, uid: str) -> list[tuple[int, str]]:
    """The orders of the draft that name a unit, with their numbers in the list."""
    orders, _wrong = _orders(scene)
    return [(number, order["words"]) for number, order in enumerate(orders, 1) if uid in WORD.findall(order["words"])]


def asked(scene: Scene) -> Iterator[dict[str, Any]]:
    """What the rules take from this player whatever they do, with who pays it as the draft stands."""
    sheet = scene.sheet
    for verb in sheet.verbs if sheet and not scene.violations else ():
        for field in verb.fields if verb.asks else ():
            paid = orderlines.at(sheet.choices, tuple(field.split("/"))) if sheet else ()
            if paid:
                who = [f"{scene.words.unit(uid)} ({uid})" for uid in paid]
                yield {"verb": verb.name, "text": verb.asks, "who": who}


def _concerns(violation: Violation, order: Path) -> bool:
    """Whether what is wrong lies in an order, or in the whole list in which the order stands."""
    wrong = violation.path
    return wrong[: len(order)] == tuple(order) or (len(wrong) > 1 and tuple(order[: len(wrong)]) == wrong)


def _last_good(room: Room, scene: Scene) -> str:
    """The text of the draft when it could still be read."""
    seq, text = room.good.get(scene.desk.game.chain.game, (-1, ""))
    return text if seq == scene.desk.seq else ""


def to_mail(desk: Desk) -> str:
    """What this player should have mailed, '' if nothing."""
    if desk.own is None or desk.mine or desk.last.sender != desk.own_side:
        return ""
    return f"{desk.newest}: {desk.to_mail}, if you have not yet."


def _dice(scene: Scene) -> dict[str, Any]:
    """What this player's message resolves before any choice: dice, reveals. Nobody else knows it yet."""
    result = scene.checked.result if scene.checked else None
    if result is None or not any(
        isinstance(event, (Rolled, Fought, Tested)) for event in result.events[: result.duties]
    ):
        return {}
    game, events = scene.desk.game, result.events[: result.duties]
    told = reports.told_of(game, result.before, events, result.middle)
    text = reports.of_duties(game, scene.desk.seq, replace(result, events=events))
    return {"headlines": told, "text": text}


def _past(scene: Scene) -> dict[str, Any]:
    """Where one stands while an older position is looked at."""
    if scene.message is None:
        return {}
    last = scene.desk.last.seq
    return {"seq": scene.message, "before": scene.message > 0, "after": scene.message < last}


def _report(scene: Scene) -> dict[str, Any]:
    """The report of the last message, or of the one that is looked at."""
    history = scene.desk.history
    step = history.last_step if scene.message is None else history.step(scene.message)
    return {
        "headlines": reports.headlines(step.before, step.after, step.message, step.result),
        "story": chapters.prose(step) if step.result else [],
        "text": reports.of_step(step),
    }


def _log(desk: Desk) -> Iterator[dict[str, Any]]:
    for step in reversed(desk.history.steps):
        words = step.after.ruleset.seen.words(step.after.setting)
        sender = step.message.sender
        told = reports.headlines(step.before, step.after, step.message, step.result) if step.result else ()
        who = words.side(sender) if sender != REFEREE else "the referee"
        name = f"message {step.message.seq}, turn {step.before.state.turn}, {who}"
        yield {"seq": step.message.seq, "name": name, "headlines": told[:3]}


# Beside the map


def beside(scene: Scene) -> dict[str, Any]:
    """What lies beside a map: the standing, units off it by where they are, the track of turns, tables, what is known.

    Tables are (title, head, rows, notes).
    """
    game = scene.desk.game
    seen, words = game.ruleset.seen, scene.words
    there = {piece.id for piece in scene.picture.pieces}
    off: dict[str, list[str]] = {}
    for uid, unit in sorted(scene.state.units.items()):
        if uid not in there:
            where = f"{words.side(words.owner(uid))}: {words.place(unit.place).replace('-', ' ')}"
            off.setdefault(where, []).append(f"{words.unit(uid)} ({uid})")
    return {
        "standing": [list(row) for row in seen.standing(game.setting, scene.state)],
        "off": sorted(off.items()),
        "notes": scene.picture.notes(),
        "track": [_table(table) for table in seen.track(game.setting, scene.state)],
        "tables": [_table(table) for table in seen.tables(game.setting)],
    }


def _table(table: Table) -> dict[str, Any]:
    title = f"{table.title} [{table.rule}]" if table.rule else table.title
    notes = [*table.notes, *([table.provenance] if table.provenance else [])]
    return {"title": title, "head": table.head, "rows": table.rows, "notes": notes}


# What is said besides orders


def talk(scene: Scene) -> dict[str, Any]:
    """What a player may say in place of orders (offers, replies, giving up), and their standing answers."""
    desk = scene.desk
    own = desk.own
    if own is None or desk.game.over or scene.message is not None or own.side == REFEREE:
        return {}
    policy, free = policies.raw(own), not scene.again
    return {
        "offer": reports.offered(desk.game.chain.offer) if free and desk.mine and desk.game.chain.offer else "",
        "may": free and desk.mine and not desk.game.chain.offer and not desk.lock,
        "goes_on": free and not desk.game.chain.offer and not desk.lock,
        "kept": successors.kept(desk) is not None,
        "last": desk.seq - 1,
        "options": successors.options(desk.game),
        "policy": policy.decode("utf-8", "replace"),
        "policy_stamp": policies.stamp(policy),
    }


# What is signed


def shown(scene: Scene) -> Shown:
    """The orders of the draft as they will be signed, in words, with what is hidden and left over. UsageError."""
    desk, checked = scene.desk, scene.checked
    if checked is None:
        raise UsageError(scene.unread or "there is nothing to sign here now; perhaps it was signed in another window")
    if scene.violations:
        raise UsageError("what is not allowed must go first")
    note = str(checked.content.get("note", ""))
    told = reports.of_draft(desk.game, desk.seq, checked.result, note)
    told += reports.of_hidden(desk.game, checked.result.after, desk.game.chain.writer(desk.seq), checked.hidden)
    told += leftovers.text(left_over(scene))
    return Shown(told, {"sign": checked.content, "hidden": checked.hidden, "head": desk.game.chain.head_id})


def again(desk: Desk) -> str:
    """A message that is signed and whose file is missing, as it was signed, with what it hides."""
    if (slot := desk.unwritten) is None:
        return ""
    step = play.signed_before(desk, slot).history.last_step
    hidden = {label: entry["value"] for label, entry in slot.seals.items()}
    return reports.of_step(step) + reports.of_hidden(step.after, step.after.state, step.message.sender, hidden)
