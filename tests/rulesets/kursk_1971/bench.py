"""Benchmarks of Kursk (1971): the real map with all 172 counters."""

from __future__ import annotations

import random
from typing import Any

from helpers.measure import head, median_ms, row

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.movement import INITIAL
from kursk_pbem.rulesets.kursk_1971.position import position
from kursk_pbem.rulesets.kursk_1971.seen import hints, outlook
from rulesets.kursk_1971.random_play import Chooser, SeededDice

NAME = "kursk-1971/july4-historical"


def main() -> None:
    """Run the benchmarks."""
    game: Any = RULESET.data.load(scenario.load(scenario.find(NAME)))
    state = RULESET.data.setup(game)
    view = median_ms(lambda: position(game, state))
    head("rules", f"one view of a position (stacks, zones of control), {view:.3f} ms")
    row("load a scenario (four files)", median_ms(lambda: RULESET.data.load(scenario.load(scenario.find(NAME)))), view)
    pos = position(game, state)
    own = pos.units("german")
    moves = median_ms(lambda: [outlook.find_ends(pos, uid, INITIAL) for uid in own])
    row(f"legal moves of a side ({len(own)} units)", moves, view)
    row("hints of a draft", median_ms(lambda: hints.make_hints(game, state, 1)), view, "150 ms")
    waiting = _ten_attacks(game, state)
    dice = SeededDice(random.Random(1), 4)
    ten = median_ms(lambda: adjudicate(RULESET, game, waiting, Filing(4, "german"), dice))
    row("adjudicate ten attacks", ten, view, "20 ms")
    chances = median_ms(lambda: RULESET.seen.odds(game, waiting, {}))
    row("exact chances of ten attacks", chances, view)


def _ten_attacks(game: Any, state: Any) -> Any:
    """Return a position with ten waiting German attacks, one from the air."""
    chooser = Chooser(game, random.Random(1))
    while True:
        orders: dict[str, Any] = {}
        chooser.battles(Umpire(game, state, 2, None), orders, 2)
        if len(orders["battles"]) >= 10:
            break
    agenda: dict[str, Any] = {"declared": "2", "answered": "3"}
    agenda["superiority"] = [{"id": "r1", "base": "s-air2", "aircraft": ["g-air1"]}]
    agenda["battles"] = [
        {
            **{key: each[key] for key in ("id", "hex", "attackers")},
            "plan": {key: each[key] for key in ("retreat", "losses", "advance") if key in each},
        }
        for each in orders["battles"][:10]
    ]
    return state.with_(stage="german-dice", agenda=agenda)
