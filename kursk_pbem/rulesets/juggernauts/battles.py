"""3.0 Attacks before the first die: allocation, sealed plans, and hexes that must be attacked together (J-54)."""

from __future__ import annotations

from dataclasses import replace

from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import marks, movement
from kursk_pbem.rulesets.juggernauts.odds import LEAST, find_odds, find_press_cost, name_column
from kursk_pbem.rulesets.juggernauts.orders import Battle, find_plan_mistakes
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, FIRST, FULL, GERMAN, Setting


def declare_attacks(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.0, J-54: check each attack against the position after movement. Panthers count as arrived (J-43)."""
    pos, side = movement.place_panthers(umpire.setting, umpire.state), filing.writer
    engaged: dict[str, str] = {}
    listed: list[Battle] = []
    others: list[tuple[Battle, str]] = []
    ids = {order["id"] for order in filing.order(BATTLES)}
    sealed = filing.sealed.get(plans.label(filing.seq), {})
    for order, path in umpire.each(filing, BATTLES, "3.0", "two attacks have the same name"):
        battle = Battle.from_plain(order, umpire.setting.board.index, path)
        fits = _check_attack(umpire, pos, side, battle, order["hex"], engaged)
        plan = battle.plan.unless(sealed, battle.id)
        for key, slip in find_plan_mistakes(umpire.setting, side, battle, plan):
            umpire.refuse("2.0", f"{key}: {slip}", battle.id, (*path, key))
        if fits:
            others += [(battle, name) for name in plan.others if name not in ids]
            listed.append(replace(battle, binds=find_required(pos, battle)))
    for battle, name in others:
        umpire.refuse("2.0", f"your message has no attack {name}", battle.id, battle.at, waits=True)
    _refuse_incomplete(umpire, listed, engaged)
    if listed:
        labels = umpire.setting.board.labels
        umpire.declare("3.0", BATTLES, [battle.to_plain(labels[battle.hex]) for battle in listed])


def _check_attack(
    umpire: Umpire[Setting], pos: Position, side: str, battle: Battle, label: str, engaged: dict[str, str]
) -> bool:
    """3.0: return whether an attack is legal, or refuse it. ``engaged``: unit or hex -> attack."""
    before, path = len(umpire.violations), battle.at
    if why := check_target(pos, side, battle.hex):
        umpire.refuse("3.0", why.format(hex=label), battle.id, (*path, "hex"))
        return False
    _record_engaged(umpire, label, battle.id, engaged, (*path, "hex"))
    if not battle.attackers:
        umpire.refuse("3.0", "an attack needs at least one unit", battle.id, (*path, "attackers"))
    second = movement.second_step(umpire.state)
    for number, uid in enumerate(battle.attackers):
        at = (*path, "attackers", number)
        if slip := check_attacker(pos, side, uid, battle.hex, second=second):
            umpire.refuse(slip[0], f"{uid} {slip[1]}", battle.id, at)
        else:
            _record_engaged(umpire, uid, battle.id, engaged, at)
    if len(umpire.violations) == before:
        _check_odds(umpire, pos, battle)
    return len(umpire.violations) == before


def check_target(pos: Position, side: str, hex_: int) -> str:
    """3.0, J-28: return why a hex cannot be attacked, or ''. A target has an enemy unit, or an empty first line."""
    if hex_ < 0:
        return "{hex} is not a hex of this map"
    line = pos.line(hex_)
    empty_line = line and line.owner != side and line.grade == FIRST and not pos.at.get(hex_)
    if pos.here(hex_, ENEMY[side]) or empty_line:
        return ""
    return "{hex} holds no enemy unit and no first line of theirs"


def check_attacker(pos: Position, side: str, uid: str, hex_: int, *, second: bool) -> tuple[str, str] | None:
    """4.0, 13.2, 13.3, 14.2, 15.6: return paragraph and reason if a unit may not attack a hex, or None."""
    if why := pos.explain_not_own(side, uid):
        return "3.0", why
    if not pos.setting.board.near[hex_] >> pos.where[uid] & 1:
        return "3.0", f"in {pos.setting.board.labels[pos.where[uid]]} is not adjacent to the hex attacked"
    if pos.is_marked(marks.DISRUPTED, uid):
        return "4.0", "is Disrupted and does not attack"
    if pos.counter(uid).kind == ARTILLERY and not pos.is_marked(marks.EMPLACED, uid):
        return "14.2", "attacks only while emplaced"
    return _find_spent_mistake(pos, uid, hex_, second=second)


def _find_spent_mistake(pos: Position, uid: str, hex_: int, *, second: bool) -> tuple[str, str] | None:
    """13.2, 13.3, 15.6, J-55: return why a unit's movement forbids the attack: its bonus, or a river for tanks."""
    counter = pos.counter(uid)
    most = movement.allowance(pos, uid, second=second)
    path = pos.state.agenda.get(movement.PATHS, {}).get(uid)
    word = pos.state.mark(marks.ACTED, uid)
    if second and word and not word.startswith(marks.AGAIN):
        return "13.3", "has already moved or attacked in the player turn"
    spent = movement.list_costs(pos, uid, path)[-1] if path else int(word.removeprefix(marks.AGAIN) or 0)
    if spent > most:
        return "13.2", "moved with the bonus, and therefore does not attack"
    most = counter.move - second  # J-43: for a Panther, too, without its die
    across = counter.tank and (pos.where[uid], hex_) in pos.setting.rivers
    if across and spent + 1 > most:
        return "15.6", "has no movement factor left to attack across the river"
    return None


def _record_engaged(umpire: Umpire[Setting], key: str, bid: str, engaged: dict[str, str], at: Path) -> None:
    """3.0, J-54: record a unit or hex of an attack; refuse a second attack with the unit or on the hex."""
    if key in engaged:
        other = f"twice in {bid}" if engaged[key] == bid else f"in {engaged[key]} already"
        umpire.refuse("3.0", f"{key} is {other}", bid, at)
    engaged.setdefault(key, bid)


def _check_odds(umpire: Umpire[Setting], pos: Position, battle: Battle) -> None:
    """1.0-least, 7.0, J-18, J-28: refuse an attack below 1:5, for Pressed Attacks at their worst column."""
    odds = find_odds(pos, battle)
    if not odds.defence.total:
        why = "the line has no strength against the attackers, and contains no unit: enter the hex"
        umpire.refuse("15.2", why, battle.id, (*battle.at, "hex"))
    elif not odds.allowed:
        column = name_column(umpire.setting, odds.reached)
        why = (
            f"is at {column}, and attacks below 1:5 are not allowed"
            if odds.attack
            else "has no strength to attack with"
        )
        umpire.refuse("1.0-least", why, battle.id, (*battle.at, "attackers"))
    elif battle.pressed and odds.reached - find_press_cost(odds.side) < LEAST:
        umpire.refuse("7.0", "a Pressed Attack would be below 1:5 with dice 4 to 6", battle.id, (*battle.at, "pressed"))


def find_required(pos: Position, battle: Battle) -> tuple[str, ...]:
    """3.0-must, J-12, J-38, J-48: return the other hexes that the attackers of a hex must also attack, ascending."""
    board, side = pos.setting.board, pos.side(battle.attackers[0])
    origins = sum({1 << pos.where[uid] for uid in battle.attackers})
    around = board.near[battle.hex] & board.spread(origins) & ~(1 << battle.hex)
    bound = 0
    for hex_ in bits(around):
        touching = origins & board.near[hex_]
        if side == GERMAN:
            line = pos.line(hex_)
            behind = line and line.owner != side and touching & line.front
            due = pos.here(battle.hex, ENEMY[side]) and behind and _has_able_unit(pos, hex_, "army")
        else:
            due = _has_able_unit(pos, hex_, "korps") and pos.here(battle.hex, ENEMY[side])
            due = due or (_is_german_line(pos, battle.hex) and _is_german_line(pos, hex_))
        bound |= 1 << hex_ if due else 0
    return tuple(board.names(bound))


def _has_able_unit(pos: Position, hex_: int, size: str) -> bool:
    """3.0-must: return whether a hex has an army or German korps with a zone that is not Disrupted."""
    able = [pos.counter(uid) for uid in pos.stack(hex_) if not pos.is_marked(marks.DISRUPTED, uid)]
    return any(counter.size == size and counter.zone == FULL for counter in able)


def _is_german_line(pos: Position, hex_: int) -> bool:
    """15.3: return whether a hex has an active German first line; adjacent line hexes support each other."""
    line = pos.line(hex_)
    return bool(line and line.owner == GERMAN and line.grade == FIRST)


def _refuse_incomplete(umpire: Umpire[Setting], listed: list[Battle], engaged: dict[str, str]) -> None:
    """3.0-must: refuse an attack if a required hex has no attack in the orders, not even an illegal one."""
    labels = umpire.setting.board.labels
    for battle in listed:
        for label in battle.binds:
            if label not in engaged:
                why = f"{label} supports {labels[battle.hex]}: you must attack {label}, too"
                umpire.refuse("3.0-must", why, battle.id, (*battle.at, "hex"), waits=True)
