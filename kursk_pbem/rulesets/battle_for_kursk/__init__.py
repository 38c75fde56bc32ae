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

from pathlib import Path

from kursk_pbem.kernel.events import Advanced, PhaseBegan, Scheduled
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import Phase, Ruleset, Run, Stage
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import (
    chances,
    check,
    combat,
    declare,
    drafting,
    hints,
    mapview,
    movement,
    outlook,
    posture,
    replacements,
    resume,
    setting,
    setup,
    victory,
)
from kursk_pbem.rulesets.battle_for_kursk.entry import OVER
from kursk_pbem.rulesets.battle_for_kursk.position import invariants, position
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, RUSSIAN, SIDES, Kursk

VERSION = 1
PARAGRAPH = {"armor-and-rail": "8.1", "movement": "8.0"}  # phases that announce themselves here

WAIT = "orders come after the Russian posture is shown; 'waive: posture' goes on without it"


def performs(umpire: Umpire[Kursk], side: str, phase: str) -> bool:
    """12.0 (4): whether the posture of a side includes a phase."""
    chosen = umpire.state.mark(side, "posture")
    return bool(chosen) and phase in umpire.setting.phases[chosen]


def may_order(umpire: Umpire[Kursk]) -> bool:
    """Whether the writer of a ``posture`` message goes on with his orders (K-81); elsewhere always."""
    return umpire.state.stage != "posture" or "waived" in umpire.state.agenda


def when_active(key: str, run: Run, *fields: str) -> Run:
    """12.0 (4), K-2: run a phase only where the posture includes it; orders for any other are refused."""

    def guarded(umpire: Umpire[Kursk], filing: Filing) -> None:
        side = filing.writer
        given = [name for name in fields if filing.order(name)]
        if key == "movement" and "battles" in umpire.state.agenda:
            for name in given:
                why = "movement follows the dice of the battles declared: it is ordered in your next message"
                umpire.refuse("9.0", why, name, ("orders", name))
        elif not may_order(umpire):
            for name in given:
                umpire.refuse("12.0-2", WAIT, name, ("orders", name))
        elif not performs(umpire, side, key):
            chosen = umpire.state.mark(side, "posture")
            for name in given:
                why = f"the posture {chosen} has no such phase" if chosen else "no posture has been chosen to allow it"
                umpire.refuse("12.0-4", why, name, ("orders", name))
        else:
            if key in PARAGRAPH:
                umpire.emit(PhaseBegan(PARAGRAPH[key], key, side, umpire.state.turn))
            run(umpire, filing)

    return guarded


def objective(umpire: Umpire[Kursk], filing: Filing) -> None:
    """12.1, 12.1-russian: the objective moves with the orders of the player turn, and not before them."""
    if may_order(umpire):
        posture.objective(umpire, filing)
    elif filing.order("objective"):
        umpire.refuse("12.0-2", WAIT, "objective", ("orders", "objective"))


def housekeeping(umpire: Umpire[Kursk], filing: Filing) -> None:
    """4.0 Phase 10: the next turn begins, or the points are counted (5.0); not while battles are ordered."""
    if "battles" in umpire.state.agenda or filing.order("battles"):
        return
    turns = umpire.setting.turns
    number = turns.index(umpire.state.turn)
    if number + 1 == len(turns):
        victory.reckon(umpire)
    umpire.emit(Advanced("4.0-phase-10", turns[number + 1], umpire.state.side, umpire.state.stage))
    posture.begin_turn(umpire)


def advance(umpire: Umpire[Kursk], filing: Filing) -> None:
    """Who writes next, and what (K-79). Also refuses a seal that nothing here calls for."""
    state = umpire.state
    _check_seals(umpire, filing)
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


def _check_seals(umpire: Umpire[Kursk], filing: Filing) -> None:
    state, fighting = umpire.state, "battles" in umpire.state.agenda
    expected = {posture.label(state.turn)} if posture.posture_due(state) else set()
    plans = fighting and not state.stage.endswith(("-answer", "-decision"))  # an answer has no plans to seal
    if plans or (state.stage == OVER and filing.order("battles")):  # battles that the end of the game came before
        expected.add(f"plans/{filing.seq}")
    refused = bool(not fighting and filing.order("battles") and umpire.violations)  # that is enough to be told
    for label in filing.secret:
        if label in expected or refused:
            continue
        why = "nothing of this name is to be sealed now"
        if fighting and label.startswith("posture/"):
            why = "with battles declared the next posture is sealed after their dice, in your next message: delete it"
        umpire.refuse("12.0-2", why, label, ("seal" if label in filing.sealed else "secret", label))


def quiet(kursk: Kursk, state: State) -> bool:
    """Whether the message that ``state`` (after its duties) calls for leaves its writer nothing to choose.

    A pure reveal, the binding message, an opening with nothing to seal yet, an answer to battles in which no right
    can matter (K-54, K-55).
    """
    if state.stage in ("german-answer", "russian-answer"):
        pos = position(kursk, state)
        return not any(chances.rights(pos, battle) for battle in combat.declared(kursk, state.agenda))
    if state.stage == "opening":
        return not kursk.distribution and posture.weather_due(state)
    if state.stage == "resumed":
        return posture.weather_due(state)
    return not STAGES[state.stage].phases


ORDERS = (
    Phase("objective", "12.1", objective, ("orders/objective",)),
    Phase(  # 4.0 Phase 2, 4.0 Phase 6
        "replacement",
        "10.0",
        when_active("replacement", replacements.replacement, "returns", "replacements", "give-ups"),
        ("orders/returns", "orders/replacements", "orders/give-ups"),
    ),
    Phase(  # 4.0 Phase 3, 4.0 Phase 7
        "armor-and-rail",
        "8.1",
        when_active("armor-and-rail", movement.armor_and_rail, "armor-and-rail"),
        ("orders/armor-and-rail",),
    ),
    # 4.0 Phase 4, 4.0 Phase 8
    Phase("combat", "9.0", when_active("combat", declare.declare, "battles"), ("orders/battles",)),
)
PLAN_AGAIN = Phase("declaration", "9.0-battle-commitment", combat.plan_again)
# 4.0 Phase 5, 4.0 Phase 9
MOVEMENT = Phase("movement", "8.0", when_active("movement", movement.movement, "movement"), ("orders/movement",))
POSTURE = Phase("posture", "12.0", posture.choose, ("choice", "waive"))
OPEN_POSTURE = Phase("posture", "12.0", posture.choose, ("choice",))
REVEAL = Phase("reveal", "12.0", posture.reveal)
WEATHER = Phase("weather", "11.3", posture.weather, rolls=True)
DICE = Phase("combat", "9.0", combat.resolve, rolls=True)
ANSWER = Phase("answer", "9.3-stand-fast", combat.answer, ("policy",))
DECISION = Phase("decision", "9.3-stand-fast", combat.decide, ("decisions",))
DISTRIBUTION = Phase("distribution", "6.0-short-scenario", setup.distribution, ("orders/distribution",))
HOUSEKEEPING = Phase("housekeeping", "4.0-phase-10", housekeeping)
SEAL = Phase("posture", "12.0-2", posture.seal)

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

RULESET = Ruleset(
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
