"""9.0 Combat before the dice: declarations, decisions and sealed plans.

All battles are declared before the first die, and no battle changes later (Battle Commitment).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.events import Noted
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.plans import DECIDED
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.hexes.stands import explain_own
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import ANSWERED, DECLARED, PENDING
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk.answers import STAND
from kursk_pbem.rulesets.battle_for_kursk.entry import spend_offensive
from kursk_pbem.rulesets.battle_for_kursk.odds import assess
from kursk_pbem.rulesets.battle_for_kursk.orders import PLAN_KEYS, Battle, Plan, plan_slips
from kursk_pbem.rulesets.battle_for_kursk.position import Position, view
from kursk_pbem.rulesets.battle_for_kursk.setting import Setting

WAITING = (BATTLES, DECLARED, ANSWERED, POLICY, DECIDED)
"""What of the agenda is dealt with when all battles have been fought."""


# Declaration


def declare(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-declaration: check each battle against the position at the start of the phase (K-40 to K-44)."""
    engaged: dict[str, str] = {}
    declared: list[Battle] = []
    available = umpire.state.tracks[f"offensives-{filing.writer}"]
    board = umpire.setting.board
    sealed = filing.sealed.get(plans_label(filing.seq), {})
    for order, path in umpire.each(filing, BATTLES, "9.0", "two battles have the same id"):
        battle = _read(umpire, filing.writer, order, path, engaged)
        if battle is None:
            continue
        if battle.lead:
            available -= 1
            if available < 0:
                umpire.refuse("9.2.1", "no Offensive marker is left", battle.id, (*path, "offensive"))
                continue
        for key, slip in plan_slips(battle, battle.plan.unless(sealed, battle.id), board):
            umpire.refuse("9.0", slip, battle.id, (*path, key))
        declared.append(battle)
        _warn(umpire, battle)
    for battle in declared:
        if battle.lead:
            spend_offensive(umpire, "9.2.1", filing.writer, 1, battle.id)
    if declared:
        plain = [battle.to_plain(board.labels[battle.hex]) for battle in declared]
        umpire.declare("9.0-battle-commitment", BATTLES, plain)


def _read(
    umpire: Umpire[Setting], side: str, order: Mapping[str, Any], path: Path, engaged: dict[str, str]
) -> Battle | None:
    """Return the battle of an order, or None if the order is illegal. ``engaged``: unit -> battle, updated here."""
    pos, index, before = view(umpire), umpire.setting.board.index, len(umpire.violations)
    battle = Battle.from_plain(order, index, path)
    if battle.hex < 0:
        umpire.refuse("9.0", f"{order['hex']} is not a hex of this map", battle.id, (*path, "hex"))
        return None
    if not pos.enemies(side) >> battle.hex & 1:
        umpire.refuse("9.0", f"no enemy unit is in {order['hex']}", battle.id, (*path, "hex"))
        return None
    defender = pos.unit(battle.hex)
    _engage_unit(umpire, defender, battle.id, engaged, (*path, "hex"))
    if not battle.attackers:
        umpire.refuse("9.0", "a battle needs an attacking unit", battle.id, (*path, "attackers"))
    for number, uid in enumerate(battle.attackers):
        at = (*path, "attackers", number)
        if _own_unit(umpire, side, uid, battle.id, at):
            if not umpire.setting.board.near[battle.hex] >> pos.where[uid] & 1:
                where = umpire.state.units[uid].place
                umpire.refuse("9.0", f"{uid} in {where} is not adjacent to {order['hex']}", battle.id, at)
            _engage_unit(umpire, uid, battle.id, engaged, at)
    if battle.lead:
        _check_offensive(umpire, side, battle, (*path, "offensive"), engaged)
    return replace(battle, defender=defender) if len(umpire.violations) == before else None


def _own_unit(umpire: Umpire[Setting], side: str, uid: str, bid: str, at: Path) -> bool:
    if why := explain_own(umpire.setting, umpire.state, side, uid):
        umpire.refuse("9.0", f"{uid} {why}", bid, at)
    return not why


def _engage_unit(umpire: Umpire[Setting], uid: str, bid: str, engaged: dict[str, str], at: Path) -> None:
    """9.0 Once Per Combat Phase: refuse a second battle for attackers, supporters and defenders (K-41)."""
    if uid in engaged:
        other = f"twice in {bid}" if engaged[uid] == bid else f"in {engaged[uid]} already"
        umpire.refuse("9.0-once-per-combat-phase", f"{uid} is {other}; no unit takes part in two battles", bid, at)
    engaged.setdefault(uid, bid)


def _check_offensive(umpire: Umpire[Setting], side: str, battle: Battle, at: Path, engaged: dict[str, str]) -> None:
    """9.2.1: check for a leader in the front line and a supporting unit of its formation in the second echelon."""
    pos, counters = view(umpire), umpire.setting.counters
    bid, lead = battle.id, battle.lead
    if lead not in battle.attackers:
        umpire.refuse("9.2.1", f"the lead unit {lead} must be an attacker", bid, (*at, "lead"))
        return
    if lead in pos.where and not counters[lead].leads:
        umpire.refuse("9.2.1", f"the lead unit must be armor or shock; {lead} is infantry", bid, (*at, "lead"))
    if not battle.support:
        umpire.refuse("9.2.1", "an Offensive needs a supporting unit", bid, at)
    for number, uid in enumerate(battle.support):
        place = (*at, "support", number)
        if lead not in pos.where or not _own_unit(umpire, side, uid, bid, place):
            continue
        _engage_unit(umpire, uid, bid, engaged, place)
        for wrong, why in _support_slips(pos, battle, uid):
            if wrong:
                umpire.refuse("9.2.1", f"{uid} {why}", bid, place)


def _support_slips(pos: Position, battle: Battle, uid: str) -> list[tuple[bool, str]]:
    """9.2.1, 3.3-formation: yield the reasons why a unit cannot support (K-43)."""
    counters, near = pos.setting.counters, pos.setting.board.near
    own, leads = counters[uid].formation, counters[battle.lead].formation
    return [
        (not near[pos.where[battle.lead]] >> pos.where[uid] & 1, f"is not adjacent to the lead unit {battle.lead}"),
        (bool(near[battle.hex] >> pos.where[uid] & 1), "is adjacent to the defender: the unit may attack, not support"),
        (own != leads, f"belongs to {own}, the lead unit to {leads}"),
    ]


def _warn(umpire: Umpire[Setting], battle: Battle) -> None:
    """K-44: warn the writer of a declared battle with odds below 1:1."""
    if not assess(view(umpire), battle).column:
        text = f"{battle.id} is below 1:1 now; without better odds at the time of the dice, no attack takes place"
        umpire.emit(Noted("9.1", text))


# Decisions


def decide(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.3 Stand Fast, Fortifications: record the decision that stopped the dice (option uncovered, K-75)."""
    rule = "9.3-stand-fast" if STAND in umpire.state.agenda[PENDING]["options"] else "9.3-fortifications"
    if plans.take_decision(umpire, filing, "9.3-stand-fast", rule):
        umpire.answer("9.0")


def plan_again(umpire: Umpire[Setting], filing: Filing) -> None:
    """K-75: seal new plans for the battles not yet fought. Only the attacker's program can check the plans."""
    sealed, board = plans_label(filing.seq), umpire.setting.board
    if sealed not in filing.sealed:
        return
    left = {battle["id"]: Battle.from_plain(battle, board.index) for battle in umpire.state.agenda[BATTLES][1:]}
    rule = "9.0-battle-commitment"
    for bid, plan, path in plans.sealed_anew(umpire, rule, filing.sealed[sealed], left, PLAN_KEYS):
        for key, slip in plan_slips(left[bid], Plan.from_plain(plan), board):
            umpire.refuse("9.0", slip, bid, (*path, key))
