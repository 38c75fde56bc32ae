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
    """A change of a draft: set ``value`` at ``path`` (keys, list positions). None removes the value.

    ``add``: append the value to the list at ``path``. ``said``: the order as understood. An edit without ``path``
    changes nothing and only prints ``said``.
    """

    path: Path
    value: Any = None
    add: bool = False
    said: str = ""


@frozen
class OrderContext:
    """What a verb reads to write an order: the valid ``draft`` as plain data, and the player's position.

    ``state``: the position after the duties of message ``seq``. ``at(draft, phase)``: the position after the legal
    orders of a draft, up to and including this phase; ``state`` if the message lacks the phase.
    """

    setting: Any
    state: State
    seq: int
    draft: Mapping[str, Any]
    at: Callable[[Mapping[str, Any], str], State]


ALL = "all"
Among = tuple[tuple[str, str], ...]
"""Possible values: (word, meaning)."""
UNITS, UNIT, PLACE, CHOICE, ORDER, WISHES = "units", "unit", "place", "choice", "order", "wishes"
"""Contents of a clause: several units or one, one place or word, units or places in order."""


@frozen
class Budget:
    """A limit on the total cost of the choices in an order. ``name``: what is spent. ``most``: how much is available.

    ``prices``: word of a choice -> its cost. Other choices cost nothing.
    """

    name: str
    most: int
    prices: Mapping[str, int]


@frozen
class Clause:
    """A part of an order with a list of choices. ``word``: the word before the part, '' at the beginning of the order.

    ``text``: the meaning of the part. ``among``: the choices, (word, meaning). ``chosen``: the present or proposed
    choices. ``more``: words allowed after a unit of an ``ORDER``, or before a place of ``WISHES``. ``usual``: the
    meaning of a unit without such a word. ``budgets``: the costs of the choices; clauses share a budget of the same
    name. ``notes``: further facts, such as why a choice is missing. ``rare``: a form shows the clause under "more",
    because it is seldom used. ``of``: the clauses that must contain the units of an ``ORDER``; a form lists only these
    units. ``tick``: the text of a box in a form; until the box is ticked, the form hides all clauses with this text.
    ``fits``: choice in the clause before -> the choices that fit it; a form lists and preselects only these.
    ``needed``: the name of a need, '' without one; an order must choose in at least one clause with this name, and in
    every clause without a ``word``.
    """

    word: str
    text: str
    kind: str
    among: Among
    chosen: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    usual: str = "always"
    budgets: tuple[Budget, ...] = ()
    notes: tuple[str, ...] = ()
    rare: bool = False
    of: tuple[str, ...] = ()
    tick: str = ""
    fits: tuple[tuple[str, tuple[str, ...]], ...] = ()
    needed: str = ""


@frozen
class Verb:
    """A verb of ``kursk order``. ``usage``: its arguments. ``text``: its effect. ``example``: a complete order.

    ``write(ask, words)``: return the changes of the draft, legal or not; the caller checks the draft afterwards. Raises
    UsageError with candidates or an example. ``fields``: the parts of a message that the verb writes (``orders/NAME``,
    ``policy``), or keys of phases with seals; only messages with such a part offer the verb. ``clauses(ask, words)``:
    the choices after ``words``; None if there is no form. ``asks``: the question to the player if the proposed answer
    is costly. ``now(ask)``: the effect in this position. ``label``: the name on a button, '' for the verb.
    """

    name: str
    usage: str
    text: str
    example: str
    write: Callable[[OrderContext, Sequence[str]], tuple[Edit, ...]]
    fields: tuple[str, ...]
    clauses: Callable[[OrderContext, Sequence[str]], tuple[Clause, ...]] | None = None
    asks: str = ""
    now: Callable[[OrderContext], str] | None = None
    label: str = ""

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
