"""19.2-4, 19.3-3 Combat: attacks are fought one after the other in the order declared, with what was planned for them.

Odds are computed afresh when each attack comes up.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kursk_pbem.kernel.events import Marked, Noted, Scheduled
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ANSWERED, DECLARED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import entry, marks
from kursk_pbem.rulesets.juggernauts.advance import Aftermath, advance
from kursk_pbem.rulesets.juggernauts.air import STRIKES
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from kursk_pbem.rulesets.juggernauts.odds import LAST, assess, fought, result_of
from kursk_pbem.rulesets.juggernauts.orders import BATTLES, POLICY, Battle, Plan, declared, side_of
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.results import Fight, apply, recover_attacked
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, GERMAN, RUSSIAN, Setting

WAITING = (BATTLES, PATHS, STRIKES, POLICY, DECLARED, ANSWERED)


def settle(umpire: Umpire[Setting], _filing: Filing) -> None:
    """19.2-4, 19.3-3: what was declared has been dealt with."""
    for key in (key for key in WAITING if key in umpire.state.agenda):
        umpire.emit(Scheduled("19.2-4", key, None))


@dataclass
class Field:
    """The attacks of one combat step: those still to be fought, those made, and ids of those that emptied their hex."""

    umpire: Umpire[Setting]
    waiting: list[Battle]
    ids: frozenset[str]
    fought: list[Battle] = field(default_factory=list)
    emptied: set[str] = field(default_factory=set)


def resolve(umpire: Umpire[Setting], filing: Filing) -> None:
    """19.2-4, 19.3-3: fight all declared attacks, one at a time, in the order declared."""
    agenda = umpire.state.agenda
    sealed = filing.reveal.get(plans.label(agenda[DECLARED]), {})
    listed = []
    for battle in declared(umpire.setting, agenda):
        hidden = plans.of_battle(sealed, battle.id)
        listed.append(replace(battle, plan=Plan.from_plain(hidden)) if hidden else battle)
    combat = Field(umpire, listed, frozenset(battle.id for battle in listed))
    while combat.waiting:
        battle = combat.waiting.pop(0)
        if battle.plan != Plan():
            umpire.emit(Noted("2.0", f"plan for {battle.id}: {battle.plan.text()}", battle.id))
        fight(combat, battle)


def fight(combat: Field, battle: Battle) -> None:
    """2.0: one attack: who is left to make it, cancelled or not, odds, die, result, advance, breakthrough."""
    umpire = combat.umpire
    battle = replace(battle, attackers=tuple(uid for uid in battle.attackers if _still(view(umpire), uid, battle)))
    if why := _called_off(combat, battle):
        umpire.emit(Noted("3.0-cancel", f"attack {battle.id} does not take place: {why}", battle.id))
        return
    pos, setting = view(umpire), umpire.setting
    odds = assess(pos, battle)
    side = odds.side
    if not odds.allowed:
        umpire.emit(fought(setting, battle, odds))
        return
    for uid in battle.attackers:
        if not pos.marked(marks.ACTED, uid):
            umpire.emit(Marked("13.3", marks.ACTED, uid, "0"))
        entry.unmark(umpire, "15.1", marks.ENTRENCHED, uid)
    die, result = "", "DE"
    if odds.reached <= LAST:
        good = "high" if setting.die_b else "low"
        die = umpire.roll(f"{battle.id}/combat", "1.0", of=BATTLES, whose=side, good=good)
        result = result_of(setting, odds, int(die))
    umpire.emit(fought(setting, battle, odds, die, result))
    if not die:
        umpire.emit(Noted("1.0-sure", f"{battle.id}: more than 7:1, the defenders are eliminated", battle.id))
    origins = sum({1 << pos.where[uid] for uid in battle.attackers})
    starved = [uid for uid in battle.attackers if not pos.supplied(uid)]
    keil = _wedge(pos, battle)
    defenders = tuple(pos.at.get(battle.hex, ()))
    after = apply(Fight(umpire, battle, odds, origins, sum({1 << other.hex for other in combat.waiting})), result)
    if side == GERMAN and "second" not in umpire.state.stage:  # 19.2-5, J-13: not in a Blitzkrieg
        recover_attacked(umpire, after.result, defenders)
    combat.fought.append(battle)
    _afterwards(combat, after, starved, keil)


def _still(pos: Position, uid: str, battle: Battle) -> bool:
    """14.4: whether an attacker is there to attack: a Panther may not have arrived, others may be Disrupted."""
    near = pos.setting.board.near[battle.hex]
    return uid in pos.where and not pos.marked(marks.DISRUPTED, uid) and bool(near >> pos.where[uid] & 1)


def _called_off(combat: Field, battle: Battle) -> str:
    """3.0-cancel: why an attack is not made, '' if it is: nobody to make it, nothing to attack, cancelled."""
    pos = view(combat.umpire)
    if not battle.attackers:
        return "nobody is there to make it"
    side = pos.side(battle.attackers[0])
    line = pos.line(battle.hex)
    if not pos.here(battle.hex, ENEMY[side]) and (not line or line.owner == side or line.needs_unit):
        return "nothing is left to attack"
    label = combat.umpire.setting.board.labels[battle.hex]
    if side == RUSSIAN or battle.through or any(label in other.binds for other in combat.fought):
        return ""
    for wish in battle.plan.cancel:
        first, _space, second = wish.partition(" ")
        if first == "unless" and second in combat.ids - combat.emptied:
            return f"cancelled, for {second} did not empty its hex"
        columns = combat.umpire.setting.columns
        if first == "below" and second in columns and assess(pos, battle).reached < columns.index(second):
            return f"cancelled, for it is below {second}"
    return ""


def _wedge(pos: Position, battle: Battle) -> tuple[str, ...]:
    """2.0-breakthrough: the units of a Panzerkeil among the attackers: korps with markers, Tigers in their hexes."""
    led = [uid for uid in battle.attackers if pos.marked(marks.KEIL, uid)]
    hexes = {pos.where[uid] for uid in led}
    return tuple(uid for uid in battle.attackers
                 if uid in led or (pos.counter(uid).wedge and pos.where[uid] in hexes))  # fmt: skip


def _afterwards(combat: Field, after: Aftermath, starved: list[str], keil: tuple[str, ...]) -> None:
    """9.0, 16.2, 2.0-breakthrough: advance; those out of supply are Disrupted; a Panzerkeil may attack once more."""
    umpire, battle = combat.umpire, after.battle
    if not view(umpire).here(battle.hex, ENEMY[side_of(umpire.setting, battle)]):
        combat.emptied.add(battle.id)
    gone = advance(umpire, after, battle.plan.advance)
    for uid in starved:
        if uid in view(umpire).where:
            entry.disrupt(umpire, "16.2", uid, "attacked out of supply")
    if after.result == "DE" and keil and not battle.through and battle.plan.breakthrough:
        _break_through(combat, battle, tuple(uid for uid in keil if uid in gone))


def _break_through(combat: Field, battle: Battle, keil: tuple[str, ...]) -> None:
    """2.0-breakthrough, J-32, J-66: the Panzerkeil that advanced together attacks once more, alone or with others."""
    pos, setting = view(combat.umpire), combat.umpire.setting
    able = tuple(uid for uid in keil if uid in pos.where and not pos.marked(marks.DISRUPTED, uid))
    if not able or len({pos.where[uid] for uid in able}) > 1:
        return
    near = setting.board.near[pos.where[able[0]]]
    for wish in battle.plan.breakthrough:
        joined = wish.removeprefix("join ")
        for other in combat.waiting:
            if joined != wish and other.id == joined and near >> other.hex & 1:
                combat.waiting.remove(other)
                fight(combat, replace(other, attackers=(*other.attackers, *able)))
                return
        hex_ = setting.board.index.get(wish, -1)
        if hex_ >= 0 and near >> hex_ & 1 and not any(other.hex == hex_ for other in combat.waiting):
            plan = Plan(advance=battle.plan.exploit, losses=battle.plan.losses)
            fight(combat, Battle(f"{battle.id}/on", hex_, able, plan=plan, through=True))
            return
