"""Orders in words: writing into the draft, and taking back.

Module :mod:`wording` finds the meaning of words. Earlier texts of the draft are in the private folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import changes, drafts, history, orderlines, wording
from kursk_pbem.desk.draft.changes import Change
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.draft.wording import NOTE, DraftFile
from kursk_pbem.desk.ground import locks, machine
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError, Violation
from kursk_pbem.formats.text import show, to_utf8
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders
from kursk_pbem.kernel.forms import name_need
from kursk_pbem.kernel.orders import Path as OrderPath
from kursk_pbem.kernel.verbs import Clause, Edit, Verb

LISTED = 2_000
"""Maximum number of choices that the plain data list for a clause."""
POLICY = "policy"
"""The field of a draft that contains the answers to battles."""


@frozen
class Written:
    """The result of giving orders: a line for each order, and the checked draft."""

    said: tuple[str, ...]
    sheet: DraftFile
    checked: Checked
    changes: tuple[Change, ...] = ()


def open_draft(desk: Desk, path: Path | None = None) -> DraftFile:
    """Open the next draft; if the file is missing, write a new one. Raises KurskError."""
    own = desk.unlocked()
    desk.need_unsigned()
    path = path or folders.draft_path(desk.folder, desk.seq)
    ahead = desks.preview_duties(desk, own)
    if not path.exists():
        drafts.write_draft(desk, ahead)
    return wording.read_draft_file(desk, path, folders.read_bytes(path), ahead.middle)


def split_orders(text: str) -> list[list[str]]:
    """Split a line into orders at commas, each into words. A note takes the rest of its line."""
    orders: list[list[str]] = []
    while text.strip():
        if text.split(None, 1)[0].lower() == NOTE:
            return [*orders, [NOTE, text.split(None, 1)[1].strip() if len(text.split(None, 1)) > 1 else ""]]
        order, _comma, text = text.partition(",")
        orders.append(order.split())
    return [order for order in orders if order]


def write_orders(sheet: DraftFile, orders: Iterable[Sequence[str]]) -> Written:
    """Write orders into the draft, legal or not. If one order is not understood, write none."""
    return keep_orders(sheet, try_orders(sheet, orders))


def try_orders(sheet: DraftFile, orders: Iterable[Sequence[str]]) -> Written:
    """Return what orders would do, without writing them into the draft."""
    heard = wording.read_orders(sheet, orders)
    return _check_text(sheet, heard.text, heard.said, heard.changes)


def find_faults(sheet: DraftFile, done: Written) -> tuple[tuple[Violation, ...], tuple[Violation, ...]]:
    """Return two lists: the violations that the new orders cause, and the violations that the draft had before."""
    violations = done.checked.result.violations
    if not violations:
        return (), ()
    known = Counter(map(_make_key, drafts.check_draft(sheet.desk, sheet.message).result.violations))
    new: list[Violation] = []
    for violation in violations:
        known[_make_key(violation)] -= 1
        if known[_make_key(violation)] < 0:
            new.append(violation)
    return tuple(new), tuple(violation for violation in violations if violation not in new)


def find_refusals(sheet: DraftFile, done: Written) -> tuple[Violation, ...]:
    """Return the new violations that make the orders refused; () if later orders may repair all these violations."""
    new, _old = find_faults(sheet, done)
    return () if all(violation.waits for violation in new) else new


def find_blocking_orders(sheet: DraftFile, done: Written, new: Iterable[Violation]) -> list[tuple[int, str]]:
    """Return the earlier orders, with their numbers, that the new orders make illegal.

    Leaves out an order whose list also got a new order, because the new order may be the illegal one.
    """
    made = changes.compare_choices(sheet.choices, done.sheet.choices)[changes.WROTE]
    written = {orderlines.join_keys(tuple(path)) for path, _value in made}
    refused = [
        fault.path for fault in new if len(fault.path) > 1 and orderlines.join_keys(fault.path[:2]) not in written
    ]
    return [
        (number, words)
        for number, (path, words) in enumerate(sheet.orders, 1)
        if isinstance(path[-1], int) and any(at[: len(path)] == path[: len(at)] for at in refused)
    ]


def _make_key(violation: Violation) -> tuple[str, ...]:
    return violation.rule, violation.order, orderlines.join_keys(violation.path), violation.message


def list_clauses(sheet: DraftFile, name: str, words: Sequence[str]) -> tuple[Verb, tuple[Clause, ...]]:
    """Return the order word ``name``, and the parts of its order after ``words``; () if unknown. Raises UsageError."""
    verb, _rest = wording.find_verb(sheet, (name,), None)
    if verb.clauses is None:
        return verb, ()
    return verb, verb.clauses(wording.make_order_context(sheet, sheet.choices), words)


def describe_form(sheet: DraftFile, name: str, words: Sequence[str]) -> list[dict[str, Any]] | None:
    """Return, as plain data, the parts that can follow ``words`` in an order; None if unknown. Raises UsageError."""
    verb, clauses = list_clauses(sheet, name, words)
    if verb.usage and verb.clauses is None:
        return None
    return [
        {
            **{key: getattr(clause, key) for key in ("word", "text", "kind", "more", "chosen", "notes", "of", "fits")},
            "needed": name_need(clause),
            "among": clause.among[:LISTED],
            "budgets": [{"name": each.name, "most": each.most, "prices": dict(each.prices)} for each in clause.budgets],
        }
        for clause in clauses
    ]


def _check_text(sheet: DraftFile, text: str, said: Iterable[str], made: tuple[Change, ...]) -> Written:
    after = wording.read_draft_file(sheet.desk, sheet.path, text.encode("utf-8"), sheet.state)
    return Written(tuple(said), after, drafts.check_draft(sheet.desk, after.message), made)


def write_proposal(sheet: DraftFile, orders: Iterable[Sequence[str]]) -> Written:
    """Write orders proposed by the program into the draft; 'undo' does not take these orders back."""
    done = try_orders(sheet, orders)
    with _lock_draft(sheet):
        folders.write(sheet.path, done.sheet.text, force=True)
    return done


def keep_orders(sheet: DraftFile, done: Written) -> Written:
    """Save the draft with the new orders; keep the old text for 'undo'. Raises UsageError if the file has changed."""
    if done.sheet.text != sheet.text:
        with _lock_draft(sheet):
            step = wording.open_history(sheet).keep(sheet.text, done.sheet.text, done.changes)
            try:
                folders.write(sheet.path, done.sheet.text, force=True)
            except UsageError:
                step.unlink(missing_ok=True)  # without a change 'undo' has no step
                raise
    return done


def replace_choices(sheet: DraftFile, choices: Mapping[str, Any], said: Iterable[str]) -> Written:
    """Replace all choices of the draft except the note. ``said``: lines that describe the new draft."""
    edits = [Edit((key,), choices.get(key)) for key in {**sheet.choices, **choices} if key != NOTE]
    text, after = wording.apply_edits(sheet, sheet.text, sheet.choices, edits)
    return keep_orders(sheet, _check_text(sheet, text, said, (changes.compare_choices(sheet.choices, after),)))


@contextmanager
def _lock_draft(sheet: DraftFile) -> Iterator[None]:
    """Lock the draft and check that its text is unchanged. Raises UsageError.

    Editors ignore the lock, but the comparison finds their changes.
    """
    with locks.hold_lock(sheet.desk.record_of_writer().path):
        sheet.desk.need_unsigned()
        if not sheet.path.exists() or to_utf8(folders.read_bytes(sheet.path)) != sheet.text.encode("utf-8"):
            raise UsageError(f"another program has changed {sheet.path}; nothing was written: give the order again")
        yield


# Taking back


def find_number(sheet: DraftFile, words: str, near: int) -> int:
    """Return the number of the order typed as ``words``; if several, the number nearest ``near``. Raises UsageError."""
    same = [number for number, (_path, told) in enumerate(sheet.orders, 1) if told == words]
    if not same:
        raise UsageError(f"the draft no longer contains the order {show(words)}")
    return near if near in same else same[0]


def take_out_order(sheet: DraftFile, number: int) -> Written:
    """Remove order ``number`` of the list, and restore the orders that the removed order had replaced.

    Raises UsageError.
    """
    path, value = _find_entry(sheet, number)
    text, after, back = _remove_entry(sheet, path, value)
    own = ", ".join(sheet.tell(orderlines.isolate_entry(path, value)))  # the listed words may also name units that stay
    said = (f"taken out: {own}", *(edit.said for edit in back))
    return keep_orders(sheet, _check_text(sheet, text, said, (changes.compare_choices(sheet.choices, after),)))


def replace_order(sheet: DraftFile, number: int, orders: Sequence[Sequence[str]]) -> Written:
    """Replace order ``number`` by the new ``orders``, which get the old order's position and name.

    Restores, if possible, the orders that the old order had replaced. Raises UsageError.
    """
    path, value = _find_entry(sheet, number)
    if path[0] == POLICY:  # an answer changes only the named choice
        return write_orders(sheet, orders)
    text, _choices, _back = _remove_entry(sheet, path, value)
    middle = wording.read_draft_file(sheet.desk, sheet.path, text.encode("utf-8"), sheet.state)
    anew = wording.read_orders(middle, orders)
    after = wording.read_draft_file(sheet.desk, sheet.path, anew.text.encode("utf-8"), sheet.state)
    text, choices = wording.apply_edits(after, anew.text, after.choices, _restore_place(middle, after, path, value))
    made = changes.compare_choices(sheet.choices, choices)
    return keep_orders(sheet, _check_text(sheet, text, anew.said, (made,)))


def _find_entry(sheet: DraftFile, number: int) -> tuple[OrderPath, Any]:
    orders = list(orderlines.list_entries(sheet.choices))
    if not 1 <= number <= len(orders):
        held = f"the orders have the numbers 1 to {len(orders)}" if orders else "the draft contains no orders"
        raise UsageError(f"there is no order {number}; {held}")
    return orders[number - 1]


def _remove_entry(sheet: DraftFile, path: OrderPath, value: Any) -> tuple[str, dict[str, Any], tuple[Edit, ...]]:
    whole = orderlines.get_value(sheet.choices, path)
    empty: list[str] | None = [] if isinstance(whole, list) else None  # empty a list of names; delete other values
    text, after = wording.apply_edits(sheet, sheet.text, sheet.choices, [Edit(path, empty)])
    back = changes.restore_replaced(wording.open_history(sheet).changes(), after, path, value, sheet.tell)
    return *wording.apply_edits(sheet, text, after, back), back


def _restore_place(before: DraftFile, after: DraftFile, path: OrderPath, value: Any) -> list[Edit]:
    """Return the edits that move the new order to the old order's position and name."""
    new = [
        tuple(place)
        for place, held in changes.compare_choices(before.choices, after.choices)[changes.WROTE]
        if orderlines.join_keys(tuple(place)) == orderlines.join_keys(path) and isinstance(held, dict)
    ]
    if not new or not isinstance(path[-1], int):
        return []
    held = list(orderlines.get_value(after.choices, path[:-1]))
    order = held.pop(new[0][-1])
    order = {**order, "id": value["id"]} if "id" in order and "id" in value else order
    held.insert(min(path[-1], len(held)), order)
    there = orderlines.get_value(after.choices, path[:-1])
    return [Edit((*path[:-1], at), moved) for at, moved in enumerate(held) if moved != there[at]]


def move_order_up(sheet: DraftFile, number: int) -> Written:
    """Move an order one position up in its list. Raises UsageError."""
    orders = sheet.orders
    path, words = orders[number - 1] if 1 <= number <= len(orders) else ((), "")
    at = path[-1] if path else 0
    if not isinstance(at, int) or at < 1:
        raise UsageError("the order is already the first of the list")
    above: OrderPath = (*path[:-1], at - 1)
    choices: Any = sheet.choices
    held, upper = (reduce(getitem, place, choices) for place in (path, above))
    edits = [Edit(above, held), Edit(path, upper)]
    text, _after = wording.apply_edits(sheet, sheet.text, sheet.choices, edits)
    return keep_orders(sheet, _check_text(sheet, text, [f"goes up: {words}"], ()))


def undo_command(sheet: DraftFile) -> Written:
    """Take back the last command. Raises UsageError if there is none, or if the draft has changed since."""
    steps = wording.open_history(sheet).steps()
    held = "'undo N' removes order N and leaves your edits" if sheet.orders else "the draft contains no orders"
    name = machine.name_file(sheet.path, "your orders")
    if not steps:
        raise UsageError(f"'undo' is not possible in {name}: no command can be taken back; {held}")
    before, after = history.read_texts(steps[-1])
    if after != sheet.text:  # edited, or replaced by 'kursk setup draft --force'
        kept = machine.name_file(steps[-1].parent, "this browser")
        raise UsageError(f"{name} was edited after the last command; {held}. The earlier texts are in {kept}")
    back = _swap_text(sheet, before, steps[-1], history.UNDONE)
    return replace(back, said=_describe_difference(sheet, back.sheet, ("undone", "undone; restored")))


def redo_command(sheet: DraftFile) -> Written:
    """Repeat the command taken back last. Raises UsageError without such a command, or after a change of the draft."""
    steps = wording.open_history(sheet).steps(history.UNDONE)
    before, after = history.read_texts(steps[0]) if steps else ("", "")
    name = machine.name_file(sheet.path, "your orders")
    if not steps:
        why = "no command was taken back since the last order; 'undo' takes back the last command, even an 'undo N'"
        raise UsageError(f"'redo' is not possible in {name}: {why}")
    if before != sheet.text:
        raise UsageError(f"'redo' is not possible in {name}: the draft has changed since the last 'undo'")
    again = _swap_text(sheet, after, steps[0], history.DONE)
    return replace(again, said=_describe_difference(again.sheet, sheet, ("redone", "redone; removed")))


def _describe_difference(one: DraftFile, other: DraftFile, what: tuple[str, str]) -> tuple[str, ...]:
    """Return the orders that only one of two drafts contains."""
    ours, theirs = ([words for _path, words in sheet.orders] for sheet in (one, other))
    told = [f"{what[0]}: {words}" for words in ours if words not in theirs]
    return (*told, *(f"{what[1]}: {words}" for words in theirs if words not in ours)) or what[:1]


def _swap_text(sheet: DraftFile, text: str, step: Path, kind: str) -> Written:
    """Restore another text of the draft and rename its step to the kind ``kind``."""
    after = wording.read_draft_file(sheet.desk, sheet.path, text.encode("utf-8"), sheet.state)
    checked = drafts.check_draft(sheet.desk, after.message)
    with _lock_draft(sheet):
        folders.write(sheet.path, text, force=True)
        step.replace(step.with_suffix(kind))
    return Written((), after, checked)
