"""1.2: the contents of messages. The table depends on the side that begins."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kursk_pbem.kernel.hexes.policies import drop_standing
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.refereed import split_stages
from kursk_pbem.kernel.ruleset import ANSWER, DICE, Phase, Split, Stage, has_orders
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import Umpire
from rulesets.hex_toy import assaults
from rulesets.hex_toy.assaults import ASSAULTS, BROKEN
from rulesets.hex_toy.setting import HELD, SIDES, Setting, invariants, setup


def turn_ends(umpire: Umpire[Setting], filing: Filing) -> bool:
    """1.2: return whether the second side's player turn is over; waiting assaults delay the end."""
    return umpire.state.side == umpire.setting.second and not filing.order(ASSAULTS)


def game_ends(umpire: Umpire[Setting], filing: Filing) -> bool:
    return turn_ends(umpire, filing) and umpire.state.turn == umpire.setting.turns[-1]


def next_turn(umpire: Umpire[Setting], _filing: Filing) -> None:
    """1.2: begin the next turn."""
    umpire.next_turn("1.2", umpire.setting.turns)


MARCH = Phase("march", "3.0", assaults.march_all, ("orders/march",))
ASSAULT = Phase("declare", "4.0", assaults.declare, ("orders/assaults",), when=has_orders(ASSAULTS))
REPLY = Phase("reply", "4.5", assaults.answer, ("policy",))
FIGHT = Phase("fight", "4.0", assaults.fight, rolls=True, when=assaults.waits)
PURSUIT = Phase("pursuit", "5.0", assaults.pursue, ("orders/pursuit",), when=assaults.may_pursue)
FILED = Phase("filed", "4.5", assaults.standing, ("policy",), when=assaults.files_policy)
END = (
    Phase("reckoning", "6.0", assaults.reckon, when=game_ends, sided=False),
    Phase("next-turn", "1.2", next_turn, when=turn_ends, announced=False),
)


def _of(side: str, foe: str, *, last: bool) -> list[Stage]:
    """Return the player turn of a side."""
    march, reply, dice, after = f"{side}-march", f"{side}-reply", f"{side}-dice", f"{foe}-march"
    then, ends, end = ((), (after,), END) if last else ((after,), (), ())
    name = side.capitalize()
    split = Split(f"dice and results of the {name} assaults", f"{name} pursuit", always=last)
    brings = f"dice, results, {name} pursuit"
    return [
        Stage(march, "1.2", side, (), (MARCH, ASSAULT, *end), f"{name} march and assaults", (reply, *then), ends),
        Stage(reply, "1.2", foe, (), (REPLY,), f"the volleys against the {name} assaults", (dice,), kind=ANSWER),
        Stage(dice, "1.2", side, (FIGHT,), (PURSUIT, *end), brings, then, ends, DICE, split=split),
    ]


@cache
def _table(first: str) -> tuple[Mapping[str, Stage], Mapping[str, Stage]]:
    second = SIDES[1 - SIDES.index(first)]
    over = Stage(OVER, "6.0", "", (), (), "nothing: the game is over")
    return split_stages([*_of(first, second, last=False), *_of(second, first, last=True), over], FILED)


def stages(setting: Setting) -> Mapping[str, Stage]:
    """Return the table of a game."""
    return _table(setting.first)[setting.refereed]


def follow(umpire: Umpire[Setting], _filing: Filing, stage: str) -> str:
    """1.2: return the next stage; after a reply, the only possible one in both dice modes."""
    side, _dash, kind = stage.partition("-")
    if kind == "march" and ASSAULTS in umpire.state.agenda:
        return f"{side}-reply"
    return "" if kind == "reply" else f"{umpire.setting.foe(side)}-march"


def quiet(_setting: Setting, state: State) -> bool:
    """Return whether the writer has no choice: after dice without a vacated hex."""
    return state.stage.endswith("-dice") and BROKEN not in state.agenda


def resume(setting: Setting, state: State) -> State | str:
    """1.3: return the first position of a successor: before a march, with nothing waiting."""
    state = drop_standing(state)
    side, _dash, kind = state.stage.partition("-")
    if state.stage == OVER:
        return "the earlier game is over"
    if kind != "march" or side != state.side or side not in SIDES or state.agenda:
        return "something declared waits there"
    if set(state.units) != set(setting.counters) or state.turn not in setting.turns or set(state.marks) - {HELD}:
        return "it is no position of this scenario"
    if state.tracks.keys() != setup(setting).tracks.keys():
        return "it is no position of this scenario"
    return "".join(invariants(setting, state)[:1]) or state
