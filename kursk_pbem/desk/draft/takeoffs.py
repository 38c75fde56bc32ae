"""Removal of orders in words: 'attack 2015 none' works like 'undo N'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursk_pbem.desk.draft import changes, orderlines
from kursk_pbem.desk.draft.changes import Change
from kursk_pbem.kernel import names
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.verbs import Edit, Verb, edited
from kursk_pbem.kernel.words import Words

BETWEEN = ("with", "to", "at")
POLICY, ALL = "policy", "all"


def find_named(
    choices: Mapping[str, Any], verb: Verb, words: Iterable[str], told: Mapping[Path, str], telling: Words
) -> list[tuple[Path, Any]]:
    """Return the orders that some words name, the last order first; ``told``: all orders as listed."""
    there = [
        (path, value)
        for path, value in orderlines.list_entries(choices)
        if isinstance(path[-1], int) and isinstance(value, Mapping)
        if orderlines.join_keys(path) in verb.fields or told[path].startswith(f"{verb.name} ")
    ]
    there += [
        (path, {"id": path[-1] if len(path) > 2 else ALL}) for path in told if _is_answer(choices, verb, path, told)
    ]
    known = {changes.find_subject(value): _list_names(value, telling) for _path, value in there}
    meant = names.match(" ".join(word for word in words if word.lower() not in BETWEEN), known)
    return [(path, value) for path, value in reversed(there) if [changes.find_subject(value)] == meant]


def _is_answer(choices: Mapping[str, Any], verb: Verb, path: Path, told: Mapping[Path, str]) -> bool:
    """Return whether a place contains an answer about one attack, hex or unit, or a general answer."""
    alone = len(path) > 2 or not isinstance(orderlines.get_value(choices, path), Mapping)
    about = "" if path[0] == POLICY else f"{path[-1]} "
    return alone and told[path].startswith(f"{verb.name} {about}")


def _list_names(order: Mapping[str, Any], telling: Words) -> list[str]:
    held = [str(order[key]) for key in changes.SUBJECTS if key in order]
    return [*held, *(name(word) for word in held for name in (telling.unit, telling.place))]


def take_off(
    choices: Mapping[str, Any],
    meant: Iterable[tuple[Path, Any]],
    told: Mapping[Path, str],
    former: Sequence[Change],
    tell: changes.Tell,
) -> list[Edit]:
    """Return the edits that remove orders and restore the orders replaced by them. ``former``: earlier changes."""
    edits = list[Edit]()
    for path, value in meant:
        edits.append(Edit(path, said=f"taken out: {told[path]}"))
        edits += changes.restore_replaced(former, edited(choices, edits), path, value, tell)
    return edits
