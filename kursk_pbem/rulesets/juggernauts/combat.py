"""19.2-4, 19.3-3 Combat: one attack after the other, in the declared order, with odds computed at that moment."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from kursk_pbem.kernel.events import Force, Fought, Marked, Noted
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ANSWERED, DECLARED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import entry, marks
from kursk_pbem.rulesets.juggernauts.advance import Aftermath, advance_attackers
from kursk_pbem.rulesets.juggernauts.air import STRIKES
from kursk_pbem.rulesets.juggernauts.battles import find_required
from kursk_pbem.rulesets.juggernauts.movement import PATHS
from kursk_pbem.rulesets.juggernauts.odds import (
    LAST,
    Odds,
    describe_pressed,
    describe_result,
    find_lucky_faces,
    find_odds,
    list_results,
    name_column,
    read_result,
)
from kursk_pbem.rulesets.juggernauts.orders import Battle, Plan, read_battles
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.results import NOTHING, Fight, apply_result, recover_attacked
from kursk_pbem.rulesets.juggernauts.retreat import Attack
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, RUSSIAN, Setting

WAITING = (BATTLES, PATHS, STRIKES, POLICY, DECLARED, ANSWERED)


def clear_agenda(umpire: Umpire[Setting], _filing: Filing) -> None:
    """19.2-4, 19.3-3: remove the declared attacks from the agenda of the position."""
    umpire.settle("19.2-4", WAITING)


@dataclass
class Field:
    """The attacks of one combat step: waiting attacks, fought attacks, and ids of attacks that emptied their hex."""

    umpire: Umpire[Setting]
    waiting: list[Battle]
    ids: frozenset[str]
    fought: list[Battle] = field(default_factory=list)
    emptied: set[str] = field(default_factory=set)
    through: set[str] = field(default_factory=set)  # units after their breakthrough attack (J-32)


def resolve_attacks(umpire: Umpire[Setting], filing: Filing) -> None:
    """19.2-4, 19.3-3: fight all declared attacks, in the order in which they were declared."""
    agenda = umpire.state.agenda
    sealed = filing.reveal.get(plans.label(agenda[DECLARED]), {})
    waiting = read_battles(umpire.setting, agenda)
    listed = [replace(battle, plan=battle.plan.unless(sealed, battle.id)) for battle in waiting]
    combat = Field(umpire, listed, frozenset(battle.id for battle in listed))
    while combat.waiting:
        battle = combat.waiting.pop(0)
        plans.announce_plan(umpire, "2.0", battle.id, battle.plan)
        fight_attack(combat, battle)


def fight_attack(combat: Field, battle: Battle) -> None:
    """2.0: fight one attack: remaining attackers, cancellation, odds, die, result, advance and breakthrough."""
    umpire = combat.umpire
    battle = keep_able_attackers(view(umpire), battle)
    if slip := _find_obstacle(combat, battle):
        umpire.emit(Noted(slip[0], f"attack {battle.id} does not take place: {slip[1]}", battle.id))
        _recover_spared(umpire, battle)
        return
    pos, setting = view(umpire), umpire.setting
    odds = find_odds(pos, battle)
    if not odds.allowed:
        umpire.tell(make_fought, setting, battle, odds)
        _recover_spared(umpire, battle)
        return
    die, result = "", "DE"
    if odds.reached <= LAST:
        die = umpire.roll(f"{battle.id}/combat", "1.0", of=BATTLES, whose=odds.side, good=find_lucky_faces(setting))
        result = read_result(setting, odds, int(die))
    umpire.tell(make_fought, setting, battle, odds, die, result)
    for uid in battle.attackers:
        if not pos.is_marked(marks.ACTED, uid):
            umpire.emit(Marked("13.3", marks.ACTED, uid, "0"))
        entry.remove_marker(umpire, "15.1", marks.ENTRENCHED, uid)
    if not die:
        umpire.emit(Noted("1.0-sure", f"{battle.id}: more than 7:1 is a DE without a die", battle.id))
    origins = sum({1 << pos.where[uid] for uid in battle.attackers})
    starved = [uid for uid in battle.attackers if not pos.is_supplied(uid)]
    wedges = find_wedges(pos, battle)
    defenders = pos.stack(battle.hex)
    attack = Attack(battle.hex, origins, sum({1 << other.hex for other in combat.waiting}))
    after = apply_result(Fight(umpire, battle, odds, attack), result)
    recover_attacked(umpire, after.result, defenders)
    combat.fought.append(battle)
    _finish_attack(combat, after, starved, wedges)


def _recover_spared(umpire: Umpire[Setting], battle: Battle) -> None:
    """19.2-4, J-63: recover the defenders of an attack that did not take place."""
    if not battle.through:
        recover_attacked(umpire, NOTHING, view(umpire).here(battle.hex, RUSSIAN))


def _can_attack(pos: Position, uid: str, battle: Battle) -> bool:
    """14.4: return whether an attacker can attack: a Panther may have stopped short, others may be Disrupted."""
    near = pos.setting.board.near[battle.hex]
    return uid in pos.where and not pos.is_marked(marks.DISRUPTED, uid) and bool(near >> pos.where[uid] & 1)


def keep_able_attackers(pos: Position, battle: Battle) -> Battle:
    """14.4: return the attack with only the attackers that can still take part in it."""
    return replace(battle, attackers=tuple(uid for uid in battle.attackers if _can_attack(pos, uid, battle)))


def _find_obstacle(combat: Field, battle: Battle) -> tuple[str, str] | None:
    """3.0-cancel, 3.0-must, 15.2, J-69, J-75: return why an attack does not take place: paragraph and sentence."""
    pos = view(combat.umpire)
    if not battle.attackers:
        return "3.0-cancel", "no attacker is left"
    side = pos.side(battle.attackers[0])
    if not pos.here(battle.hex, ENEMY[side]):
        own, line = pos.here(battle.hex, side), pos.line(battle.hex)
        held = line and line.owner != side and find_odds(pos, battle).defence.total  # an empty enemy line
        if own or not held:
            return "3.0-cancel", "no defender is left"
    if side == RUSSIAN or battle.through:
        return None
    label = combat.umpire.setting.board.labels[battle.hex]
    required = any(label in other.binds for other in combat.fought)
    if why := _explain_cancel(combat, battle):
        if not required:
            return "3.0-cancel", why
        told = f"{battle.id} is not called off, because an earlier attack requires {battle.id}"
        combat.umpire.emit(Noted("3.0-cancel", told, battle.id))
    if alone := _find_missing_attack(combat, battle):
        return "3.0-must", f"{alone} had to be attacked too"
    return None


def _explain_cancel(combat: Field, battle: Battle) -> str:
    """3.0-cancel, J-64: return why the plan cancels the attack, or ''."""
    pos = view(combat.umpire)
    for wish in battle.plan.cancel:
        first, _space, second = wish.partition(" ")
        if first == "unless" and second in combat.ids - combat.emptied:
            return f"cancelled, because {second} did not empty the hex"
        columns = combat.umpire.setting.columns
        if first == "below" and second in columns and find_odds(pos, battle).reached < columns.index(second):
            return f"cancelled, because the odds are below {second}"
    return ""


def _find_missing_attack(combat: Field, battle: Battle) -> str:
    """3.0-must, J-73: return a required hex without an earlier or later attack, or ''."""
    pos, labels = view(combat.umpire), combat.umpire.setting.board.labels
    met = {labels[other.hex] for other in combat.fought}
    met |= {
        labels[other.hex] for other in combat.waiting if any(_can_attack(pos, uid, other) for uid in other.attackers)
    }
    due = find_required(pos, battle) if battle.binds else ()
    return next((label for label in battle.binds if label in due and label not in met), "")


def find_wedges(pos: Position, battle: Battle) -> tuple[tuple[str, ...], ...]:
    """2.0-breakthrough, J-66: return the attacking Panzerkeile: each a korps with the marker, and Tigers in its hex."""
    made = {uid: pos.where[uid] for uid in battle.attackers if pos.counter(uid).wedge}
    return tuple(
        (korps, *(uid for uid, hex_ in made.items() if hex_ == pos.where[korps]))
        for korps in battle.attackers
        if pos.is_marked(marks.KEIL, korps)
    )


def _finish_attack(combat: Field, after: Aftermath, starved: list[str], wedges: tuple[tuple[str, ...], ...]) -> None:
    """9.0, 16.2, 2.0-breakthrough: advance, Disrupt attackers out of supply, and try the breakthrough."""
    umpire, battle = combat.umpire, after.battle
    pos = view(umpire)
    if not pos.here(battle.hex, ENEMY[pos.side(battle.attackers[0])]):
        combat.emptied.add(battle.id)
    gone = advance_attackers(umpire, after, battle.plan.advance)
    for uid in starved:
        if uid in view(umpire).where:
            entry.disrupt_unit(umpire, "16.2", uid, "attacked out of supply")
    if battle.plan.breakthrough and not battle.through:
        why = _try_breakthrough(combat, battle, wedges, gone) if after.result == "DE" else "only a DE brings one"
        if why:
            umpire.emit(Noted("2.0-breakthrough", f"no breakthrough after {battle.id}: {why}", battle.id))


def _try_breakthrough(combat: Field, battle: Battle, wedges: tuple[tuple[str, ...], ...], gone: tuple[str, ...]) -> str:
    """2.0-breakthrough, J-32, J-66: make the second attack of a Panzerkeil that advanced together, or say why not."""
    pos = view(combat.umpire)
    members = {uid for wedge in wedges for uid in wedge if uid not in combat.through}
    able = {uid for uid in members if uid in gone and uid in pos.where and not pos.is_marked(marks.DISRUPTED, uid)}
    groups = _group_wedges(pos, [members.intersection(wedge) for wedge in wedges if wedge[0] in members], able)
    if not members:
        return "no Panzerkeil made the attack"
    if not able:
        return "the Panzerkeil has not advanced"
    for group in groups:
        second = _choose_attack(combat, battle, tuple(uid for uid in battle.attackers if uid in group))
        if second:
            told = f"breakthrough after {battle.id} by {', '.join(sorted(group))}, in {second.id}"
            combat.umpire.emit(Noted("2.0-breakthrough", told, battle.id))
            for other in combat.waiting:
                if other.id == second.id:
                    plans.announce_plan(combat.umpire, "2.0", other.id, other.plan)
            combat.waiting = [other for other in combat.waiting if other.id != second.id]
            combat.through |= group
            fight_attack(combat, second)
            return ""
    if not groups:
        return "the whole Panzerkeil has not advanced into a single hex"
    return "no named hex or attack is in reach"


def _group_wedges(pos: Position, wedges: list[set[str]], able: set[str]) -> list[set[str]]:
    """2.0-breakthrough, J-32: return the complete Panzerkeile that can attack from one hex, grouped by hex."""
    groups: dict[int, set[str]] = {}
    for wedge in wedges:
        hexes = {pos.where[uid] for uid in wedge if uid in pos.where}
        if wedge <= able and len(hexes) == 1:
            groups.setdefault(hexes.pop(), set()).update(wedge)
    return list(groups.values())


def _choose_attack(combat: Field, battle: Battle, group: tuple[str, ...]) -> Battle | None:
    """2.0-breakthrough, J-66: return the first possible attack of the plan, joined to a waiting attack or alone."""
    named = (second for wish in battle.plan.breakthrough if (second := _read_attack(combat, battle, group, wish)))
    return next((second for second in named if _is_legal(combat, second)), None)


def _read_attack(combat: Field, battle: Battle, group: tuple[str, ...], wish: str) -> Battle | None:
    """2.0-breakthrough, J-66: return the attack of a wish, or None if the hex is not adjacent to the Panzerkeil."""
    setting, plan = combat.umpire.setting, battle.plan
    near = setting.board.near[view(combat.umpire).where[group[0]]]
    joined = wish.removeprefix("join ")
    for other in combat.waiting:
        if joined != wish and other.id == joined and near >> other.hex & 1:
            joint = replace(other.plan, advance=(*other.plan.advance, *plan.exploit))
            return replace(other, attackers=(*other.attackers, *group), plan=joint)
    hex_ = setting.board.index.get(wish, -1)
    if hex_ >= 0 and near >> hex_ & 1 and not any(other.hex == hex_ for other in combat.waiting):
        return Battle(f"{battle.id}/on", hex_, group, plan=Plan(advance=plan.exploit, losses=plan.losses), through=True)
    return None


def _is_legal(combat: Field, battle: Battle) -> bool:
    """1.0-least, 3.0-cancel, 3.0-must, J-69: return whether an attack would take place now."""
    battle = keep_able_attackers(view(combat.umpire), battle)
    return not _find_obstacle(combat, battle) and find_odds(view(combat.umpire), battle).allowed


def make_fought(setting: Setting, battle: Battle, odds: Odds, die: str = "", result: str = "") -> Fought:
    """1.0: return the calculation of an attack for a report, with die and result if the die was rolled."""
    guns = tuple(uid for uid in battle.attackers if setting.counters[uid].kind == ARTILLERY)
    roles = [(f"{describe_pressed(setting, odds)}, by", battle.attackers)] if odds.presses else []
    roles += [("prepared by", guns)] if guns and guns != battle.attackers else []
    ratio, column = name_column(setting, odds.level), name_column(setting, odds.reached)
    attack = Force(odds.side, odds.attackers, str(odds.attack))
    against = Force(ENEMY[odds.side], odds.defence.rows, str(odds.defence.total))
    place = setting.board.labels[battle.hex]
    told = Fought("1.0", battle.id, place, attack, against, ratio, odds.shifts, column, column, tuple(roles))
    if not odds.allowed:
        return replace(told, column="", note="below 1:5: no attack takes place, no die falls [1.0-least]")
    if not die:
        return told
    label, chance = f"{battle.id}/combat", f"{len(list_results(setting, odds)[result])}/6"
    return replace(told, label=label, dice=die, result=result, meaning=describe_result(odds, result), chance=chance)
