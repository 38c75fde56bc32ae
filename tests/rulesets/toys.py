"""The toys: rule systems from outside the program. Tests play the toys to show that the program accepts new systems.

A toy is a whole ruleset in a separate folder, with rulebook, schemas and scenarios. ``plug`` adds the toys to the
program for a test.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helpers import registry

from kursk_pbem import rulesets
from kursk_pbem.formats import data
from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate, keep_position
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.state import OVER, State

HERE = Path(__file__).resolve().parent
FOLDERS = {"hex-toy": HERE / "hex_toy", "plane-toy": HERE / "plane_toy", "ridge-toy": registry.TEMPLATE / "ridge_toy"}


def plug(patch: Any) -> None:
    """Add the modules, schemas and scenarios of the toys to the program."""
    for rid, folder in FOLDERS.items():
        patch.setitem(rulesets.MODULES, rid, f"rulesets.{folder.name}" if folder.parent == HERE else folder.name)
    patch.setattr(data, "MORE_SCHEMAS", [folder / "schemas" for folder in FOLDERS.values()])
    patch.setenv(data.SEARCH_PATH, os.pathsep.join(str(folder / "scenarios") for folder in FOLDERS.values()))


class SeededDice:
    """Dice from a seeded generator; a repeated label has an equal result."""

    def __init__(self, rng: random.Random, seq: int) -> None:
        self.rng, self.seq = rng, seq
        self.fallen: dict[str, str] = {}

    def roll(self, label: str, n: int) -> str:
        return self.fallen.setdefault(label, "".join(str(self.rng.randint(1, 6)) for _ in range(n)))


def play(kit: registry.Kit, setting: Any, seed: int, most: int = 200) -> Iterator[tuple[State, Adjudication]]:
    """Yield the position before and the result of every message in a random game."""
    rng = random.Random(seed)
    chooser, ruleset = kit.chooser(setting, rng), kit.ruleset
    state = ruleset.data.setup(setting)
    sealed: dict[str, dict[str, Any]] = {side: {} for side in kit.sides}
    for seq in range(1, most):
        if state.stage == OVER:
            return
        side, dice = ruleset.writer(setting, state), SeededDice(rng, seq)
        if setting.refereed and seq % 2 == 0:
            rolls = side == REFEREE
            result = adjudicate(ruleset, setting, state, Filing(seq, REFEREE), dice) if rolls else keep_position(state)
        else:
            assert side != REFEREE, f"seed {seed}, message {seq}: {state.stage} is the referee's"
            reveal = sealed[side]
            result = adjudicate(ruleset, setting, state, Filing(seq, side, reveal=reveal, resigns=True), dice)
            content = {} if result.middle.stage == OVER else chooser.content(result.middle, seq)
            orders, plans = ruleset.seal(setting, content.pop("orders", {}), seq)
            hidden = {**content.pop("seal", {}), **plans}
            filing = Filing(
                seq, side, reveal, orders=orders, secret=dict.fromkeys(hidden, "0" * 64), sealed=hidden, **content
            )
            result = adjudicate(ruleset, setting, state, filing, dice)
            sealed[side] = hidden
        assert not result.violations, f"seed {seed}, message {seq}: {[str(each) for each in result.violations]}"
        assert not ruleset.play.invariants(setting, result.after), f"seed {seed}, message {seq}"
        yield state, result
        state = result.after
    raise AssertionError(f"seed {seed}: the game does not end")
