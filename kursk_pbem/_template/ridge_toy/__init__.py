"""Ridge Toy: a small hex game to start from. "A new system" in docs/recipes.md of kursk-pbem says what to change."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.kernel.events import Row
from kursk_pbem.kernel.hexes.usual.attacks import Order, make_row
from kursk_pbem.kernel.hexes.usual.game import SmallGame
from kursk_pbem.kernel.hexes.usual.position import Position, view_now
from kursk_pbem.kernel.umpire import Umpire


@dataclass(frozen=True)
class Counter:
    """The printed values of a counter: the columns of units.yaml."""

    name: str
    short: str
    side: str
    strength: int
    move: int
    hex: str
    steps: int = 2


def strength(pos: Position, uid: str, _hex: int) -> Row:
    """3.1: return the strength of a unit: the printed strength times the remaining steps."""
    printed: int = pos.setting.counters[uid].strength
    steps = pos.state.units[uid].steps
    return make_row(pos, uid, printed, printed * steps, f"{steps} steps" if steps > 1 else "reduced to 1 step")


def carry_out(umpire: Umpire[Any], order: Order, result: str) -> None:
    """3.3: carry out the result that the combat table gives for an attack."""
    if result == "A":
        for uid in order["units"]:
            GAME.lose(umpire, uid)
    if result in ("D", "R"):
        here = umpire.setting.board.index[order["hex"]]
        for defender in view_now(umpire).stack(here):
            if result == "D":
                GAME.lose(umpire, defender)
            if umpire.state.units[defender].steps:
                GAME.retreat(umpire, order, defender)
        GAME.go(umpire, "3.5", order["units"][0], order["hex"], "advance")


GAME = SmallGame(
    id="ridge-toy",
    title="Ridge Toy",
    folder=Path(__file__).resolve().parent,
    sides=("blue", "red"),
    rules={
        "map": "1.0",
        "setup": "1.1",
        "turns": "1.2",
        "movement": "2.0",
        "zone": "2.1",
        "stack": "2.2",
        "attacks": "3.0",
        "ground": "3.2",
        "results": "3.3",
        "retreat": "3.4",
        "towns": "4.0",
        "victory": "4.1",
    },
    counter=Counter,
    strength=strength,
    carry_out=carry_out,
    meaning={
        "A": "the attackers lose a step each",
        "N": "nothing happens",
        "R": "the defender retreats a hex",
        "D": "the defender loses a step and retreats a hex",
    },
    figures=lambda counter, steps: f"{counter.strength * steps}-{counter.move}",
    verdicts={"towns": "more towns (4.1)", "even": "the towns are even (4.1)"},
)
RULESET = GAME.ruleset
