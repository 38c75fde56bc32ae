"""A player of any system, who knows only the forms of orders: ``Verb.clauses``, ``Verb.write`` and ``Seen.hints``."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from kursk_pbem.errors import UsageError, Violation
from kursk_pbem.kernel.adjudicate import carry_out, choose, make_filing
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.verbs import CHOICE, PLACE, UNIT, Clause, Edit, OrderContext, Verb, edit_draft
from kursk_pbem.testing.play import Content, MakePlayer

ONE = (CHOICE, PLACE, UNIT)
"""Kinds of clauses with exactly one choice."""
OFTEN, KEPT, MOST = 0.4, 0.8, 3
"""How often a part that may be missing is chosen, and the proposed choices of a part; the most choices of a part."""


def make_form_player(ruleset: Ruleset, most: int = 12) -> MakePlayer:
    """Return a maker of players with at most ``most`` random orders a message."""

    def make(setting: Any, rng: random.Random) -> FormPlayer:
        return FormPlayer(ruleset, setting, rng, most)

    return make


class FormPlayer:
    """A player who orders at random what the forms offer. ``told``: counts of orders by outcome and by verb."""

    def __init__(self, ruleset: Ruleset, setting: Any, rng: random.Random, most: int = 12) -> None:
        self.ruleset, self.setting, self.rng, self.most = ruleset, setting, rng, most
        self.told: Counter[str] = Counter()

    def content(self, state: State, seq: int) -> Content:
        """Return legal choices of message ``seq``; ``state`` is the position after its duties."""
        draft = self._propose(state, seq)
        legal, tries = draft, self.rng.randint(1, self.most)
        fields = {
            field for phase in self.ruleset.stage(self.setting, state).phases for field in (phase.key, *phase.reads)
        }
        verbs = [verb for verb in self.ruleset.seen.verbs(self.setting) if fields & {*verb.fields}]
        while verbs and tries > 0:
            tries -= 1
            draft = self._order(state, seq, draft, self.rng.choice(verbs))
            faults = self._find_faults(state, seq, draft)
            legal = legal if faults else draft
        return legal

    def _propose(self, state: State, seq: int) -> Content:
        """Return the draft that the system proposes."""
        hints = self.ruleset.seen.hints(self.setting, state, seq)
        return edit_draft({}, [Edit(hint.path, hint.value) for hint in hints if hint.value is not None])

    def _order(self, state: State, seq: int, draft: Content, verb: Verb) -> Content:
        """Return the draft after a random order of a verb, unchanged if the order is not possible."""

        def at(drafted: Mapping[str, Any], phase: str) -> State:
            return carry_out(
                self.ruleset,
                self.setting,
                state,
                make_filing(self.ruleset, self.setting, drafted, state.side, seq),
                phase,
            )

        ask = OrderContext(self.setting, state, seq, draft, at)
        words = self._choose_words(ask, verb)
        if words is None:
            self.told["nothing offered"] += 1
            return draft
        try:
            after = edit_draft(draft, verb.write(ask, words))
        except UsageError as error:
            self.told["not understood"] += 1
            print("  ??", verb.name, *words, "|", str(error)[:150])
            return draft
        new = self._find_faults(state, seq, after)
        if not all(fault.waits for fault in new):
            self.told["refused"] += 1
            print("  no", verb.name, *words, "|", next(str(f) for f in new if not f.waits)[:150])
            return draft
        self.told["legal"] += 1
        self.told[verb.name] += 1
        return after

    def _choose_words(self, ask: OrderContext, verb: Verb) -> list[str] | None:
        """Return random words from a verb's form; None if the form lacks a needed part."""
        if verb.clauses is None:
            return []
        words: list[str] = []
        clauses = verb.clauses(ask, ())
        if clauses and not clauses[0].word and clauses[0].kind in ONE and clauses[0].among:
            words = self._choose_values(clauses[0])
            then = verb.clauses(ask, words)
            clauses = clauses[1:] if then == clauses else then
        parts = [self._choose_values(clause) if self._wants(clause) else [] for clause in clauses]
        for need in {_name_need(clause) for clause in clauses} - {""}:
            places = [place for place, clause in enumerate(clauses) if _name_need(clause) == need]
            if not any(parts[place] for place in places):
                place = self.rng.choice(places)
                parts[place] = self._choose_values(clauses[place])
                if not parts[place]:
                    return None
        for clause, values in zip(clauses, parts, strict=True):
            words += [*([clause.word] if clause.word and values else []), *values]
        return words

    def _wants(self, clause: Clause) -> bool:
        return not clause.word or self.rng.random() < OFTEN

    def _choose_values(self, clause: Clause) -> list[str]:
        """Return the words of random choices of a clause, often of the proposed choices."""
        among = [word for word, _meaning in clause.among if word]
        if any(clause.chosen) and self.rng.random() < KEPT:
            return " ".join(clause.chosen).split()
        if not among:
            return []
        count = 1 if clause.kind in ONE else self.rng.randint(1, min(MOST, len(among)))
        return " ".join(self.rng.sample(among, count)).split()

    def _find_faults(self, state: State, seq: int, draft: Content) -> tuple[Violation, ...]:
        filing = make_filing(self.ruleset, self.setting, draft, state.side, seq)
        return choose(self.ruleset, self.setting, state, filing)[1]


def _name_need(clause: Clause) -> str:
    """Return the name of a need; a clause without a word has a need of its own; '' for a part that may be missing."""
    return clause.needed or ("" if clause.word else clause.text)
