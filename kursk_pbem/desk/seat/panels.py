"""Content of the board's panels: status bar, orders, tracks, tables, report, log and signing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from kursk_pbem.desk.deals import successors
from kursk_pbem.desk.draft import leftovers, ordering, orderlines, policies, wording
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.ground.shown import Shown
from kursk_pbem.desk.own import compared
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat import battles, editing, naming, posting
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.seat.scene import WORD, Scene
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError, Violation
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import chapters, folders, reports
from kursk_pbem.kernel.account.battles import clashes, write_headline
from kursk_pbem.kernel.brief import Table, Unused
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.state import OVER
from kursk_pbem.kernel.verbs import Verb
from kursk_pbem.kernel.words import plural
from kursk_pbem.report.pictures import svgcounters, svgstyle
from kursk_pbem.rulesets import has_opponent

_LUCK = re.compile(r"\nLuck so far:.*(?:\n  .*)*\n")
"""The luck before the player's own dice, which are next to it on the page."""


def make_context(room: Room, scene: Scene) -> dict[str, Any]:
    """Return the content of all panels (parts of the page) of the board."""
    desk, sheet = scene.desk, scene.sheet
    left = list_unused(scene)
    orders, wrong = _list_orders(scene)
    waits = scene.after_dice
    verbs = (
        [(verb, verb.name not in waits and wording.is_possible(sheet, verb)) for verb in sheet.verbs] if sheet else []
    )
    return {
        "game": desk.game.chain.game,
        "bar": make_bar(scene, left, both=room.both(desk.game.chain.game))
        | (room.by_log(desk) if scene.message is None else {}),
        "todo": describe_task(scene),
        "orders": orders,
        "wrong": wrong,
        "asked": list(list_demands(scene)),
        "example": find_example(scene, [verb for verb, able in verbs if able]),
        "verbs": verbs,
        "left": left,
        "mail": describe_mailing(desk),
        "by_address": posting.goes_by_address(desk),
        "again": show_signed(desk) if scene.again else "",
        "outside": scene.unread,
        "draft": scene.raw.decode("utf-8", "replace") if scene.raw is not None else "",
        "draft_name": folders.draft_path(desk.folder, desk.seq).name,
        "dice": _describe_dice(scene),
        "note": scene.desk.last.content.get("note", "") if scene.message is None else "",
        "past": _describe_past(scene),
        "report": _make_report(scene),
        "log": list(_list_log(desk)),
        "beside": list_beside_map(scene),
        "attacked": battles.list_attacked(scene),
        "plans": battles.find_plan_example(scene),
        "watched": len(desk.history.steps) - 1 if scene.message is None else scene.message,
        "talk": list_talk(scene),
        "who": compared.describe_opponent(room.home, desk),
    }


def make_bar(scene: Scene, left: tuple[Unused, ...], *, both: bool) -> dict[str, Any]:
    """Return the content of the status bar: next message, present and later phases, and the state of the draft."""
    desk, words = scene.desk, scene.words
    game = desk.game
    stage = game.stage
    stages = game.ruleset.play.stages(game.setting)
    then = [stages[key] for key in stage.then if key != OVER]
    later = [_name_sides(scene, one.brings) for one in then if one.duties or one.phases]
    told = [phase for phase in stage.phases if phase.announced and not game.over]
    keys = [phase.key for phase in told if phase.reads] or [phase.key for phase in told]
    absent = {*scene.put_off, *scene.lacking}
    wrong = len(scene.violations) + bool(scene.unread)
    return {
        "title": game.title,
        "trial": game.what_if is not None,
        "tab": _make_tab_title(scene),
        "rulings": game.ruleset.rulings,
        "turn": scene.state.turn,
        "own": svgstyle.of_side(desk.own_side, game.ruleset.sides) if scene.sheet else "",
        "you": words.side(desk.own_side) if desk.own_side in game.ruleset.sides else desk.own_side,
        "message": _describe_message(scene),
        "phases": [words.phase(key) for key in keys if key not in absent],
        "now": _describe_now(scene),
        "then": _describe_then(scene, local=both or desk.practice or posting.goes_by_address(desk)),
        "both": both,
        "local": both or desk.practice,
        "able": " ".join(list_movable(scene)),
        "reduced": " ".join(piece.id for piece in scene.picture.pieces if svgcounters.describe_reduction(piece)),
        "disrupted": " ".join(piece.id for piece in scene.picture.pieces if "disrupted" in piece.marks),
        "cut": " ".join(_list_cut_off(scene)),
        "later": [*(f"{words.phase(key)}, after the dice" for key in keys if key in scene.put_off), *later[:2]]
        if keys
        else [],
        "due": scene.sheet is not None or bool(scene.unread),
        "over": game.over and scene.message is None,
        "moments": game.over and scene.message is None and desk.practice and has_opponent(game.ruleset),
        "can_sign": scene.sheet is not None and not wrong,
        "wrong_words": plural(wrong, "problem") if wrong else "",
        "left_words": f"{len(left)} unused" if left else "",
        "waits": _explain_wait(scene),
    }


def _make_tab_title(scene: Scene) -> str:
    """Return the title of the browser's tab: the short name and the turn if a message is due, else the game's name."""
    game = scene.desk.game
    if scene.sheet is None and not scene.unread:
        return game.title
    short = str(game.setting.scenario.title).rpartition(": ")[2].partition(",")[0]
    return f"Your move - {short}, turn {scene.state.turn}"


def _describe_now(scene: Scene) -> str:
    """Return a sentence about the next action, '' if the player can order nothing."""
    if scene.sheet is None:
        stuck = (scene.desk.lock or scene.desk.lost) and scene.message is None
        return "You cannot sign here yet. 'Orders' gives the reason." if stuck else ""
    if scene.violations:
        return "Remove, change or complete the illegal orders, then sign."
    stage = scene.desk.game.stage
    return f"Now: {_name_sides(scene, stage.split.left if stage.split else stage.brings)}."


def _describe_then(scene: Scene, *, local: bool) -> str:
    """Return a sentence about signing and about units without a move; '' if orders are impossible or illegal."""
    if scene.sheet is None or scene.violations:
        return ""
    waits = len(list_movable(scene))
    kind = "model" if scene.on_table else "unit"
    more = f" {plural(waits, kind)} can still move." if waits else ""
    return f"Then sign{'' if local else ', and mail it'}.{more}"


def describe_task(scene: Scene) -> str:
    """Return one sentence that tells the player what to do in the due message; '' if no message is due."""
    if scene.sheet is None:
        return ""
    if scene.violations:
        return "Something has to be done: change or remove the orders with a warning, then sign."
    if battles.list_attacked(scene):
        return "You are attacked: answer an attack, or sign without an answer."
    if scene.sheet.orders:
        return "Nothing has to be done: sign the orders below as they are, or change them first."
    return "Nothing has to be done: sign without orders, or give orders first."


def _name_sides(scene: Scene, text: str) -> str:
    """Return the text with display names of the sides, such as 'the German set-up'."""
    for side in scene.sides:
        text = re.sub(rf"\b{side}\b", scene.words.side(side), text)
    return text


def list_movable(scene: Scene) -> tuple[str, ...]:
    """Return the units that can still move and have no order."""
    if scene.sheet is None:
        return ()
    units = [
        mover.unit
        for phase in scene.outlook.phases
        if phase.verb in scene.offered and phase.key not in scene.put_off
        for mover in phase.movers
        if (mover.ends or mover.outline) and mover.unit not in scene.ordered
    ]
    return tuple(dict.fromkeys(units))


def _list_cut_off(scene: Scene) -> Iterator[str]:
    reached = {zone.side: frozenset(zone.at) for zone in scene.picture.reached}
    for piece in scene.picture.pieces:
        if piece.side in reached and piece.at and piece.at not in reached[piece.side]:
            yield piece.id


def _describe_message(scene: Scene) -> str:
    if scene.message is not None:
        return f"after message {scene.message}"
    return "over" if scene.desk.game.over else f"message {scene.desk.seq}"


def _explain_wait(scene: Scene) -> str:
    desk = scene.desk
    if scene.message is not None:
        return f"Position after message {scene.message}."
    if desk.game.over:
        return desk.game.verdict.text if desk.game.verdict else "The game is over."
    if desk.lost or desk.lock:
        return desk.lost or desk.lock
    if scene.again:
        return f"Message {desk.seq} is signed, but the file is missing. Write the file again first."
    if desk.mine and desk.game.chain.offer:
        return f"Your opponent offers {reports.describe_offer(desk.game.chain.offer)}: accept or decline."
    if desk.practice and not desk.mine:
        return f"{desk.against.capitalize()} is thinking. The page shows the answer by itself."
    return "" if desk.mine else f"Message {desk.seq} is for {_name_sides(scene, desk.game.due)} to write."


def list_unused(scene: Scene) -> tuple[Unused, ...]:
    """Return the unused possibilities of a legal draft."""
    checked = None if scene.violations else scene.checked
    return leftovers.combine_unused(scene.desk, checked, *scene.weighed) if checked else ()


def format_violation(violation: Violation) -> str:
    """Return a violation with the name of its order."""
    order = f"{violation.order}: " if violation.order else ""
    return f"{order}{violation.message} [{violation.rule}]"


def _list_orders(scene: Scene) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the orders of the draft with their violations, and violations that belong to no order."""
    if scene.sheet is None:
        return [], []
    listed = scene.sheet.orders
    alone = {verb.name: verb.text for verb in scene.sheet.verbs if not verb.usage}
    orders = [
        {
            "words": words,
            "named": naming.name_order(scene, words),
            "turn": _find_turn(path),
            "means": alone.get(words, ""),
            "edit": way,
            "up": isinstance(path[-1], int) and path[-1] > 0,
            "wrong": [format_violation(violation) for violation in scene.violations if _is_about(violation, path)],
        }
        for (path, words), way in zip(
            listed, editing.describe_edits(scene.sheet, (words for _path, words in listed)), strict=True
        )
    ]
    return orders, [
        format_violation(violation)
        for violation in scene.violations
        if not any(_is_about(violation, path) for path, _ in listed)
    ]


def _find_turn(path: Path) -> str:
    """Return the game turn in an order's path: '2' for 'posture/turn-2', otherwise ''."""
    return next((str(key).partition("/turn-")[2] for key in path if "/turn-" in str(key)), "")


def find_example(scene: Scene, offered: Sequence[Verb]) -> str:
    """Return an example order for existing units: a move if possible, '' without an example."""
    names = {verb.name for verb in offered}
    for phase in scene.outlook.phases if not scene.on_table else ():
        for mover in phase.movers if phase.verb in names else ():
            if mover.ends and phase.key not in scene.put_off:
                return f"{phase.verb} {mover.unit} {mover.ends[0].place}"
    for verb in offered:
        needed = [clause for clause in ordering.list_clauses(scene.writable, verb.name, ())[1] if not clause.word]
        if len(needed) > 1 and all(clause.among for clause in needed):
            return " ".join((verb.name, *(clause.among[0][0] for clause in needed)))
    return ""


def list_still_wrong(scene: Scene, before: Scene | None) -> list[str]:
    """Return the violations of orders for a unit that the player has written again and that are still illegal."""
    if before is None or not scene.violations:
        return []
    old = {words for _path, words in before.sheet.orders} if before.sheet else set()
    orders, _wrong = _list_orders(scene)
    return [
        line
        for order in orders
        for line in order["wrong"]
        if order["words"] not in old
        and {*WORD.findall(order["words"])} & {*WORD.findall(line)} & scene.state.units.keys()
    ]


def list_orders_of(scene: Scene, uid: str) -> list[tuple[int, str]]:
    """Return the numbers and texts of the draft's orders that name a unit."""
    orders, _wrong = _list_orders(scene)
    return [(number, order["words"]) for number, order in enumerate(orders, 1) if uid in WORD.findall(order["words"])]


def list_demands(scene: Scene) -> Iterator[dict[str, Any]]:
    """Yield each loss that the rules demand from the player in any case, with the units chosen for the loss so far."""
    sheet = scene.sheet
    for verb in sheet.verbs if sheet and not scene.violations else ():
        for field in verb.fields if verb.asks else ():
            paid = orderlines.get_value(sheet.choices, tuple(field.split("/"))) if sheet else ()
            if paid:
                who = [f"{scene.words.unit(uid)} ({uid})" for uid in paid]
                yield {"verb": verb.name, "text": verb.asks, "who": who}


def _is_about(violation: Violation, order: Path) -> bool:
    wrong = violation.path
    return wrong[: len(order)] == tuple(order) or (len(wrong) > 1 and tuple(order[: len(wrong)]) == wrong)


def describe_mailing(desk: Desk) -> str:
    """Return advice to mail the player's last message; '' if no message waits to be mailed."""
    if desk.own is None or desk.mine or desk.practice or desk.last.sender != desk.own_side:
        return ""
    if posting.goes_by_address(desk):
        return f"Send this address to {posting.name_reader(desk)}. The reply is an address, too."
    what = desk.newest.name if machine.get_machine().folders else "Your message, to copy or save here"
    return f"{what}: {desk.to_mail}, if you have not yet."


def _describe_dice(scene: Scene) -> dict[str, Any]:
    """Return the dice at the beginning of the player's message. No other machine knows the dice yet."""
    game, result = scene.desk.game, scene.checked.result if scene.checked else None
    if result is None or not result.dice:
        return {}
    told = reports.list_duties(game, result)
    fought = {write_headline(clash, scene.words)[1]: clash.fought for clash in clashes(result.events[: result.duties])}
    fallen = {line: fought[line] for line in told if line in fought and fought[line].dice}
    return {
        "battles": [(battle, line) for line, battle in fallen.items()],
        "rolls": reports.list_rolls(game, result, {battle.label for battle in fallen.values()}),
        "headlines": [line for line in told if line not in fallen],
        "text": reports.report_duties(game, scene.desk.seq, result),
    }


def _describe_past(scene: Scene) -> dict[str, Any]:
    if scene.message is None:
        return {}
    last = scene.desk.last.seq
    return {"seq": scene.message, "before": scene.message > 0, "after": scene.message < last}


def _make_report(scene: Scene) -> dict[str, Any]:
    history = scene.desk.history
    step = history.last_step if scene.message is None else history.step(scene.message)
    text = reports.report_step(step)
    return {
        "headlines": reports.make_headlines(step.before, step.after, step.message, step.result),
        "story": chapters.write_prose(step) if step.result else [],
        "text": _LUCK.sub("", text) if scene.checked and scene.checked.result.dice else text,
    }


def _list_log(desk: Desk) -> Iterator[dict[str, Any]]:
    for step in reversed(desk.history.steps):
        words = step.after.ruleset.seen.words(step.after.setting)
        sender = step.message.sender
        told = reports.make_headlines(step.before, step.after, step.message, step.result) if step.result else ()
        who = words.side(sender) if sender != REFEREE else "the referee"
        name = f"message {step.message.seq}, turn {step.before.state.turn}, {who}"
        yield {"seq": step.message.seq, "name": name, "headlines": told[:3]}


# Beside the map


def list_beside_map(scene: Scene) -> dict[str, Any]:
    """Return the content next to the map: score table, units off the map, turn track, tables and notes."""
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
        "track": [_make_table(table) for table in seen.track(game.setting, scene.state)],
        "tables": [_make_table(table) for table in seen.tables(game.setting)],
    }


def _make_table(table: Table) -> dict[str, Any]:
    title = f"{table.title} [{table.rule}]" if table.rule else table.title
    notes = [*table.notes, *([table.provenance] if table.provenance else [])]
    return {"title": title, "head": table.head, "rows": table.rows, "notes": notes}


# Statements besides orders


def list_talk(scene: Scene) -> dict[str, Any]:
    """Return the statements that the player can make instead of orders, such as an offer, and the standing policy."""
    desk = scene.desk
    own = desk.own
    if own is None or desk.game.over or scene.message is not None or own.side == REFEREE:
        return {}
    policy, free = policies.read_raw(own), not scene.again
    return {
        "offer": reports.describe_offer(desk.game.chain.offer) if free and desk.mine and desk.game.chain.offer else "",
        "may": free and desk.mine and not desk.game.chain.offer and not desk.lock,
        "goes_on": free and not desk.game.chain.offer and not desk.lock,
        "kept": successors.find_kept(desk) is not None,
        "last": desk.seq - 1,
        "options": successors.list_options(desk.game),
        "policy": policy.decode("utf-8", "replace"),
        "policy_stamp": policies.make_stamp(policy),
    }


# Texts for signing


def show_draft(scene: Scene) -> Shown:
    """Return the text to read before signing: orders, hidden values and unused possibilities. Raises UsageError."""
    desk, checked = scene.desk, scene.checked
    if checked is None:
        raise UsageError(scene.unread or "nothing to sign now; perhaps you signed in another window")
    if scene.violations:
        raise UsageError("remove the illegal orders first")
    return leftovers.show_checked(desk, checked, list_unused(scene))


def show_signed(desk: Desk) -> str:
    """Return the text of a signed message without a file, with the hidden values."""
    if (slot := desk.unwritten) is None:
        return ""
    step = play.load_signed(desk, slot).history.last_step
    hidden = {label: entry["value"] for label, entry in slot.seals.items()}
    return reports.report_step(step) + reports.report_hidden(step.after, step.after.state, step.message.sender, hidden)
