"""Protocols for the toy with a single weakness, and the schemer's use of the weakness.

``WEAK`` by name, with the worth of a die to the schemer: its mean, the chance of 4 and more, the chance of 6. The
figures are from the design (D1, D2), or follow from the design.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any
from unittest import mock

from helpers.adversary import Content, Draft, Sitting, digest, distribution, is_accepted

from kernel.schemer import DRAW, WORTHS, Habits, Match, Option, Schemer, Worth, make_battles, make_drafts, mean
from kernel.toy import BOTH_SEEN, FIRST_SEEN, FLIP, GERMAN, KEEP, NOT_IN_OFFERS, RULES, RUSSIAN, TOO_EARLY, TOO_MANY
from kursk_pbem.kernel.events import Rolled
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.trust import commit
from kursk_pbem.trust.chains import Chain

Patch = AbstractContextManager[Any]
ONE, TWO = Habits(("a",)), Habits(("a", "b"))
Figures = tuple[Fraction, Fraction, Fraction]
FAIR = (Fraction(7, 2), Fraction(1, 2), Fraction(1, 6))  # the worth of a die: its mean, 4 and more, 6
FREE_THROW = (Fraction(17, 4), Fraction(3, 4), Fraction(11, 36))  # another die for a die below the mean
BETTER_OF_TWO = (Fraction(161, 36), Fraction(3, 4), Fraction(11, 36))
EITHER_END = (Fraction(5), Fraction(1), Fraction(1, 3))  # a die, or seven minus the die


@dataclass(frozen=True)
class Weak:
    """A protocol with a hole, and the attempts: ``options`` at ``stage``, the usual play elsewhere.

    ``openings``: the number of own secrets to try there. ``leaks`` and ``honest``: see ``Match``.
    """

    side: str
    stage: str
    options: tuple[Option, ...]
    gains: Figures
    ruleset: Ruleset = RULES
    habits: Habits = ONE
    patch: Callable[[], AbstractContextManager[Any]] = nullcontext
    leaks: Callable[[Sitting], Content] = lambda _sitting: {}
    honest: Callable[[Sitting], Option | None] = lambda _sitting: None
    openings: int = 1

    def mended(self) -> Weak:
        """Return the same attempts against the true protocol."""
        return replace(self, gains=FAIR, ruleset=RULES, patch=nullcontext, leaks=Weak.leaks)

    def match(self, value: Worth) -> Match:
        """Return the match with the hole."""
        return Match(self.ruleset, Schemer(self.side, value, self.habits, self.tries), self.honest, self.leaks)

    def tries(self, sitting: Sitting) -> list[Draft]:
        """Return the drafts that the opponent would accept."""
        if sitting.chain.offer:
            return [sitting.draft({"reply": "decline"}, "reply")]
        state = sitting.game.state
        options = self.options if state.stage == self.stage else ()
        found = []
        for number in range(self.openings):
            own = {sitting.seq: digest("another secret", number)} if number else {}
            found += list(make_drafts(replace(sitting, chosen={**sitting.chosen, **own}), options))
        return [draft for draft in found if is_accepted(sitting, draft)] or [sitting.draft(self.habits.choices(state))]

    def worth(self) -> Figures:
        """Return the worth of a match's last score to the schemer."""
        mean_, half, sixth = (self._worth(value) for value in WORTHS.values())
        return mean_, half, sixth

    def _worth(self, value: Worth) -> Fraction:
        with self.patch(), duties_that_see_choices():
            found = distribution(self.match(value).play)
        total = Fraction(0)
        for outcome, chance in found.items():
            score = outcome[-1] if outcome != DRAW else 0
            face = score if self.side == GERMAN else 7 - score
            total += chance * (value(face) if score else mean(value))
        return total


def roll_unguarded(self: Umpire[Any], label: str, rule: str, *, of: str, n: int = 1) -> str:
    """Roll like ``Umpire.roll``, without the assert."""
    assert self._dice is not None
    self.rolled[label] = self._dice.roll(label, n)
    self.emit(Rolled(rule, label, self.rolled[label]))
    return self.rolled[label]


def duties_that_see_choices() -> Patch:
    """Patch the kernel to show the whole message to the duties, not only the reveals."""
    return mock.patch.object(sys.modules["kursk_pbem.kernel.adjudicate"], "_keep_reveals", lambda filing: filing)


def no_assert() -> Patch:
    return mock.patch.object(Umpire, "roll", roll_unguarded)


def seed_without_prev() -> Patch:
    true = commit.derive_seed
    return mock.patch.object(commit, "derive_seed", lambda opening, _prev: true(opening, bytes(32)))


def late_acceptance() -> Patch:
    true = Chain._allowed_types
    return mock.patch.object(Chain, "_allowed_types", lambda self, seq: (*true(self, seq), "reply"))


def any_opening() -> Patch:
    return mock.patch.object(Chain, "_check_opening", lambda _self, message: bytes.fromhex(message.text("open")))


def secret_with_the_orders(sitting: Sitting) -> Content:
    """Return the German's next opening as a note in the orders, harmless in the true protocol."""
    return {"note": sitting.draft().following.hex()} if sitting.game.state.stage == "orders" else {}


def draw_for_an_answer(sitting: Sitting) -> Option | None:
    """Let the honest Russian offer a draw once instead of the answer."""
    wanted = sitting.game.state.stage == "answer" and not sitting.game.declined
    return ("offer", {"offer": {"kind": "draw"}}) if wanted else None


NOTHING: tuple[Option, ...] = (("turn", {}),)
ANSWERS: tuple[Option, ...] = tuple(("turn", {"policy": {"a": word}}) for word in (KEEP, FLIP))
CALLS: tuple[Option, ...] = tuple(("turn", {"orders": {"battles": make_battles(call)}}) for call in ("a", "a-"))
AGAIN: tuple[Option, ...] = tuple(("turn", {"policy": {"again": word}}) for word in ("no", "yes"))
DECISIONS: tuple[Option, ...] = tuple(("turn", {"decisions": {"b": word}}) for word in (KEEP, FLIP))
OR_OFFER: tuple[Option, ...] = (("turn", {}), ("offer", {"offer": {"kind": "draw"}}))
OR_ACCEPT: tuple[Option, ...] = (("turn", {}), ("reply", {"reply": "accept"}))

D1 = "D1 the secret travels with the orders"
WEAK = {
    D1: Weak(RUSSIAN, "answer", ANSWERS, BETTER_OF_TWO, leaks=secret_with_the_orders),
    "D2 a right used with both dice in sight": Weak(GERMAN, "dice", AGAIN, BETTER_OF_TWO, BOTH_SEEN),
    "D2 a right used with the first die in sight": Weak(RUSSIAN, "waiver", AGAIN, FREE_THROW, FIRST_SEEN),
    "a stage that rolls a message too early": Weak(RUSSIAN, "answer", ANSWERS, EITHER_END, TOO_EARLY, patch=no_assert),
    "a stop that does not move the later dice": Weak(RUSSIAN, "decision", DECISIONS, EITHER_END, TOO_MANY, TWO),
    "T2 an opening that is held against no commitment": Weak(
        GERMAN, "dice", NOTHING, BETTER_OF_TWO, patch=any_opening, openings=2
    ),
    "a seed without the message before": Weak(GERMAN, "orders", CALLS, EITHER_END, patch=seed_without_prev),
    "T36 an offer accepted a message late": Weak(
        GERMAN, "dice", OR_ACCEPT, FREE_THROW, patch=late_acceptance, honest=draw_for_an_answer
    ),
    "dice that are owed, not rolled in the offer": Weak(GERMAN, "dice", OR_OFFER, FREE_THROW, NOT_IN_OFFERS),
}
