"""9.0 Combat: battles are declared together, answered by the defender, then fought in sequence.

The program computes the odds again before every battle. After the declaration, only communication can have changed
(K-62).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kursk_pbem.kernel.decisions import Decision, Pending
from kursk_pbem.kernel.events import Force, Fought, Noted, Removed, Row, StepsLost
from kursk_pbem.kernel.hexes import fights, plans
from kursk_pbem.kernel.hexes.fights import fraction_text, odds_text
from kursk_pbem.kernel.hexes.policies import BATTLES, filed_policy
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import DECLARED, ELIMINATED, OFF_MAP
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import answers, entry, retreat
from kursk_pbem.rulesets.battle_for_kursk.answers import ACCEPT, EXCHANGE, STAND
from kursk_pbem.rulesets.battle_for_kursk.battles import WAITING
from kursk_pbem.rulesets.battle_for_kursk.odds import Odds, assess, count_results
from kursk_pbem.rulesets.battle_for_kursk.orders import GUARDS, IF_FREE, IF_SUPPLIED, Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, view
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, MAJOR, Setting

MEANING = {
    "AL": "attacker's loss",
    "NE": "no effect",
    "DR": "defender retreats",
    "EX": "exchange: the defender loses a step and retreats, the attacker loses at least as many points",
    "DRL": "defender loses a step and retreats",
    "DE": "defender eliminated",
}


def list_declared(setting: Setting, agenda: Mapping[str, Any]) -> tuple[Battle, ...]:
    """Return the declared battles that are still to be fought, in the order of fighting."""
    return tuple(Battle.from_plain(battle, setting.board.index) for battle in agenda.get(BATTLES, ()))


def resolve(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-7: fight all declared battles, in the order in which they were declared (Battle Commitment)."""
    agenda = umpire.state.agenda
    waiting = list_declared(umpire.setting, agenda)
    sealed = filing.reveal.get(plans.label(agenda[DECLARED]), {})
    for number, battle in enumerate(waiting):
        plan = battle.plan if battle.rolled else battle.plan.unless(sealed, battle.id)
        plans.announce_plan(umpire, "9.0-battle-commitment", battle.id, plan)
        try:
            fight_battle(umpire, replace(battle, plan=plan))
        except Pending as stop:
            _stop(umpire, replace(battle, plan=plan), waiting[number + 1 :], stop.decision)
            return
    umpire.settle("9.0", WAITING)


def _stop(umpire: Umpire[Setting], battle: Battle, left: tuple[Battle, ...], decision: Decision) -> None:
    """K-75: save the waiting battle; the battle is later fought again from its start with the same die.

    The shown plans of the remaining battles expire. This message seals new plans.
    """
    labels = umpire.setting.board.labels
    stopped = replace(battle, rolled=battle.rolled or umpire.rolled[_die_label(battle)])
    plain = [battle.to_plain(labels[battle.hex]) for battle in (stopped, *left)]
    umpire.declare("9.0", BATTLES, plain)
    plans.stop_dice(umpire, decision)


def _die_label(battle: Battle) -> str:
    return f"{battle.id}/combat"


def fight_battle(umpire: Umpire[Setting], battle: Battle) -> None:
    """9.0, K-53: fight one battle: odds, die, result, defender's choice, losses, retreat, payment, advance."""
    pos = view(umpire)
    _assert_in_place(umpire, battle)
    odds = assess(pos, battle)
    if not odds.column:  # 9.1: below 1:1 no attack and no die (K-44, K-80)
        umpire.tell(make_fought, umpire.setting, battle, odds)
        return
    attacker = pos.side(battle.attackers[0])
    die = battle.rolled or umpire.roll(_die_label(battle), "9.0-4", of=BATTLES, whose=attacker)
    result = umpire.setting.crt[odds.column, int(die)]
    umpire.tell(make_fought, umpire.setting, battle, odds, die, result)
    taken = _defenders_choice(umpire, battle, result) if result in ("DR", "DRL") else ACCEPT
    _apply(umpire, battle, "EX" if taken == EXCHANGE else STAND if taken == STAND else result)
    _advance(umpire, battle)


def _assert_in_place(umpire: Umpire[Setting], battle: Battle) -> None:
    """K-62: assert that the units of the remaining battles have not moved. A failure is a bug of the program."""
    pos = view(umpire)
    near = umpire.setting.board.near[battle.hex]
    if pos.unit(battle.hex) != battle.defender or not all(near >> pos.where[u] & 1 for u in battle.attackers):
        raise AssertionError(f"{battle.id}: a participant has left its place")


def make_fought(setting: Setting, battle: Battle, odds: Odds, die: str = "", result: str = "") -> Fought:
    """9.0-1 to 9.0-4: return a battle's calculation for a report. The die is included if it has been rolled."""
    side, place = setting.counters[battle.defender].side, setting.board.labels[battle.hex]
    row = Row(battle.defender, "", str(odds.defence), (), str(odds.defence))
    attack, defence = Force(ENEMY[side], odds.attackers, fraction_text(odds.attack)), Force(side, (row,), row.counts)
    roles = (("Offensive led by", (battle.lead,)), ("in support", battle.support)) if battle.lead else ()
    column = odds_text(odds.column) if odds.column else ""
    told = Fought("9.0", battle.id, place, attack, defence, odds.ratio, odds.shifts, odds.reached, column, roles)
    if not odds.column:
        return replace(told, note="below 1:1: no attack takes place, no die falls [9.1]")
    if not die:
        return told
    meaning, chance = MEANING[result], f"{count_results(setting, odds.column)[result]}/6"
    return replace(told, label=_die_label(battle), dice=die, result=result, meaning=meaning, chance=chance)


def list_rights(pos: Position, battle: Battle) -> list[str]:
    """Return the defender's options that a battle's place allows, as keys of an answer (K-54, K-55)."""
    options = [answers.STAND_FAST] if pos.setting.cities.get(battle.hex) == MAJOR else []
    return options + ([answers.EXCHANGE_DR, answers.EXCHANGE_DRL] if pos.fortified(battle.defender) else [])


def _defenders_choice(umpire: Umpire[Setting], battle: Battle, result: str) -> str:
    """9.3, K-54, K-55, K-74, K-75: return the defender's choice: accept the result, stand fast, or exchange."""
    pos, setting, agenda = view(umpire), umpire.setting, umpire.state.agenda
    options = [ACCEPT]
    if result == "DR" and setting.cities.get(battle.hex) == MAJOR:
        options.append(STAND)
    if pos.fortified(battle.defender):
        options.append(EXCHANGE)
    if len(options) == 1:
        return ACCEPT
    if battle.id in agenda.get(plans.DECIDED, {}):
        return str(agenda[plans.DECIDED][battle.id])
    steps = umpire.state.units[battle.defender].steps
    doomed = retreat.permit(pos, battle.defender).kills(steps - (result == "DRL"))
    doomed = doomed or (result == "DRL" and steps == 1)
    label = setting.board.labels[battle.hex]
    keys = answers.keys_of(result, tuple(options))
    owner = setting.counters[battle.defender].side
    filed_for = {key: answers.find_condition(filed_policy(agenda, owner), key, battle, label) for key in keys}
    applies = {key: answers.is_condition_true(when, steps, doomed=doomed) for key, (when, _own) in filed_for.items()}
    usual = {key: answers.is_condition_true(answers.DEFAULT_POLICY[key], steps, doomed=doomed) for key in keys}
    wanted = answers.answer(result, tuple(options), applies, steps)
    default = answers.answer(result, tuple(options), usual, steps)
    said = [own for _when, own in filed_for.values()]
    covered = all(said) if setting.ask else any(said)
    rule = "9.3-stand-fast" if STAND in options else "9.3-fortifications"
    usual_answer = "" if setting.ask else default
    return umpire.ask(
        Decision(rule, "conversion", owner, battle.id, tuple(options), usual_answer, wanted if covered else "")
    )


def _apply(umpire: Umpire[Setting], battle: Battle, result: str) -> None:
    """9.0-5, 9.3: apply the result of a battle to defender and attackers; 9.3-ne has no effect."""
    uid = battle.defender
    match result:
        case "DE":
            umpire.emit(Removed("9.3-de", uid, ELIMINATED, "defender eliminated"))
        case answers.STAND:
            lose(umpire, "9.3-stand-fast", uid, 1, "stands fast")
        case "DR":
            _retreat(umpire, battle)
        case "DRL":
            if lose(umpire, "9.3-drl", uid, 1, "defender's loss"):
                _retreat(umpire, battle)
        case "EX":
            steps = umpire.state.units[uid].steps
            due = umpire.setting.strength(uid, steps) - umpire.setting.strength(uid, steps - 1)  # K-57
            if lose(umpire, "9.3-ex", uid, 1, f"exchange: {due} strength points"):
                _retreat(umpire, battle)
            _pay(umpire, battle, due)
        case "AL":
            loser = fights.choose_single(_find_payers(umpire, battle), battle.plan.losses)
            lose(umpire, "9.3-al", loser, 1, "attacker's loss")


def lose(umpire: Umpire[Setting], rule: str, uid: str, steps: int, why: str) -> bool:
    """Remove steps of a unit. Return False if no step is left, so the unit is eliminated (9.3-step-loss)."""
    left = umpire.state.units[uid].steps - steps
    if left <= 0:
        umpire.emit(Removed(rule, uid, ELIMINATED, why))
        return False
    umpire.emit(StepsLost(rule, uid, steps, left, why))
    return True


def _find_payers(umpire: Umpire[Setting], battle: Battle) -> tuple[fights.Purse, ...]:
    """Return units that can take the attacker's losses: both echelons (9.2.1-losses), with printed strength (11.2)."""
    return tuple(
        fights.Purse(uid, umpire.state.units[uid].steps, umpire.setting.counters[uid].strength)
        for uid in battle.participants
    )


def _pay(umpire: Umpire[Setting], battle: Battle, due: int) -> None:
    """9.3 EX: remove ``due`` strength points of the attacker, and last steps only if necessary (K-58)."""
    for uid, steps in sorted(fights.choose_exchange(_find_payers(umpire, battle), due, battle.plan.losses).items()):
        lose(umpire, "9.3-ex-payment", uid, steps, f"exchange: {due} strength points to match")


def _retreat(umpire: Umpire[Setting], battle: Battle) -> None:
    """9.3-dr: retreat a unit two hexes on the attacker's path (K-61)."""
    pos, uid, labels = view(umpire), battle.defender, umpire.setting.board.labels
    way = retreat.permit(pos, uid)
    if way.kind == retreat.FATAL:
        umpire.emit(Removed("9.3-dr-unavoidable-ezocs", uid, ELIMINATED, "forced to end its retreat in an EZOC"))
    elif way.kind == retreat.NONE:
        umpire.emit(Removed("9.3-dr-or-else", uid, ELIMINATED, "no retreat path"))
    elif way.kind == retreat.EXIT:
        umpire.emit(Removed("9.3-dr-off-the-map", uid, OFF_MAP, "retreats off its own map edge"))
    elif way.kind == retreat.COSTLY_EXIT:
        if lose(umpire, "9.3-dr-unavoidable-ezocs", uid, 1, "retreats through an EZOC"):
            umpire.emit(Removed("9.3-dr-off-the-map", uid, OFF_MAP, "retreats off its own map edge"))
    else:
        first, second = retreat.choose(pos, uid, way, battle.plan.retreat)
        if way.kind == retreat.COSTLY and not lose(
            umpire, "9.3-dr-unavoidable-ezocs", uid, 1, f"retreats through an EZOC at {labels[first]}"
        ):
            return
        entry.move(umpire, "9.3-dr-two-hexes", uid, (labels[first], labels[second]), "retreat")


def _advance(umpire: Umpire[Setting], battle: Battle) -> None:
    """9.0 (6): move one surviving front-line attacker into the defender's vacated hex (K-60, K-78)."""
    pos, setting = view(umpire), umpire.setting
    if battle.hex in pos.at:
        return
    why: list[str] = []
    for wish in battle.plan.advance:
        uid, _space, guard = wish.partition(" ")
        if uid not in battle.attackers or uid not in pos.where:
            continue
        if guard == IF_FREE and pos.ezoc(setting.counters[uid].side) >> battle.hex & 1:
            why.append(f"{uid} only if free, and the hex is in an EZOC")
            continue
        if guard == IF_SUPPLIED and not pos.communication(setting.counters[uid].side) >> battle.hex & 1:
            why.append(f"{uid} only if supplied, and the hex is not In Communication")
            continue
        if guard and guard not in GUARDS:
            continue
        entry.move(umpire, "9.0-6", uid, (setting.board.labels[battle.hex],), "advance")
        return
    if battle.plan.advance:
        text = f"no unit advances into {setting.board.labels[battle.hex]}"
        umpire.emit(Noted("9.0-6", f"{text}: {', '.join(why)}" if why else text))
