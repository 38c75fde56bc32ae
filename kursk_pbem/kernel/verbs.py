"""The words of ``kursk order``: a ruleset turns a player's words into changes of a draft, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.state import State


@frozen
class Edit:
    """A change of a draft: set a value, or remove the value."""

    path: Path  # keys and list positions; without a path, nothing changes and ``said`` is only printed
    value: Any = None  # None removes the value
    add: bool = False  # append the value to the list at ``path``
    said: str = ""  # the order as understood


@frozen
class OrderContext:
    """The data that a verb reads to write an order."""

    setting: Any
    state: State  # the position after the duties of message ``seq``
    seq: int
    draft: Mapping[str, Any]  # the valid draft as plain data
    at: Callable[[Mapping[str, Any], str], State]
    """The position after a draft's legal orders up to the end of a phase; ``state`` if the message lacks the phase."""


ALL = "all"
Among = tuple[tuple[str, str], ...]
"""Possible values: (word, meaning)."""
UNITS, UNIT, PLACE, CHOICE, ORDER, WISHES = "units", "unit", "place", "choice", "order", "wishes"
"""Contents of a clause: several units or one, one place or word, units or places in order."""


@frozen
class Budget:
    """A limit on the total cost of the choices in an order."""

    name: str  # the thing that the choices spend
    most: int  # the amount that can be spent
    prices: Mapping[str, int]  # word of a choice -> the cost; other choices cost nothing


@frozen
class Clause:
    """A part of an order, such as the attackers, with a list of choices."""

    word: str  # the word before the part in a typed order; '' for the first part, which must contain a choice
    text: str  # the meaning of the part
    kind: str  # the kind of the list, such as `CHOICE`, `PLACE`, `ORDER` or `WISHES`
    among: Among  # the choices: (word, meaning)
    chosen: tuple[str, ...] = ()  # the choices that the draft has, or that the program proposes
    more: tuple[str, ...] = ()  # words allowed after a unit of an ``ORDER``, or before a place of ``WISHES``
    usual: str = "always"  # the meaning of a unit that no word of ``more`` follows
    budgets: tuple[Budget, ...] = ()  # limits on costs; parts with a budget of one name share the limit
    notes: tuple[str, ...] = ()  # further facts, such as why a choice is missing
    rare: bool = False  # a form hides the part under "more", because players seldom use the part
    of: tuple[str, ...] = ()  # words of other parts; an ``ORDER`` may contain only the units chosen there
    tick: str = ""  # the text of a box in a form; parts with this text are hidden until the player ticks the box
    fits: tuple[tuple[str, tuple[str, ...]], ...] = ()  # choice in the part before -> the choices to offer here
    needed: str = ""  # a name or ''; an order must make a choice in at least one of the parts with this name


@frozen
class Verb:
    """An order word of ``kursk order``, with the functions that read and write its orders.

    ``write(ask, words)`` returns the changes of the draft, legal or not; the caller checks the draft afterwards. Raises
    UsageError with candidates or an example. ``clauses(ask, words)`` returns the parts of an order that begins with
    ``words``; None if the order has no form. ``now(ask)`` returns the effect in this position.
    """

    name: str
    usage: str  # the arguments, as a player reads them
    text: str  # the effect in words
    example: str  # a complete order
    write: Callable[[OrderContext, Sequence[str]], tuple[Edit, ...]]
    fields: tuple[str, ...]  # parts of a message such as ``policy``; only a message with such a part has this verb
    clauses: Callable[[OrderContext, Sequence[str]], tuple[Clause, ...]] | None = None
    asks: str = ""  # the question to the player if the proposed answer is costly
    now: Callable[[OrderContext], str] | None = None
    label: str = ""  # the name on a button; '' for ``name``

    def explain(self, ask: OrderContext) -> str:
        """Return the effect of the verb in this position."""
        return self.now(ask) if self.now else self.text


def list_entries(ask: OrderContext, key: str) -> Sequence[Any]:
    """Return the entries of a list in the draft's orders, () if there is no such list."""
    entries = ask.draft.get("orders", {}).get(key)
    return entries if isinstance(entries, list | tuple) else ()


def edit_draft(draft: Mapping[str, Any], edits: Iterable[Edit]) -> dict[str, Any]:
    """Return a draft after some changes. Missing mappings on a path are created."""
    whole: Any = dict(draft)
    for edit in edits:
        whole = _apply_edit(whole, edit.path, edit) if edit.path else whole
    return dict(whole)


def describe_removal(ask: OrderContext, path: Path) -> str:
    """Return a text about the removal of a value from the draft: 'taken back', or a note about a missing value.

    Values of an earlier message, such as standing policies, are not part of the draft.
    """
    return (
        "taken back"
        if reduce(lambda held, step: held.get(step, {}), map(str, path), ask.draft)
        else "is not in this draft"
    )


def _apply_edit(data: Any, path: Path, edit: Edit) -> Any:
    if not path:
        return [*(data or ()), edit.value] if edit.add else edit.value
    step, *rest = path
    if edit.value is None and not isinstance(step, int) and step not in (data or {}):
        return data  # removing a missing value creates no mapping
    inner = data[step] if isinstance(step, int) or step in (data or {}) else {}
    after = _apply_edit(inner, tuple(rest), edit)
    if isinstance(step, int):
        return [*data[:step], *([] if after is None else [after]), *data[step + 1 :]]
    return {key: value for key, value in {**(data or {}), step: after}.items() if value is not None}
