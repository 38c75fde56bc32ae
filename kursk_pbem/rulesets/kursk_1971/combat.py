"""7.0, 8.0 Ground combat: attacks in the order declared, every checked before its die."""

from __future__ import annotations

from dataclasses import replace

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Force, Fought, Noted, Unmarked
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ANSWERED, DECLARED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.kursk_1971 import air, losses, raids
from kursk_pbem.rulesets.kursk_1971.answers import find_wishes
from kursk_pbem.rulesets.kursk_1971.battles import find_attacker_fault, find_partner_fault, list_battles
from kursk_pbem.rulesets.kursk_1971.movement import enter_hexes
from kursk_pbem.rulesets.kursk_1971.odds import Odds, assess, count_results, find_result
from kursk_pbem.rulesets.kursk_1971.orders import SKIP, Battle
from kursk_pbem.rulesets.kursk_1971.position import FLOWN, Position, view
from kursk_pbem.rulesets.kursk_1971.raids import RAIDS
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, HALF, Setting

MEANING = {
    "AX": "the attackers are destroyed",
    "AR": "the attackers retreat",
    "BR": "both retreat, the defenders first",
    "DR": "the defenders retreat",
    "EX": "exchange: the defenders are destroyed, the attacker loses at least as much",
    HALF: "half exchange: the defenders are destroyed, the attacker loses at least half as much",
    "DX": "the defenders are destroyed",
}
WAITING = (RAIDS, BATTLES, DECLARED, ANSWERED, POLICY)
"""Entries of the agenda that end with the last attack."""
NO_DEFENCE = "no defence"
DESTROYED = "defenders destroyed"
NO_DIE = "no strength defends: the defenders are destroyed, no die falls [7.0-g]"


@frozen
class Fight:
    """An attack while it is resolved: odds, the position before the result, and the defender's wishes."""

    battle: Battle
    odds: Odds
    side: str
    before: Position
    supplied: frozenset[str]
    retreat: tuple[str, ...]  # wishes of the defending player, for every unit that this player moves
    advance: tuple[str, ...]

    @property
    def defenders(self) -> tuple[str, ...]:
        """7.0-c, S-38: the units to which the result applies. Units attacked earlier are not included."""
        return self.odds.fresh


def has_waiting_attacks(umpire: Umpire[Setting], _filing: Filing) -> bool:
    """7.0, 9.0-d4: return whether declared attacks still wait for their dice."""
    return BATTLES in umpire.state.agenda or RAIDS in umpire.state.agenda


def resolve_attacks(umpire: Umpire[Setting], filing: Filing) -> None:
    """S-1, 7.0-procedure: fight the attacks from the air, then the ground attacks. Each result applies at once."""
    agenda = umpire.state.agenda
    raids.resolve_raids(umpire)
    sealed = filing.reveal.get(plans.label(agenda[DECLARED]), {})
    attacked: set[str] = set()
    for battle in list_battles(umpire.setting, agenda):
        plan = battle.plan.unless(sealed, battle.id)
        plans.announce_plan(umpire, "7.0", battle.id, plan)
        attacked |= fight_battle(umpire, replace(battle, plan=plan), attacked)
    umpire.settle("7.0", WAITING)


def find_fault(pos: Position, battle: Battle, side: str, odds: Odds) -> str:
    """S-12, S-38: return why an attack cannot be fought now, or ''."""
    for uid in battle.attackers:
        if slip := find_attacker_fault(pos, side, uid, battle.hex):
            return slip[1]
    if slip := find_partner_fault(pos, battle.attackers):
        return slip[1]
    if not odds.fresh:
        return "every unit in the hex has been attacked before"
    if odds.powerless:
        return "the attackers have no strength left"
    return ""


def can_support(pos: Position, battle: Battle, side: str) -> bool:
    """9.0-d1, 9.0-d3, S-51: return whether an attack's aircraft can give close support now."""
    return bool(battle.support) and not air.is_blocked(pos, side, battle.hex)


def assess_waiting(pos: Position, battle: Battle) -> Odds:
    """9.0-d1, 9.0-d3: return the odds of a declared attack, with its aircraft unless a patrol now stops them."""
    return assess(pos, battle, support=can_support(pos, battle, pos.side(battle.attackers[0])))


def fight_battle(umpire: Umpire[Setting], battle: Battle, attacked: set[str]) -> set[str]:
    """7.0-procedure: fight one attack; return the units that were attacked."""
    pos, setting = view(umpire), umpire.setting
    side = setting.counters[battle.attackers[0]].side
    if not pos.enemies(side) >> battle.hex & 1:
        place = setting.board.labels[battle.hex]
        umpire.emit(Noted("7.0-a", f"{battle.id}: no enemy is left in {place}; the attack is skipped", battle.id))
        _cancel_support(umpire, battle)
        return set()
    flies = can_support(pos, battle, side)
    odds = assess(pos, battle, attacked, support=flies)
    why = find_fault(pos, battle, side, odds)
    if battle.support and not flies:
        why = why or ("enemy patrols keep its close support away" if battle.unsupported == SKIP else "")
    if why:
        note = f"{why}: the attack is skipped, no die falls [7.0-a]"
        umpire.tell(make_fought, setting, battle, odds, "", "", note)
        _cancel_support(umpire, battle)
        return set()
    if battle.support and not flies:
        _cancel_support(umpire, battle)
    told = _roll_die(umpire, battle, odds, side)
    _apply_result(umpire, _make_fight(umpire, battle, odds, side), told)
    return {*odds.fresh}


def _cancel_support(umpire: Umpire[Setting], battle: Battle) -> None:
    """S-51: cancel the flight of aircraft without a support mission."""
    if battle.support and umpire.state.mark(FLOWN, battle.support):
        umpire.emit(Unmarked("9.0-d1", FLOWN, battle.support))


def _make_fight(umpire: Umpire[Setting], battle: Battle, odds: Odds, side: str) -> Fight:
    pos = view(umpire)
    stack, label = pos.stack(battle.hex), umpire.setting.board.labels[battle.hex]
    agenda, foe = umpire.state.agenda, ENEMY[side]
    everybody = (*battle.attackers, *stack)
    return Fight(
        battle,
        odds,
        side,
        pos,
        frozenset(uid for uid in everybody if pos.is_supplied(uid)),
        find_wishes(agenda, foe, battle.id, label, "retreat"),
        find_wishes(agenda, foe, battle.id, label, "advance"),
    )


def die_label(battle: Battle) -> str:
    """Return the label of an attack's die."""
    return f"{battle.id}/combat"


def _roll_die(umpire: Umpire[Setting], battle: Battle, odds: Odds, side: str) -> str:
    """7.0-procedure, S-3: return the result of an attack; without a defence no die is rolled."""
    if odds.automatic:
        umpire.tell(make_fought, umpire.setting, battle, odds, "", "DX", NO_DIE)
        return "DX"
    face = umpire.roll(die_label(battle), "7.0-procedure", of=BATTLES, whose=side)
    told = find_result(umpire.setting, odds, int(face))
    umpire.tell(make_fought, umpire.setting, battle, odds, face, told)
    return told


def make_fought(setting: Setting, battle: Battle, odds: Odds, face: str = "", told: str = "", note: str = "") -> Fought:
    """7.0-procedure: return the calculation of an attack for a report, with the die if it was rolled."""
    side = setting.counters[battle.attackers[0]].side
    counted = int(face) + odds.modifier if face else 0
    chance = f"{count_results(setting, odds)[told]}/6" if face else "1" if told else ""
    totals = [str(sum(counts.values())) for counts in (odds.attack, odds.defence)]
    column = NO_DEFENCE if note == NO_DIE else "" if note else odds_text(odds.column)
    return Fought(
        "7.0-procedure",
        battle.id,
        setting.board.labels[battle.hex],
        Force(side, odds.rows[0], totals[0]),
        Force(ENEMY[side], odds.rows[1], totals[1]),
        odds.ratio,
        odds.shifts,
        odds.ratio,
        column,
        (),
        die_label(battle) if face else "",
        face,
        str(counted) if face and odds.modifier else "",
        told,
        MEANING.get(told, ""),
        chance,
        note,
    )


def _apply_result(umpire: Umpire[Setting], fight: Fight, told: str) -> None:
    """8.0: apply the result to both sides, then the advances."""
    attackers, plan = fight.battle.attackers, fight.battle.plan
    match told:
        case "AX":
            losses.destroy_units(umpire, "8.0-ax", attackers, "attackers destroyed", fight.supplied, fight.retreat)
        case "AR":
            losses.retreat_units(umpire, "8.0-ar", attackers, fight.retreat)
        case "BR":  # S-13: both by the defending player
            losses.retreat_units(umpire, "8.0-br", fight.defenders, fight.retreat)
            losses.retreat_units(umpire, "8.0-br", attackers, fight.retreat)
        case "DR":
            losses.retreat_units(umpire, "8.0-dr", fight.defenders, plan.retreat)
        case "DX":
            losses.destroy_units(umpire, "8.0-dx", fight.defenders, DESTROYED, fight.supplied, plan.retreat)
        case _:
            _apply_exchange(umpire, "8.0-half-ex" if told == HALF else "8.0-ex", fight)
    emptied = view(umpire)  # before the attackers advance
    _advance_attackers(umpire, fight, told)
    _advance_defenders(umpire, fight, emptied)


def _apply_exchange(umpire: Umpire[Setting], rule: str, fight: Fight) -> None:
    """8.0-ex, 8.0-half-ex, S-15, S-39: remove defenders, then the attacker's payment, then retreat Kampfgruppen.

    In this order, a lost attacker neither fills nor controls a hex that a Kampfgruppe of the defender may enter.
    """
    worth, plan = sum(fight.odds.defence.values()), fight.battle.plan
    due = -(-worth // 2) if rule == "8.0-half-ex" else worth
    cost = f"exchange: {plural(due, 'point')} to pay"
    taken = losses.choose_payment(umpire.setting, fight.odds.attack, due, plan.losses)
    fallen = losses.remove_units(umpire, rule, fight.defenders, DESTROYED, fight.supplied)
    paid = losses.remove_units(umpire, rule, taken, cost, fight.supplied)
    losses.form_kampfgruppen(umpire, rule, fallen, DESTROYED, plan.retreat)
    losses.form_kampfgruppen(umpire, rule, paid, cost, fight.retreat)


def _advance_attackers(umpire: Umpire[Setting], fight: Fight, told: str) -> None:
    """8.0-advance, S-17, S-44: move attackers into the hex left by the defenders."""
    counters, hex_ = umpire.setting.counters, fight.battle.hex
    own = [uid for uid in fight.battle.plan.advance if uid in counters and counters[uid].side == fight.side]
    beaten = fight.battle.attackers if told in ("AX", "AR", "BR") else ()
    able = [uid for uid in dict.fromkeys(own) if uid not in beaten]
    went = [_enter_hex(umpire, fight, uid, hex_) for uid in able]
    if able and told not in ("AX", "AR") and not any(went):
        line = umpire.setting.forts[ENEMY[fight.side]] >> hex_ & 1
        held = view(umpire).enemies(fight.side) >> hex_ & 1
        gone = "no unit of the plan is still adjacent"
        why = "the hex is not empty" if held else "the hex is an enemy fortified line" if line else gone
        place = umpire.setting.board.labels[hex_]
        umpire.emit(Noted("8.0-advance", f"no unit advances into {place}: {why}"))


def _advance_defenders(umpire: Umpire[Setting], fight: Fight, emptied: Position) -> None:
    """8.0-advance, S-17: move defending units into hexes left by the attackers: their wish, or the lowest hex."""
    counters = umpire.setting.counters
    origins = sorted({fight.before.where[uid] for uid in fight.battle.attackers})
    left = [hex_ for hex_ in origins if not emptied.occupied[fight.side] >> hex_ & 1]
    for wish in fight.advance:
        uid, _space, label = wish.partition(" ")
        if uid in counters and counters[uid].side != fight.side:
            wanted = [hex_ for hex_ in left if label in ("", umpire.setting.board.labels[hex_])]
            for hex_ in wanted:
                if _enter_hex(umpire, fight, uid, hex_):
                    break


def find_followers(pos: Position, side: str, hexes: Mask) -> list[str]:
    """8.0-advance, S-17, S-44: return a side's units in or next to some hexes, by id, without ground elements."""
    around = bits(pos.setting.board.spread(hexes) & pos.occupied[side])
    return sorted(uid for hex_ in around for uid in pos.stack(hex_) if not pos.setting.counters[uid].air)


def _enter_hex(umpire: Umpire[Setting], fight: Fight, uid: str, hex_: int) -> bool:
    """8.0-advance, S-17, S-39, S-44: advance a unit that was and still is adjacent to a hex; return whether legal.

    The hex has room, no enemy and no enemy fortified line. The unit is no ground element, ignores zones of control and
    spends no points.
    """
    pos, setting = view(umpire), umpire.setting
    if uid not in pos.where or pos.where[uid] != fight.before.where.get(uid) or setting.counters[uid].air:
        return False
    side = pos.side(uid)
    shut = pos.enemies(side) | setting.forts[ENEMY[side]] | ~setting.board.near[pos.where[uid]]
    if shut >> hex_ & 1 or not pos.can_stack((*pos.stack(hex_), uid)):
        return False
    enter_hexes(umpire, "8.0-advance", uid, (setting.board.labels[hex_],), "advance")
    return True
