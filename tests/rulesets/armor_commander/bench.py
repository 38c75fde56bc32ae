"""Benchmark rows of Armor Commander: sight, a check of orders, an action, odds."""

from __future__ import annotations

import random
import time

from helpers import registry
from helpers.measure import head, median_ms, row

from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.rulesets.armor_commander import RULESET, plotting
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.seen import exact_odds, outlook
from kursk_pbem.testing import SeededDice
from rulesets.armor_commander.directed_play import Aim, Player
from rulesets.armor_commander.plots import CROSSROADS, MARKET
from rulesets.armor_commander.table import begin
from rulesets.toys import play


def main() -> None:
    """Run the rows on the larger table with the scenario's deployment."""
    kit = registry.kit("armor-commander")
    setting = kit.setting(CROSSROADS)
    state = begin(setting)
    table = make_field(setting, state)
    pairs = [(mid, foe) for mid in table.at for foe in table.list_enemies(setting.models[mid].side)]
    one = median_ms(lambda: make_field(setting, state))
    head("a table top", f"one look at who stands where, {one:.3f} ms")
    row(f"who sees whom ({len(pairs)} pairs)", median_ms(lambda: [table.can_see(*pair) for pair in pairs]), one)
    row(
        f"who is half obscured ({len(pairs)} pairs)",
        median_ms(lambda: [table.is_obscured(*pair) for pair in pairs]),
        one,
    )
    orders = [{"id": uid, "chip": "red", "at": ["g-panzer"]} for uid in ("s-tanks", "s-zis-1")]
    row("check the orders of a side", median_ms(lambda: plotting.judge_orders(table, "soviet", orders)), one)
    moves = Player(setting, "german", Aim(MARKET)).orders(table)
    row("check a move of five tanks", median_ms(lambda: plotting.judge_orders(table, "german", moves)), one)
    waiting = adjudicate(RULESET, setting, state, Filing(4, "soviet", orders={"units": orders}), None).after
    filing = Filing(5, "german", reveal={plotting.name_seal("1"): moves}, resigns=True)
    action = median_ms(lambda: adjudicate(RULESET, setting, waiting, filing, SeededDice(random.Random(1), 5)))
    row("adjudicate an action", action, one, "50 ms")
    row("odds of the fire orders", median_ms(lambda: exact_odds.list_chances(setting, waiting, {})), one)
    row("moves of a side", median_ms(lambda: outlook.make_outlook(setting, state, "")), one)
    row("moves of one model", median_ms(lambda: outlook.make_outlook(setting, state, "s-t-1")), one)
    start = time.perf_counter()
    messages = sum(1 for seed in range(4) for _ in play(kit, setting, seed))
    print(f"{'random play, choosing included':<46} {messages / (time.perf_counter() - start):9.0f} messages a second")
