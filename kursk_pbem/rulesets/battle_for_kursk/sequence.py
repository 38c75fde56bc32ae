"""The parts of which a sequence of play (4.0) is made: its phases, and what each of them asks for.

Which message holds which of them is said in ``__init__`` for games with the players' dice, in ``refereed`` for those in
which a referee rolls.
"""

from __future__ import annotations

from kursk_pbem.kernel.events import Advanced, PhaseBegan
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import Phase, Run
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import combat, declare, movement, posture, replacements, setup, victory
from kursk_pbem.rulesets.battle_for_kursk.entry import OVER
from kursk_pbem.rulesets.battle_for_kursk.setting import Setting

PARAGRAPH = {"armor-and-rail": "8.1", "movement": "8.0"}  # phases that announce themselves here

WAIT = "orders come after the Russian posture is shown; 'waive: posture' goes on without it"


def performs(umpire: Umpire[Setting], side: str, phase: str) -> bool:
    """12.0 (4): whether the posture of a side includes a phase."""
    chosen = umpire.state.mark(side, "posture")
    return bool(chosen) and phase in umpire.setting.phases[chosen]


def may_order(umpire: Umpire[Setting]) -> bool:
    """Whether the writer of a ``posture`` message goes on with his orders (K-81); elsewhere always."""
    return umpire.state.stage != "posture" or "waived" in umpire.state.agenda


def when_active(key: str, run: Run, *fields: str) -> Run:
    """12.0 (4), K-2: run a phase only where the posture includes it; orders for any other are refused."""

    def guarded(umpire: Umpire[Setting], filing: Filing) -> None:
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


def objective(umpire: Umpire[Setting], filing: Filing) -> None:
    """12.1, 12.1-russian: the objective moves with the orders of the player turn, and not before them."""
    if may_order(umpire):
        posture.objective(umpire, filing)
    elif filing.order("objective"):
        umpire.refuse("12.0-2", WAIT, "objective", ("orders", "objective"))


def housekeeping(umpire: Umpire[Setting], filing: Filing) -> None:
    """4.0 Phase 10: the next turn begins, or the points are counted (5.0); not while battles are ordered."""
    if "battles" in umpire.state.agenda or filing.order("battles"):
        return
    turns = umpire.setting.turns
    number = turns.index(umpire.state.turn)
    if number + 1 == len(turns):
        victory.reckon(umpire)
    umpire.emit(Advanced("4.0-phase-10", turns[number + 1], umpire.state.side, umpire.state.stage))
    posture.begin_turn(umpire)


def check_seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """12.0 (2), K-73: refuse a seal that nothing calls for: no posture is due, or there are no plans to seal."""
    state, fighting = umpire.state, "battles" in umpire.state.agenda
    expected = {posture.label(state.turn)} if posture.posture_due(state) else set()
    plans = fighting and not state.stage.endswith(("-answer", "-decision"))  # an answer has no plans to seal
    if state.stage == OVER and filing.order("battles"):  # battles that the end of the game came before
        plans = True
    if plans and not umpire.setting.refereed:
        expected.add(f"plans/{filing.seq}")
    refused = bool(not fighting and filing.order("battles") and umpire.violations)  # that is enough to be told
    for label in filing.secret:
        if label in expected or refused:
            continue
        why = "nothing of this name is to be sealed now"
        if fighting and label.startswith("posture/"):
            why = "with battles declared the next posture is sealed after their dice, in your next message: delete it"
        umpire.refuse("12.0-2", why, label, ("seal" if label in filing.sealed else "secret", label))


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
