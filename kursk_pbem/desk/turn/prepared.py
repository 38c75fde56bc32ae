"""Prepared orders: orders for the next message, written while waiting (decision 90).

The orders stay in the private folder, unsigned, and belong to the last message when they were written. When the
opponent's message comes, the first branch whose conditions hold goes into the draft, once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import drafts, ordering, vocabulary
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.ground import jsonfiles, locks
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats import precheck
from kursk_pbem.formats.canonical import REFEREE, sha256_hex
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders
from kursk_pbem.game.games import CHOICE_FIELDS
from kursk_pbem.game.journal import Record
from kursk_pbem.kernel import names
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP

WAITING, USED = "prepared.json", "prepared-used.json"
"""Files in a game's private record: the prepared orders, and the prepared orders already used in a draft."""
OTHERWISE = "otherwise"
EXAMPLE = "if posture pause: attack 2217 all; otherwise: answer all full always"


@frozen
class Branch:
    """A branch of prepared orders: conditions, and the orders in words. Conditions () mean 'otherwise'."""

    conditions: tuple[tuple[str, ...], ...]
    orders: str

    @property
    def words(self) -> str:
        """The branch as the player types it."""
        if not self.conditions:
            return f"{OTHERWISE}: {self.orders}"
        return f"if {' and '.join(map(' '.join, self.conditions))}: {self.orders}"


@frozen
class Prepared:
    """Prepared orders. ``seq``, ``head``: the game's last message at that time. ``sign``: sign without asking."""

    seq: int
    head: str
    text: str
    sign: bool = False


def read_branches(desk: Desk, text: str) -> tuple[Branch, ...]:
    """Return the branches in a typed text. Raises UsageError for an unknown condition, unit or place."""
    branches: list[Branch] = []
    for part in (piece.strip() for piece in text.split(";")):
        head, colon, orders = part.partition(":")
        first, _blank, rest = head.strip().partition(" ")
        if not colon or not orders.strip() or first.lower() not in ("if", OTHERWISE) or (first == OTHERWISE and rest):
            raise UsageError(f"{show(part)} is no branch; write '{EXAMPLE}'")
        if branches and not branches[-1].conditions:
            raise UsageError(f"no branch may follow the branch '{OTHERWISE}'")
        known = vocabulary.list_words([desk.game.ruleset.id])
        if unknown := [words[0] for words in ordering.split_orders(orders) if words[0].lower() not in known]:
            raise UsageError(f"{show(unknown[0])} is no order word{vocabulary.suggest(unknown[0], known)}")
        said = [words.split() for words in f" {rest} ".split(" and ")] if first.lower() == "if" else []
        branches.append(Branch(tuple(_read_condition(desk, words) for words in said), orders.strip()))
    return tuple(branches)


def _read_condition(desk: Desk, words: list[str]) -> tuple[str, ...]:
    """Return a condition with the ids of its unit and place."""
    state, seen = desk.game.state, desk.game.ruleset.seen.words(desk.game.setting)
    units = {uid: (seen.unit(uid),) for uid in state.units}
    low = [word.lower() for word in words]
    if low[:2] == ["enemy", "in"] and len(low) > 2:
        return "enemy", "in", _find_place(desk, words[2:])
    if low[:3] == ["no", "enemy", "in"] and len(low) > 3:
        return "no", "enemy", "in", _find_place(desk, words[3:])
    if low[-1:] == ["gone"] and len(low) > 1:
        return names.find(" ".join(words[:-1]), units, "unit"), "gone"
    if "in" in low[1:-1]:
        at = low.index("in", 1)
        negated = low[at - 1] == "not"
        unit = names.find(" ".join(words[: at - negated]), units, "unit")
        return (unit, *(("not",) if negated else ()), "in", _find_place(desk, words[at + 1 :]))
    if len(low) == 2 and low[0] in vocabulary.list_words([desk.game.ruleset.id]):
        values = [*_find_enums(precheck.load(f"{desk.game.ruleset.schema}.schema.json"), low[0])]
        if values and low[1] not in values:
            raise UsageError(f"{show(low[1])} is no {low[0]}; possible: {', '.join(dict.fromkeys(values))}")
        return low[0], low[1]
    raise UsageError(
        f"{show(' '.join(words))} is no condition: write 'ORDERWORD VALUE' (posture pause), 'enemy in HEX', "
        "'no enemy in HEX', 'UNIT in HEX', 'UNIT not in HEX' or 'UNIT gone'"
    )


def _find_enums(form: Any, name: str) -> Iterator[str]:
    """Yield the possible values of a field with this name in a schema."""
    if isinstance(form, Mapping):
        field = form.get("properties", {}).get(name) if isinstance(form.get("properties"), Mapping) else None
        if isinstance(field, Mapping):
            yield from (value for value in field.get("enum", ()) if isinstance(value, str))
        for value in form.values():
            yield from _find_enums(value, name)


def _find_place(desk: Desk, words: list[str]) -> str:
    """Return the label of a place by label or name. Raises UsageError."""
    shapes = desk.game.ruleset.seen.picture(desk.game.setting, desk.game.state)
    seen = desk.game.ruleset.seen.words(desk.game.setting)
    known = {region.id: (seen.place(region.id),) for region in shapes.regions}
    return names.find(" ".join(words), known, "hex")


def holds(desk: Desk, condition: tuple[str, ...], since: int) -> bool:
    """Return whether the opponent's messages, from number ``since`` on, fulfill a condition (protocol 4)."""
    state, seen = desk.game.state, desk.game.ruleset.seen.words(desk.game.setting)
    if condition[-2:-1] == ("in",) and "enemy" in condition[:2]:
        there = (uid for uid, unit in state.units.items() if unit.place == condition[-1])
        return any(seen.owner(uid) != desk.own_side for uid in there) is (condition[0] == "enemy")
    unit = state.units.get(condition[0])
    if condition[1] == "gone":
        return unit is None or unit.place in (OFF_MAP, ELIMINATED)
    if condition[-2] == "in":
        return (unit is not None and unit.place == condition[-1]) is ("not" not in condition)
    said = (step.message for step in desk.history.steps[since + 1 :] if step.message.sender != desk.own_side)
    return any(
        value == condition[1]
        for message in said
        for field in (*CHOICE_FIELDS, "reveal")
        for value in _find_values(message.content.get(field), condition[0])
    )


def _find_values(data: Any, name: str) -> Iterator[str]:
    """Yield each text with this name in the public choices of a message."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key == name and isinstance(value, str):
                yield value
            yield from _find_values(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from _find_values(value, name)


def prepare(desk: Desk, text: str, *, sign: bool = False) -> tuple[Branch, ...]:
    """Save orders to use in the player's next message. They replace earlier prepared orders. Raises UsageError."""
    own = _require_waiting(desk)
    branches = read_branches(desk, text)
    chosen = Prepared(desk.last.seq, desk.last.id, "; ".join(branch.words for branch in branches), sign)
    with locks.hold_lock(own.path):
        jsonfiles.write_object(own.path / WAITING, vars(chosen))
    return branches


def _require_waiting(desk: Desk) -> Record:
    if desk.own is None or desk.own_side == REFEREE:
        raise UsageError("only a player of this game can prepare orders")
    if desk.game.over:
        raise UsageError("the game is over; no message is due")
    if desk.mine:
        raise UsageError(f"message {desk.seq} is yours to write now: 'kursk order' writes orders into its draft")
    return desk.own


def load_prepared(own: Record) -> Prepared | None:
    """Return the prepared orders that are still unused, or None."""
    data = jsonfiles.read_object(own.path / WAITING)
    return Prepared(int(data["seq"]), str(data["head"]), str(data["text"]), bool(data["sign"])) if data else None


def forbid_signing(record: Path) -> None:
    """Forbid signing prepared orders without asking, in a record copied from elsewhere. Raises DiskError."""
    for path in (record / WAITING, record / USED):
        if told := jsonfiles.read_object(path):
            jsonfiles.write_object(path, {**told, "sign": False})


def forget_prepared(own: Record) -> bool:
    """Delete the prepared orders; return whether some existed."""
    with locks.hold_lock(own.path):
        there = (own.path / WAITING).exists()
        (own.path / WAITING).unlink(missing_ok=True)
    return there


def use_prepared(desk: Desk) -> tuple[str, ...]:
    """Write the first branch whose conditions are true into the new draft; return report lines. Call once per message.

    The prepared orders are first marked as used, so that a crash cannot use them twice.
    """
    own = desk.own
    if own is None or not desk.mine:
        return ()
    with locks.hold_lock(own.path):
        if (waiting := load_prepared(own)) is None:
            return ()
        (own.path / WAITING).replace(own.path / USED)
    if waiting.seq >= desk.seq - 1 or desk.game.chain.ids[waiting.seq] != waiting.head:
        return (f"your prepared orders were written for another message, and are not used: {waiting.text}",)
    try:
        branches = read_branches(desk, waiting.text)
        holding = (each for each in branches if all(holds(desk, one, waiting.seq) for one in each.conditions))
        branch = next(holding, None)
        if branch is None:
            return (f"no condition of your prepared orders is true: {waiting.text}",)
        sheet = ordering.open_draft(desk)
        done = ordering.try_orders(sheet, ordering.split_orders(branch.orders))
    except (UsageError, FileError) as error:
        return (f"your prepared orders are not in the draft: {error.message}",)
    if faults := done.checked.result.violations:
        return (f"your prepared orders are not in the draft, because they break the rules: {faults[0].message}",)
    kept = ordering.keep_orders(sheet, done)
    fell = any(step.result and step.result.dice for step in desk.history.steps[waiting.seq + 1 :])
    fell = fell or bool(desks.preview_duties(desk, desk.record_of_writer()).dice)
    sign = waiting.sign and bool(branch.conditions) and not fell
    digest = sha256_hex(kept.sheet.text.encode("utf-8"))
    jsonfiles.write_object(own.path / USED, {**vars(waiting), "for": desk.seq, "sign": sign, "draft": digest})
    why = "dice fell" if fell else f"'{OTHERWISE}' is never signed unasked"
    wait = (f"they wait until you type 'kursk sign': {why}",) if waiting.sign and not sign else ()
    return (f"your prepared orders are in the draft: {branch.words}", *done.said, *wait)


def find_signable(desk: Desk) -> Checked | None:
    """Return the draft if it equals the prepared orders that the player allowed to sign; otherwise None."""
    own = desk.record_of_writer()
    used, path = jsonfiles.read_object(own.path / USED), folders.draft_path(desk.folder, desk.seq)
    if not used.get("sign") or used.get("for") != desk.seq or not path.is_file():
        return None
    raw = folders.read_bytes(path)
    if sha256_hex(raw) != used.get("draft"):
        return None
    checked = drafts.check_draft(desk, drafts.read_draft(desk, raw, str(path)))
    return None if checked.result.violations else checked
