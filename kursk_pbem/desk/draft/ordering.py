"""Orders given in words: each is written into the text of the draft, which stays the one truth, and can be taken back.

What the words mean is found in :mod:`wording`; here the draft is opened, changed, kept and taken back. Former texts lie
in the private folder.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

from kursk_pbem.desk import desks, locks
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import changes, drafts, orderlines, undos, wording
from kursk_pbem.desk.draft.changes import Change
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.draft.undos import Former
from kursk_pbem.desk.draft.wording import NOTE, Sheet
from kursk_pbem.errors import UsageError, Violation
from kursk_pbem.formats.text import show, to_utf8
from kursk_pbem.game import folders
from kursk_pbem.kernel.orders import Path as OrderPath
from kursk_pbem.kernel.verbs import Clause, Edit, Verb

POLICY = "policy"
"""The field of a draft that holds answers: each word of them stands for itself."""


@dataclass(frozen=True)
class Written:
    """What came of orders: what was understood of each, and the draft as it is now, checked."""

    said: tuple[str, ...]
    sheet: Sheet
    checked: Checked
    changes: tuple[Change, ...] = ()


def open_sheet(desk: Desk, path: Path | None = None) -> Sheet:
    """The draft of the message that is due at this desk; written anew where there is none. KurskError."""
    own = desk.unlocked()
    desk.need_unsigned()
    path = path or folders.draft_path(desk.folder, desk.seq)
    ahead = desks.duties(desk, own)
    if not path.exists():
        drafts.write_file(desk, ahead)
    return wording.sheet_of(desk, path, folders.read_bytes(path), ahead.middle)


def split(text: str) -> list[list[str]]:
    """The orders of a line: parted by commas, each in words; a note takes the rest of its line."""
    orders: list[list[str]] = []
    while text.strip():
        if text.split(None, 1)[0].lower() == NOTE:
            return [*orders, [NOTE, text.split(None, 1)[1].strip() if len(text.split(None, 1)) > 1 else ""]]
        order, _comma, text = text.partition(",")
        orders.append(order.split())
    return [order for order in orders if order]


def write(sheet: Sheet, orders: Iterable[Sequence[str]]) -> Written:
    """Write orders into the draft, legal or not, and check it. If one is not understood nothing is written."""
    return keep(sheet, tried(sheet, orders))


def tried(sheet: Sheet, orders: Iterable[Sequence[str]]) -> Written:
    """What would come of orders, one after the other; nothing is written.

    One that is said again goes last in its list, where it may be legal now; it stays where that is no worse.
    """
    orders = [list(words) for words in orders]
    done = _understood(sheet, orders)
    if not done.checked.result.violations or all(any(change.values()) for change in done.changes):
        return done
    again = _understood(sheet, orders, stay=True)
    return min(again, done, key=lambda each: len(each.checked.result.violations))


def _understood(sheet: Sheet, orders: Iterable[Sequence[str]], *, stay: bool = False) -> Written:
    heard = wording.understood(sheet, orders, stay=stay)
    return _seen(sheet, heard.text, heard.said, heard.changes)


def faults(sheet: Sheet, done: Written) -> tuple[tuple[Violation, ...], tuple[Violation, ...]]:
    """What is wrong in a draft that was ``sheet``: by what was ``done`` to it, and what was wrong before.

    An old fault is one of the same rule about the same thing; in an order that was written just now also in the same
    words. So a duty of which a part is still to be done is no new fault.
    """
    violations = done.checked.result.violations
    if not violations:
        return (), ()
    made = changes.between(sheet.choices, done.sheet.choices)[changes.WROTE]
    written = [tuple(path[:2] if isinstance(path[-1], str) else path) for path, _value in made]
    had = drafts.check(sheet.desk, sheet.message).result.violations
    words, left = Counter(map(_exactly, had)), Counter(map(_alike, had))
    new: list[Violation] = []
    for violation in violations:
        here = any(violation.path[: len(path)] == path for path in written)
        if left[_alike(violation)] > 0 and (words[_exactly(violation)] > 0 or not here):
            left[_alike(violation)] -= 1
        else:
            new.append(violation)
    return tuple(new), tuple(violation for violation in violations if violation not in new)


def refused(sheet: Sheet, done: Written) -> tuple[Violation, ...]:
    """Return the new faults for which orders are not written; none if the only new ones wait for another order."""
    new, _old = faults(sheet, done)
    return () if all(violation.waits for violation in new) else new


def in_the_way(sheet: Sheet, done: Written, new: Iterable[Violation]) -> list[tuple[int, str]]:
    """Orders of ``sheet`` that ``new`` faults of what was ``done`` refuse, with their numbers: attacks bar what waits.

    None of a list into which something was written now: the new order may as well be the one at fault.
    """
    made = changes.between(sheet.choices, done.sheet.choices)[changes.WROTE]
    written = {orderlines.field(tuple(path)) for path, _value in made}
    refused = [fault.path for fault in new if len(fault.path) > 1 and orderlines.field(fault.path[:2]) not in written]
    barred = [
        (orderlines.field(path), value)
        for path, value in orderlines.entries(done.sheet.choices)  # a list may have shifted
        if isinstance(path[-1], int) and any(at[: len(path)] == path[: len(at)] for at in refused)
    ]
    return [
        (number, words)
        for number, (path, words) in zip(numbers(sheet), sheet.orders, strict=True)
        if (orderlines.field(path), orderlines.at(sheet.choices, path)) in barred
    ]


def _alike(violation: Violation) -> tuple[str, ...]:
    return violation.rule, violation.order, orderlines.field(violation.path)


def _exactly(violation: Violation) -> tuple[str, ...]:
    return *_alike(violation), violation.message


def clauses(sheet: Sheet, name: str, words: Sequence[str]) -> tuple[Verb, tuple[Clause, ...]]:
    """A verb by its name, and what can be chosen for its parts; none where it is written in words alone. UsageError."""
    verb, _rest = wording.verb_of(sheet, (name,), None)
    if verb.clauses is None:
        return verb, ()
    return verb, verb.clauses(wording.asking(sheet, sheet.choices), words)


def _seen(sheet: Sheet, text: str, said: Iterable[str], made: tuple[Change, ...]) -> Written:
    """The draft with another text, checked."""
    after = wording.sheet_of(sheet.desk, sheet.path, text.encode("utf-8"), sheet.state)
    return Written(tuple(said), after, drafts.check(sheet.desk, after.message), made)


def propose(sheet: Sheet, orders: Iterable[Sequence[str]]) -> Written:
    """Write what the program proposes into the draft: no command of the player's, so 'undo' does not take it back."""
    done = tried(sheet, orders)
    with _alone(sheet):
        folders.write(sheet.path, done.sheet.text, force=True)
    return done


def keep(sheet: Sheet, done: Written) -> Written:
    """Write what was tried with this draft, and keep its former text. UsageError if it was changed meanwhile."""
    if done.sheet.text != sheet.text:
        with _alone(sheet):
            step = _former(sheet).keep(sheet.text, done.sheet.text, done.changes)
            try:
                folders.write(sheet.path, done.sheet.text, force=True)
            except UsageError:
                step.unlink(missing_ok=True)  # nothing was ordered, so nothing can be taken back
                raise
    return done


@contextmanager
def _alone(sheet: Sheet) -> Iterator[None]:
    """Inside this context no other program orders, and the draft is still the one that was read. UsageError.

    An editor knows nothing of the lock: what it has written is found by the comparison.
    """
    with locks.held(sheet.desk.record_of_writer().path):
        sheet.desk.need_unsigned()
        if not sheet.path.exists() or to_utf8(folders.read_bytes(sheet.path)) != sheet.text.encode("utf-8"):
            raise UsageError(f"{sheet.path} was changed by another program just now; nothing was written, order again")
        yield


# Taking back


def numbered(sheet: Sheet, words: str, near: int) -> int:
    """The number of the order that is listed with these words; of several alike the one with the number ``near``.

    UsageError if there is none.
    """
    same = [number for number, (_path, told) in enumerate(sheet.orders, 1) if told == words]
    if not same:
        raise UsageError(f"there is no order {show(words)} any more")
    return near if near in same else same[0]


def numbers(sheet: Sheet) -> list[int]:
    """The numbers of the orders as they are listed: each keeps its own while others are taken out."""
    known: Counter[str] = Counter()
    names = []
    for path, value in orderlines.entries(sheet.choices):
        name = f"{orderlines.field(path)} {changes.subject(value)}".strip()
        known[name] += 1
        names.append(f"{name} {known[name]}" if known[name] > 1 else name)
    return _former(sheet).numbered(names)


def take_out(sheet: Sheet, number: int) -> Written:
    """The draft without one of its orders, by its place in the list; what was taken out for its sake comes back.

    UsageError.
    """
    path, value = _entry(sheet, number)
    text, after, back = _without(sheet, path, value)
    own = ", ".join(sheet.tell(orderlines.alone(path, value)))  # as listed it may name others, who stay
    said = (f"taken out: {own}", *(edit.said for edit in back))
    return keep(sheet, _seen(sheet, text, said, (changes.between(sheet.choices, after),)))


def say_anew(sheet: Sheet, number: int, orders: Sequence[Sequence[str]]) -> Written:
    """The draft with one of its orders said in other words, which stands where it stood, under the name that it had.

    What was taken out for the sake of the former words comes back, as far as the new ones leave it. UsageError.
    """
    path, value = _entry(sheet, number)
    if path[0] == POLICY:  # an answer changes what it names, and nothing else
        return write(sheet, orders)
    text, _choices, back = _without(sheet, path, value)
    middle = wording.sheet_of(sheet.desk, sheet.path, text.encode("utf-8"), sheet.state)
    anew = wording.understood(middle, orders)
    after = wording.sheet_of(sheet.desk, sheet.path, anew.text.encode("utf-8"), sheet.state)
    text, choices = wording.changed(after, anew.text, after.choices, _in_place(middle, after, path, value))
    left = [edit.said for edit in back if _stands(choices, edit)]
    return keep(sheet, _seen(sheet, text, (*anew.said, *left), (changes.between(sheet.choices, choices),)))


def _entry(sheet: Sheet, number: int) -> tuple[OrderPath, Any]:
    """Where an order stands, by its place in the list, and its value."""
    orders = list(orderlines.entries(sheet.choices))
    if not 1 <= number <= len(orders):
        held = f"the list numbers them 1 to {len(orders)}" if orders else "the draft holds none"
        raise UsageError(f"there is no order {number}; {held}")
    return orders[number - 1]


def _without(sheet: Sheet, path: OrderPath, value: Any) -> tuple[str, dict[str, Any], tuple[Edit, ...]]:
    """Text and data without an order, with what it gives back."""
    whole = orderlines.at(sheet.choices, path)
    empty: list[str] | None = [] if isinstance(whole, list) else None  # a list of names is emptied, all else goes
    text, after = wording.changed(sheet, sheet.text, sheet.choices, [Edit(path, empty)])
    back = changes.given_back(_former(sheet).changes(), after, path, value, sheet.tell)
    return *wording.changed(sheet, text, after, back), back


def _in_place(before: Sheet, after: Sheet, path: OrderPath, value: Any) -> list[Edit]:
    """What brings an order that was written last to where another one stood in the same list, under the same name."""
    new = [
        tuple(place)
        for place, held in changes.between(before.choices, after.choices)[changes.WROTE]
        if orderlines.field(tuple(place)) == orderlines.field(path) and isinstance(held, dict)
    ]
    if not new or not isinstance(path[-1], int):
        return []
    held = list(orderlines.at(after.choices, path[:-1]))
    order = held.pop(new[0][-1])
    order = {**order, "id": value["id"]} if "id" in order and "id" in value else order
    held.insert(min(path[-1], len(held)), order)
    there = orderlines.at(after.choices, path[:-1])
    return [Edit((*path[:-1], at), moved) for at, moved in enumerate(held) if moved != there[at]]


def _stands(choices: dict[str, Any], edit: Edit) -> bool:
    """Whether what was given back is still there."""
    there = orderlines.at(choices, edit.path)
    return edit.value in (there or ()) if edit.add else there == edit.value


def move_up(sheet: Sheet, number: int) -> Written:
    """The draft with one of its orders before the one that stands above it in the same list. UsageError."""
    orders = sheet.orders
    path, words = orders[number - 1] if 1 <= number <= len(orders) else ((), "")
    at = path[-1] if path else 0
    if not isinstance(at, int) or at < 1:
        raise UsageError("nothing stands above it in its list")
    above: OrderPath = (*path[:-1], at - 1)
    choices: Any = sheet.choices
    held, upper = (reduce(getitem, place, choices) for place in (path, above))
    edits = [Edit(above, held), Edit(path, upper)]
    text, _after = wording.changed(sheet, sheet.text, sheet.choices, edits)
    return keep(sheet, _seen(sheet, text, [f"goes up: {words}"], ()))


def undo(sheet: Sheet) -> Written:
    """The text from before the last command. UsageError if there is none, or if the draft has changed since."""
    steps = _former(sheet).steps()
    held = "'undo N' takes out one order and leaves your edits" if numbers(sheet) else "it holds no order now"
    if not steps:
        raise UsageError(f"there is no command to take back in {sheet.path}; {held}")
    before, after = undos.texts(steps[-1])
    if after != sheet.text:  # edited, or written anew by 'kursk setup draft --force'
        raise UsageError(f"{sheet.path} has changed since; {held}. The former texts are kept in {steps[-1].parent}")
    back = _turned(sheet, before, steps[-1], undos.UNDONE)
    return replace(back, said=_differ(sheet, back.sheet, ("taken back", "taken back, there again")))


def redo(sheet: Sheet) -> Written:
    """The text from before the last undo. UsageError if there is none, or if the draft was changed since."""
    steps = _former(sheet).steps(undos.UNDONE)
    before, after = undos.texts(steps[0]) if steps else ("", "")
    if not steps:
        none = "nothing was taken back since the last order; 'undo' takes back the last command, also an 'undo N'"
        raise UsageError(f"there is nothing to do again in {sheet.path}: {none}")
    if before != sheet.text:
        raise UsageError(f"there is nothing to do again in {sheet.path}: it was changed since something was taken back")
    again = _turned(sheet, after, steps[0], undos.DONE)
    return replace(again, said=_differ(again.sheet, sheet, ("done again", "done again, taken out")))


def _differ(one: Sheet, other: Sheet, what: tuple[str, str]) -> tuple[str, ...]:
    """What the orders of one draft say beyond those of another, and what those say beyond them."""
    told = [f"{what[0]}: {words}" for words in _beyond(one, other)]
    return (*told, *(f"{what[1]}: {words}" for words in _beyond(other, one))) or what[:1]


def _beyond(one: Sheet, other: Sheet) -> list[str]:
    more = orderlines.beyond(one.choices, other.choices, one.desk.game.ruleset.seen.kept)
    stood = {words for _path, words in other.orders}  # half of an order may have been one of its own
    told = [words for words in one.tell(more) if words not in stood]
    return [
        words for at, words in enumerate(told) if not any(other.startswith(f"{words} ") for other in told[at + 1 :])
    ]


def _turned(sheet: Sheet, text: str, step: Path, kind: str) -> Written:
    """The draft with another text, which stood there before; the command that it came from is now of this kind."""
    after = wording.sheet_of(sheet.desk, sheet.path, text.encode("utf-8"), sheet.state)
    checked = drafts.check(sheet.desk, after.message)
    with _alone(sheet):
        folders.write(sheet.path, text, force=True)
        step.replace(step.with_suffix(kind))
    return Written((), after, checked)


def edited_since(sheet: Sheet) -> Path | None:
    """Where the text lies that the last command left, if it is not the draft's any more; otherwise None."""
    steps = _former(sheet).steps()
    return steps[-1] if steps and undos.texts(steps[-1])[1] != sheet.text else None


def _former(sheet: Sheet) -> Former:
    return Former(sheet.desk.record_of_writer().path / "drafts", sheet.desk.seq)
