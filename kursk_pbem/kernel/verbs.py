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
    """A change of a draft: set ``value`` at ``path`` (keys, list positions); None removes the value.

    ``add``: append the value to the list at ``path``. ``said``: the order as understood. An edit without ``path``
    changes nothing and only reports.
    """

    path: Path
    value: Any = None
    add: bool = False
    said: str = ""


@frozen
class OrderContext:
    """The input of an order verb: the valid ``draft`` as plain data, and the player's position.

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
    """A limit on the total cost of an order's choices: the ``name`` of the resource, and the available amount ``most``.

    ``prices``: word of a clause -> cost; missing words cost nothing.
    """

    name: str
    most: int
    prices: Mapping[str, int]


@frozen
class Clause:
    """A part of an order with a list of choices: the ``word`` before the part ('' at the beginning), and its meaning.

    ``among``: the choices, (word, meaning). ``chosen``: the present or proposed choices. ``more``: words allowed after
    a unit of an ``ORDER``, or before a place of ``WISHES``. ``usual``: the meaning of a unit without such a word.
    ``budgets``: the costs of the choices; clauses with a budget of the same name share the budget. ``notes``: further
    facts, such as reasons for missing choices. ``rare``: seldom used, so a form shows the clause under "more". ``of``:
    the clauses that must contain the units of an ``ORDER``; a form lists only these units. ``tick``: the text of a box
    in a form; without a tick, the form hides the clauses of this text. ``fits``: choice of the clause before -> the
    choices that fit; a form lists and preselects only these choices. ``needed``: the name of a need: an order
    chooses in at least one of the clauses with this name, and in each clause without a ``word``; '' otherwise.
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
    """A word of ``kursk order``: ``usage`` of its arguments, ``text`` of its effect, ``example`` of a complete order.

    ``write(ask, words)``: returns the changes of the draft, legal or not; the caller checks the draft afterwards.
    Raises UsageError with candidates or an example. ``fields``: the written parts of a message (``orders/NAME``,
    ``policy``), or keys of phases with seals; messages with one of these parts offer the verb. ``clauses(ask, words)``:
    the choices after ``words``; None: words only. ``asks``: the question, if the draft's proposal is a costly answer.
    ``now(ask)``: the text for this position. ``label``: the name on a button, '' for the word.
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
        """Return the effect of the word in this position."""
        return self.now(ask) if self.now else self.text


def list_entries(ask: OrderContext, key: str) -> Sequence[Any]:
    """Return the entries of a list of the draft's orders."""
    entries = ask.draft.get("orders", {}).get(key)
    return entries if isinstance(entries, list | tuple) else ()


def edit_draft(draft: Mapping[str, Any], edits: Iterable[Edit]) -> dict[str, Any]:
    """Return a draft after some changes; missing mappings on the path are created."""
    whole: Any = dict(draft)
    for edit in edits:
        whole = _apply_edit(whole, edit.path, edit) if edit.path else whole
    return dict(whole)


def describe_removal(ask: OrderContext, path: Path) -> str:
    """Describe the removal of a value from the draft: 'taken back', or a note about a missing value.

    Values filed in an earlier message, such as standing answers, are not part of the draft.
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
