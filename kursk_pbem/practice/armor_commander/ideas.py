"""The thoughts of a commander: the losses to come, the ground to hold, and six different plans.

All numbers are whole: chances in ten-thousandths; worth in points. A won game has 1,000 points. The orders of the
enemy are guessed, never read.
"""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.ideas import Idea, Ideas, Seals, Solve, Whim, be_calm, march_nearest
from kursk_pbem.kernel.state import State
from kursk_pbem.practice.armor_commander.tactics import SURE, Aims, Plot
from kursk_pbem.rulesets.armor_commander import ahead, plotting, sequence, victory
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, OPEN, SHOWN, Field, make_field
from kursk_pbem.rulesets.armor_commander.setting import SIDES, Setting

FIRE, RUSH, AMBUSH, FLANK, CLEAR, WITHDRAW = "fire", "rush", "ambush", "flank", "clear", "withdraw"
PLANS = (
    Idea(FIRE, "Fire first", "The tanks fire if fire gains more than a move, or move to better shots and ground."),
    Idea(WITHDRAW, "Break contact", "The tanks leave the sight of the enemy, and return for the last two turns."),
    Idea(AMBUSH, "Lie in wait", "The tanks stand where few enemies can hurt them, and fire at whatever appears."),
    Idea(CLEAR, "Clear the objective", "All fire at the two enemies nearest to the objective, or move to see them."),
    Idea(FLANK, "Turn a flank", "The tanks drive around the enemy tanks, and fire at side and rear armor."),
    Idea(RUSH, "Rush the objective", "The tanks drive to the objective by the shortest way, and fire from there."),
)
AIMS = {
    FIRE: Aims(),
    WITHDRAW: Aims(fire=-40, danger=250, ground=10),
    AMBUSH: Aims(fire=40, danger=250, ground=50),
    CLEAR: Aims(clears=True),
    FLANK: Aims(fire=300, danger=30, ground=0, flank=5),
    RUSH: Aims(fire=10, danger=0, ground=1000),
}
EFFORTS = {2: 2_000}
# The worth of a won game; the rough worth of a model.
WON, LOSS = 1_000, 140


def value_prospects(table: Field, side: str, turns: int) -> int:
    """Return the worth of what a side can do next: its best possible fire, and the objectives in reach."""
    plot, left = Plot(table, side, turns, Aims(), be_calm), dict.fromkeys(table.at, SURE)
    ground = plot.value_ground(left)
    plot.fire(plot.mine, left)
    return LOSS * sum(SURE - chance for chance in left.values()) // (2 * SURE) + ground // 100


def value_strength(table: Field) -> int:
    """9.1, 9.3: return how much losses and remaining models favor the first side. Below 0, the second is ahead."""
    lost = victory.count_losses(table)
    one, two = (sum(8 + 2 * table.is_mobile(mid) for mid in table.list_models(side)) for side in SIDES)
    return 60 * (lost[SIDES[1]] - lost[SIDES[0]]) + ahead.divide(500 * (one - two), max(one + two, 1))


def foresee_end(table: Field) -> int:
    """9.1 to 9.3: return who would win if the game ended now: 1 for the first side, -1 for the second, 0 for a draw."""
    one, two = (bool(table.list_models(side)) for side in SIDES)
    lost = victory.count_losses(table)
    holders = [victory.find_holder(table, objective) for objective in table.setting.objectives]
    held = holders.count(SIDES[0]) - holders.count(SIDES[1])
    lead = (one - two) or held or lost[SIDES[1]] - lost[SIDES[0]]
    return (lead > 0) - (lead < 0)


def evaluate(setting: Setting, state: State, side: str) -> int:
    """Return the worth of a position for a side: the verdict after the end, before it strength, ground and fire."""
    sign = 1 if side == SIDES[0] else -1
    if (verdict := victory.find_verdict(setting, state)) is not None:
        return sign * WON * ((verdict.winner == SIDES[0]) - (verdict.winner == SIDES[1]))
    table = make_field(setting, state)
    if table.list_undeployed():
        return 0
    turns = len(setting.turns) - setting.turns.index(state.turn) - (OPEN in state.agenda or SHOWN in state.agenda)
    if not turns or not all(table.list_models(each) for each in SIDES):
        return sign * ahead.divide(foresee_end(table) * WON * 9 + value_strength(table), 10)
    one, two = (value_prospects(table, each, turns) for each in SIDES)
    return sign * (value_strength(table) + ahead.divide(one - two, 2))


def choose_orders(setting: Setting, state: State, side: str, plan: str, whim: Whim, solve: Solve) -> list[Any]:
    """Return a side's orders by a plan. In the last two turns, tanks that hid or withdrew come back to fire."""
    turns = len(setting.turns) - setting.turns.index(state.turn) - 1
    aims = AIMS[FIRE if turns < 2 and plan in (AMBUSH, WITHDRAW) else plan]
    plot = Plot(make_field(setting, state), side, turns, aims, whim)
    return plot.choose_orders(solve)


def propose(
    setting: Setting, state: State, _seq: int, plan: str, _own: Seals, whim: Whim, solve: Solve = march_nearest
) -> dict[str, Any]:
    """Return the content of a side's next message, chosen by a plan."""
    phases = sequence.list_stages(setting)[state.stage].phases
    if sequence.DEPLOY in phases:
        return {"seal": {DEPLOYMENT: []}}
    if sequence.PLACE in phases:
        return {"orders": {"deployment": []}}
    if sequence.PLOT not in phases and sequence.ORDERS not in phases:
        return {}
    orders = choose_orders(setting, state, state.side, plan, whim, solve)
    sealed = sequence.PLOT in phases
    return {"seal": {plotting.name_seal(state.turn): orders}} if sealed else {"orders": {"units": orders}}


def guess(setting: Setting, state: State, label: str, whim: Whim) -> Any:
    """Return a guess at the hidden orders that the enemy has sealed under a label."""
    return [] if label == DEPLOYMENT else choose_orders(setting, state, setting.sealer, FIRE, whim, march_nearest)


IDEAS = Ideas(PLANS, evaluate, propose, guess, EFFORTS)
