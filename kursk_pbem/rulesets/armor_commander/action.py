"""3.1, 3.3, 3.4: initiative, the action phase with its chips, the end of a turn."""

from __future__ import annotations

from kursk_pbem.kernel.events import Marked, Noted, Unmarked
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ANSWERED, DECLARED
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.rulesets.armor_commander import fire, morale, movement, plotting, victory
from kursk_pbem.rulesets.armor_commander.orders import GREEN, Order
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, INITIATIVE, OPEN, PLOT, SHOWN, make_field
from kursk_pbem.rulesets.armor_commander.setting import SIDES, Setting


def roll_initiative(umpire: Umpire[Setting], _filing: Filing) -> None:
    """3.1, A-1, A-41: roll a die for each side until the dice differ. The side with the higher die acts first."""
    of = DEPLOYMENT if DEPLOYMENT in umpire.state.agenda else ""
    throw, dice = 0, ("", "")
    while dice[0] == dice[1]:
        throw += 1
        one, two = (umpire.roll(f"initiative/{throw}/{side}", "3.1", of=of, whose=side) for side in SIDES)
        dice = one, two
    umpire.emit(Marked("3.1", INITIATIVE, "first", SIDES[dice[0] < dice[1]]))
    _clear_agenda(umpire, "3.1")


def is_initiative_open(umpire: Umpire[Setting], _filing: Filing) -> bool:
    """Return whether the initiative of the turn is still undecided by dice."""
    return not umpire.state.mark(INITIATIVE, "first")


def _clear_agenda(umpire: Umpire[Setting], rule: str) -> None:
    """Remove the used declarations and answers from the agenda."""
    umpire.settle(rule, (DEPLOYMENT, PLOT, SHOWN, OPEN, DECLARED, ANSWERED))


def carry_out_chips(umpire: Umpire[Setting], _filing: Filing) -> None:
    """3.3, A-1, A-52: carry out the first side's orders (chips) in written order, then the other side's orders."""
    setting = umpire.setting
    first = umpire.state.mark(INITIATIVE, "first")
    waiting: dict[str, Order] = {}
    for side in (first, other(SIDES, first)):
        waiting |= plotting.list_orders(setting, umpire.state, side)
    for side in (first, other(SIDES, first)):
        theirs = [uid for uid in waiting if setting.units[uid].side == side]
        does = "carries out its chips:" if theirs else "has no chip to carry out"
        umpire.emit(Noted("3.3", f"The {side.capitalize()} side {does}"))
        for uid in theirs:
            if uid in waiting:  # a pin may have taken the chip
                carry_out_order(umpire, waiting.pop(uid), waiting)


def carry_out_order(umpire: Umpire[Setting], order: Order, waiting: dict[str, Order]) -> None:
    """3.3, A-22: carry out a unit's order to move or to fire. The order of a destroyed unit has no effect."""
    if not make_field(umpire.setting, umpire.state).list_unit(order.unit):
        umpire.emit(Noted("3.3", f"{order.unit} is destroyed and loses its chip"))
    elif order.chip == GREEN:
        movement.carry_out(umpire, order)
    else:
        casualties = fire.carry_out(umpire, order)
        morale.test_crews(umpire, order.unit, casualties, waiting)
        victory.finish_if_wiped_out(umpire)


def end_turn(umpire: Umpire[Setting], _filing: Filing) -> None:
    """3.4: remove the chips and pins of the turn; then begin the next turn, or end the game."""
    setting, state = umpire.setting, umpire.state
    morale.remove_pins(umpire)
    if state.turn == setting.turns[-1]:
        victory.decide_game(umpire)
    _clear_agenda(umpire, "3.4")
    umpire.emit(Unmarked("3.4", INITIATIVE, "first"))
    umpire.next_turn("3.4", setting.turns)
