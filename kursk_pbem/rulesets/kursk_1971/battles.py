"""7.0 Combat before the dice: declared attacks and sealed plans.

Attacks of a combat phase are declared in one message, answered in the next, and rolled for in the third. Each attack is
checked again before its die (S-12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.stands import explain_own
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import air
from kursk_pbem.rulesets.kursk_1971.odds import assess
from kursk_pbem.rulesets.kursk_1971.orders import Battle, find_plan_faults
from kursk_pbem.rulesets.kursk_1971.position import Position, view
from kursk_pbem.rulesets.kursk_1971.setting import LIMITED, Setting

ONE_HEX = ", and an attack on several hexes, which 7.0-h allows, is not played here (S-11)"


def declare_battles(umpire: Umpire[Setting], filing: Filing) -> None:
    """7.0-a, 7.0-b, 7.0-h, 7.0-i, 7.0-j, S-11: declare attacks. Each attack is on one hex, by adjacent units."""
    engaged: dict[str, str] = {}
    battles: list[Battle] = []
    board = umpire.setting.board
    sealed = filing.sealed.get(plans_label(filing.seq), {})
    for order, path in umpire.each(filing, BATTLES, "7.0", "two attacks have this id"):
        battle, before = Battle.from_plain(order, board.index, path), len(umpire.violations)
        _check(umpire, filing.writer, order["hex"], battle, engaged)
        if len(umpire.violations) > before:
            continue
        for key, slip in find_plan_faults(
            battle, battle.plan.unless(sealed, battle.id), umpire.setting.counters, board
        ):
            umpire.refuse("7.0", slip, battle.id, (*path, key))
        if battle.support:
            air.take_off(umpire, battle.support, air.SUPPORT)
        battles.append(battle)
    if battles:
        umpire.declare("7.0", BATTLES, [battle.to_plain(board.labels[battle.hex]) for battle in battles])


def _check(umpire: Umpire[Setting], side: str, label: str, battle: Battle, engaged: dict[str, str]) -> None:
    """Check one attack in the position after movement."""
    pos, path = view(umpire), battle.at
    if battle.hex < 0 or not pos.enemies(side) >> battle.hex & 1:
        why = "is not a hex of this map" if battle.hex < 0 else "holds no enemy unit"
        umpire.refuse("7.0-a", f"{label} {why}", battle.id, (*path, "hex"))
        return
    if label in engaged:
        umpire.refuse("7.0-c", f"{label} is attacked by {engaged[label]} already", battle.id, (*path, "hex"))
    engaged.setdefault(label, battle.id)
    before = len(umpire.violations)
    if not battle.attackers:
        umpire.refuse("7.0-a", "an attack needs at least one unit", battle.id, (*path, "attackers"))
    for number, uid in enumerate(battle.attackers):
        at = (*path, "attackers", number)
        if uid in engaged:
            more = ONE_HEX if engaged[uid] != battle.id else ""
            umpire.refuse("7.0-c", f"{uid} attacks in {engaged[uid]} already{more}", battle.id, at)
        elif slip := find_attacker_fault(pos, side, uid, battle.hex):
            umpire.refuse(*slip, battle.id, at)
        engaged.setdefault(uid, battle.id)
    if len(umpire.violations) > before:
        return
    if slip := find_partner_fault(pos, battle.attackers):
        umpire.refuse(*slip, battle.id, (*path, "attackers"))
    elif assess(pos, battle).powerless:
        umpire.refuse("7.0-procedure", "the attackers have no strength", battle.id, (*path, "attackers"))
    if battle.support and (why := air.find_mission_fault(pos, side, battle.support, battle.hex)):
        umpire.refuse("9.0-d1", f"{battle.support} {why}", battle.id, (*path, "support"))


def find_attacker_fault(pos: Position, side: str, uid: str, hex_: int) -> tuple[str, str] | None:
    """7.0-a, 7.0-d, S-26: return the paragraph and the reason if a unit cannot attack a hex, or None."""
    board = pos.setting.board
    if why := explain_own(pos.setting, pos.state, side, uid):
        return "7.0-a", f"{uid} {why}"
    counter = pos.setting.counters[uid]
    if not board.near[hex_] >> pos.where[uid] & 1:
        return "7.0-a", f"{uid} in {board.labels[pos.where[uid]]} is not adjacent to {board.labels[hex_]}"
    if counter.air:
        return "9.0", f"{uid} is a ground element and does not attack; its aircraft may support"
    if not counter.attack:
        return "7.0-d", f"{uid} can only defend"
    return None


def find_partner_fault(pos: Position, attackers: Sequence[str]) -> tuple[str, str] | None:
    """7.0-e, 7.0-f, 7.0-g, S-18, S-35: return paragraph and reason if a limited unit has no regular unit with it."""
    counters = pos.setting.counters
    for hex_ in sorted({pos.where[uid] for uid in attackers}):
        here = [uid for uid in attackers if pos.where[uid] == hex_]
        regular = sum(counters[uid].regular for uid in here)
        for kind in LIMITED:
            few = [uid for uid in here if counters[uid].limited == kind]
            if len(few) > regular:
                rule = "7.0-f" if counters[few[0]].limited == "bracketed" else "7.0-e"
                text = f"{', '.join(few)} in {pos.setting.board.labels[hex_]}: each needs its own regular unit"
                return rule, f"{text} from the same hex in the attack"
    return None


def list_battles(setting: Setting, agenda: Mapping[str, Any]) -> tuple[Battle, ...]:
    """Return the declared ground attacks, in the order in which they are fought."""
    return tuple(Battle.from_plain(battle, setting.board.index) for battle in agenda.get(BATTLES, ()))
