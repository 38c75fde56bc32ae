"""9.0 Combat: battles are declared all at once, answered by the defender, then fought one after the other.

Odds are computed afresh when each battle comes up; between declaration and battle only communication can have
changed (K-62).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.decisions import Decision
from kursk_pbem.kernel.events import Fought, Noted, PhaseBegan, Removed, Scheduled, StepsLost
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import entry, losses, retreat, standing
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, Odds, assess, chances, fraction_text, odds_text
from kursk_pbem.rulesets.battle_for_kursk.position import view
from kursk_pbem.rulesets.battle_for_kursk.setting import MAJOR, Kursk
from kursk_pbem.rulesets.battle_for_kursk.standing import ACCEPT, EXCHANGE, STAND, Plan, plan_of


def declared(kursk: Kursk, agenda: Mapping[str, Any]) -> tuple[Battle, ...]:
    """The battles that wait in the agenda, in the order in which they will be fought."""
    return tuple(
        Battle(
            each["id"],
            kursk.board.index[each["hex"]],
            each["defender"],
            tuple(each["attackers"]),
            each.get("lead", ""),
            tuple(each.get("support", ())),
        )
        for each in agenda.get("battles", ())
    )


def answer(umpire: Umpire[Kursk], filing: Filing) -> None:
    """9.3 Stand Fast, Fortifications: the defender's answers to the battles declared; none is an answer too (K-73)."""
    umpire.emit(PhaseBegan("9.3-stand-fast", "answer", filing.writer, umpire.state.turn))
    battles = declared(umpire.setting, umpire.state.agenda)
    side, policy = filing.writer, filing.policy
    known = {
        "battles": {battle.id for battle in battles},
        "units": {uid for uid, counter in umpire.setting.counters.items() if counter.side == side},
        "hexes": set(umpire.setting.board.index),
    }
    for table, names in known.items():
        for name in policy.get(table, {}):
            if name not in names:
                what = {"battles": "no battle of that name is declared", "units": "is no unit of your side"}
                why = what.get(table, "is not a hex of this map")
                umpire.refuse("9.3-stand-fast", why, name, ("policy", table, name))
    if policy:
        umpire.emit(Scheduled("9.3-stand-fast", "policy", policy))
    umpire.emit(Scheduled("9.0", "answered", str(filing.seq)))


def resolve(umpire: Umpire[Kursk], filing: Filing) -> None:
    """9.0-7: fight all declared battles, one at a time, in the order declared (Battle Commitment)."""
    agenda = umpire.state.agenda
    battles = declared(umpire.setting, agenda)
    made, answered = int(agenda["declared"]), int(agenda["answered"])
    sealed = filing.reveal.get(f"plans/{made}", {})
    umpire.emit(PhaseBegan("9.0", "combat", filing.writer, umpire.state.turn))
    for battle, order in zip(battles, agenda["battles"], strict=True):
        hidden = sealed.get(battle.id, {}) if isinstance(sealed, dict) else {}
        plan = plan_of(hidden or order.get("plan", {}))
        if plan != Plan():
            umpire.emit(Noted("9.0-battle-commitment", f"plan for {battle.id}: {plan.text()}"))
        _fight(umpire, battle, plan, made, answered)
    for key in ("battles", "declared", "answered", "policy"):
        if key in umpire.state.agenda:
            umpire.emit(Scheduled("9.0", key, None))


def _fight(umpire: Umpire[Kursk], battle: Battle, plan: Plan, made: int, answered: int) -> None:
    """9.0, the Battle Sequence: odds, die, result, defender's choice, losses, retreat, payment, advance (K-53)."""
    pos = view(umpire)
    _assert_in_place(umpire, battle)
    odds = assess(pos, battle)
    if not odds.column:  # 9.1: below 1:1 there is no attack and no die (K-44, K-80)
        umpire.emit(_fought(umpire, battle, odds, "", ""))
        return
    die = umpire.roll(f"{battle.id}/combat", "9.0-4", declared=made, answered=answered)
    result = umpire.setting.crt[odds.column, int(die)]
    umpire.emit(_fought(umpire, battle, odds, die, result))
    policy = umpire.state.agenda.get("policy", {})
    taken = _defenders_choice(umpire, battle, result, policy) if result in ("DR", "DRL") else ACCEPT
    _apply(umpire, battle, plan, "EX" if taken == EXCHANGE else "stand" if taken == STAND else result)
    _advance(umpire, battle, plan)


def _assert_in_place(umpire: Umpire[Kursk], battle: Battle) -> None:
    """K-62: everybody in an unfought battle still stands where he stood; a slip here is ours."""
    pos = view(umpire)
    near = umpire.setting.board.near[battle.hex]
    if pos.at.get(battle.hex) != battle.defender or not all(near >> pos.where[u] & 1 for u in battle.attackers):
        raise AssertionError(f"{battle.id}: a participant has left his place")


def _fought(umpire: Umpire[Kursk], battle: Battle, odds: Odds, die: str, result: str) -> Fought:
    chance = f"{chances(umpire.setting, odds.column)[result]}/6" if result else ""
    return Fought(
        "9.0",
        battle.id,
        umpire.setting.board.labels[battle.hex],
        battle.defender,
        odds.attackers,
        battle.support,
        battle.lead,
        fraction_text(odds.attack),
        str(odds.defence),
        odds.ratio,
        odds.shifts,
        odds_text(odds.column) if odds.column else "",
        die,
        result,
        chance,
    )


def _defenders_choice(umpire: Umpire[Kursk], battle: Battle, result: str, policy: Mapping[str, Any]) -> str:
    """9.3 Stand Fast (DR as rolled, Major City) and Fortifications (DR or DRL into EX): K-54, K-55, K-74, K-75."""
    pos, kursk = view(umpire), umpire.setting
    options = [ACCEPT]
    if result == "DR" and kursk.cities.get(battle.hex) == MAJOR:
        options.append(STAND)
    if pos.fortified(battle.defender):
        options.append(EXCHANGE)
    if len(options) == 1:
        return ACCEPT
    steps = umpire.state.units[battle.defender].steps
    doomed = retreat.retreats(pos, battle.defender).kills(steps - (result == "DRL"))
    doomed = doomed or (result == "DRL" and steps == 1)
    label = kursk.board.labels[battle.hex]
    keys = (standing.STAND_FAST, standing.EXCHANGE_DR) if result == "DR" else (standing.EXCHANGE_DRL,)
    found = {key: standing.lookup(policy, key, battle, label) for key in keys}
    applies = {key: standing.holds(when, steps, doomed=doomed) for key, (when, _own) in found.items()}
    usual = {key: standing.holds(standing.DEFAULT_POLICY[key], steps, doomed=doomed) for key in keys}
    chosen = standing.answer(result, tuple(options), applies, steps)
    default = standing.answer(result, tuple(options), usual, steps)
    own = any(said for _when, said in found.values())
    rule = "9.3-stand-fast" if STAND in options else "9.3-fortifications"
    owner = kursk.counters[battle.defender].side
    decision = Decision(rule, "conversion", owner, battle.id, tuple(options), default, chosen if own else "")
    return umpire.ask(decision)


def _apply(umpire: Umpire[Kursk], battle: Battle, plan: Plan, result: str) -> None:
    """9.0-5, 9.3: the result of a battle on defender and attackers; of 9.3-ne there is none."""
    uid = battle.defender
    match result:
        case "DE":
            umpire.emit(Removed("9.3-de", uid, ELIMINATED, "defender eliminated"))
        case "stand":
            lose(umpire, "9.3-stand-fast", uid, 1, "stands fast")
        case "DR":
            _retreat(umpire, battle, plan)
        case "DRL":
            if lose(umpire, "9.3-drl", uid, 1, "defender's loss"):
                _retreat(umpire, battle, plan)
        case "EX":
            steps = umpire.state.units[uid].steps
            due = umpire.setting.strength(uid, steps) - umpire.setting.strength(uid, steps - 1)  # K-57
            if lose(umpire, "9.3-ex", uid, 1, f"exchange: {due} strength points"):
                _retreat(umpire, battle, plan)
            _pay(umpire, battle, plan, due)
        case "AL":
            loser = losses.single(_purses(umpire, battle), plan.losses)
            lose(umpire, "9.3-al", loser, 1, "attacker's loss")


def lose(umpire: Umpire[Kursk], rule: str, uid: str, steps: int, why: str) -> bool:
    """Take steps from a unit; true if it survives. At none it is eliminated (9.3-step-loss)."""
    left = umpire.state.units[uid].steps - steps
    if left <= 0:
        umpire.emit(Removed(rule, uid, ELIMINATED, why))
        return False
    umpire.emit(StepsLost(rule, uid, steps, left, why))
    return True


def _purses(umpire: Umpire[Kursk], battle: Battle) -> tuple[losses.Purse, ...]:
    """Who can bleed for the attacker: front line and second echelon (9.2.1-losses), at printed strength (11.2)."""
    return tuple(
        losses.Purse(uid, umpire.state.units[uid].steps, umpire.setting.counters[uid].strength)
        for uid in battle.participants
    )


def _pay(umpire: Umpire[Kursk], battle: Battle, plan: Plan, due: int) -> None:
    """9.3 EX: the attacker loses at least ``due`` strength points, no unit's last step more than it takes (K-58)."""
    for uid, steps in sorted(losses.exchange(_purses(umpire, battle), due, plan.losses).items()):
        lose(umpire, "9.3-ex-payment", uid, steps, f"exchange: {due} strength points to match")


def _retreat(umpire: Umpire[Kursk], battle: Battle, plan: Plan) -> None:
    """9.3-dr: two hexes, conducted by the attacker (K-61)."""
    pos, uid, labels = view(umpire), battle.defender, umpire.setting.board.labels
    way = retreat.retreats(pos, uid)
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
        first, second = retreat.choose(pos, way, plan.retreat)
        if way.kind == retreat.COSTLY and not lose(
            umpire, "9.3-dr-unavoidable-ezocs", uid, 1, f"retreats through an EZOC at {labels[first]}"
        ):
            return
        entry.move(umpire, "9.3-dr-two-hexes", uid, (labels[first], labels[second]), "retreat")


def _advance(umpire: Umpire[Kursk], battle: Battle, plan: Plan) -> None:
    """9.0 (6): one surviving front-line attacker may enter the hex the defender has left (K-60, K-78)."""
    pos, kursk = view(umpire), umpire.setting
    if battle.hex in pos.at:
        return
    for wish in plan.advance:
        uid, _space, guard = wish.partition(" ")
        if uid not in battle.attackers or uid not in pos.where:
            continue
        if guard == standing.IF_FREE and pos.ezoc(kursk.counters[uid].side) >> battle.hex & 1:
            continue
        if guard == standing.IF_SUPPLIED and not pos.communication(kursk.counters[uid].side) >> battle.hex & 1:
            continue
        if guard and guard not in standing.GUARDS:
            continue
        entry.move(umpire, "9.0-6", uid, (kursk.board.labels[battle.hex],), "advance")
        return
    if plan.advance:
        umpire.emit(Noted("9.0-6", f"nobody advances into {kursk.board.labels[battle.hex]}"))
