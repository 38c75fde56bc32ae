"""3.2: the unused possibilities of a message: units without a chip, models without an order, inches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.brief import Unused
from kursk_pbem.kernel.events import Event
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.plane import inches
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.armor_commander import fire, plotting, sequence
from kursk_pbem.rulesets.armor_commander.movement import measure_rounded_up
from kursk_pbem.rulesets.armor_commander.orders import GREEN, Order
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, Field, make_field
from kursk_pbem.rulesets.armor_commander.seen.outlook import list_shots
from kursk_pbem.rulesets.armor_commander.setting import Setting

NEARLY = 50
"""Unused hundredths of an inch that are not worth a warning."""


def find_unused(setting: Setting, before: State, _events: Sequence[Event], filing: Filing) -> tuple[Unused, ...]:
    """Return what a draft does not use: models without orders, or a missing deployment."""
    phases = sequence.list_stages(setting)[before.stage].phases
    if sequence.PLOT in phases:
        return tuple(
            _check_orders(make_field(setting, before), filing, filing.sealed.get(plotting.name_seal(before.turn), ()))
        )
    if sequence.ORDERS in phases:
        return tuple(_check_orders(make_field(setting, before), filing, filing.order("units")))
    said = filing.sealed.get(DEPLOYMENT) if sequence.DEPLOY in phases else filing.order("deployment")
    if said or not {sequence.DEPLOY, sequence.PLACE} & set(phases):
        return ()
    return (Unused("2.2", "you deploy no model: the scenario's places apply"),)


def _check_orders(table: Field, filing: Filing, entries: Any) -> Iterator[Unused]:
    """3.2: yield units without a chip, with targets first; then unused models and inches."""
    orders = {order.unit: order for order in plotting.judge_orders(table, filing.writer, list(entries))[0].values()}
    idle = [
        unit.id
        for unit in table.setting.list_units(filing.writer)
        if unit.id not in orders and table.list_unit(unit.id) and not table.is_pinned(unit.id)
    ]
    could = [uid for uid in idle if _has_targets(table, uid)]
    if could:
        yield Unused("5.1", f"no chip, although targets are in sight: {some(could)}")
    if others := [uid for uid in idle if uid not in could]:
        yield Unused("3.2", f"units without a chip: {some(others)}")
    for order in orders.values():
        yield from _check_moves(table, order) if order.chip == GREEN else _check_shots(table, order)


def _has_targets(table: Field, uid: str) -> bool:
    return any(
        list_shots(table, table.list_unit(uid), foe) for foe in table.list_enemies(table.setting.units[uid].side)
    )


def _check_moves(table: Field, order: Order) -> Iterator[Unused]:
    """4.3: yield models without a move in a moving unit, and unused inches."""
    stay = [mid for mid in table.list_unit(order.unit) if table.is_mobile(mid) and mid not in order.moves]
    if stay:
        yield Unused("4.3", f"{order.unit} has a green chip, but some models do not move: {some(stay)}")
    limit = table.setting.moves[table.setting.units[order.unit].kind]
    spare: Mapping[str, int] = {
        mid: limit - measure_rounded_up((table.at[mid], *move.path)) for mid, move in order.moves.items() if move.path
    }
    if told := [f"{mid} {inches(far)}" for mid, far in spare.items() if far > NEARLY]:
        yield Unused("4.3", f"unused inches of {inches(limit)}: {some(told)}")


def _check_shots(table: Field, order: Order) -> Iterator[Unused]:
    """5.1, 5.2, 5.4: yield models of a firing unit that would not fire from the present position."""
    silent = [mid for mid in table.list_unit(order.unit) if not order.aim_of(mid)]
    if silent:
        yield Unused("5.1", f"{order.unit} fires, but some models have no target: {some(silent)}")
    if gone := [mid for mid in sorted(order.shots) if mid not in table.at]:
        yield Unused("5.1", f"cannot fire, because destroyed: {some(gone)}", vain=True)
    lost = [
        (shot.lost_rule, f"{shot.shooter} ({shot.description})")
        for shot in fire.list_shots(table, order)
        if not shot.band
    ]
    for rule in sorted({by for by, _shot in lost}):
        yield Unused(
            rule, "would be lost from the present places: " + some([one for by, one in lost if by == rule]), vain=True
        )
