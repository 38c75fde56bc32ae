"""3.2: orders: sealed by one side, in the clear from the other, and shown before they are carried out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.events import Noted, Scheduled
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander import movement, orders
from kursk_pbem.rulesets.armor_commander.orders import GREEN, MOST_UNITS, Order, Slip
from kursk_pbem.rulesets.armor_commander.position import OPEN, PLOT, SHOWN, Field, field
from kursk_pbem.rulesets.armor_commander.setting import Setting


def label(turn: str) -> str:
    """The label under which the orders of a turn are sealed."""
    return f"orders/turn-{turn}"


Judged = tuple[dict[int, Order], list[tuple[int, Slip]]]


def judged(table: Field, side: str, entries: Any) -> Judged:
    """3.2: the orders that are legal now, by their number in the file, and everything that is wrong, by number.

    One order for each unit; of two the second is wrong. Moves are judged beside all orders that can be read (A-31).
    """
    if not isinstance(entries, list | tuple) or len(entries) > MOST_UNITS:
        return {}, [(-1, Slip("3.2", (), "write a list of orders: [{id: UNIT, chip: green, moves: ...}]"))]
    good: dict[str, Order] = {}
    places: dict[str, int] = {}
    wrong: list[tuple[int, Slip]] = []
    for number, entry in enumerate(entries):
        order, slips = orders.read(table.setting, side, entry)
        if order is not None and order.unit in good:
            slips = [Slip("3.2", ("id",), "this unit has a chip already")]
        elif order is not None:
            good[order.unit], places[order.unit] = order, number
        wrong += [(number, slip) for slip in slips]
    for uid, order in good.items():
        wrong += [(places[uid], slip) for slip in _now(table, order, good)]
    bad = {number for number, _slip in wrong}
    return {places[uid]: order for uid, order in good.items() if places[uid] not in bad}, wrong


def _now(table: Field, order: Order, good: Mapping[str, Order]) -> list[Slip]:
    """3.2, A-21: what the position has against an order."""
    if not table.of_unit(order.unit):
        return [Slip("3.2", ("id",), "is destroyed")]
    if table.pinned(order.unit):
        return [Slip("7.4", ("id",), "is pinned: it has no chip this turn")]
    return list(movement.faults(table, order, good)) if order.chip == GREEN else []


def plot(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.2, A-2: the first side seals its orders; its own desk looks at them before."""
    name = label(umpire.state.turn)
    if name not in filing.secret:
        umpire.refuse("3.2", "the orders of the turn must be sealed, be they an empty list", name, ("seal",))
    _refuse(umpire, filing.writer, filing.sealed.get(name, []), ("seal", name))
    umpire.declare("3.2", PLOT, {"label": name})


def is_plotted(umpire: Umpire[Setting], _filing: Filing) -> bool:
    """Whether there is a turn to plan for: not where the dice have ended the game."""
    return PLOT not in umpire.state.agenda


def order(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.2, A-2: the other side orders in the clear, and has not seen what is sealed."""
    entries = list(filing.order("units"))
    _refuse(umpire, filing.writer, entries, ("orders", "units"))
    umpire.emit(Scheduled("3.2", OPEN, entries))
    umpire.answer("3.2")


def _refuse(umpire: Umpire[Setting], side: str, entries: Any, path: Path) -> None:
    for number, slip in judged(field(umpire.setting, umpire.state), side, entries)[1]:
        entry = entries[number] if number >= 0 else None
        name = str(entry.get("id", "")) if isinstance(entry, Mapping) else ""
        umpire.refuse(slip.rule, slip.why, name, (*path, *((number,) if number >= 0 else ()), *slip.field))


def is_shown(umpire: Umpire[Setting], filing: Filing) -> bool:
    """Whether the orders of the turn are opened by this message."""
    return label(umpire.state.turn) in filing.reveal


def show(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.2, A-46: the first side shows its orders; an order that breaks a rule costs its unit the chip, and is named."""
    entries = filing.reveal[label(umpire.state.turn)]
    good, wrong = judged(field(umpire.setting, umpire.state), filing.writer, entries)
    if wrong:
        first = dict(reversed(wrong))
        umpire.emit(Noted("3.2", f"orders that were sealed are illegal and left out: {len(first)}"))
        for number, slip in sorted(first.items()):
            umpire.emit(Noted(slip.rule, f"left out, {f'order {number + 1}' if number >= 0 else 'all'}: {slip.why}"))
    umpire.emit(Scheduled("3.2", SHOWN, [dict(entries[number]) for number in sorted(good)]))


def of_side(setting: Setting, state: State, side: str) -> dict[str, Order]:
    """The orders of a side that wait for the action, in the order in which they were written."""
    waiting = state.agenda.get(SHOWN if side == setting.sealer else OPEN, ())
    typed = [orders.read(setting, side, entry)[0] for entry in waiting]
    return {filed.unit: filed for filed in typed if filed is not None}
