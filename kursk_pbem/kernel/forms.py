"""A player of any system, who knows only the forms of orders: ``Verb.clauses``, ``Verb.write`` and ``Seen.hints``.

The player looks at the position alone, so it does not know the opponent's sealed values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from kursk_pbem.errors import UsageError, Violation
from kursk_pbem.kernel.adjudicate import carry_out, choose, make_filing
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.verbs import CHOICE, PLACE, UNIT, Clause, Edit, OrderContext, Verb, edit_draft

T = TypeVar("T")
Content = dict[str, Any]
Draw = Callable[[int], int]
"""Chance, brought by the caller: (number) -> a whole number from 0 to below the number."""
ONE = (CHOICE, PLACE, UNIT)
"""Kinds of clauses with exactly one choice."""
OFTEN, KEPT, SHUFFLED, MOST = 4, 8, 2, 3
"""How often in 10 a part that may be missing is chosen; the proposed choices; a random order of the words. The most
choices of a part."""
TRIES = (0, 1, 1, 2, 4, 8)
"""The numbers of tries of a word in a message; each is as likely as the others."""
ENOUGH = 200
"""Maximum number of further tries of a message that still lacks a duty, such as a placement."""
NOTHING_OFFERED, NOT_UNDERSTOOD, REFUSED, LEGAL = "nothing offered", "not understood", "refused", "legal"


class FormPlayer:
    """A player for tests, which fills in order forms at random. Equal random numbers give equal orders.

    ``tries``: numbers of tries for an order word in a message; the player draws one. ``told``: how many orders
    succeeded and failed, and how often every word was legal. ``refused``: the last illegal draft of a message, or {}.
    """

    def __init__(self, ruleset: Ruleset, setting: Any, draw: Draw, tries: Sequence[int] = TRIES) -> None:
        self.ruleset, self.setting, self.draw, self.tries = ruleset, setting, draw, tries
        self.told: Counter[str] = Counter()
        self.refused: Content = {}

    def content(self, state: State, seq: int) -> Content:
        """Return legal choices for message ``seq``. ``state``: the position after the steps without a choice."""
        hints = self.ruleset.seen.hints(self.setting, state, seq)
        draft: Content = edit_draft({}, [Edit(hint.path, hint.value) for hint in hints if hint.value is not None])
        self.refused, legal = {}, None if self._find_faults(state, seq, draft) else draft
        verbs, left = self._list_verbs(state), ENOUGH
        tries = [verb for verb in verbs for _try in range(self._pick(self.tries))]
        while tries or (legal is None and verbs and left):
            left -= not tries
            after = self._order(state, seq, draft, tries.pop(0) if tries else self._pick(verbs))
            if after is not None:
                draft = after
                legal = legal if self._find_faults(state, seq, draft) else draft
        return draft if legal is None else legal

    def _list_verbs(self, state: State) -> list[Verb]:
        """Return the words of the message, mostly in the order of the sequence of play."""
        phases = self.ruleset.stage(self.setting, state).phases
        fields = {field for phase in phases for field in (phase.key, *phase.reads)}
        verbs = [verb for verb in self.ruleset.seen.verbs(self.setting) if fields & {*verb.fields}]
        return self._sample(verbs, len(verbs)) if self.draw(10) < SHUFFLED else verbs

    def _order(self, state: State, seq: int, draft: Content, verb: Verb) -> Content | None:
        """Return the draft after a random order of a verb; None if the order is not possible."""

        def at(drafted: Mapping[str, Any], phase: str) -> State:
            return carry_out(self.ruleset, self.setting, state, self._file(state, seq, drafted), phase)

        ask = OrderContext(self.setting, state, seq, draft, at)
        words = self.choose_words(ask, verb)
        if words is None:
            self.told[NOTHING_OFFERED] += 1
            return None
        try:
            after: Content = edit_draft(draft, verb.write(ask, words))
        except UsageError:
            self.told[NOT_UNDERSTOOD] += 1
            return None
        possible = all(fault.waits for fault in self._find_faults(state, seq, after))
        self.told.update([LEGAL, verb.name] if possible else [REFUSED])
        self.refused = self.refused if possible else after
        return after if possible else None

    def choose_words(self, ask: OrderContext, verb: Verb) -> list[str] | None:
        """Return random words from the form of an order; None if the form offers no choice for a required part."""
        words: list[str] = []
        clauses = verb.clauses(ask, ()) if verb.clauses else ()
        if verb.usage and not clauses:
            return None
        if verb.clauses and clauses and not clauses[0].word and clauses[0].kind in ONE and clauses[0].among:
            words = self._choose_values(clauses[0])
            then = verb.clauses(ask, words)
            clauses = clauses[1:] if then == clauses else then
        parts = [self._choose_values(clause) if not clause.word or self.draw(10) < OFTEN else [] for clause in clauses]
        needs = [name_need(clause) for clause in clauses]
        for need in sorted({*needs} - {""}):
            places = [place for place, name in enumerate(needs) if name == need]
            if not any(parts[place] for place in places):
                place = self._pick(places)
                parts[place] = self._choose_values(clauses[place])
                if not parts[place]:
                    return None
        for clause, values in zip(clauses, parts, strict=True):
            words += [*([clause.word] if clause.word and values else []), *values]
        return words

    def _choose_values(self, clause: Clause) -> list[str]:
        """Return the words of random choices of a clause, often of the proposed choices."""
        among = [word for word, _meaning in clause.among if word]
        if any(clause.chosen) and self.draw(10) < KEPT:
            return " ".join(clause.chosen).split()
        if not among:
            return []
        count = 1 if clause.kind in ONE else 1 + self.draw(min(MOST, len(among)))
        return " ".join(self._sample(among, count)).split()

    def _pick(self, among: Sequence[T]) -> T:
        return among[self.draw(len(among))]

    def _sample(self, among: Sequence[T], count: int) -> list[T]:
        """Return different random members, in random order."""
        left = [*among]
        return [left.pop(self.draw(len(left))) for _member in range(count)]

    def _file(self, state: State, seq: int, draft: Mapping[str, Any]) -> Filing:
        return make_filing(self.ruleset, self.setting, draft, state.side, seq)

    def _find_faults(self, state: State, seq: int, draft: Content) -> tuple[Violation, ...]:
        return choose(self.ruleset, self.setting, state, self._file(state, seq, draft))[1]


def name_need(clause: Clause) -> str:
    """Return the name of an order's part (clause) if the part needs a choice; '' if the part is optional."""
    return clause.needed or ("" if clause.word else clause.text)
