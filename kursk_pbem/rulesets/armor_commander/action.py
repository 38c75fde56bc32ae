"""3.1, 3.3, 3.4: initiative, the action phase with its chips, the end of a turn."""

from __future__ import annotations

from kursk_pbem.kernel.events import Marked, Noted, Unmarked
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ANSWERED, DECLARED
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.rulesets.armor_commander import fire, morale, movement, plotting, victory
from kursk_pbem.rulesets.armor_commander.orders import GREEN, Order
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, INITIATIVE, OPEN, PLOT, SHOWN, field
from kursk_pbem.rulesets.armor_commander.setting import SIDES, Setting


def initiative(umpire: Umpire[Setting], _filing: Filing) -> None:
    """3.1, A-1, A-41: a die for each side, the higher acts first, ties are thrown again."""
    of = DEPLOYMENT if DEPLOYMENT in umpire.state.agenda else ""
    throw, dice = 0, ("", "")
    while dice[0] == dice[1]:
        throw += 1
        one, two = (umpire.roll(f"initiative/{throw}/{side}", "3.1", of=of, whose=side) for side in SIDES)
        dice = one, two
    umpire.emit(Marked("3.1", INITIATIVE, "first", SIDES[dice[0] < dice[1]]))
    _clear(umpire, "3.1")


def is_next(umpire: Umpire[Setting], _filing: Filing) -> bool:
    """Whether the initiative of a turn is open."""
    return not umpire.state.mark(INITIATIVE, "first")


def _clear(umpire: Umpire[Setting], rule: str) -> None:
    """What was declared and answered has been dealt with."""
    umpire.settle(rule, (DEPLOYMENT, PLOT, SHOWN, OPEN, DECLARED, ANSWERED))


def waits(umpire: Umpire[Setting], _filing: Filing) -> bool:
    """Whether orders of both sides are on the table."""
    return PLOT in umpire.state.agenda


def action(umpire: Umpire[Setting], _filing: Filing) -> None:
    """3.3, A-1, A-52: the first side carries out all its chips in its written order, then the other what is left."""
    setting = umpire.setting
    first = umpire.state.mark(INITIATIVE, "first")
    waiting: dict[str, Order] = {}
    for side in (first, other(SIDES, first)):
        waiting |= plotting.of_side(setting, umpire.state, side)
    for side in (first, other(SIDES, first)):
        theirs = [uid for uid in waiting if setting.units[uid].side == side]
        does = "carries out its chips:" if theirs else "has no chip to carry out"
        umpire.emit(Noted("3.3", f"The {side.capitalize()} side {does}"))
        for uid in theirs:
            if uid in waiting:  # not lost to a pin meanwhile
                _act(umpire, waiting.pop(uid), waiting)


def _act(umpire: Umpire[Setting], order: Order, waiting: dict[str, Order]) -> None:
    """3.3, A-22: one unit moves or fires; one that was destroyed before has lost its chip."""
    if not field(umpire.setting, umpire.state).of_unit(order.unit):
        umpire.emit(Noted("3.3", f"{order.unit} is destroyed and loses its chip"))
    elif order.chip == GREEN:
        movement.carry_out(umpire, order)
    else:
        casualties = fire.carry_out(umpire, order)
        morale.tests(umpire, order.unit, casualties, waiting)
        victory.wiped_out(umpire)


def end(umpire: Umpire[Setting], _filing: Filing) -> None:
    """3.4: chips and pins of the turn are taken away; the next turn begins, or the game has ended."""
    setting, state = umpire.setting, umpire.state
    morale.rally(umpire)
    if state.turn == setting.turns[-1]:
        victory.reckon(umpire)
    _clear(umpire, "3.4")
    umpire.emit(Unmarked("3.4", INITIATIVE, "first"))
    umpire.next_turn("3.4", setting.turns)
