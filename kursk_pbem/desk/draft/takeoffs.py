"""Orders that are taken off in words: 'attack 2015 none', which takes out what 'undo N' would take out."""

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


def named(
    choices: Mapping[str, Any], verb: Verb, words: Iterable[str], told: Mapping[Path, str], telling: Words
) -> list[tuple[Path, Any]]:
    """The orders with this verb that some words name, the last first; ``told`` are all as they are listed."""
    there = [
        (path, value)
        for path, value in orderlines.entries(choices)
        if isinstance(path[-1], int) and isinstance(value, Mapping)
        if orderlines.field(path) in verb.fields or told[path].startswith(f"{verb.name} ")
    ]
    there += [
        (path, {"id": path[-1] if len(path) > 2 else ALL}) for path in told if _answers(choices, verb, path, told)
    ]
    known = {changes.subject(value): _called(value, telling) for _path, value in there}
    meant = names.match(" ".join(word for word in words if word.lower() not in BETWEEN), known)
    return [(path, value) for path, value in reversed(there) if [changes.subject(value)] == meant]


def _answers(choices: Mapping[str, Any], verb: Verb, path: Path, told: Mapping[Path, str]) -> bool:
    """Whether something of one attack, hex or unit stands at a place, or an answer for all."""
    alone = len(path) > 2 or not isinstance(orderlines.at(choices, path), Mapping)
    about = "" if path[0] == POLICY else f"{path[-1]} "
    return alone and told[path].startswith(f"{verb.name} {about}")


def _called(order: Mapping[str, Any], telling: Words) -> list[str]:
    """How a person may name an order: by its unit, its place, its own name."""
    held = [str(order[key]) for key in changes.SUBJECTS if key in order]
    return [*held, *(name(word) for word in held for name in (telling.unit, telling.place))]


def off(
    choices: Mapping[str, Any],
    meant: Iterable[tuple[Path, Any]],
    told: Mapping[Path, str],
    former: Sequence[Change],
    tell: changes.Tell,
) -> list[Edit]:
    """What takes orders out, ``told`` in words, and gives back what went for their sake: ``former`` changes."""
    edits = list[Edit]()
    for path, value in meant:
        edits.append(Edit(path, said=f"taken out: {told[path]}"))
        edits += changes.given_back(former, edited(choices, edits), path, value, tell)
    return edits
