"""7.0, 8.0 Ground combat: attacks are fought one after the other in the order declared, each judged when it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kursk_pbem.kernel.events import Force, Fought, Noted, Unmarked
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ANSWERED, DECLARED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.kursk_1971 import air, losses, raids, retreat
from kursk_pbem.rulesets.kursk_1971.answers import lookup
from kursk_pbem.rulesets.kursk_1971.battles import attacker_slip, battles_of, partner_slip
from kursk_pbem.rulesets.kursk_1971.movement import enter
from kursk_pbem.rulesets.kursk_1971.odds import Odds, assess, chances, result
from kursk_pbem.rulesets.kursk_1971.orders import SKIP, Battle, Plan
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
"""What of the agenda is dealt with when all attacks have been fought."""
NO_DEFENCE = "no defence"
DESTROYED = "defenders destroyed"
NO_DIE = "no strength defends: the defenders are destroyed, no die falls [7.0-g]"


@dataclass(frozen=True)
class Fight:
    """An attack as it is fought: its odds, who stood where, who was in supply, and what the defending player wishes."""

    battle: Battle
    odds: Odds
    side: str
    origins: dict[str, int]
    defenders: tuple[str, ...]
    supplied: frozenset[str]
    retreat: tuple[str, ...]  # what the defending player wishes for all units that they move
    advance: tuple[str, ...]


def waits(umpire: Umpire[Setting], _filing: Filing) -> bool:
    """7.0, 9.0-d4: whether attacks wait for their dice."""
    return BATTLES in umpire.state.agenda or RAIDS in umpire.state.agenda


def resolve(umpire: Umpire[Setting], filing: Filing) -> None:
    """S-1, 7.0-procedure: attacks from the air first, then those on the ground, each applied before the next one."""
    agenda = umpire.state.agenda
    raids.resolve(umpire)
    sealed = filing.reveal.get(plans.label(agenda[DECLARED]), {})
    attacked: set[str] = set()
    for battle in battles_of(umpire.setting, agenda):
        plan = battle.plan.unless(sealed, battle.id)
        if plan != Plan():
            umpire.emit(Noted("7.0", f"plan for {battle.id}: {plan.text()}", battle.id))
        attacked |= fight(umpire, replace(battle, plan=plan), attacked)
    umpire.settle("7.0", WAITING)


def unable(pos: Position, battle: Battle, side: str, odds: Odds) -> str:
    """S-12, S-38: why an attack cannot take place when its turn comes, '' if it can."""
    for uid in battle.attackers:
        if slip := attacker_slip(pos, side, uid, battle.hex):
            return slip[1]
    if slip := partner_slip(pos, battle.attackers):
        return slip[1]
    if not odds.fresh:
        return "everybody in the hex has been attacked before"
    if not sum(odds.attack.values()):
        return "the attackers have no strength left"
    return ""


def supports(pos: Position, battle: Battle, side: str) -> bool:
    """9.0-d1, 9.0-d3, S-51: whether the aircraft of an attack may support it now."""
    return bool(battle.support) and not air.blocked(pos, side, battle.hex)


def ahead(pos: Position, battle: Battle) -> Odds:
    """9.0-d1, 9.0-d3: the odds of an attack that waits; its aircraft count where no patrol would keep them away now."""
    return assess(pos, battle, support=supports(pos, battle, pos.side(battle.attackers[0])))


def fight(umpire: Umpire[Setting], battle: Battle, attacked: set[str]) -> set[str]:
    """7.0-procedure: one attack; returns the units that have been attacked in it."""
    pos, setting = view(umpire), umpire.setting
    side = setting.counters[battle.attackers[0]].side
    if not pos.enemies(side) >> battle.hex & 1:
        place = setting.board.labels[battle.hex]
        umpire.emit(Noted("7.0-a", f"{battle.id}: nobody is left in {place}; no attack takes place", battle.id))
        _stay(umpire, battle)
        return set()
    flies = supports(pos, battle, side)
    odds = assess(pos, battle, attacked, support=flies)
    why = unable(pos, battle, side, odds)
    if battle.support and not flies:
        why = why or ("enemy patrols keep its close support away" if battle.unsupported == SKIP else "")
    if why:
        umpire.emit(fought(pos, battle, odds, note=f"{why}: no attack takes place, no die falls [7.0-a]"))
        _stay(umpire, battle)
        return set()
    if battle.support and not flies:
        _stay(umpire, battle)
    stack = pos.stack(battle.hex)
    told = _roll(umpire, battle, odds, side)
    _apply(umpire, _fight(umpire, battle, odds, side), told)
    return {*stack}


def _stay(umpire: Umpire[Setting], battle: Battle) -> None:
    """S-51: aircraft that did not support have not flown."""
    if battle.support and umpire.state.mark(FLOWN, battle.support):
        umpire.emit(Unmarked("9.0-d1", FLOWN, battle.support))


def _fight(umpire: Umpire[Setting], battle: Battle, odds: Odds, side: str) -> Fight:
    pos = view(umpire)
    stack, label = pos.stack(battle.hex), umpire.setting.board.labels[battle.hex]
    agenda, foe = umpire.state.agenda, ENEMY[side]
    everybody = (*battle.attackers, *stack)
    return Fight(
        battle,
        odds,
        side,
        {uid: pos.where[uid] for uid in battle.attackers},
        stack,
        frozenset(uid for uid in everybody if pos.supplied(uid)),
        lookup(agenda, foe, battle.id, label, "retreat"),
        lookup(agenda, foe, battle.id, label, "advance"),
    )


def die_label(battle: Battle) -> str:
    """The label of the die of an attack."""
    return f"{battle.id}/combat"


def _roll(umpire: Umpire[Setting], battle: Battle, odds: Odds, side: str) -> str:
    """7.0-procedure, S-3: the result of an attack; without a defence nobody needs a die."""
    pos = view(umpire)
    if odds.automatic:
        umpire.emit(fought(pos, battle, odds, told="DX", note=NO_DIE))
        return "DX"
    face = umpire.roll(die_label(battle), "7.0-procedure", of=BATTLES, whose=side)
    told = result(umpire.setting, odds, int(face))
    umpire.emit(fought(pos, battle, odds, face, told))
    return told


def fought(pos: Position, battle: Battle, odds: Odds, face: str = "", told: str = "", note: str = "") -> Fought:
    """7.0-procedure: the arithmetic of an attack as a report tells it, with its die if one has fallen."""
    setting = pos.setting
    side = setting.counters[battle.attackers[0]].side
    counted = int(face) + odds.modifier if face else 0
    chance = f"{chances(setting, odds)[told]}/6" if face else "1" if told else ""
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


def _apply(umpire: Umpire[Setting], fight: Fight, told: str) -> None:
    """8.0: the result on both sides, then the advance."""
    attackers, plan = fight.battle.attackers, fight.battle.plan
    match told:
        case "AX":
            losses.destroy(umpire, "8.0-ax", attackers, "attackers destroyed", fight.supplied, fight.retreat)
        case "AR":
            losses.withdraw(umpire, "8.0-ar", attackers, fight.retreat)
        case "BR":  # S-13: both by the defending player
            losses.withdraw(umpire, "8.0-br", fight.defenders, fight.retreat)
            losses.withdraw(umpire, "8.0-br", attackers, fight.retreat)
        case "DR":
            losses.withdraw(umpire, "8.0-dr", fight.defenders, plan.retreat)
        case "DX":  # S-38: where no die fell, those attacked before live on
            gone = fight.odds.fresh if fight.odds.automatic else fight.defenders
            losses.destroy(umpire, "8.0-dx", gone, DESTROYED, fight.supplied, plan.retreat)
        case _:
            _exchange(umpire, "8.0-half-ex" if told == HALF else "8.0-ex", fight)
    if told in ("AX", "AR"):
        _follow(umpire, fight)
    elif told != "BR":  # S-17: after it nobody advances
        _advance(umpire, fight, plan.advance)


def _exchange(umpire: Umpire[Setting], rule: str, fight: Fight) -> None:
    """8.0-ex, 8.0-half-ex, S-15, S-39: the defenders fall and the attacker pays; only then Kampfgruppen retreat.

    So an attacker who is to be lost does not fill or control a hex to which a defending Kampfgruppe could go.
    """
    worth, plan = sum(fight.odds.defence.values()), fight.battle.plan
    due = -(-worth // 2) if rule == "8.0-half-ex" else worth
    cost = f"exchange: {plural(due, 'point')} to pay"
    taken = losses.payment(umpire.setting, fight.odds.attack, due, plan.losses)
    fallen = losses.remove(umpire, rule, fight.defenders, DESTROYED, fight.supplied)
    unpaid = view(umpire)
    paid = losses.remove(umpire, rule, taken, cost, fight.supplied)
    _repaired(umpire, rule, fallen, unpaid, plan.retreat)
    losses.reform(umpire, rule, fallen, DESTROYED, plan.retreat)
    losses.reform(umpire, rule, paid, cost, fight.retreat)


def _repaired(
    umpire: Umpire[Setting], rule: str, fallen: Sequence[str], unpaid: Position, wishes: Sequence[str]
) -> None:
    """S-39: adjudication 1 let Kampfgruppen retreat before the attacker paid, from the position ``unpaid``.

    A single one may go to the same hex as before. Several change each other's way, so they are not compared.
    """
    before, now = ([retreat.chosen(pos, uid, wishes) for uid in fallen] for pos in (unpaid, view(umpire)))
    if len(fallen) > 1 or before != now:
        umpire.repaired(2, rule)


def _advance(umpire: Umpire[Setting], fight: Fight, wishes: Sequence[str]) -> None:
    """8.0-advance, S-17, S-44: surviving attackers enter the hex that the defenders left."""
    able = [uid for uid in dict.fromkeys(wishes) if uid in fight.battle.attackers]
    went = [_enter(umpire, uid, fight.battle.hex, [fight.origins[uid]]) for uid in able]
    if able and not any(went):
        line = umpire.setting.forts[ENEMY[fight.side]] >> fight.battle.hex & 1
        held = view(umpire).enemies(fight.side) >> fight.battle.hex & 1
        gone = "nobody whom the plan names is left where they attacked from"
        why = "it is not empty" if held else "it is an enemy fortified line" if line else gone
        place = umpire.setting.board.labels[fight.battle.hex]
        umpire.emit(Noted("8.0-advance", f"nobody advances into {place}: {why}"))


def _follow(umpire: Umpire[Setting], fight: Fight) -> None:
    """8.0-advance, S-17: defenders enter hexes that the attackers left: the hex that was ordered, or the lowest."""
    left = sorted({*fight.origins.values()})
    for wish in fight.advance:
        uid, _space, label = wish.partition(" ")
        if uid in fight.defenders:
            wanted = [hex_ for hex_ in left if label in ("", umpire.setting.board.labels[hex_])]
            for hex_ in wanted:
                if _enter(umpire, uid, hex_, [fight.battle.hex]):
                    break


def _enter(umpire: Umpire[Setting], uid: str, hex_: int, origins: Sequence[int]) -> bool:
    """8.0-advance, S-17, S-39, S-44: a unit that still stands where it fought enters a hex; false if it may not.

    The hex has room and no enemy, and is no fortified line of the enemy; the unit is no ground element. The unit
    ignores zones of control and spends no points.
    """
    pos, setting = view(umpire), umpire.setting
    if uid not in pos.where or pos.where[uid] not in origins or setting.counters[uid].air:
        return False
    side = pos.side(uid)
    shut = pos.enemies(side) | setting.forts[ENEMY[side]]
    if shut >> hex_ & 1 or not pos.fits((*pos.stack(hex_), uid)):
        return False
    enter(umpire, "8.0-advance", uid, (setting.board.labels[hex_],), "advance")
    return True
