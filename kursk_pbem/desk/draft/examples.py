"""Example orders that are legal in the current position.

The program tries each example before it shows the example, so no player types a refused example.
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
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.kernel.brief import Left
from kursk_pbem.kernel.outlook import MovePhase, Outlook, Target
from kursk_pbem.kernel.verbs import CHOICE, ORDER, UNITS, Asking, Clause, Verb

TRIES = 24
"""Maximum number of orders tried for a verb."""
_FEW = 6
"""Maximum number of candidates for each clause."""
_TOGETHER = 4
"""Maximum number of attacks combined in one example."""
_POSSIBLE = re.compile(r"possible: ([\w-]+)")
"""The legal words named in a refusal."""
_HOPELESS = 3
"""Number of equal refusals after which the search skips orders with this number of words."""


class Examples:
    """The examples of one draft, with cached results."""

    def __init__(self, sheet: DraftFile) -> None:
        self._sheet = sheet
        self._ask: Asking = wording.make_order_context(sheet, sheet.choices)
        self._begun: dict[str, list[str]] = {}
        self.why: dict[str, str] = {}
        """The first tried order of a verb without an example, and its refusal."""

    def of(self, verb: Verb) -> str:
        """Return a legal order with this verb, otherwise a legal beginning; '' if the search finds none."""
        return self._find_legal(verb) or next(
            (self._shorten_names(order) for order in self._begun.get(verb.name, ())), ""
        )

    def _find_legal(self, verb: Verb) -> str:
        tries = iter(range(TRIES))
        tried: set[str] = set()
        of_now = False
        for kind in self._list_candidates(verb):
            refused: Counter[tuple[int, str]] = Counter()
            hopeless: set[int] = set()
            for words in kind:
                order = " ".join([verb.name, *filter(None, words)])
                if order in tried or len(words) in hopeless:
                    continue
                tried.add(order)
                if next(tries, None) is None:
                    return ""
                reason, broken = self._try_order(order)
                better = _POSSIBLE.search(reason)
                if better and (again := f"{order.rpartition(' ')[0]} {better[1]}") not in tried:
                    tried.add(again)
                    order, (reason, broken) = again, self._try_order(again)
                if not reason:
                    return self._shorten_names(order)
                if broken and not of_now:
                    self.why[verb.name] = f"'{order}': {reason.partition(';')[0]}"
                    of_now = order != verb.example
                alike = len(words), " ".join(word for word in reason.split() if word not in order.split())
                refused[alike] += 1
                if refused[alike] == _HOPELESS:
                    hopeless.add(len(words))
        return ""

    def retold(self, error: UsageError) -> UsageError:
        """Return the error with a legal example in place of the fixed example."""
        message = error.message
        for verb in self._sheet.verbs:
            if f"'{verb.example}'" in message:
                example = self.of(verb)
                shown = f"'{example}'" if example else f"'{verb.name} {verb.usage}'"
                message = message.replace(f"'{verb.example}'", shown)
        return UsageError(message, error.where)

    def _try_order(self, order: str) -> tuple[str, bool]:
        """Return the reason against an example, '' for a good example, and whether the order was understood."""
        try:
            done = ordering.try_orders(self._sheet, ordering.split_orders(order))
        except (UsageError, FileError) as error:
            return error.message, False
        new = ordering.find_faults(self._sheet, done)[0]
        if new and all(fault.waits for fault in new):
            self._begun.setdefault(order.split(maxsplit=1)[0], []).append(order)
        orders = self._sheet.choices.get("orders", {})  # a violation of an earlier order names that order
        held = [("orders", key) for key, listed in orders.items() if listed]
        told = [f"{fault.order}: {fault.message}" if fault.path in held else fault.message for fault in new] or [
            *(
                left.text
                for left in cautions.list_cautions(self._sheet.desk, done.checked)
                if self._is_relevant(left, done.said)
            ),
            *(left.text for left in done.checked.dropped if left.text.endswith(f": {order}")),
        ]
        return "; ".join(told), True

    def _is_relevant(self, left: Left, said: Sequence[str]) -> bool:
        return left not in self._known_cautions or cautions.is_about(left, said)

    @cached_property
    def _known_cautions(self) -> tuple[Left, ...]:
        return cautions.list_cautions(self._sheet.desk, drafts.check_draft(self._sheet.desk, self._sheet.message))

    def _list_candidates(self, verb: Verb) -> Iterator[Iterator[Sequence[str]]]:
        """Yield the candidates for a verb, grouped by source."""
        if not verb.usage:
            yield iter([()])
            return
        yield iter([verb.example.split()[1:]])
        yield ((target.place, "with", "all") for target in islice(self._list_targets(verb), _FEW))
        yield self._list_joint_attacks(verb)
        yield self._list_declared(verb)
        yield islice(self._list_moves(verb), TRIES // 3)
        if verb.clauses is not None:
            if "UNIT for UNIT" in verb.usage:
                yield self._list_exchanges(verb.clauses)
            yield self._list_offered(verb.clauses)

    def _list_exchanges(
        self, clauses: Callable[[Asking, Sequence[str]], tuple[Clause, ...]]
    ) -> Iterator[Sequence[str]]:
        for clause in clauses(self._ask, ())[:1]:
            others = [word for word, _text in clause.among if word not in clause.chosen]
            yield from (
                (word, "for", gone) for word in others[:_FEW] for gone in (*clause.chosen[:1], *clause.chosen[-1:])
            )

    def _list_offered(self, clauses: Callable[[Asking, Sequence[str]], tuple[Clause, ...]]) -> Iterator[Sequence[str]]:
        first = clauses(self._ask, ())
        yield from (clause.chosen for clause in first[:1] if clause.chosen)
        for word in _list_few(first[0]) if first else ():
            then = clauses(self._ask, (word,))
            rest = first[1:] if then == first else then
            yield from islice(((word, *more) for more in _fill_clauses(rest, self._ordered_words)), _FEW)

    @cached_property
    def _ordered_words(self) -> frozenset[str]:
        """Words of the present orders; examples prefer other units."""
        return frozenset(re.findall(r"[\w-]+", str(self._sheet.choices.get("orders", {}))))

    @cached_property
    def _prospect(self) -> Prospect:
        return prospects.look_after_draft(self._sheet.desk, self._sheet.message, ahead=True, without="")

    @cached_property
    def _outlook(self) -> Outlook:
        return prospects.compute_outlook(self._prospect, "")

    def _list_joint_attacks(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Yield combined attacks, for positions in which a single attack is illegal."""
        able = {target.place: target.fought.attack.units for target in self._list_targets(verb) if target.fought}
        for first in list(able)[: _FEW * 2]:
            places = [first]
            while len(places) <= _TOGETHER and (shared := _assign_units({place: able[place] for place in places})):
                orders = [f"{verb.name} {place} with {uid}" for place, uid in shared.items()]
                refusal, broken = self._try_order(", ".join(orders))
                if not refusal and len(orders) > 1:
                    yield ", ".join(orders).split()[1:]
                named = [place for place in able if place not in places and place in refusal.split()]
                if not broken or not named:
                    break
                places.append(named[0])

    def _list_targets(self, verb: Verb) -> Iterator[Target]:
        targets = self._outlook.targets
        yield from (target for target in targets if target.verb == verb.name and target.results and not target.who)

    def _list_declared(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Yield additions to the draft's named orders."""
        clause = re.search(r"\[(\w+) UNITS\]", verb.usage) if verb.clauses is None else None
        for _path, order in orderlines.list_entries(self._sheet.choices) if clause else ():
            units = next((value for value in order.values() if isinstance(value, list)), ()) if _has_id(order) else ()
            yield from ((order["id"], clause[1], uid) for uid in units[:1] if clause)

    def _list_moves(self, verb: Verb) -> Iterator[Sequence[str]]:
        """Yield moves for this verb; on a table top also moves of one inch.

        If no unit can move, the moves of other units give the reason.
        """
        for phase in self._filter_phases(verb, self._outlook) or self._list_barred_phases(verb):
            own = f"{verb.name} "
            # units that can turn come first: several immobile units would end the search
            for mover in sorted(phase.movers, key=lambda mover: not mover.turns or mover.turns[0].startswith(own)):
                yield from ((mover.unit, destination.place) for destination in mover.ends[:2])
                if "," in mover.place:  # moves come before turns, because positions are clearer than facings
                    across, up = (Fraction(number) for number in mover.place.split(","))
                    yield from ((mover.unit, _format_inches(across + far), _format_inches(up)) for far in (1, -1))
                yield from (turn.split()[1:] for turn in mover.turns[:1] if turn.startswith(own))

    @staticmethod
    def _filter_phases(verb: Verb, seen: Outlook) -> list[MovePhase]:
        return [phase for phase in seen.phases if verb.name == phase.verb or f"orders/{phase.key}" in verb.fields]

    def _list_barred_phases(self, verb: Verb) -> Iterator[MovePhase]:
        """Yield the verb's phases for single units that cannot move now."""
        owner = self._sheet.desk.game.ruleset.seen.words(self._ask.setting).owner
        own = (uid for uid in self._ask.state.units if owner(uid) == self._outlook.side)
        for uid in islice(own, _FEW):
            with suppress(UsageError):  # the unit is not on the map
                yield from self._filter_phases(verb, prospects.compute_outlook(self._prospect, uid))

    def _shorten_names(self, order: str) -> str:
        """Return the order with short unit names such as '24 pz', if the meaning stays the same."""
        units = self._sheet.state.units
        words = order.split()
        named = [word.partition("-")[2] if word in units and "-" in word else "" for word in words]
        short = [re.sub("[^a-z0-9]+", " ", name) or word for name, word in zip(named, words, strict=True)]
        with suppress(UsageError, FileError):
            texts = [wording.read_orders(self._sheet, [" ".join(said).split()]).text for said in (short, words)]
            return " ".join(short) if texts[0] == texts[1] else order
        return order


def _fill_clauses(clauses: Sequence[Clause], busy: frozenset[str]) -> Iterator[tuple[Any, ...]]:
    """Yield the rest of an order: required clauses, then one optional clause, then all clauses."""
    bare = [clause for clause in clauses if not clause.word]
    named = [clause for clause in clauses if clause.word and clause.among]
    needed = [[_choose_words(clause, busy)] if clause.kind in (UNITS, ORDER) else _list_few(clause) for clause in bare]
    for words in _combine_words(needed):
        must = tuple(word for part in words for word in part.split())
        yield must
        for clause in named:
            yield (*must, clause.word, *_choose_words(clause, busy).split())
    for words in islice(product(*needed), 2):
        yield (*words, *(word for clause in named for word in (clause.word, *_choose_words(clause, busy).split())))


def _combine_words(needed: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Yield combinations, first the combinations without a common word."""
    first = list(zip(*needed, strict=False)) if needed else []
    yield from first
    yield from (words for words in product(*needed) if words not in first)


def _format_inches(number: Fraction) -> str:
    whole, rest = divmod(int(number * 100), 100)
    return f"{whole}.{rest:02}"


def _assign_units(able: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return a different unit for each place, {} if there are too few units."""
    shared: dict[str, str] = {}
    for place in sorted(able, key=lambda place: len(able[place])):
        if uid := next((uid for uid in able[place] if uid not in shared.values()), ""):
            shared[place] = uid
    return shared if len(shared) == len(able) else {}


def _has_id(order: Any) -> bool:
    return isinstance(order, dict) and "id" in order


def _list_few(clause: Clause) -> list[str]:
    """Return the first affordable candidates; for choices, candidates from the whole list."""
    able = [word for word, _text in clause.among if all(one.prices.get(word, 0) <= one.most for one in clause.budgets)]
    return able[:: max(1, len(able) // _FEW) if clause.kind == CHOICE else 1][:_FEW]


def _choose_words(clause: Clause, busy: frozenset[str]) -> str:
    """Return the chosen words of a clause, otherwise its first candidate, preferably without an order."""
    words = sorted((word for word, _text in clause.among if word), key=busy.__contains__)
    return " ".join([*filter(None, clause.chosen)] or words[:1])
