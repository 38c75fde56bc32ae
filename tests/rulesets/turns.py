"""Random turns with waiting dice, and their exact chances by all throws at once."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from helpers.registry import Kit

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.branches import run_branches
from kursk_pbem.kernel.forecast import describe_position
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import GameEnded, Umpire

LATER = ("end", "initiative")
"""Phases after the action of a turn on a table top."""


@dataclass
class Thrown:
    """Random dice."""

    seq: int
    source: random.Random

    def roll(self, _label: str, n: int) -> str:
        return "".join(self.source.choice("123456") for _die in range(n))


@dataclass(frozen=True)
class Waiting:
    """A position before the dice of message ``seq``; ``sealed``: the hidden plans of both sides."""

    kit: Kit
    setting: Any
    state: State
    seq: int
    side: str
    reveal: Mapping[str, Any]
    dice: int = 0
    sealed: Mapping[str, Any] = field(default_factory=dict)

    def throw_all(self, most: int) -> dict[Hashable, Fraction] | None:
        """Return the chance of each position after the dice, from one run of the message's phases for every throw."""
        ruleset, chances = self.kit.ruleset, dict[Hashable, Fraction]()
        filing, phases = Filing(self.seq, self.side, reveal=self.reveal), ruleset.stage(self.setting, self.state).duties

        def run(dice: Any) -> Hashable:
            umpire = Umpire(self.setting, self.state, self.seq, dice)
            with suppress(GameEnded):
                for phase in phases:
                    if phase.key not in LATER and (phase.when is None or phase.when(umpire, filing)):
                        phase.run(umpire, filing)
            return stable(umpire.state)

        ways = run_branches(self.seq, run, most=most)
        for chance, _faces, key in ways or ():
            chances[key] = chances.get(key, Fraction(0)) + chance
        return chances if ways else None


def stable(state: State) -> Hashable:
    """Return the units in order, marks and tracks of a position: everything but the phase."""
    units, marks, tracks, _stage = describe_position(state)
    return tuple(sorted(units)), marks, tracks


def find_turns(kit: Kit, scenario: str, seed: int, most: int = 120) -> Iterator[Waiting]:
    """Yield the positions with waiting dice of a random game of a seed."""
    setting, ruleset = kit.setting(scenario), kit.ruleset
    source, state = random.Random(f"{scenario}/{seed}"), ruleset.data.setup(setting)
    mind, hidden = kit.chooser(setting, source), {side: {} for side in kit.sides}
    for seq in range(1, most):
        if state.stage == OVER:
            return
        side, reveal = state.side, hidden[state.side]
        shown = Filing(seq, side, reveal=reveal, resigns=True)
        ahead = adjudicate(ruleset, setting, state, shown, Thrown(seq, source))
        if dice := sum(len(digits) for label, digits in ahead.dice.items() if not label.startswith("initiative")):
            both = {label: value for seals in hidden.values() for label, value in seals.items()}
            yield Waiting(kit, setting, state, seq, side, reveal, dice, both)
        if ahead.middle.stage == OVER:
            return
        content = mind.content(ahead.middle, seq)
        orders, plans = ruleset.seal(setting, content.get("orders", {}), seq)
        sealed = {**content.get("seal", {}), **plans}
        choices = {key: content[key] for key in ("choice", "waive", "policy", "decisions") if key in content}
        filing = Filing(seq, side, orders=orders, secret=dict.fromkeys(sealed, "0" * 64), sealed=sealed, **choices)
        result = adjudicate(ruleset, setting, state, replace(filing, reveal=reveal), _Again(seq, ahead.dice))
        assert result.legal, [str(violation) for violation in result.violations]
        state, hidden[side] = result.after, sealed


@dataclass(frozen=True)
class _Again:
    """The dice of a message again."""

    seq: int
    rolled: Mapping[str, str]

    def roll(self, label: str, _n: int) -> str:
        return self.rolled[label]
