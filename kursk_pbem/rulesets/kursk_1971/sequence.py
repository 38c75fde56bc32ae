"""2.0 The sequence of play: phases, their messages, and the order of messages.

The table depends on the side that moves first and on the set-up. One table serves both dice modes: for games with a
referee the kernel derives the messages from the table (``kernel.refereed``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from kursk_pbem.kernel.hexes import plans, policies
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.refereed import split_stages
from kursk_pbem.kernel.ruleset import ANSWER, DICE, Phase, Split, Stage, has_orders
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import air, answers, battles, combat, movement, raids, setup, victory
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, position
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

AFTER_DICE = "comes after the dice of the declared attacks: give this order in your next message"
ANSWER_OF, DICE_OF = "{}-answer", "{}-dice"


def has_attacks(umpire: Umpire[Setting], filing: Filing) -> bool:
    """Return whether attacks are declared: by this message, or earlier and still without dice."""
    return combat.has_waiting_attacks(umpire, filing) or bool(filing.order(BATTLES) or filing.order(raids.RAIDS))


def check_after_combat(umpire: Umpire[Setting], filing: Filing, *, keys: Sequence[str]) -> bool:
    """2.0-phases, 3.0-e, S-1: return whether combat is over. Until then, orders for later phases are refused."""
    if not has_attacks(umpire, filing):
        return True
    for key in keys:
        if filing.order(key):
            umpire.refuse("2.0-phases", AFTER_DICE, key, ("orders", key))
    return False


def is_turn_end(umpire: Umpire[Setting], filing: Filing) -> bool:
    """2.0-phases: return whether a message ends the player turn."""
    return not has_attacks(umpire, filing)


def is_game_turn_end(umpire: Umpire[Setting], filing: Filing) -> bool:
    """2.0-c: return whether a message ends the second player turn, which also ends the game turn."""
    return is_turn_end(umpire, filing) and filing.writer == umpire.setting.second


def is_game_end(umpire: Umpire[Setting], filing: Filing) -> bool:
    """3.0, S-37: return whether a message ends the last game turn."""
    return is_game_turn_end(umpire, filing) and umpire.state.turn == umpire.setting.turns[-1]


def next_turn(umpire: Umpire[Setting], _filing: Filing) -> None:
    """2.0-c: begin the next game turn."""
    umpire.next_turn("2.0-c", umpire.setting.turns)


DEPLOY = Phase("deployment", "12.0", setup.deploy, ("orders/deployment",))
INTERCEPT = Phase("interception", "9.0-d5", air.intercept, ("orders/interception",), when=has_orders(air.INTERCEPTION))
MOVE = Phase("movement", "3.0-movement", movement.move_initially, ("orders/reinforcements", "orders/movement"))
RAIDS = Phase("superiority", "9.0-d4", raids.declare_raids, ("orders/superiority",), when=has_orders(raids.RAIDS))
ATTACKS = partial(plans.any_ordered, rule="7.0", what="attack")
DECLARE = Phase("declaration", "7.0", battles.declare_battles, ("orders/battles",), when=ATTACKS)
REPLY = Phase("answer", "8.0", answers.POLICIES.answer, ("policy",))
FIGHT = Phase("combat", "7.0", combat.resolve_attacks, rolls=True, when=combat.has_waiting_attacks)
MOVE_ON = partial(check_after_combat, keys=[movement.MOTOR])
TAKE_OFF = partial(check_after_combat, keys=[PATROL, INTERDICTION])
MOTOR = Phase("motorized", "3.0-b", movement.move_motorized, ("orders/motorized",), when=MOVE_ON)
FLY = Phase("air", "9.0", air.launch_aircraft, ("orders/patrol", "orders/interdiction"), when=TAKE_OFF)
LAND = Phase("landing", "9.0-d3", air.land_aircraft, when=is_turn_end, announced=False)
STANDING = Phase("standing-answers", "8.0", answers.POLICIES.stand, ("policy",), when=policies.files_policy)
JUDGE = Phase("victory-points", "14.0", victory.end_game, when=is_game_end, sided=False)  # S-63: before take-off
NEXT = Phase("game-turn", "2.0-c", next_turn, when=is_game_turn_end, announced=False)
BEFORE = (INTERCEPT, MOVE, RAIDS, DECLARE)
AFTER, LAST = (MOTOR, FLY, LAND), (MOTOR, JUDGE, FLY, LAND, NEXT)


def _make_turn(side: str, *, last: bool) -> list[Stage]:
    """2.0-a, 2.0-b: return the stages of a player turn; the ``last`` player turn ends the game turn."""
    foe = ENEMY[side]
    orders, reply, dice, after = (
        key.format(who) for key, who in ((setup.ORDERS, side), (ANSWER_OF, side), (DICE_OF, side), (setup.ORDERS, foe))
    )
    then, ends, rear = ((), (after,), LAST) if last else ((after,), (), AFTER)
    name, first = side.capitalize(), (*BEFORE, *rear)
    rest = f"{name} motorized movement, patrols and interdiction"
    split = Split(f"dice and results of the {name} attacks", rest, always=True)
    return [
        Stage(orders, "2.0-phases", side, (), first, f"{name} movement and attacks", (reply, *then), ends),
        Stage(reply, "2.0-phases", foe, (), (REPLY,), f"answer to the {name} attacks", (dice,), kind=ANSWER),
        Stage(dice, "2.0-phases", side, (FIGHT,), rear, f"dice, results, {rest}", then, ends, DICE, split=split),
    ]


def _make_set_up(order: tuple[str, ...]) -> list[Stage]:
    """12.0: return the stages of free deployment; the second set-up includes the first player turn."""
    if not order:
        return []
    one, other = order
    first, second = setup.SET_UP.format(one), setup.SET_UP.format(other)
    then = ANSWER_OF.format(other), setup.ORDERS.format(one)
    brings = f"the {other.capitalize()} set-up, movement and attacks"
    return [
        Stage(first, "12.0", one, (), (DEPLOY,), f"the {one.capitalize()} set-up", (second,)),
        Stage(second, "2.0-phases", other, (), (DEPLOY, *BEFORE, *AFTER), brings, then),
    ]


@cache
def _make_table(first: str, order: tuple[str, ...]) -> tuple[Mapping[str, Stage], Mapping[str, Stage]]:
    over = Stage(OVER, "3.0", "", (), (), "nothing: the game is over")
    return split_stages(
        [*_make_set_up(order), *_make_turn(first, last=False), *_make_turn(ENEMY[first], last=True), over], STANDING
    )


def list_stages(setting: Setting) -> Mapping[str, Stage]:
    """Return the stages of a game by key."""
    return _make_table(setting.first, setting.deployment)[setting.refereed]


def find_next_stage(umpire: Umpire[Setting], filing: Filing, stage: str) -> str:
    """2.0-phases: return the stage after ``stage``. '' means the first stage that the table allows."""
    setting = umpire.setting
    side = next(side for side in setting.sides if stage.startswith(side))
    if stage == ANSWER_OF.format(side) or (setting.deployment and stage == setup.SET_UP.format(setting.deployment[0])):
        return ""
    return ANSWER_OF.format(side) if combat.has_waiting_attacks(umpire, filing) else setup.ORDERS.format(ENEMY[side])


def is_quiet(setting: Setting, state: State) -> bool:
    """S-58: return whether an answer leaves no choice: without ground attacks, and without patrols to share."""
    if list_stages(setting)[state.stage].kind != ANSWER:
        return False
    pos, agenda = position(setting, state), state.agenda
    shared = any(
        pos.list_aircraft(PATROL, pos.side(raid.base), pos.where[raid.base]) for raid in raids.list_raids(agenda)
    )
    return not shared and not battles.list_battles(setting, agenda)


def check_seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """7.0, S-59: refuse sealed plans, except in the message that declares the attacks."""
    declares = bool(filing.order(BATTLES)) and not umpire.setting.refereed
    if not umpire.violations:  # the violations are reported first
        umpire.seals(filing, "7.0", {plans.label(filing.seq)} if declares else ())
