"""Rows of the benchmark that only Juggernauts has: views, moves, supply, attacks, random play."""

from __future__ import annotations

import random
import time

from helpers.measure import head, median_ms, row
from helpers.registry import Kit

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.rulesets.juggernauts import RULESET, movement, outlook
from kursk_pbem.rulesets.juggernauts.position import position
from rulesets import toys
from rulesets.juggernauts.plots import JULY
from rulesets.juggernauts.random_play import Chooser


def main(kit: Kit) -> None:
    """All of them."""
    july = kit.setting(JULY)
    state = kit.setup(july)
    view = median_ms(lambda: position(july, state))
    head("rules", f"one view of a position (who stands where), {view:.3f} ms")
    zones = median_ms(lambda: position(july, state).zones)
    row("zones of control of both sides", zones, view)
    row("supply of both sides", median_ms(lambda: [position(july, state).supply(side) for side in july.sides]), view)
    pos = position(july, state)
    russian = [uid for uid in sorted(pos.where) if pos.side(uid) == "russian"]
    moves = median_ms(lambda: [movement.reach(pos, uid) for uid in russian])
    row(f"legal moves of a side ({len(russian)} units)", moves, view)
    row("all attacks of a side, with odds", median_ms(lambda: list(outlook.attacks(pos, "german"))), view)
    orders = Chooser(july, random.Random(1)).content(state, 1)["orders"]
    whole = median_ms(lambda: adjudicate(RULESET, july, state, Filing(1, "german", orders=orders), None))
    row("adjudicate the orders of a player turn", whole, view)
    begin = time.perf_counter()
    stages = sum(1 for seed in range(4) for _ in toys.play(kit, july, seed))
    rate = stages / (time.perf_counter() - begin)
    print(f"{'random play, choosing included':<46} {rate:9.0f} stages a second")
