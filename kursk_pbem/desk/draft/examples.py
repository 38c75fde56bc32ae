"""Examples of orders that the rules allow in this position, for the side that writes, made of what can be chosen now.

Each is tried like an order, and only one that brings no fault is shown. So nobody is told to type what is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice, product
from typing import Any

from kursk_pbem.desk.draft import cautions, ordering, prospects, wording
from kursk_pbem.desk.draft.wording import Sheet
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.kernel.outlook import Outlook
from kursk_pbem.kernel.verbs import ORDER, UNITS, Asking, Clause, Verb

TRIES = 24
"""How many orders are tried for a verb before it is shown without an example."""
_FEW = 6
"""How many candidates are tried for each clause."""


class Examples:
    """The examples of one draft; what several need is worked out once."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._ask: Asking = wording.asking(sheet, sheet.choices)
        self._ahead: Outlook | None = None

    def of(self, verb: Verb) -> str:
        """A legal order with this word, '' if none is found among those that are tried."""
        return next((each for each in islice(self._orders(verb), TRIES) if self._legal(each)), "")

    def retold(self, error: UsageError) -> UsageError:
        """A refusal with an example of this position in place of the fixed one that it holds."""
        message = error.message
        for verb in self._sheet.verbs:
            if f"'{verb.example}'" in message:
                example = self.of(verb)
                shown = f"'{example}'" if example else f"'{verb.name} {verb.usage}'"
                message = message.replace(f"'{verb.example}'", shown)
        return UsageError(message, error.where)

    def _legal(self, order: str) -> bool:
        """Whether the rules allow an order, and no part of it is useless."""
        with suppress(UsageError, FileError):
            done = ordering.tried(self._sheet, [order.split()])
            return not ordering.faults(self._sheet, done)[0] and not cautions.of(self._sheet.desk, done.checked)
        return False

    def _orders(self, verb: Verb) -> Iterator[str]:
        """Orders with this word that may be legal, the shorter first."""
        for words in self._words(verb):
            order = [verb.name, *filter(None, words)]
            short = [self._short(word) for word in order]
            if short != order and self._same(short, order):
                yield " ".join(short)
            yield " ".join(order)

    def _words(self, verb: Verb) -> Iterator[Sequence[str]]:
        if not verb.usage:
            yield ()
            return
        yield verb.example.split()[1:]
        yield from self._fights(verb)
        yield from islice(self._ways(verb), TRIES // 3)
        if verb.clauses is not None:
            first = verb.clauses(self._ask, ())
            for word, _text in first[0].among[:_FEW] if first else ():
                then = verb.clauses(self._ask, (word,))
                yield from islice(((word, *more) for more in _filled(first[1:] if then == first else then)), _FEW)

    @property
    def _outlook(self) -> Outlook:
        """What may be done after the orders of the draft."""
        if self._ahead is None:
            seen = prospects.of_draft(self._sheet.desk, self._sheet.message, ahead=True, without="")
            self._ahead = prospects.outlook(seen, "")
        return self._ahead

    def _fights(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Attacks that need dice, with all units able to join."""
        fought = [
            target for target in self._outlook.targets if target.verb == verb.name and target.results and not target.who
        ]
        yield from ((target.place, "with", "all") for target in fought[:_FEW])

    def _ways(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Moves of the phases for which this verb writes orders; on a table an inch from where a model stands."""
        for phase in self._outlook.phases:
            if verb.name != phase.verb and f"orders/{phase.key}" not in verb.fields:
                continue
            for mover in phase.movers:
                yield from ((mover.unit, destination.place) for destination in mover.ends[:2])
                yield from (turn.split()[1:] for turn in mover.turns[:1] if turn.startswith(f"{verb.name} "))
                if "," in mover.place and not mover.turns:
                    across, up = (Fraction(each) for each in mover.place.split(","))
                    yield from ((mover.unit, _inches(across + far), _inches(up)) for far in (1, -1))

    def _short(self, word: str) -> str:
        """A unit as people call it: '24 pz' for g-24-pz."""
        units = self._sheet.state.units
        return re.sub("[^a-z0-9]+", " ", word.partition("-")[2]) if word in units and "-" in word else word

    def _same(self, one: Sequence[str], other: Sequence[str]) -> bool:
        """Whether both say the same."""
        with suppress(UsageError, FileError):
            texts = [wording.understood(self._sheet, [" ".join(words).split()]).text for words in (one, other)]
            return texts[0] == texts[1]
        return False


def _filled(clauses: Sequence[Clause]) -> Iterator[tuple[Any, ...]]:
    """The rest of an order: first the required parts, then with one optional clause, then with all."""
    bare = [clause for clause in clauses if not clause.word]
    named = [clause for clause in clauses if clause.word and clause.among]
    needed = [[_chosen(clause)] if clause.kind in (UNITS, ORDER) else _few(clause) for clause in bare]
    for words in product(*needed):
        must = tuple(word for part in words for word in part.split())
        yield must
        for clause in named:
            yield (*must, clause.word, *_chosen(clause).split())
    for words in islice(product(*needed), 2):
        yield (*words, *(word for clause in named for word in (clause.word, *_chosen(clause).split())))


def _inches(number: Fraction) -> str:
    whole, rest = divmod(int(number * 100), 100)
    return f"{whole}.{rest:02}"


def _few(clause: Clause) -> list[str]:
    return [word for word, _text in clause.among[:_FEW]]


def _chosen(clause: Clause) -> str:
    """The words chosen in a clause, otherwise its first candidate."""
    return " ".join(clause.chosen or [word for word, _text in clause.among[:1]])
