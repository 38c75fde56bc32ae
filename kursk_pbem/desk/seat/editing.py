"""How an order of the list is changed by a click on it: in its form, by moving its unit on the map, or in words."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.wording import Sheet
from kursk_pbem.kernel.verbs import CHOICE, PLACE, UNIT, Clause

ONE = (CHOICE, UNIT, PLACE)
"""Kinds of clauses of which one thing is chosen."""


def ways(sheet: Sheet, orders: Iterable[str]) -> list[dict[str, str]]:
    """Of each order the ``verb`` and what its form is ``about``, or the ``unit`` it moves; '' if words alone do."""
    about_one: dict[str, bool | None] = {}
    return [_way(sheet, words, about_one) for words in orders]


def _way(sheet: Sheet, words: str, about_one: dict[str, bool | None]) -> dict[str, str]:
    name, *said = words.split() or ("",)
    verb = next((verb for verb in sheet.verbs if verb.name == name), None)
    if verb is None or "," in words:  # several orders in one entry of the draft
        return {"verb": "", "about": "", "unit": ""}
    if verb.clauses is None:
        there = [uid for uid in said[:1] if uid in sheet.state.units]
        return {"verb": name if there else "", "about": "", "unit": "".join(there)}
    if name not in about_one:
        about_one[name] = _about_one(sheet, name)
    known = about_one[name]
    return {"verb": "" if known is None else name, "about": " ".join(said[:1]) if known else "", "unit": ""}


def _about_one(sheet: Sheet, name: str) -> bool | None:
    """Whether the form of a verb begins with the one thing that its order is about; None where it has no form now."""
    _verb, clauses = ordering.clauses(sheet, name, ())
    return opens(sheet, name, clauses) if clauses else None


def opens(sheet: Sheet, verb: str, clauses: tuple[Clause, ...]) -> bool:
    """Whether something must be chosen before the other clauses of an order can be shown."""
    if len(clauses) != 1 or clauses[0].kind not in ONE or not clauses[0].among:
        return False
    _verb, then = ordering.clauses(sheet, verb, [clauses[0].among[0][0]])
    return then != clauses
