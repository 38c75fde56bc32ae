"""9.0 Combat, declaration: every battle of the phase in order, who attacks, who leads and supports an Offensive.

All battles are declared before the first die; nothing is added, dropped or changed later (Battle Commitment).
"""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.events import Noted, PhaseBegan, Scheduled
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk.entry import spend_offensive
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, assess
from kursk_pbem.rulesets.battle_for_kursk.position import Position, view
from kursk_pbem.rulesets.battle_for_kursk.setting import Setting
from kursk_pbem.rulesets.battle_for_kursk.standing import plan_of, plan_slips

PLAN_KEYS = ("retreat", "losses", "advance")


def declare(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-declaration: each battle is checked against the position at the start of the phase (K-40 to K-44)."""
    orders = filing.order("battles")
    label = f"plans/{filing.seq}"
    if not orders:
        if label in filing.secret or label in filing.sealed:
            umpire.refuse("9.0", "plans are sealed, but no battle is declared", label, ("secret", label))
        return
    umpire.emit(PhaseBegan("9.0", "declaration", filing.writer, umpire.state.turn))
    engaged: dict[str, str] = {}
    battles: list[dict[str, Any]] = []
    available = umpire.state.tracks[f"offensives-{filing.writer}"]
    for number, order in enumerate(orders):
        path: Path = ("orders", "battles", number)
        before = len(umpire.violations)
        battle = _read(umpire, filing, order, path, engaged)
        if order["id"] in {each["id"] for each in orders[:number]}:
            umpire.refuse("9.0", "two battles have this id", order["id"], (*path, "id"))
        if battle is None or len(umpire.violations) > before:
            continue
        if battle.lead:
            available -= 1
            if available < 0:
                umpire.refuse("9.2.1", "no Offensive marker is available for it", battle.id, (*path, "offensive"))
                continue
        sealed = filing.sealed.get(label, {}).get(battle.id, {})
        plan = {key: order[key] for key in PLAN_KEYS if order.get(key)}
        for key, slip in plan_slips(battle, plan_of(sealed or plan), umpire.setting.board.index):
            umpire.refuse("9.0", slip, battle.id, (*path, key))
        battles.append(_written(umpire.setting, battle, plan))
        _warn(umpire, battle)
    for each in battles:
        if "lead" in each:
            spend_offensive(umpire, "9.2.1", filing.writer, 1)
    if battles:
        umpire.emit(Scheduled("9.0-battle-commitment", "battles", battles))
        umpire.emit(Scheduled("9.0-battle-commitment", "declared", str(filing.seq)))


def _written(setting: Setting, battle: Battle, plan: dict[str, Any]) -> dict[str, Any]:
    """A battle as it waits in the agenda; an open plan with it, a sealed one only as a hash elsewhere."""
    entry: dict[str, Any] = {
        "id": battle.id,
        "hex": setting.board.labels[battle.hex],
        "defender": battle.defender,
        "attackers": list(battle.attackers),
    }
    if battle.lead:
        entry |= {"lead": battle.lead, "support": list(battle.support)}
    if plan:
        entry["plan"] = plan
    return entry


def _read(
    umpire: Umpire[Setting], filing: Filing, order: dict[str, Any], path: Path, engaged: dict[str, str]
) -> Battle | None:
    """One battle from its order; refusals go to the umpire. ``engaged``: unit -> battle, filled on the way."""
    pos, bid = view(umpire), order["id"]
    hex_ = umpire.setting.board.index.get(order["hex"])
    if hex_ is None:
        umpire.refuse("9.0", f"{order['hex']} is not a hex of this map", bid, (*path, "hex"))
        return None
    if not pos.enemies(filing.writer) >> hex_ & 1:
        umpire.refuse("9.0", f"no enemy unit stands in {order['hex']}", bid, (*path, "hex"))
        return None
    defender = pos.at[hex_]
    _engage(umpire, defender, bid, engaged, (*path, "hex"))
    attackers = tuple(order["attackers"])
    if not attackers:
        umpire.refuse("9.0", "a battle needs at least one attacking unit", bid, (*path, "attackers"))
    for number, uid in enumerate(attackers):
        at = (*path, "attackers", number)
        if _own_unit(umpire, filing.writer, uid, bid, at):
            if not umpire.setting.board.near[hex_] >> pos.where[uid] & 1:
                where = umpire.state.units[uid].place
                umpire.refuse("9.0", f"{uid} in {where} is not adjacent to {order['hex']}", bid, at)
            _engage(umpire, uid, bid, engaged, at)
    lead, support = "", ()
    if "offensive" in order:
        lead = order["offensive"]["lead"]
        support = tuple(order["offensive"].get("support", ()))
        battle = Battle(bid, hex_, defender, attackers, lead, support)
        _check_offensive(umpire, filing.writer, battle, (*path, "offensive"), engaged)
    return Battle(bid, hex_, defender, attackers, lead, support)


def _own_unit(umpire: Umpire[Setting], side: str, uid: str, bid: str, at: Path) -> bool:
    counter = umpire.setting.counters.get(uid)
    if counter is None:
        umpire.refuse("9.0", f"there is no unit {uid}", bid, at)
    elif counter.side != side:
        umpire.refuse("9.0", f"{uid} belongs to the {counter.side} side", bid, at)
    elif uid not in view(umpire).where:
        umpire.refuse("9.0", f"{uid} is not on the map ({umpire.state.units[uid].place})", bid, at)
    else:
        return True
    return False


def _engage(umpire: Umpire[Setting], uid: str, bid: str, engaged: dict[str, str], at: Path) -> None:
    """9.0 Once Per Combat Phase: nobody attacks, supports or defends in two battles (K-41)."""
    if uid in engaged:
        other = f"twice in {bid}" if engaged[uid] == bid else f"in {engaged[uid]} already"
        umpire.refuse("9.0-once-per-combat-phase", f"{uid} is {other}; a unit takes part in one battle", bid, at)
    engaged.setdefault(uid, bid)


def _check_offensive(umpire: Umpire[Setting], side: str, battle: Battle, at: Path, engaged: dict[str, str]) -> None:
    """9.2.1: an armor or shock unit of the front line leads; at least one unit of its formation behind it supports."""
    pos, counters, near = view(umpire), umpire.setting.counters, umpire.setting.board.near
    bid, lead = battle.id, battle.lead
    if lead not in battle.attackers:
        umpire.refuse("9.2.1", f"the lead unit {lead} must be one of the attackers", bid, (*at, "lead"))
        return
    if lead in pos.where and not (counters[lead].armor or counters[lead].type == "shock"):
        umpire.refuse("9.2.1", f"the lead unit must be armor or shock; {lead} is infantry", bid, (*at, "lead"))
    if not battle.support:
        umpire.refuse("9.2.1", "an Offensive needs at least one supporting unit", bid, at)
    for number, uid in enumerate(battle.support):
        place = (*at, "support", number)
        if lead not in pos.where or not _own_unit(umpire, side, uid, bid, place):
            continue
        _engage(umpire, uid, bid, engaged, place)
        for wrong, why in _support_slips(pos, battle, uid, near):
            if wrong:
                umpire.refuse("9.2.1", f"{uid} {why}", bid, place)


def _support_slips(pos: Position, battle: Battle, uid: str, near: list[int]) -> list[tuple[bool, str]]:
    """9.2.1, 3.3-formation: what keeps a unit from supporting (K-43)."""
    counters = pos.setting.counters
    own, leads = counters[uid].formation, counters[battle.lead].formation
    return [
        (not near[pos.where[battle.lead]] >> pos.where[uid] & 1, f"is not adjacent to the lead unit {battle.lead}"),
        (bool(near[battle.hex] >> pos.where[uid] & 1), "is adjacent to the defender: let it attack, or leave it out"),
        (own != leads, f"belongs to {own}, the lead unit to {leads}"),
    ]


def _warn(umpire: Umpire[Setting], battle: Battle) -> None:
    """K-44: a battle that is now below 1:1 may be declared; its writer is told."""
    if not assess(view(umpire), battle).column:
        text = f"{battle.id} stands below 1:1 now; if it still does when its turn comes, the attack does not take place"
        umpire.emit(Noted("9.1", text))
