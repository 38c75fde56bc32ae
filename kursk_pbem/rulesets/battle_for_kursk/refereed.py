"""Battle for Kursk where a referee rolls the dice: which message holds what (K-87 to K-89).

After each message of a player comes one of the referee: with dice if the stage is his, else it only hands on.

================  =======  ===============================================================================
stage             writer   message holds
================  =======  ===============================================================================
opening           Russian  short scenario: the distribution (6.0); seals the posture of the first turn
posture           German   posture in the clear; with ``waive: posture`` also what ``german-orders`` holds
reveal            Russian  (not waived) shows his posture
german-orders     German   objective, replacements, armor and rail, battles; without battles also movement
german-rolls      referee  dice and results
german-dice       German   movement after the dice, if his posture has any
russian-orders    Russian  (waived) shows his posture; as german-orders; without battles also housekeeping and
                           the sealed posture of the next turn
russian-rolls     referee  dice and results
russian-dice      Russian  movement after the dice; housekeeping; seals the posture of the next turn
weather-die       referee  (11.3) the weather die of the turn that begins; ``resumed`` follows
resumed           Russian  the weather is known, or the game goes on from an agreed position: seals his posture
first-binding     German   accepts; nothing is due before the first weather die
german-decision   Russian  (uncovered: ask) the decision at which the dice stopped; ``german-rolls`` again
russian-decision  German   the same
german-answer     Russian  accepts: battles declared in message 1 wait for message 4
russian-answer    German   the same
over              -        the game has ended
================  =======  ===============================================================================
"""

from __future__ import annotations

from kursk_pbem.kernel.events import Advanced, PhaseBegan, Scheduled
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE, Phase, Stage
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import combat, posture
from kursk_pbem.rulesets.battle_for_kursk.entry import OVER
from kursk_pbem.rulesets.battle_for_kursk.sequence import (
    DECISION,
    DICE,
    DISTRIBUTION,
    HOUSEKEEPING,
    MOVEMENT,
    ORDERS,
    POSTURE,
    REVEAL,
    SEAL,
    WEATHER,
    check_seals,
    performs,
)
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, RUSSIAN, Setting

FIRST = 1  # what is declared here waits until both sides have accepted


def policy(umpire: Umpire[Setting], filing: Filing) -> None:
    """K-73, K-87: the answers of a side to all battles to come, in the open; they hold until others are filed."""
    if not filing.policy:
        return
    umpire.emit(PhaseBegan("9.3-stand-fast", "policy", filing.writer, umpire.state.turn))
    # Not even a battle that is declared: its name may come again, and this still holds.
    combat.check_policy(umpire, filing, frozenset(), "name units, hexes or the whole side: it holds for all battles")
    held = {"seq": str(filing.seq), "policy": dict(filing.policy)}
    umpire.emit(Scheduled("9.3-stand-fast", f"policy-{filing.writer}", held))


def advance(umpire: Umpire[Setting], filing: Filing) -> None:
    """Who writes next, and what (K-88). Also refuses a seal that nothing here calls for."""
    state = umpire.state
    check_seals(umpire, filing)
    if state.stage == OVER:
        return
    stage = _after(umpire, filing)
    if "waived" in state.agenda:
        umpire.emit(Scheduled("12.0-2", "waived", None))
    writer = STAGES[stage].writer
    side = SIDE_OF[stage] if writer == REFEREE else writer
    umpire.emit(Advanced("4.0", state.turn, side, stage))


def _after(umpire: Umpire[Setting], filing: Filing) -> str:
    state = umpire.state
    fighting, early = "battles" in state.agenda, filing.seq == FIRST
    weather = posture.weather_due(state)
    match state.stage:
        case "posture" if "waived" not in state.agenda:
            return "reveal"
        case "posture" | "german-orders" if fighting:
            return "german-answer" if early else "german-rolls"
        case "russian-orders" if fighting:
            return "russian-answer" if early else "russian-rolls"
        case "german-rolls" if fighting:
            return "german-decision"
        case "russian-rolls" if fighting:
            return "russian-decision"
        case "russian-rolls":  # even without movement: housekeeping and the next posture are his
            return "russian-dice"
        case "german-rolls" if performs(umpire, GERMAN, "movement"):
            return "german-dice"
        case "posture" | "german-orders" | "german-rolls":
            return "russian-orders"
        case "opening" | "resumed" | "russian-orders" | "russian-dice":
            if not weather:
                return "posture"
            return "first-binding" if early else "weather-die"
        case only:
            (after,) = STAGES[only].then
            return after


def quiet(setting: Setting, state: State) -> bool:
    """Whether the message that ``state`` calls for leaves its writer nothing to choose but standing answers."""
    if state.stage in ("opening", "resumed"):
        return posture.weather_due(state) and not (state.stage == "opening" and setting.distribution)
    return all(phase is POLICY for phase in STAGES[state.stage].phases)


POLICY = Phase("policy", "9.3-stand-fast", policy, ("policy",))

_STAGES = (  # that an answer follows message 1 is left out: it would be counted among the mails to come of any turn
    Stage(
        "opening", "4.0", RUSSIAN, (), (DISTRIBUTION, SEAL, POLICY), "set-up and sealed posture",
        ("posture", "first-binding"),
    ),
    Stage("resumed", "12.0-2", RUSSIAN, (), (SEAL, POLICY), "the sealed posture", ("posture", "first-binding")),
    Stage("first-binding", "4.0", GERMAN, (), (POLICY,), "nothing, but it accepts the game", ("weather-die",)),
    Stage("weather-die", "11.3", REFEREE, (WEATHER,), (), "the weather die", ("resumed",)),
    Stage(
        "posture", "4.0", GERMAN, (), (POSTURE, *ORDERS, MOVEMENT, POLICY),
        "posture; orders too if the reveal is waived",
        ("reveal", "german-rolls", "russian-orders"),
    ),
    Stage("reveal", "4.0", RUSSIAN, (REVEAL,), (POLICY,), "the sealed posture is shown", ("german-orders",)),
    Stage(
        "german-orders", "4.0", GERMAN, (), (*ORDERS, MOVEMENT, POLICY), "orders of the German player turn",
        ("german-rolls", "russian-orders"),
    ),
    Stage("german-answer", "4.0", RUSSIAN, (REVEAL,), (POLICY,), "nothing, but it accepts the game", ("german-rolls",)),
    Stage(
        "german-rolls", "4.0", REFEREE, (DICE,), (), "dice and results of the German battles",
        ("german-dice", "russian-orders", "german-decision"),
    ),
    Stage(
        "german-decision", "4.0", RUSSIAN, (REVEAL,), (DECISION, POLICY), "a decision between dice", ("german-rolls",)
    ),
    Stage("german-dice", "4.0", GERMAN, (), (MOVEMENT, POLICY), "German movement after the dice", ("russian-orders",)),
    Stage(
        "russian-orders", "4.0", RUSSIAN, (REVEAL,), (*ORDERS, MOVEMENT, HOUSEKEEPING, SEAL, POLICY),
        "orders of the Russian player turn", ("russian-rolls",), ("posture", "weather-die"),
    ),
    Stage("russian-answer", "4.0", GERMAN, (), (POLICY,), "nothing, but it accepts the game", ("russian-rolls",)),
    Stage(
        "russian-rolls", "4.0", REFEREE, (DICE,), (), "dice and results of the Russian battles",
        ("russian-dice", "russian-decision"),
    ),
    Stage("russian-decision", "4.0", GERMAN, (), (DECISION, POLICY), "a decision between dice", ("russian-rolls",)),
    Stage(
        "russian-dice", "4.0", RUSSIAN, (), (MOVEMENT, HOUSEKEEPING, SEAL, POLICY),
        "Russian movement after the dice, sealed posture of the next turn", (), ("posture", "weather-die"),
    ),
    Stage(OVER, "5.0", "", (), (), "nothing: the game is over"),
)  # fmt: skip

STAGES = {stage.key: stage for stage in _STAGES}

SIDE_OF = {"german-rolls": GERMAN, "russian-rolls": RUSSIAN, "weather-die": RUSSIAN}
"""Whose turn it is while the referee writes: who attacks, or who chooses his posture next."""
