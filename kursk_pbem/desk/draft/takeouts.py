"""Taking one order out of a draft: the rest stays, and what the order displaced comes back where it belongs."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import reduce
from operator import getitem
from typing import Any

from kursk_pbem.desk.draft import drafts, ordering, orderlines, undos
from kursk_pbem.desk.draft.ordering import Sheet, Written
from kursk_pbem.desk.draft.orderlines import listed
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.kernel.orders import Path as OrderPath
from kursk_pbem.kernel.verbs import Edit


def numbered(sheet: Sheet, words: str, near: int) -> int:
    """The number of the order that is listed with these words; of several alike the one with the number ``near``.

    UsageError if there is none.
    """
    found = [
        number for number, (_path, told) in enumerate(orderlines.told(sheet.choices, sheet.verbs), 1) if told == words
    ]
    if not found:
        raise UsageError(f"there is no order {show(words)} any more")
    return near if near in found else found[0]


def take_out(sheet: Sheet, number: int) -> Written:
    """The draft without one of its orders, by its number in the list; the rest stays. UsageError."""
    orders = listed(sheet.choices)
    if not 1 <= number <= len(orders):
        many = f"1 to {len(orders)}" if orders else "nothing: there is no order yet"
        raise UsageError(f"there is no order {number}; the list numbers them {many}")
    path, words = orders[number - 1]
    whole: Any = sheet.choices
    for step in path:
        whole = whole[step]
    empty: list[str] | None = [] if isinstance(whole, list) else None  # a list of names is emptied, all else goes
    text, after = ordering.changed(sheet, sheet.text, sheet.choices, [Edit(path, empty)])
    back = _displaced(sheet, path, words, after)
    if back:
        again, _whole = ordering.changed(sheet, text, after, [edit for edit, _told in back])
        if _wrongs(sheet, again) < _wrongs(sheet, text):
            return ordering.put(sheet, again, [f"taken out: {words}", *(f"back again: {told}" for _edit, told in back)])
    return ordering.put(sheet, text, [f"taken out: {words}"])


def _displaced(sheet: Sheet, path: OrderPath, words: str, now: Mapping[str, Any]) -> list[tuple[Edit, str]]:
    """What went out of the draft when an order came in, and stands nowhere in it now, as edits that bring it back."""
    for step in reversed(ordering.former(sheet).steps()):
        before, after = (_choices_of(sheet, text) for text in undos.texts(step))
        if before is None or after is None or (path, words) in listed(before) or (path, words) not in listed(after):
            continue
        kept = {where for where, _told in (*listed(after), *listed(now))}
        gone = [(where, told) for where, told in listed(before) if where not in kept and where != path]
        whole: Any = before
        return [(Edit(where, reduce(getitem, where, whole)), told) for where, told in gone if _free(where)]
    return []


def _free(path: OrderPath) -> bool:
    """Whether a value can be put there whatever stands around it: no place in a list."""
    return not any(isinstance(step, int) for step in path)


def _choices_of(sheet: Sheet, text: str) -> dict[str, Any] | None:
    """The choices in a former text of the draft; None where it cannot be read any more."""
    with suppress(KurskError):
        return ordering.read_sheet(sheet.desk, sheet.path, text.encode("ascii"), sheet.state).choices
    return None


def _wrongs(sheet: Sheet, text: str) -> int:
    """How much is wrong in a draft with this text."""
    after = ordering.read_sheet(sheet.desk, sheet.path, text.encode("ascii"), sheet.state)
    return len(drafts.check(sheet.desk, after.message).result.violations)
