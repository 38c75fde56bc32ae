"""The words of ``kursk order``: a ruleset makes of what a player says changes of a draft, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.state import State


@dataclass(frozen=True)
class Edit:
    """One change of a draft: the plain ``value`` comes to stand at ``path`` (keys, list positions); None: it goes away.

    ``add``: the value becomes one more entry of the list at ``path``, if it is there. ``said``: what was understood.
    Without a ``path`` nothing is changed, only said.
    """

    path: Path
    value: Any = None
    add: bool = False
    said: str = ""


@dataclass(frozen=True)
class Asking:
    """What a verb looks at: the ``draft`` as plain data, whose form is good, and the position its writer orders in.

    ``state`` is the position after the duties of message ``seq``. ``at(draft, phase)`` is that after what a draft
    orders in the phases up to and with this one, as far as it is legal; ``state`` if the message has no such phase.
    """

    setting: Any
    state: State
    seq: int
    draft: Mapping[str, Any]
    at: Callable[[Mapping[str, Any], str], State]


ALL = "all"
Among = tuple[tuple[str, str], ...]
"""What may stand somewhere: (word, what it means)."""
UNITS, UNIT, PLACE, CHOICE, ORDER, WISHES = "units", "unit", "place", "choice", "order", "wishes"
"""What a clause of an order holds: several units or one, one place or word, units or places one after the other."""


@dataclass(frozen=True)
class Budget:
    """What the choices of an order may cost together: the ``name`` of what is spent, the ``most`` of it there is.

    ``prices``: what each word of a clause costs of it; a word that is missing costs nothing.
    """

    name: str
    most: int
    prices: Mapping[str, int]


@dataclass(frozen=True)
class Clause:
    """A part of an order that can be chosen from a list: the ``word`` before it ('' at the beginning), what it is.

    ``among``: what may stand there, (word, what it means); ``chosen``: what stands there now, or is proposed.
    ``more``: words of which one may stand behind a unit of an ``ORDER``, before a place of ``WISHES`` (any will do);
    ``usual``: what is meant where none stands behind a unit. ``budgets``: what its choices cost; clauses of one order
    that spend the same thing, by its name, share it. ``notes``: what else to know, such as why something is not listed.
    ``rare``: what one seldom says; a form shows it behind "more". ``of``: the words of the clauses in one of which the
    units of an ``ORDER`` must stand: a form lists only those that do.
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


@dataclass(frozen=True)
class Verb:
    """A word of ``kursk order``: ``usage`` says what follows it, ``text`` what it does, ``example`` is a whole order.

    ``write(ask, words)`` makes of the words after it the changes of the draft, one after the other, legal or not: the
    draft is checked behind them. UsageError asks back, with candidates or an example. ``fields``: what of a message it
    writes into, as phases read it (``orders/NAME``, ``policy``), or keys of phases that seal; messages with one of them
    offer it. ``clauses(ask, words)``: what may be chosen where ``words`` stand behind it already; None: words alone.
    ``asks``: the question to which what the draft proposes for it is an answer that costs its writer something.
    ``now(ask)``: the text for this position, where ``text`` cannot say enough.
    """

    name: str
    usage: str
    text: str
    example: str
    write: Callable[[Asking, Sequence[str]], tuple[Edit, ...]]
    fields: tuple[str, ...]
    clauses: Callable[[Asking, Sequence[str]], tuple[Clause, ...]] | None = None
    asks: str = ""
    now: Callable[[Asking], str] | None = None

    def explain(self, ask: Asking) -> str:
        """Return what the word does in this position."""
        return self.now(ask) if self.now else self.text


def listed(ask: Asking, key: str) -> Sequence[Any]:
    """The entries of a list of the draft's orders."""
    entries = ask.draft.get("orders", {}).get(key)
    return entries if isinstance(entries, list | tuple) else ()


def edited(draft: Mapping[str, Any], edits: Iterable[Edit]) -> dict[str, Any]:
    """The plain data of a draft after some changes; what is missing on the way to a place is made a mapping."""
    whole: Any = dict(draft)
    for edit in edits:
        whole = _edited(whole, edit.path, edit) if edit.path else whole
    return dict(whole)


def taken_back(ask: Asking, path: Path) -> str:
    """What is said of a value of the draft that is taken off: 'taken back', or that there is none.

    What was filed in an earlier message, such as standing answers, is no part of the draft.
    """
    return (
        "taken back"
        if reduce(lambda held, step: held.get(step, {}), map(str, path), ask.draft)
        else "does not stand in this draft"
    )


def _edited(data: Any, path: Path, edit: Edit) -> Any:
    if not path:
        return [*(data or ()), edit.value] if edit.add else edit.value
    step, *rest = path
    if edit.value is None and not isinstance(step, int) and step not in (data or {}):
        return data  # what is not there goes without a trace
    inner = data[step] if isinstance(step, int) or step in (data or {}) else {}
    after = _edited(inner, tuple(rest), edit)
    if isinstance(step, int):
        return [*data[:step], *([] if after is None else [after]), *data[step + 1 :]]
    return {key: value for key, value in {**(data or {}), step: after}.items() if value is not None}
