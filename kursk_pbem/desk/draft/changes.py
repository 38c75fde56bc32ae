"""Changes of a draft by every order. Removing an order restores the orders replaced before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from kursk_pbem.desk.draft import orderlines
from kursk_pbem.desk.draft.orderlines import join_keys
from kursk_pbem.kernel import names
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.verbs import Edit, Verb, edit_draft
from kursk_pbem.kernel.words import Words

SUBJECTS = ("unit", "hex", "base", "id")
"""Keys of the unit, place or battle that an order is about. A later order about the same one replaces it."""
POLICY, ALL = "policy", "all"
BETWEEN = ("with", "to", "at")
WROTE, TOOK = "wrote", "took"
Change = Mapping[str, Any]
"""The changes by one order as plain data. ``wrote``, ``took``: lists of the [path, value] added and removed."""


def find_subject(value: Any) -> str:
    """Return the unit, place or battle of an order, '' for other orders."""
    values = (value.get(key) for key in SUBJECTS) if isinstance(value, Mapping) else ()
    return next((text for text in values if isinstance(text, str)), "")


def compare_choices(before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
    """Return the changes from the choices before an order to the choices after the order."""
    was, now = (list(orderlines.list_entries(choices)) for choices in (before, after))
    wrote, took = orderlines.find_missing(now, was), orderlines.find_missing(was, now)
    return {WROTE: [[list(path), value] for path, value in wrote], TOOK: [[list(path), value] for path, value in took]}


Tell = Callable[[dict[str, Any]], list[str]]
"""A function that describes choices as order lines."""


def restore_replaced(
    changes: Iterable[Change], choices: Mapping[str, Any], path: Path, value: Any, tell: Tell
) -> tuple[Edit, ...]:
    """Return the edits that restore the orders replaced by a removed order, latest change first.

    ``choices``: the draft without the removed order. Answers, and orders in a list, are not set to earlier versions.
    An order stays removed if another order now has its place in the draft.
    """
    edits: list[Edit] = []
    listed = isinstance(path[-1], int) or path[0] == POLICY
    for change in changes:
        if not _has_entry(change[WROTE], path, value):
            continue
        before = None
        for place, former in change[TOOK]:
            own = join_keys(place) == join_keys(path) and find_subject(former) == find_subject(value)
            if own and listed:
                before = former
            elif _can_restore(choices, tuple(place), former, change[WROTE]):
                edits.append(_make_restoring_edit(tuple(place), former, tell))
        if before is None:
            break
        value = before
    return tuple(edits)


def _has_entry(entries: Iterable[list[Any]], path: Path, value: Any) -> bool:
    return any(join_keys(tuple(place)) == join_keys(path) and held == value for place, held in entries)


def _can_restore(choices: Mapping[str, Any], path: Path, value: Any, wrote: Iterable[list[Any]]) -> bool:
    """Return whether the place of an earlier value is free, or used by the same order."""
    if isinstance(path[-1], int):
        there = orderlines.get_value(choices, path[:-1]) or ()
        return all(find_subject(order) != find_subject(value) for order in there)
    there = orderlines.get_value(choices, path)
    return not there or _has_entry(wrote, path, there)


def _make_restoring_edit(path: Path, value: Any, tell: Tell) -> Edit:
    said = f"given back: {', '.join(tell(orderlines.isolate_entry(path, value)))}"
    return Edit(path[:-1], value, add=True, said=said) if isinstance(path[-1], int) else Edit(path, value, said=said)


def find_named(
    choices: Mapping[str, Any], verb: Verb, words: Iterable[str], told: Mapping[Path, str], telling: Words
) -> list[tuple[Path, Any]]:
    """Return the orders that the words after 'drop' name, the last order first. ``told``: every order as text."""
    there = [
        (path, value)
        for path, value in orderlines.list_entries(choices)
        if isinstance(path[-1], int) and isinstance(value, Mapping)
        if join_keys(path) in verb.fields or told[path].startswith(f"{verb.name} ")
    ]
    there += [
        (path, {"id": path[-1] if len(path) > 2 else ALL}) for path in told if _is_answer(choices, verb, path, told)
    ]
    known = {find_subject(value): _list_names(value, telling) for _path, value in there}
    meant = names.match(" ".join(word for word in words if word.lower() not in BETWEEN), known)
    return [(path, value) for path, value in reversed(there) if [find_subject(value)] == meant]


def _is_answer(choices: Mapping[str, Any], verb: Verb, path: Path, told: Mapping[Path, str]) -> bool:
    """Return whether a place contains an answer about one attack, hex or unit, or a general answer."""
    alone = len(path) > 2 or not isinstance(orderlines.get_value(choices, path), Mapping)
    about = "" if path[0] == POLICY else f"{path[-1]} "
    return alone and told[path].startswith(f"{verb.name} {about}")


def _list_names(order: Mapping[str, Any], telling: Words) -> list[str]:
    held = [str(order[key]) for key in SUBJECTS if key in order]
    return [*held, *(name(word) for word in held for name in (telling.unit, telling.place))]


def take_off(
    choices: Mapping[str, Any],
    meant: Iterable[tuple[Path, Any]],
    told: Mapping[Path, str],
    former: Sequence[Change],
    tell: Tell,
) -> list[Edit]:
    """Return the edits that remove the orders ``meant`` and restore orders they replaced. ``former``: past changes."""
    edits = list[Edit]()
    for path, value in meant:
        edits.append(Edit(path, said=f"taken out: {told[path]}"))
        edits += restore_replaced(former, edit_draft(choices, edits), path, value, tell)
    return edits
