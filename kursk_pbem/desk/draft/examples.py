"""Examples of orders that the rules allow in this position, for the side that writes, made of what can be chosen now.

Each is tried like an order, and only one that brings no fault is shown. So nobody is told to type what is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from itertools import islice, product
from typing import Any

from kursk_pbem.desk.draft import cautions, drafts, ordering, orderlines, prospects, wording
from kursk_pbem.desk.draft.prospects import Prospect
from kursk_pbem.desk.draft.wording import Sheet
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.kernel.brief import Left
from kursk_pbem.kernel.outlook import MovePhase, Outlook, Target
from kursk_pbem.kernel.verbs import CHOICE, ORDER, UNITS, Asking, Clause, Verb

TRIES = 24
"""How many orders are tried for a verb before it is shown without an example."""
_FEW = 6
"""How many candidates are tried for each clause."""
_TOGETHER = 4
"""How many attacks are tried together where one needs others."""
_POSSIBLE = re.compile(r"possible: ([\w-]+)")
"""How a refusal names what would do in place of the last word."""
_HOPELESS = 3
"""After so many orders of one form that are refused in the same words, their names aside, no more of it are tried."""


class Examples:
    """The examples of one draft; what several need is worked out once."""

    def __init__(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._ask: Asking = wording.asking(sheet, sheet.choices)
        self._begun: dict[str, list[str]] = {}
        self.why: dict[str, str] = {}
        """Of a verb without an example: the first order made of this position, and what the rules say against it.

        Of the fixed example of the verb, where there is no other: it names what may long be gone.
        """

    def of(self, verb: Verb) -> str:
        """A legal order with this word, or one that begins what others finish; '' if none is found."""
        return self._whole(verb) or next((self._short(order) for order in self._begun.get(verb.name, ())), "")

    def _whole(self, verb: Verb) -> str:
        """A legal order with this word, '' if none is found among those that are tried."""
        tries = iter(range(TRIES))
        tried: set[str] = set()
        of_now = False
        for kind in self._kinds(verb):
            refused: Counter[tuple[int, str]] = Counter()
            hopeless: set[int] = set()
            for words in kind:
                order = " ".join([verb.name, *filter(None, words)])
                if order in tried or len(words) in hopeless:
                    continue
                tried.add(order)
                if next(tries, None) is None:
                    return ""
                reason, broken = self._refused(order)
                better = _POSSIBLE.search(reason)
                if better and (again := f"{order.rpartition(' ')[0]} {better[1]}") not in tried:
                    tried.add(again)
                    order, (reason, broken) = again, self._refused(again)
                if not reason:
                    return self._short(order)
                if broken and not of_now:
                    self.why[verb.name] = f"'{order}': {reason.partition(';')[0]}"
                    of_now = order != verb.example
                alike = len(words), " ".join(word for word in reason.split() if word not in order.split())
                refused[alike] += 1
                if refused[alike] == _HOPELESS:
                    hopeless.add(len(words))
        return ""

    def retold(self, error: UsageError) -> UsageError:
        """A refusal with an example of this position in place of the fixed one that it holds."""
        message = error.message
        for verb in self._sheet.verbs:
            if f"'{verb.example}'" in message:
                example = self.of(verb)
                shown = f"'{example}'" if example else f"'{verb.name} {verb.usage}'"
                message = message.replace(f"'{verb.example}'", shown)
        return UsageError(message, error.where)

    def _refused(self, order: str) -> tuple[str, bool]:
        """Why an order is no example: not understood, against the rules, or useless in a part; '' for a good one.

        And whether it was understood.
        """
        try:
            done = ordering.tried(self._sheet, ordering.split(order))
        except (UsageError, FileError) as error:
            return error.message, False
        new = ordering.faults(self._sheet, done)[0]
        if new and all(fault.waits for fault in new):
            self._begun.setdefault(order.split(maxsplit=1)[0], []).append(order)
        orders = self._sheet.choices.get("orders", {})  # a fault of orders that stand there says whose it is
        held = [("orders", key) for key, listed in orders.items() if listed]
        told = [f"{fault.order}: {fault.message}" if fault.path in held else fault.message for fault in new] or [
            *(left.text for left in cautions.of(self._sheet.desk, done.checked) if self._answers(left, done.said)),
            *(left.text for left in done.checked.dropped if left.text.endswith(f": {order}")),
        ]
        return "; ".join(told), True

    def _answers(self, left: Left, said: Sequence[str]) -> bool:
        return left not in self._told or cautions.concerns(left, said)

    @cached_property
    def _told(self) -> tuple[Left, ...]:
        """What the draft orders in vain already: no example answers for it, but one that orders it again."""
        return cautions.of(self._sheet.desk, drafts.check(self._sheet.desk, self._sheet.message))

    def _kinds(self, verb: Verb) -> Iterator[Iterator[Sequence[str]]]:
        """What may follow this word, by where it comes from."""
        if not verb.usage:
            yield iter([()])
            return
        yield iter([verb.example.split()[1:]])
        yield ((target.place, "with", "all") for target in islice(self._fought(verb), _FEW))
        yield self._joint(verb)
        yield self._declared(verb)
        yield islice(self._ways(verb), TRIES // 3)
        if verb.clauses is not None:
            if "UNIT for UNIT" in verb.usage:
                yield self._exchanged(verb.clauses)
            yield self._offered(verb.clauses)

    def _exchanged(self, clauses: Callable[[Asking, Sequence[str]], tuple[Clause, ...]]) -> Iterator[Sequence[str]]:
        """One that is not chosen in place of the first or last that is."""
        for clause in clauses(self._ask, ())[:1]:
            others = [word for word, _text in clause.among if word not in clause.chosen]
            yield from (
                (word, "for", gone) for word in others[:_FEW] for gone in (*clause.chosen[:1], *clause.chosen[-1:])
            )

    def _offered(self, clauses: Callable[[Asking, Sequence[str]], tuple[Clause, ...]]) -> Iterator[Sequence[str]]:
        """What the form of this word offers: its first candidates, and for each of them what can follow."""
        first = clauses(self._ask, ())
        yield from (clause.chosen for clause in first[:1] if clause.chosen)
        for word in _few(first[0]) if first else ():
            then = clauses(self._ask, (word,))
            rest = first[1:] if then == first else then
            yield from islice(((word, *more) for more in _filled(rest, self._busy)), _FEW)

    @cached_property
    def _busy(self) -> frozenset[str]:
        """Every word of the orders that stand there: another unit than those they name makes the better example."""
        return frozenset(re.findall(r"[\w-]+", str(self._sheet.choices.get("orders", {}))))

    @cached_property
    def _seen(self) -> Prospect:
        return prospects.of_draft(self._sheet.desk, self._sheet.message, ahead=True, without="")

    @cached_property
    def _outlook(self) -> Outlook:
        """What may be done after the orders of the draft."""
        return prospects.outlook(self._seen, "")

    def _joint(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Attacks of which one needs others: each with those without which it is refused, by units of their own."""
        able = {target.place: target.fought.attack.units for target in self._fought(verb) if target.fought}
        for first in list(able)[: _FEW * 2]:
            places = [first]
            while len(places) <= _TOGETHER and (shared := _shared({place: able[place] for place in places})):
                orders = [f"{verb.name} {place} with {uid}" for place, uid in shared.items()]
                refusal, broken = self._refused(", ".join(orders))
                if not refusal and len(orders) > 1:
                    yield ", ".join(orders).split()[1:]
                named = [place for place in able if place not in places and place in refusal.split()]
                if not broken or not named:
                    break
                places.append(named[0])

    def _fought(self, verb: Verb) -> Iterator[Target]:
        """Attacks that need dice."""
        targets = self._outlook.targets
        yield from (target for target in targets if target.verb == verb.name and target.results and not target.who)

    def _declared(self, verb: Verb) -> Iterator[Sequence[str]]:
        """More about what the draft orders already, by its name: the first clause of units, and one of its units."""
        clause = re.search(r"\[(\w+) UNITS\]", verb.usage) if verb.clauses is None else None
        for _path, order in orderlines.entries(self._sheet.choices) if clause else ():
            units = next((value for value in order.values() if isinstance(value, list)), ()) if _named(order) else ()
            yield from ((order["id"], clause[1], uid) for uid in units[:1] if clause)

    def _ways(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Moves of the phases for which this verb writes orders; on a table an inch from where a model stands.

        Where nobody moves in them now, of a unit as it could in another message: its refusal says why.
        """
        for phase in self._phases(verb, self._outlook) or self._barred(verb):
            own = f"{verb.name} "
            # first who can turn by another word, and so can move: several that are stuck would end the search
            for mover in sorted(phase.movers, key=lambda mover: not mover.turns or mover.turns[0].startswith(own)):
                yield from ((mover.unit, destination.place) for destination in mover.ends[:2])
                if "," in mover.place:  # before a turn: where one stands says more than where one faces
                    across, up = (Fraction(number) for number in mover.place.split(","))
                    yield from ((mover.unit, _inches(across + far), _inches(up)) for far in (1, -1))
                yield from (turn.split()[1:] for turn in mover.turns[:1] if turn.startswith(own))

    @staticmethod
    def _phases(verb: Verb, seen: Outlook) -> list[MovePhase]:
        return [phase for phase in seen.phases if verb.name == phase.verb or f"orders/{phase.key}" in verb.fields]

    def _barred(self, verb: Verb) -> Iterator[MovePhase]:
        """The phases of this verb for some units by themselves: what a unit may do is told out of turn, too."""
        owner = self._sheet.desk.game.ruleset.seen.words(self._ask.setting).owner
        own = (uid for uid in self._ask.state.units if owner(uid) == self._outlook.side)
        for uid in islice(own, _FEW):
            with suppress(UsageError):  # it is not on the map
                yield from self._phases(verb, prospects.outlook(self._seen, uid))

    def _short(self, order: str) -> str:
        """The same order with units as people call them, '24 pz' for g-24-pz; as it is if that says something else."""
        units = self._sheet.state.units
        words = order.split()
        named = [word.partition("-")[2] if word in units and "-" in word else "" for word in words]
        short = [re.sub("[^a-z0-9]+", " ", name) or word for name, word in zip(named, words, strict=True)]
        with suppress(UsageError, FileError):
            texts = [wording.understood(self._sheet, [" ".join(said).split()]).text for said in (short, words)]
            return " ".join(short) if texts[0] == texts[1] else order
        return order


def _filled(clauses: Sequence[Clause], busy: frozenset[str]) -> Iterator[tuple[Any, ...]]:
    """The rest of an order: first the required parts, then with one optional clause, then with all."""
    bare = [clause for clause in clauses if not clause.word]
    named = [clause for clause in clauses if clause.word and clause.among]
    needed = [[_chosen(clause, busy)] if clause.kind in (UNITS, ORDER) else _few(clause) for clause in bare]
    for words in _apart(needed):
        must = tuple(word for part in words for word in part.split())
        yield must
        for clause in named:
            yield (*must, clause.word, *_chosen(clause, busy).split())
    for words in islice(product(*needed), 2):
        yield (*words, *(word for clause in named for word in (clause.word, *_chosen(clause, busy).split())))


def _apart(needed: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """One of each, those first that differ in all: where nobody can go straight on, they may go back."""
    first = list(zip(*needed, strict=False)) if needed else []
    yield from first
    yield from (words for words in product(*needed) if words not in first)


def _inches(number: Fraction) -> str:
    whole, rest = divmod(int(number * 100), 100)
    return f"{whole}.{rest:02}"


def _shared(able: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """A unit for each place, none twice, the places with the fewest first; {} if there are too few."""
    shared: dict[str, str] = {}
    for place in sorted(able, key=lambda place: len(able[place])):
        if uid := next((uid for uid in able[place] if uid not in shared.values()), ""):
            shared[place] = uid
    return shared if len(shared) == len(able) else {}


def _named(order: Any) -> bool:
    return isinstance(order, dict) and "id" in order


def _few(clause: Clause) -> list[str]:
    """The first candidates that can be paid for; of words that are no units or places some from everywhere."""
    able = [word for word, _text in clause.among if all(one.prices.get(word, 0) <= one.most for one in clause.budgets)]
    return able[:: max(1, len(able) // _FEW) if clause.kind == CHOICE else 1][:_FEW]


def _chosen(clause: Clause, busy: frozenset[str]) -> str:
    """The words chosen in a clause, otherwise its first candidate, one that no order names before the others."""
    words = sorted((word for word, _text in clause.among if word), key=busy.__contains__)
    return " ".join([*filter(None, clause.chosen)] or words[:1])
