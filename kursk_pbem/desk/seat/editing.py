"""The way to change a listed order by a click: its form, a move on the map, or words."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.kernel.verbs import CHOICE, PLACE, UNIT, Clause

ONE = (CHOICE, UNIT, PLACE)
"""Kinds of clauses that need exactly one choice."""


def describe_edits(sheet: DraftFile, orders: Iterable[str]) -> list[dict[str, str]]:
    """Return how a click changes each order: in a form (``verb``, ``about``), by moving a ``unit``, or not ('')."""
    about_one: dict[str, bool | None] = {}
    return [_describe_edit(sheet, words, about_one) for words in orders]


def _describe_edit(sheet: DraftFile, words: str, about_one: dict[str, bool | None]) -> dict[str, str]:
    name, *said = words.split() or ("",)
    verb = next((verb for verb in sheet.verbs if verb.name == name), None)
    if verb is None or "," in words:  # one entry of the draft contains several orders
        return {"verb": "", "about": "", "unit": ""}
    if said and said[0] in sheet.state.units:
        clauses = ordering.list_clauses(sheet, name, said[:1])[1]
        if [clause.kind for clause in clauses] == [PLACE]:  # a move: its end is chosen on the map
            return {"verb": name, "about": "", "unit": said[0]}
    if name not in about_one:
        about_one[name] = _begins_with_subject(sheet, name)
    known = about_one[name]
    return {"verb": "" if known is None else name, "about": " ".join(said[:1]) if known else "", "unit": ""}


def _begins_with_subject(sheet: DraftFile, name: str) -> bool | None:
    """Return whether the verb's form begins with the order's subject; None without a form."""
    _verb, clauses = ordering.list_clauses(sheet, name, ())
    return needs_first_choice(sheet, name, clauses) if clauses else None


def needs_first_choice(sheet: DraftFile, verb: str, clauses: tuple[Clause, ...]) -> bool:
    """Return whether the player must choose the first part of an order before the program can list the other parts."""
    if len(clauses) != 1 or clauses[0].kind not in ONE or not clauses[0].among:
        return False
    _verb, then = ordering.list_clauses(sheet, verb, [clauses[0].among[0][0]])
    return then != clauses
