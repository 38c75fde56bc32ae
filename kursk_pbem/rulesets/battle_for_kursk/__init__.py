"""Battle for Kursk: the sequence of play (4.0), and which message holds what.

================  =======  ===============================================================================
stage             writer   message holds
================  =======  ===============================================================================
opening           Russian  short scenario: the distribution (6.0); seals the posture of the first turn
posture           German   posture in the clear; with ``waive: posture`` also what ``german-orders`` holds
reveal            Russian  (not waived) shows his posture
german-orders     German   objective, replacements, armor and rail, battles; without battles also movement
german-answer     Russian  (waived) shows his posture; answers the battles
german-dice       German   dice and results; movement
russian-orders    Russian  (waived, no battles) shows his posture; as german-orders; without battles also
                           housekeeping and the sealed posture of the next turn
russian-answer    German   answers the battles
russian-dice      Russian  dice and results; movement; housekeeping; seals the posture of the next turn
over              -        the game has ended
================  =======  ===============================================================================

With the option ``weather: die`` (11.3) a turn that has a weather die begins otherwise:

================  =======  ===============================================================================
weather           German   the weather die; seals his posture
weather-answer    Russian  his posture in the clear; the German shows his with ``german-orders``
first-binding     German   first turn of the game: nothing; no die may fall before message 3
first-weather     Russian  first turn of the game: the weather die; seals his posture; ``posture`` follows
================  =======  ===============================================================================

Where a referee rolls the dice the messages are those of ``refereed``.

With the option ``uncovered: ask`` dice stop at a decision that no answer covers (K-75):

================  =======  ===============================================================================
german-decision   Russian  takes the decision; then ``german-dice`` again, with new plans sealed before it
russian-decision  German   takes the decision; then ``russian-dice`` again
================  =======  ===============================================================================

A game that goes on from an agreed position may begin with another message (``resume``):

================  =======  ===============================================================================
resumed           Russian  seals his posture anew; nothing where the weather die is due
================  =======  ===============================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.kernel.events import Advanced, Scheduled
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE, Ruleset, Stage
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import (
    chances,
    check,
    combat,
    drafting,
    hints,
    mapview,
    outlook,
    posture,
    refereed,
    resume,
    setting,
    setup,
    victory,
)
from kursk_pbem.rulesets.battle_for_kursk.entry import OVER
from kursk_pbem.rulesets.battle_for_kursk.position import invariants, position
from kursk_pbem.rulesets.battle_for_kursk.sequence import (
    ANSWER,
    DECISION,
    DICE,
    DISTRIBUTION,
    HOUSEKEEPING,
    MOVEMENT,
    OPEN_POSTURE,
    ORDERS,
    PLAN_AGAIN,
    POSTURE,
    REVEAL,
    SEAL,
    WEATHER,
    check_seals,
)
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, RUSSIAN, SIDES, Setting

VERSION = 1


def advance(umpire: Umpire[Setting], filing: Filing) -> None:
    """Who writes next, and what (K-79). Also refuses a seal that nothing here calls for."""
    state = umpire.state
    check_seals(umpire, filing)
    if state.stage == OVER:
        return
    fighting = "battles" in state.agenda
    weather = posture.weather_due(state)
    match state.stage:
        case "opening" | "resumed":
            stage = "first-binding" if weather else "posture"
        case "russian-orders" if weather and filing.seq == resume.FIRST:
            stage = "first-binding"  # no die may fall in message 2
        case "posture" if "waived" not in state.agenda:
            stage = "reveal"
        case "posture" | "german-orders":
            stage = "german-answer" if fighting else "russian-orders"
        case "german-dice":
            stage = "german-decision" if fighting else "russian-orders"
        case "russian-orders" if fighting:
            stage = "russian-answer"
        case "russian-dice" if fighting:
            stage = "russian-decision"
        case "russian-orders" | "russian-dice":
            stage = "weather" if weather else "posture"
        case only:
            (stage,) = STAGES[only].then
    if "waived" in state.agenda:
        umpire.emit(Scheduled("12.0-2", "waived", None))
    umpire.emit(Advanced("4.0", state.turn, STAGES[stage].writer, stage))


def quiet(setting: Setting, state: State) -> bool:
    """Whether the message that ``state`` (after its duties) calls for leaves its writer nothing to choose.

    A pure reveal, the binding message, an opening with nothing to seal yet, an answer to battles in which no right
    can matter (K-54, K-55).
    """
    if state.stage in ("german-answer", "russian-answer"):
        pos = position(setting, state)
        return not any(chances.rights(pos, battle) for battle in combat.declared(setting, state.agenda))
    if state.stage == "opening":
        return not setting.distribution and posture.weather_due(state)
    if state.stage == "resumed":
        return posture.weather_due(state)
    return not STAGES[state.stage].phases


_STAGES = (
    Stage(
        "opening", "4.0", RUSSIAN, (), (DISTRIBUTION, SEAL), "set-up and sealed posture", ("posture", "first-binding")
    ),
    Stage("resumed", "12.0-2", RUSSIAN, (), (SEAL,), "the posture, sealed anew", ("posture", "first-binding")),
    Stage("first-binding", "4.0", GERMAN, (), (), "nothing, but it binds the game", ("first-weather",)),
    Stage("first-weather", "11.3", RUSSIAN, (WEATHER,), (SEAL,), "the weather die and a sealed posture", ("posture",)),
    Stage("weather", "11.3", GERMAN, (WEATHER,), (SEAL,), "the weather die and a sealed posture", ("weather-answer",)),
    Stage("weather-answer", "12.0", RUSSIAN, (), (OPEN_POSTURE,), "posture in the clear", ("german-orders",)),
    Stage(
        "posture", "4.0", GERMAN, (), (POSTURE, *ORDERS, MOVEMENT), "posture; orders too if the reveal is waived",
        ("reveal", "german-answer", "russian-orders"),
    ),
    Stage("reveal", "4.0", RUSSIAN, (REVEAL,), (), "the sealed posture is shown", ("german-orders",)),
    Stage(
        "german-orders", "4.0", GERMAN, (REVEAL,), (*ORDERS, MOVEMENT), "orders of the German player turn",
        ("german-answer", "russian-orders"),
    ),
    Stage("german-answer", "4.0", RUSSIAN, (REVEAL,), (ANSWER,), "answer to the German battles", ("german-dice",)),
    Stage(
        "german-dice", "4.0", GERMAN, (DICE,), (PLAN_AGAIN, MOVEMENT), "dice, results, German movement",
        ("russian-orders", "german-decision"),
    ),
    Stage("german-decision", "4.0", RUSSIAN, (), (DECISION,), "a decision between dice", ("german-dice",)),
    Stage(
        "russian-orders", "4.0", RUSSIAN, (REVEAL,), (*ORDERS, MOVEMENT, HOUSEKEEPING, SEAL),
        "orders of the Russian player turn", ("russian-answer",), ("posture", "weather"),
    ),
    Stage("russian-answer", "4.0", GERMAN, (), (ANSWER,), "answer to the Russian battles", ("russian-dice",)),
    Stage(
        "russian-dice", "4.0", RUSSIAN, (DICE,), (PLAN_AGAIN, MOVEMENT, HOUSEKEEPING, SEAL),
        "dice, results, Russian movement, sealed posture of the next turn",
        ("russian-decision",), ("posture", "weather"),
    ),
    Stage("russian-decision", "4.0", GERMAN, (), (DECISION,), "a decision between dice", ("russian-dice",)),
    Stage(OVER, "5.0", "", (), (), "nothing: the game is over"),
)  # fmt: skip


STAGES = {stage.key: stage for stage in _STAGES}


def _load_refereed(scenario: Scenario, options: Mapping[str, str]) -> Setting:
    return replace(setting.load(scenario, options), refereed=True)


def _seal_nothing(orders: Mapping[str, Any], _seq: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """K-87: plans are open where the dice follow at once."""
    return dict(orders), {}


_WITH_PLAYERS_DICE = Ruleset(
    id="battle-for-kursk",
    title="Battle for Kursk",
    version=VERSION,
    sides=SIDES,
    proposer=GERMAN,
    schema="battle-for-kursk",
    rulebook=Path(__file__).with_name("rulebook.yaml"),
    stages=STAGES,
    over=OVER,
    options=setting.OPTIONS,
    load=setting.load,
    setup=setup.setup,
    resume=resume.resume,
    advance=advance,
    seal=drafting.seal,
    guesses=posture.guesses,
    hints=hints.hints,
    quiet=quiet,
    verdict=victory.verdict,
    standing=drafting.standing,
    invariants=invariants,
    names=drafting.NamesOf,
    map_cells=mapview.cells,
    legend=mapview.LEGEND,
    odds=chances.odds,
    outlook=outlook.outlook,
    scenario_schema="battle-for-kursk-scenario",
    check=check.check,
)

RULESET = replace(
    _WITH_PLAYERS_DICE,
    refereed=replace(
        _WITH_PLAYERS_DICE,
        proposer=REFEREE,
        stages=refereed.STAGES,
        load=_load_refereed,
        advance=refereed.advance,
        seal=_seal_nothing,
        quiet=refereed.quiet,
    ),
)
