"""Example orders that are legal in the current position.

The program tries each example before it shows the example, so no player types a refused example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from itertools import islice, product

from kursk_pbem.desk.draft import cautions, drafts, ordering, prospects, wording
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.kernel.brief import Unused
from kursk_pbem.kernel.outlook import Outlook
from kursk_pbem.kernel.verbs import CHOICE, ORDER, UNITS, Clause, Verb

TRIES = 24
"""Maximum number of orders that the search tries for a verb."""
_FEW = 6
"""Maximum number of candidates for each clause."""


class Examples:
    """A search for legal example orders for one draft, with cached positions."""

    def __init__(self, sheet: DraftFile) -> None:
        self._sheet = sheet
        self.why: dict[str, str] = {}
        """The first refused order of a verb, and the reason."""

    def of(self, verb: Verb) -> str:
        """Return a legal order with this verb. If none is found, return the beginning of a legal order, or ''."""
        candidates = dict.fromkeys(" ".join((verb.name, *words)) for words in self._list_candidates(verb))
        begun = ""
        for order in islice(candidates, TRIES):
            reason, waits = self._try_order(order)
            if not reason:
                return self._shorten_names(order)
            if waits:
                begun = begun or order
            elif waits is not None:
                self.why.setdefault(verb.name, f"'{order}': {reason}")
        return self._shorten_names(begun) if begun else ""

    def retold(self, error: UsageError) -> UsageError:
        """Return an error with a legal order of this game in place of the general example."""
        message = error.message
        for verb in self._sheet.verbs:
            if f"'{verb.example}'" in message:
                example = self.of(verb) or f"{verb.name} {verb.usage}"
                message = message.replace(f"'{verb.example}'", f"'{example}'")
        return UsageError(message, error.where)

    def _try_order(self, order: str) -> tuple[str, bool | None]:
        """Return the reason against an example, and whether it waits for another order; None: not understood."""
        try:
            done = ordering.try_orders(self._sheet, ordering.split_orders(order))
        except (UsageError, FileError) as error:
            return error.message, None
        if new := ordering.find_faults(self._sheet, done)[0]:
            return new[0].message, all(fault.waits for fault in new)
        told = cautions.list_cautions(self._sheet.desk, done.checked)
        reasons = [left.text for left in told if left not in self._known or cautions.is_about(left, done.said)]
        reasons += [left.text for left in done.checked.dropped if left.text.endswith(f": {order}")]
        return (reasons[0] if reasons else ""), False

    @cached_property
    def _known(self) -> tuple[Unused, ...]:
        return cautions.list_cautions(self._sheet.desk, drafts.check_draft(self._sheet.desk, self._sheet.message))

    @cached_property
    def _outlook(self) -> Outlook:
        sheet = self._sheet
        return prospects.compute_outlook(
            prospects.look_after_draft(sheet.desk, sheet.message, ahead=True, without=""), ""
        )

    @cached_property
    def _busy(self) -> frozenset[str]:
        """Words of the present orders; examples prefer other units."""
        return frozenset(re.findall(r"[\w-]+", str(self._sheet.choices.get("orders", {}))))

    def _list_candidates(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Yield the words after the verb: the fixed example, then attacks, moves and choices of this position."""
        if not verb.usage:
            yield ()
            return
        yield verb.example.split()[1:]
        targets = (target for target in self._outlook.targets if target.verb == verb.name and target.results)
        yield from ((target.place, "with", "all") for target in islice(targets, _FEW) if not target.who)
        yield from islice(self._list_moves(verb), TRIES // 3)
        yield from self._list_offered(verb)

    def _list_offered(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Yield the choices that the verb lists, with some of its other clauses."""
        if verb.clauses is None:
            return
        ask = wording.make_order_context(self._sheet, self._sheet.choices)
        first = verb.clauses(ask, ())
        for clause in first[:1]:
            if "UNIT for UNIT" in verb.usage:
                others = [word for word, _text in clause.among if word not in clause.chosen]
                yield from ((word, "for", gone) for word in others[:_FEW] for gone in clause.chosen[:1])
            if clause.chosen:
                yield clause.chosen
            for word in _list_few(clause):
                then = verb.clauses(ask, (word,))
                rest = first[1:] if then == first else then
                yield from ((word, *more) for more in _fill_clauses(rest, self._busy))

    def _list_moves(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Yield moves for this verb; on a table top also moves of one inch."""
        own = f"{verb.name} "
        for phase in self._outlook.phases:
            if verb.name != phase.verb and f"orders/{phase.key}" not in verb.fields:
                continue
            # units that can turn come first: several immobile units would end the search
            for mover in sorted(phase.movers, key=lambda mover: not mover.turns or mover.turns[0].startswith(own)):
                yield from ((mover.unit, end.place) for end in mover.ends[:2])
                if "," in mover.place:
                    across, up = (Fraction(number) for number in mover.place.split(","))
                    yield from ((mover.unit, _format_inches(across + far), _format_inches(up)) for far in (1, -1))
                yield from (turn.split()[1:] for turn in mover.turns[:1] if turn.startswith(own))

    def _shorten_names(self, order: str) -> str:
        """Return the order with short unit names such as '24 pz', if the meaning stays the same."""
        words, units = order.split(), self._sheet.state.units
        named = [word.partition("-")[2] if word in units else "" for word in words]
        short = " ".join(re.sub("[^a-z0-9]+", " ", name) or word for name, word in zip(named, words, strict=True))
        with suppress(UsageError, FileError):
            texts = [wording.read_orders(self._sheet, [said.split()]).text for said in (short, order)]
            return short if texts[0] == texts[1] else order
        return order


def _fill_clauses(clauses: Sequence[Clause], busy: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield the rest of an order: required clauses alone, then with optional clauses."""
    needed = [
        [_choose_words(clause, busy)] if clause.kind in (UNITS, ORDER) else _list_few(clause)
        for clause in clauses
        if not clause.word
    ]
    musts = [
        tuple(word for part in words for word in part.split())
        for words in dict.fromkeys((*zip(*needed, strict=False), *product(*needed)))  # first, no word stands twice
    ]
    more = [(clause.word, *_choose_words(clause, busy).split()) for clause in clauses if clause.word and clause.among]
    yield from musts[:_FEW]
    for must in musts[:2]:
        yield from ((*must, *part) for part in more)
        yield (*must, *(word for part in more for word in part))


def _format_inches(number: Fraction) -> str:
    whole, rest = divmod(int(number * 100), 100)
    return f"{whole}.{rest:02}"


def _list_few(clause: Clause) -> list[str]:
    """Return the first affordable candidates; for choices, candidates from the whole list."""
    able = [word for word, _text in clause.among if all(one.prices.get(word, 0) <= one.most for one in clause.budgets)]
    return able[:: max(1, len(able) // _FEW) if clause.kind == CHOICE else 1][:_FEW]


def _choose_words(clause: Clause, busy: frozenset[str]) -> str:
    """Return the chosen words of a clause, otherwise its first candidate, preferably without an order."""
    words = sorted((word for word, _text in clause.among if word), key=busy.__contains__)
    return " ".join([*filter(None, clause.chosen)] or words[:1])
