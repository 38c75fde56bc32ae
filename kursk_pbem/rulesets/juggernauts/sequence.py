"""19.0 The sequence of play: its phases, the messages with these phases, and the order of messages.

One table serves both dice modes. A player orders Blitzkrieg or Proriv in the message with the dice of the first
attacks; if nothing waits for dice, there is no second step (J-58).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from kursk_pbem.kernel.hexes import policies
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.refereed import split_stages
from kursk_pbem.kernel.ruleset import ANSWER, DICE, ORDERS, SEAL, Phase, Split, Stage, has_orders, is_waiting
from kursk_pbem.kernel.state import DECLARED, OVER, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import air, answers, arrivals, battles, combat, movement, readiness, setup, victory
from kursk_pbem.rulesets.juggernauts.position import position
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, GERMAN, RUSSIAN, Setting


def ends_player_turn(umpire: Umpire[Setting], _filing: Filing) -> bool:
    """19.0: return whether a message ends the player turn, because no dice must be rolled."""
    return DECLARED not in umpire.state.agenda


def begins_turn(umpire: Umpire[Setting], filing: Filing) -> bool:
    """19.1: return whether another turn begins after the current Russian player turn."""
    return ends_player_turn(umpire, filing) and umpire.state.turn != umpire.setting.turns[-1]


def can_replace(umpire: Umpire[Setting], filing: Filing) -> bool:
    """19.1: return whether replacements arrive now, at the end of the turn. Earlier orders for them are refused."""
    if not ends_player_turn(umpire, filing) and filing.order("replacements"):
        why = "come after the end of the turn: give the order in the last message of the turn"
        umpire.refuse("19.1", why, "replacements", ("orders", "replacements"))
    return ends_player_turn(umpire, filing)


def ends_game(umpire: Umpire[Setting], filing: Filing) -> bool:
    """18.0, J-58: return whether a message ends the last turn of the game."""
    return ends_player_turn(umpire, filing) and umpire.state.turn == umpire.setting.turns[-1]


def begin_turn(umpire: Umpire[Setting], _filing: Filing) -> None:
    """19.1: begin the next turn. It brings a replacement factor and reinforcements."""
    umpire.next_turn("19.1", umpire.setting.turns)
    arrivals.bring_reinforcements(umpire)


MOVE = Phase("movement", "13.0", movement.move_units, ("orders/movement",))
STRIKES = Phase("strikes", "20.1", air.declare_strikes, ("orders/aircraft",), when=has_orders("aircraft"))
ATTACKS = Phase("allocation", "3.0", battles.declare_attacks, ("orders/battles",), when=has_orders(BATTLES))
FACING = Phase("unattacked", "19.2-3", readiness.recover_unattacked, sided=False)  # J-13: only in the first step
ENTRENCH = Phase("entrenchment", "15.1", readiness.entrench, announced=False)
WEDGES = Phase("wedges", "14.1", readiness.form_wedges, ("orders/panzerkeil",), announced=False)
GUNS = Phase("guns", "14.2", readiness.set_artillery, ("orders/emplace", "orders/road"), announced=False)
ANSWERS = Phase("answer", "6.0", answers.POLICIES.answer, ("policy",))
PANTHERS = Phase("panthers", "14.4", movement.roll_panthers, rolls=True, when=is_waiting(movement.PATHS))
BOMBS = Phase("bombs", "20.1", air.resolve_strikes, rolls=True, when=is_waiting(air.STRIKES))
FIGHT = Phase("combat", "2.0", combat.resolve_attacks, rolls=True, when=is_waiting(BATTLES))
# the dice of a message count as rolled after the last die
SETTLE = Phase("cleared", "2.0", combat.clear_agenda, rolls=True, when=is_waiting(DECLARED), announced=False)
FILED = Phase("policy", "6.0", answers.POLICIES.stand, ("policy",), when=policies.files_policy)
GERMAN_END = (
    Phase("russian-victory", "19.2-6", victory.check_victory, when=ends_player_turn, announced=False),
    Phase("german-supply", "19.2-7", readiness.report_supply, when=ends_player_turn, sided=False),
    Phase("german-recovery", "19.2-8", readiness.recover_own, when=ends_player_turn, sided=False),
)
RUSSIAN_END = (
    Phase("russian-supply", "19.3-6", readiness.report_supply, when=ends_player_turn, sided=False),
    Phase("german-victory", "19.3-7", victory.check_victory, when=ends_player_turn, announced=False),
    Phase("russian-recovery", "19.3-8", readiness.recover_own, when=ends_player_turn, sided=False),
    Phase("last-turn", "18.0", victory.end_game, when=ends_game, sided=False),
    Phase("turn", "19.1", begin_turn, when=begins_turn, sided=False),
    Phase("replacements", "11.2", arrivals.return_tanks, ("orders/replacements",), when=can_replace, announced=False),
)
SEAL_HALF = Phase("half-sealed", "17.2", partial(setup.check_seal, label=setup.HALF), announced=False)
SEAL_REST = Phase("rest-sealed", "17.2", partial(setup.check_seal, label=setup.REST), announced=False)
PLACEMENT = Phase("placement", "17.2", setup.place_openly, ("orders/placement",))
SHOW_HALF = Phase("showing", "17.2", partial(setup.show_placement, label=setup.HALF), when=setup.is_shown(setup.HALF))
SHOW_REST = Phase("showing", "17.2", partial(setup.show_placement, label=setup.REST), when=setup.is_shown(setup.REST))
BEGIN = Phase("deployed", "17.2", setup.begin_play, when=setup.is_shown(setup.REST), announced=False)
DICE_FALL = (PANTHERS, BOMBS, FIGHT, SETTLE)


def _make_player_turn(side: str, ready: tuple[Phase, ...], end: tuple[Phase, ...], second: str) -> Iterator[Stage]:
    """19.2, 19.3: yield the five messages of a player turn; second attacks (19.2-5, 19.3-4) come with the dice."""
    rule, name, foe = ("19.2", "German", RUSSIAN) if side == GERMAN else ("19.3", "Russian", GERMAN)
    orders, reply, dice, again, last = (f"{side}-{key}" for key in _PARTS)
    then, ends = ((f"{foe}-orders",), ()) if side == GERMAN else ((), (f"{foe}-orders",))
    shown, facing = ((SHOW_REST, BEGIN), (FACING,)) if side == GERMAN else ((), ())
    first = (*ready, MOVE, STRIKES, ATTACKS, *facing, *end)
    yield Stage(orders, rule, side, shown, first, f"{name} movement and attacks", (reply, *then), ends)

    def answer(key: str, what: str, after: str) -> Stage:
        return Stage(key, rule, foe, (), (ANSWERS,), f"answer to the {what}", (after,), kind=ANSWER)

    def fall(key: str, phases: tuple[Phase, ...], what: str, rest: str, *after: str) -> Stage:
        rolled = f"dice and results of the {what}"
        split = Split(rolled, rest, always=True)
        return Stage(key, rule, side, DICE_FALL, phases, f"{rolled}; {rest}", (*after, *then), ends, DICE, split=split)

    attacks = f"{name} attacks"
    yield answer(reply, attacks, dice)
    yield fall(dice, (MOVE, ATTACKS, *end), attacks, second, again)
    yield answer(again, second, last)
    yield fall(last, end, second, f"end of the {name} turn")


def _make_placement(key: str, duties: tuple[Phase, ...], phase: Phase, brings: str, after: str) -> Stage:
    """17.2, J-57: return one of four messages that place armour; German placements are sealed."""
    side = key.partition("-")[0]
    return Stage(key, "17.2", side, duties, (phase,), brings, (after,), kind=SEAL if side == GERMAN else ORDERS)


_PARTS = ("orders", "answer", "dice", "second-answer", "second-dice")
_TABLE = (
    _make_placement("german-half", (), SEAL_HALF, "the sealed first half of the German armour", "russian-half"),
    _make_placement("russian-half", (), PLACEMENT, "the first half of the Russian armour", "german-rest"),
    _make_placement("german-rest", (SHOW_HALF,), SEAL_REST, "the German half shown, the rest sealed", "russian-rest"),
    _make_placement("russian-rest", (), PLACEMENT, "the rest of the Russian armour", "german-orders"),
    *_make_player_turn(GERMAN, (ENTRENCH, WEDGES), GERMAN_END, "Blitzkrieg"),
    *_make_player_turn(RUSSIAN, (ENTRENCH, GUNS), RUSSIAN_END, "Proriv"),
    Stage(OVER, "18.0", "", (), (), "nothing: the game is over"),
)

STAGES, REFEREED = split_stages(_TABLE, FILED)


def list_stages(setting: Setting) -> Mapping[str, Stage]:
    """Return the stages of a game by key. They depend on who rolls the dice: the players or a referee."""
    return REFEREED if setting.refereed else STAGES


def find_next_stage(umpire: Umpire[Setting], _filing: Filing, stage: str) -> str:
    """19.0: return the stage after ``stage``. '' means the first stage that the table allows."""
    side, _dash, part = stage.partition("-")
    if part not in ("orders", "dice", "second-dice"):
        return ""
    if part == "second-dice" or DECLARED not in umpire.state.agenda:
        return f"{ENEMY[side]}-orders"
    return f"{side}-answer" if part == "orders" else f"{side}-second-answer"


def check_seals(umpire: Umpire[Setting], filing: Filing) -> None:
    """J-57, J-64: refuse sealed values that are not needed. A plan needs an attack, and a placement needs its stage."""
    state = umpire.state
    expected = {"german-half": {setup.HALF}, "german-rest": {setup.REST}}.get(state.stage, set())
    kind = list_stages(umpire.setting)[state.stage].kind
    declares = BATTLES in state.agenda or (state.stage == OVER and filing.order(BATTLES))
    if declares and kind in (ORDERS, DICE) and not umpire.setting.refereed:
        expected = {plans_label(filing.seq)}
    if not (filing.order(BATTLES) and umpire.violations):  # report illegal attacks without their seals
        umpire.seals(filing, "2.0", expected)


def is_quiet(setting: Setting, state: State) -> bool:
    """Return whether a message has fields for choices, but leaves its writer no choice."""
    if list_stages(setting)[state.stage].kind == ANSWER:
        return BATTLES not in state.agenda and not setting.air
    if state.stage == "russian-second-dice":
        return state.turn == setting.turns[-1] or not arrivals.list_lost_tanks(position(setting, state))
    return state.stage == "german-second-dice"
