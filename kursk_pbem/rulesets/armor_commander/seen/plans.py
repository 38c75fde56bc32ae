"""2.2, 3.2: the orders known on this computer: deployment, moves, facings and fire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.events import Event, Marked, Moved, Placed
from kursk_pbem.kernel.picture import Sight
from kursk_pbem.kernel.plane import inches
from kursk_pbem.kernel.state import OFF_MAP, State
from kursk_pbem.rulesets.armor_commander import orders, plotting, setup
from kursk_pbem.rulesets.armor_commander.movement import measure_rounded_up
from kursk_pbem.rulesets.armor_commander.orders import RED, Order
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, FACING, OPEN, SHOWN, Field, make_field
from kursk_pbem.rulesets.armor_commander.seen import sights
from kursk_pbem.rulesets.armor_commander.setting import Setting


def list_plans(
    setting: Setting, state: State, sealed: Mapping[str, Any]
) -> tuple[tuple[Event, ...], tuple[Sight, ...]]:
    """Return all orders, even illegal orders, as events and lines of sight. ``sealed``: sealed values known here."""
    table = make_field(setting, state)
    events: list[Event] = []
    lines: list[Sight] = []
    waits = all(state.units[mid].place == OFF_MAP for mid in setup.list_scenario_places(setting, setting.sealer))
    if DEPLOYMENT in sealed and waits:
        events += _list_deployed(setting, sealed[DEPLOYMENT])
    for side in setting.sides if table.at else ():
        for order in _list_orders(table, side, sealed):
            if order.chip == RED:
                lines += sights.list_order_sights(table, order)
            else:
                events += _list_moves(table, order)
    return tuple(events), tuple(lines)


def _list_deployed(setting: Setting, entries: Any) -> Iterator[Event]:
    """2.2: yield the events of the sealed deployment."""
    for mid, (spot, face) in setup.read_deployment(setting, setting.sealer, entries)[0].items():
        yield Placed("2.2", mid, plane.text(spot), setting.models[mid].crew, "deployed")
        if face:
            yield Marked("2.2", FACING, mid, face)


def _list_orders(table: Field, side: str, sealed: Mapping[str, Any]) -> Iterator[Order]:
    """3.2: yield the readable orders of a side, one for every unit."""
    state, setting = table.state, table.setting
    hidden = sealed.get(plotting.name_seal(state.turn), ()) if side == setting.sealer else ()
    waiting = state.agenda.get(SHOWN if side == setting.sealer else OPEN, hidden)
    seen: set[str] = set()
    for entry in waiting if isinstance(waiting, list | tuple) else ():
        order, _slips = orders.read_order(setting, side, entry)
        if order is not None and order.unit not in seen and table.list_unit(order.unit):
            seen.add(order.unit)
            yield order


def _list_moves(table: Field, order: Order) -> Iterator[Event]:
    """4.1, 4.3: yield the moves and facings of mobile models."""
    for mid, move in order.moves.items():
        if mid not in table.at or not table.is_mobile(mid):
            continue
        if move.path:
            way = (table.at[mid], *move.path)
            told = tuple(plane.text(point) for point in way)
            yield Moved("4.3", mid, told[0], told[1:], "move", inches(measure_rounded_up(way)))
        if move.face and move.face != table.state.mark(FACING, mid):
            yield Marked("6.6", FACING, mid, move.face)
