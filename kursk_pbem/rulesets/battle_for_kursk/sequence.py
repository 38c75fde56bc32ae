"""The sequence of play (4.0): phases, the messages with the phases, and the order of messages.

Both dice modes use one table. For a referee, the kernel derives the messages (``kernel.refereed``): a stage with dice
is split, answers are not awaited, and any message can contain standing answers (K-87, K-88). Only the weather die
(11.3) needs separate rows for every mode (K-64, K-89).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from kursk_pbem.kernel.events import Scheduled
from kursk_pbem.kernel.hexes import plans, policies
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.refereed import FIRST, split_stages
from kursk_pbem.kernel.ruleset import (
    ANSWER,
    DECISION,
    DICE,
    ORDERS,
    PLAYERS,
    REFEREE,
    SEAL,
    Phase,
    Run,
    Split,
    Stage,
    When,
    is_waiting,
)
from kursk_pbem.kernel.state import OVER, PENDING, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import (
    answers,
    battles,
    combat,
    movement,
    posture,
    replacements,
    setup,
    victory,
)
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, RUSSIAN, Setting

WAIT, WAIVE = "orders come after the Russian posture is shown", "the order 'waive' allows orders now"
NAMED = {"armor-and-rail": "moves before combat", "movement": "moves after combat", "battles": "attacks"}
"""Lists of orders as players say them."""
AFTER_DICE = "movement follows the dice of the declared battles: order movement in your next message"


def has_phase(setting: Setting, state: State, side: str, phase: str) -> bool:
    """12.0 (4): return whether the posture of a side includes a phase."""
    chosen = state.mark(side, "posture")
    return bool(chosen) and phase in setting.phases[chosen]


def may_order(umpire: Umpire[Setting]) -> bool:
    """Return whether the writer of a ``posture`` message also gives orders (K-81). Other messages return True."""
    return umpire.state.stage != "posture" or "waived" in umpire.state.agenda


def explain_wait(umpire: Umpire[Setting]) -> str:
    """12.0-2, 12.0-3: return why orders must wait, and the remedy. A chosen reaction always makes orders wait."""
    return WAIT if f"reaction-{GERMAN}" in umpire.state.agenda else f"{WAIT}; {WAIVE}"


def when_active(key: str, *fields: str) -> When:
    """12.0 (4), K-2: return a function: does the posture include the phase? If not, orders for it are refused."""

    def active(umpire: Umpire[Setting], filing: Filing) -> bool:
        given = [name for name in fields if filing.order(name)]
        rule = why = ""
        if key == "movement" and BATTLES in umpire.state.agenda:
            rule, why = "9.0", AFTER_DICE
        elif not may_order(umpire):
            rule, why = "12.0-2", explain_wait(umpire)
        elif not has_phase(umpire.setting, umpire.state, filing.writer, key):
            chosen = umpire.state.mark(filing.writer, "posture")
            rule, why = "12.0-4", "no posture has been chosen yet"
            why = f"the posture {chosen} does not include the phase" if chosen else why
        for name in given if rule else ():
            umpire.refuse(rule, why, NAMED.get(name, name), ("orders", name))
        return not rule

    return active


def declares_battles(umpire: Umpire[Setting], filing: Filing) -> bool:
    """9.0: return whether a message declares battles. Plans without battles are refused."""
    return _COMBAT(umpire, filing) and plans.any_ordered(umpire, filing, "9.0", "battle")


_COMBAT = when_active("combat", "battles")


def may_move_objective(umpire: Umpire[Setting], filing: Filing) -> bool:
    """12.1, 12.1-russian: return whether the writer may move the objective now. An order too early is refused."""
    if not may_order(umpire) and filing.order("objective"):
        umpire.refuse("12.0-2", explain_wait(umpire), "the Strategic Objective", ("orders", "objective"))
    return may_order(umpire)


def turn_ends(umpire: Umpire[Setting], filing: Filing) -> bool:
    """4.0 Phase 10: return whether a message ends the turn. Declared battles delay the end."""
    return BATTLES not in umpire.state.agenda and not filing.order("battles")


def last_turn_ends(umpire: Umpire[Setting], filing: Filing) -> bool:
    """5.0: return whether a message ends the game."""
    return turn_ends(umpire, filing) and umpire.state.turn == umpire.setting.turns[-1]


def begin_next_turn(umpire: Umpire[Setting], _filing: Filing) -> None:
    """4.0 Phase 10: begin the next turn."""
    umpire.next_turn("4.0-phase-10", umpire.setting.turns)


def _make_phase(key: str, rule: str, run: Run, *reads: str, when: When | None = None) -> Phase:
    """Return a phase for orders of the player turn under ``orders:``."""
    fields = tuple(f"orders/{name}" for name in reads)
    return Phase(key, rule, run, fields, when=when or when_active(key, *reads))


PLAYER_TURN = (
    Phase("objective", "12.1", posture.move_objective, ("orders/objective",), when=may_move_objective, announced=False),
    # 4.0 Phase 2, 4.0 Phase 6
    _make_phase("replacement", "10.0", replacements.perform_replacement, "returns", "replacements", "give-ups"),
    _make_phase("armor-and-rail", "8.1", movement.armor_and_rail, "armor-and-rail"),  # 4.0 Phase 3, 4.0 Phase 7
    _make_phase("declaration", "9.0", battles.declare, "battles", when=declares_battles),  # 4.0 Phase 4, 4.0 Phase 8
)
MOVEMENT = _make_phase("movement", "8.0", movement.perform_movement, "movement")  # 4.0 Phase 5, 4.0 Phase 9
TURN_END = (
    Phase("victory", "5.0", victory.reckon, when=last_turn_ends, sided=False),
    Phase("housekeeping", "4.0-phase-10", begin_next_turn, when=turn_ends, announced=False),
    Phase("turn", "4.0-phase-1", posture.begin_turn, when=turn_ends, sided=False),
)
POSTURE = Phase("posture", "12.0", posture.choose, ("choice", "waive"))
OPEN_POSTURE = Phase("posture", "12.0", posture.choose, ("choice",))
SEALED = Phase("seal", "12.0-2", posture.seal, announced=False)
SHOWN = Phase("posture", "12.0", posture.reveal, when=posture.is_shown)
# an earlier offer from this position may have rolled the weather die
WEATHER = Phase("weather", "11.3", posture.roll_weather, rolls=True, when=is_waiting(posture.WEATHER), sided=False)
FIGHT = Phase("combat", "9.0", combat.resolve, rolls=True, when=is_waiting(BATTLES))
PLANS = Phase("plans", "9.0-battle-commitment", battles.plan_again, when=is_waiting(PENDING), announced=False)
ANSWERS = Phase("answer", "9.3-stand-fast", answers.POLICIES.answer, ("policy",))
DECIDES = Phase("answer", "9.3-stand-fast", battles.decide, ("decisions",))
STANDING = Phase("policy", "9.3-stand-fast", answers.POLICIES.stand, ("policy",), when=policies.files_policy)
SHARE_OUT = Phase("distribution", "6.0-short-scenario", setup.share, ("orders/distribution",), when=setup.may_share)

NEXT = ("posture", "weather", "weather-die", "first-binding")
AFTER_SEAL = ("posture", "first-binding")

_BRINGS = {
    "opening": "set-up, perhaps with a sealed posture",
    "resumed": "the sealed posture if due",
    "first-binding": "no orders, but it binds the game",
    "first-weather": "the weather die and a sealed posture",
    "weather": "the weather die and a sealed posture",
    "weather-answer": "posture in the clear",
    "weather-die": "the weather die",
    "posture": "posture, with orders or without",
    "reveal": "the sealed posture is shown",
    "german-orders": "orders of the German player turn",
    "german-answer": "answer to the German battles",
    "german-dice": "dice, results, German movement",
    "german-decision": "a decision between dice",
    "russian-orders": "orders of the Russian player turn",
    "russian-answer": "answer to the Russian battles",
    "russian-dice": "dice, results, Russian movement; the sealed posture if a turn follows",
    "russian-decision": "a decision between dice",
    OVER: "nothing: the game is over",
}
"""Stage -> content of the message in a few words."""
_GERMAN_DICE = Split("dice and results of the German battles", "German movement after the dice")
_RUSSIAN_REST = "Russian movement after the dice; the sealed posture if a turn follows"
_RUSSIAN_DICE = Split("dice and results of the Russian battles", _RUSSIAN_REST, always=True)
_WEATHER_DICE = Split("the weather die", "a sealed posture")


Phases = tuple[Phase, ...]


def _stage(key: str, writer: str, duties: Phases, phases: Phases, *then: str, rule: str = "4.0", **more: Any) -> Stage:
    """Return a row of the table; ``then``: the next stages."""
    return Stage(key, rule, writer, duties, phases, _BRINGS[key], then, **more)


_TURN, _END = (*PLAYER_TURN, MOVEMENT), (*TURN_END, SEALED)
_german_dice = partial(_stage, kind=DICE, split=_GERMAN_DICE)
_russian_dice = partial(_stage, kind=DICE, split=_RUSSIAN_DICE)
_weather = partial(_stage, rule="12.0", kind=DICE, mode=PLAYERS, split=_WEATHER_DICE)
_TABLE = (
    _stage("opening", RUSSIAN, (), (SHARE_OUT, SEALED), *AFTER_SEAL, kind=SEAL),
    _stage("resumed", RUSSIAN, (), (SEALED,), *AFTER_SEAL, rule="12.0-2", kind=SEAL),
    _stage("first-binding", GERMAN, (), (), "first-weather", "weather-die"),
    _weather("first-weather", RUSSIAN, (WEATHER,), (SEALED,), "posture"),
    _weather("weather", GERMAN, (WEATHER,), (SEALED,), "weather-answer"),
    _stage("weather-answer", RUSSIAN, (), (OPEN_POSTURE,), "german-orders", rule="12.0", mode=PLAYERS),
    _stage("weather-die", REFEREE, (WEATHER,), (), "resumed", rule="11.3", kind=DICE, mode=REFEREE, side=RUSSIAN),
    _stage("posture", GERMAN, (), (POSTURE, *_TURN), "reveal", "german-answer", "russian-orders"),
    _stage("reveal", RUSSIAN, (SHOWN,), (), "german-orders"),
    _stage("german-orders", GERMAN, (SHOWN,), _TURN, "german-answer", "russian-orders"),
    _stage("german-answer", RUSSIAN, (SHOWN,), (ANSWERS,), "german-dice", kind=ANSWER),
    _german_dice("german-dice", GERMAN, (FIGHT,), (PLANS, MOVEMENT), "russian-orders", "german-decision"),
    _stage("german-decision", RUSSIAN, (SHOWN,), (DECIDES,), "german-dice", kind=DECISION),
    _stage("russian-orders", RUSSIAN, (SHOWN,), (*_TURN, *_END), "russian-answer", ends=NEXT),
    _stage("russian-answer", GERMAN, (), (ANSWERS,), "russian-dice", kind=ANSWER),
    _russian_dice("russian-dice", RUSSIAN, (FIGHT,), (PLANS, MOVEMENT, *_END), "russian-decision", ends=NEXT),
    _stage("russian-decision", GERMAN, (), (DECIDES,), "russian-dice", kind=DECISION),
    _stage(OVER, "", (), (), rule="5.0"),
)

STAGES, REFEREED = split_stages(_TABLE, STANDING)


def list_stages(setting: Setting) -> Mapping[str, Stage]:
    """Return the table of stages for the way in which a game rolls its dice."""
    return REFEREED if setting.refereed else STAGES


def find_next_stage(umpire: Umpire[Setting], filing: Filing, stage: str) -> str:
    """K-79, K-88: return the stage after a message. ``stage``: its stage, '' for the start of the table."""
    waived, fighting = "waived" in umpire.state.agenda, BATTLES in umpire.state.agenda
    if waived:
        umpire.emit(Scheduled("12.0-2", "waived", None))
    match stage:
        case "posture" if not waived:
            return "reveal"
        case "posture" | "german-orders":
            return "german-answer" if fighting else "russian-orders"
        case "german-dice":
            return "german-decision" if fighting else "russian-orders"
        case "russian-orders" if fighting:
            return "russian-answer"
        case "russian-dice" if fighting:
            return "russian-decision"
        case "opening" | "resumed" | "russian-orders" | "russian-dice":
            if not posture.weather_due(umpire.state):
                return "posture"
            # no die may be rolled before both sides accepted
            if filing.seq == FIRST or stage in ("opening", "resumed"):
                return "first-binding"
            return "weather-die" if umpire.setting.refereed else "weather"
        case _:
            return ""


def check_seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """12.0 (2), K-73: refuse every sealed value except a posture that is due, and plans of declared battles."""
    state, fighting = umpire.state, BATTLES in umpire.state.agenda
    expected = {posture.label(state.turn)} if posture.posture_due(state) else set()
    planned = fighting and list_stages(umpire.setting)[state.stage].kind in (ORDERS, DICE)
    if state.stage == OVER and filing.order("battles"):  # battles that the end of the game prevented
        planned = True
    if planned and not umpire.setting.refereed:
        expected.add(plans.label(filing.seq))
    if not fighting and filing.order("battles") and umpire.violations:  # the other violations are enough
        return
    for label in filing.secret if fighting else ():
        if label.startswith("posture/"):
            why = "with battles declared you seal the next posture after their dice, in your next message: delete it"
            umpire.refuse(
                "12.0-2", why, posture.say_label(label), ("seal" if label in filing.sealed else "secret", label)
            )
            expected.add(label)
    umpire.seals(filing, "12.0-2", expected)


def is_quiet(setting: Setting, state: State) -> bool:
    """Return whether a message has fields for choices, but leaves its writer no choice.

    Examples: an opening without a posture to seal; an answer for defenders without options (K-54, K-55).
    """
    if list_stages(setting)[state.stage].kind == ANSWER:
        pos = position(setting, state)
        return not any(combat.list_rights(pos, battle) for battle in combat.list_declared(setting, state.agenda))
    if state.stage in ("opening", "resumed"):
        return posture.weather_due(state) and not (state.stage == "opening" and setting.distribution)
    return False
