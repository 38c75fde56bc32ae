"""3.2: orders: sealed by one side, open from the other side, revealed before the action."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.events import Noted, Scheduled
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.armor_commander import movement, orders
from kursk_pbem.rulesets.armor_commander.orders import GREEN, MAX_UNITS, Mistake, Order
from kursk_pbem.rulesets.armor_commander.position import OPEN, PLOT, SHOWN, Field, make_field
from kursk_pbem.rulesets.armor_commander.setting import Setting


def name_seal(turn: str) -> str:
    """Return the label of the sealed orders of a turn."""
    return f"orders/turn-{turn}"


Judged = tuple[dict[int, Order], list[tuple[int, Mistake]]]


def judge_orders(table: Field, side: str, entries: Any) -> Judged:
    """3.2: return the legal orders, and all mistakes. Both have the position of the order in the file.

    A unit has one order, so a second order is a mistake. A move is checked together with all readable orders (A-31).
    """
    if not isinstance(entries, list | tuple) or len(entries) > MAX_UNITS:
        return {}, [(-1, Mistake("3.2", (), "write a list of orders: [{id: UNIT, chip: green, moves: ...}]"))]
    good: dict[str, Order] = {}
    places: dict[str, int] = {}
    wrong: list[tuple[int, Mistake]] = []
    for number, entry in enumerate(entries):
        order, slips = orders.read_order(table.setting, side, entry)
        if order is not None and order.unit in good:
            slips = [Mistake("3.2", ("id",), "the unit has a chip already")]
        elif order is not None:
            good[order.unit], places[order.unit] = order, number
        wrong += [(number, slip) for slip in slips]
    for uid, order in good.items():
        wrong += [(places[uid], slip) for slip in _check_position(table, order, good)]
    bad = {number for number, _slip in wrong}
    return {places[uid]: order for uid, order in good.items() if places[uid] not in bad}, wrong


def _check_position(table: Field, order: Order, good: Mapping[str, Order]) -> list[Mistake]:
    """3.2, A-21: return the mistakes of an order in the present position."""
    if not table.list_unit(order.unit):
        return [Mistake("3.2", ("id",), "is destroyed")]
    if table.is_pinned(order.unit):
        return [Mistake("7.4", ("id",), "is pinned, and gets no chip this turn")]
    return list(movement.find_mistakes(table, order, good)) if order.chip == GREEN else []


def seal_orders(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.2, A-2: seal the orders of the side that writes first. Only the computer of this side can check them."""
    name = name_seal(umpire.state.turn)
    if name not in filing.secret:
        umpire.refuse("3.2", "seal the orders of the turn; an empty list is allowed", name, ("seal",))
    _refuse_mistakes(umpire, filing.writer, filing.sealed.get(name, []), ("seal", name))
    umpire.declare("3.2", PLOT, {"label": name})


def is_turn_open(umpire: Umpire[Setting], _filing: Filing) -> bool:
    """Return whether the players must write orders for a turn. After the last turn they write none."""
    return PLOT not in umpire.state.agenda


def give_open_orders(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.2, A-2: record the unsealed orders of the other side. That side does not know the sealed orders."""
    entries = list(filing.order("units"))
    _refuse_mistakes(umpire, filing.writer, entries, ("orders", "units"))
    umpire.emit(Scheduled("3.2", OPEN, entries))
    umpire.answer("3.2")


def _refuse_mistakes(umpire: Umpire[Setting], side: str, entries: Any, path: Path) -> None:
    for number, slip in judge_orders(make_field(umpire.setting, umpire.state), side, entries)[1]:
        entry = entries[number] if number >= 0 else None
        name = str(entry.get("id", "")) if isinstance(entry, Mapping) else ""
        umpire.refuse(slip.rule, slip.why, name, (*path, *((number,) if number >= 0 else ()), *slip.field))


def is_revealed(umpire: Umpire[Setting], filing: Filing) -> bool:
    """Return whether a message must reveal the sealed orders of the turn."""
    return name_seal(umpire.state.turn) in filing.reveal


def reveal_orders(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.2, A-46: reveal the sealed orders. An illegal order is reported, and its unit does nothing in this turn."""
    entries = filing.reveal[name_seal(umpire.state.turn)]
    good, wrong = judge_orders(make_field(umpire.setting, umpire.state), filing.writer, entries)
    if wrong:
        first = dict(reversed(wrong))
        umpire.emit(Noted("3.2", f"illegal sealed orders, left out: {len(first)}"))
        for number, slip in sorted(first.items()):
            umpire.emit(Noted(slip.rule, f"left out, {f'order {number + 1}' if number >= 0 else 'all'}: {slip.why}"))
    umpire.emit(Scheduled("3.2", SHOWN, [dict(entries[number]) for number in sorted(good)]))


def list_orders(setting: Setting, state: State, side: str) -> dict[str, Order]:
    """Return the orders of a side by unit, in written order, for the action."""
    waiting = state.agenda.get(SHOWN if side == setting.sealer else OPEN, ())
    typed = [orders.read_order(setting, side, entry)[0] for entry in waiting]
    return {filed.unit: filed for filed in typed if filed is not None}
