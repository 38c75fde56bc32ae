"""What each order of a command wrote and took out, so that whoever takes it out gets back what went for its sake."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from kursk_pbem.desk.draft import orderlines
from kursk_pbem.desk.draft.orderlines import field
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.verbs import Edit

SUBJECTS = ("unit", "hex", "base", "id")
"""The keys by which an order says what it is about; of several orders about the same the later takes the place."""
POLICY = "policy"
WROTE, TOOK = "wrote", "took"
Change = Mapping[str, Any]
"""Of one order, as plain data: ``wrote`` and ``took`` list places and values of a draft, [[path, value], ...]."""


def subject(value: Any) -> str:
    """What an order is about, '' if it does not say so."""
    values = (value.get(key) for key in SUBJECTS) if isinstance(value, Mapping) else ()
    return next((text for text in values if isinstance(text, str)), "")


def between(before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
    """What one order changed in the data of a draft."""
    was, now = (list(orderlines.entries(choices)) for choices in (before, after))
    wrote, took = orderlines.lacking(now, was), orderlines.lacking(was, now)
    return {WROTE: [[list(path), value] for path, value in wrote], TOOK: [[list(path), value] for path, value in took]}


Tell = Callable[[dict[str, Any]], list[str]]
"""The orders of some choices in words."""


def given_back(
    changes: Iterable[Change], choices: Mapping[str, Any], path: Path, value: Any, tell: Tell
) -> tuple[Edit, ...]:
    """What an order that goes away gives back to ``choices``, which have it no more: the latest change comes first.

    An earlier form of an order in a list does not come back, nor does an earlier answer; of what else stands alone
    under its key the former value does.
    Nothing is given back where something else stands by now.
    """
    edits: list[Edit] = []
    listed = isinstance(path[-1], int) or path[0] == POLICY
    for change in changes:
        if not _holds(change[WROTE], path, value):
            continue
        before = None
        for place, former in change[TOOK]:
            own = field(place) == field(path) and subject(former) == subject(value)
            if own and listed:
                before = former
            elif _free(choices, tuple(place), former, change[WROTE]):
                edits.append(_again(tuple(place), former, tell))
        if before is None:
            break
        value = before
    return tuple(edits)


def _holds(entries: Iterable[list[Any]], path: Path, value: Any) -> bool:
    return any(field(tuple(place)) == field(path) and held == value for place, held in entries)


def _free(choices: Mapping[str, Any], path: Path, value: Any, wrote: Iterable[list[Any]]) -> bool:
    """Whether a former value can come back: nothing stands there, or what the same order wrote."""
    if isinstance(path[-1], int):
        there = orderlines.at(choices, path[:-1]) or ()
        return all(subject(order) != subject(value) for order in there)
    there = orderlines.at(choices, path)
    return not there or _holds(wrote, path, there)


def _again(path: Path, value: Any, tell: Tell) -> Edit:
    said = f"given back: {', '.join(tell(orderlines.alone(path, value)))}"
    return Edit(path[:-1], value, add=True, said=said) if isinstance(path[-1], int) else Edit(path, value, said=said)
