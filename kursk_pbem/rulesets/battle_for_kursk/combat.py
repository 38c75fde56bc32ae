"""9.0 Combat: battles are declared all at once, answered by the defender, then fought one after the other.

Odds are computed afresh when each battle comes up; between declaration and battle only communication can have
changed (K-62).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from kursk_pbem.kernel.decisions import Decision, Pending
from kursk_pbem.kernel.events import Decided, Fought, Noted, PhaseBegan, Removed, Scheduled, StepsLost
from kursk_pbem.kernel.hexes import fights
from kursk_pbem.kernel.hexes.fights import fraction_text, odds_text
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import entry, retreat, standing
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, Odds, assess, chances
from kursk_pbem.rulesets.battle_for_kursk.position import view
from kursk_pbem.rulesets.battle_for_kursk.setting import MAJOR, Setting
from kursk_pbem.rulesets.battle_for_kursk.standing import ACCEPT, EXCHANGE, STAND, Plan, plan_of, plan_slips


def declared(setting: Setting, agenda: Mapping[str, Any]) -> tuple[Battle, ...]:
    """The battles that wait in the agenda, in the order in which they will be fought."""
    return tuple(
        Battle(
            each["id"],
            setting.board.index[each["hex"]],
            each["defender"],
            tuple(each["attackers"]),
            each.get("lead", ""),
            tuple(each.get("support", ())),
        )
        for each in agenda.get("battles", ())
    )


def answer(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.3 Stand Fast, Fortifications: the defender's answers to the battles declared; none is an answer too (K-73)."""
    umpire.emit(PhaseBegan("9.3-stand-fast", "answer", filing.writer, umpire.state.turn))
    known = {battle.id for battle in declared(umpire.setting, umpire.state.agenda)}
    check_policy(umpire, filing, known, "no battle of that name is declared")
    if filing.policy:
        umpire.emit(Scheduled("9.3-stand-fast", "policy", filing.policy))
    umpire.emit(Scheduled("9.0", "answered", str(filing.seq)))


def check_policy(umpire: Umpire[Setting], filing: Filing, battles: Collection[str], no_battle: str) -> None:
    """K-73: what a policy names must be there; ``no_battle`` says what is wrong with one that is not in ``battles``."""
    known = {
        "battles": battles,
        "units": {uid for uid, counter in umpire.setting.counters.items() if counter.side == filing.writer},
        "hexes": set(umpire.setting.board.index),
    }
    what = {"battles": no_battle, "units": "is no unit of your side", "hexes": "is not a hex of this map"}
    for table, names in known.items():
        for name in filing.policy.get(table, {}):
            if name not in names:
                umpire.refuse("9.3-stand-fast", what[table], name, ("policy", table, name))


def decide(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.3 Stand Fast, Fortifications: the decision at which the dice stopped, by its owner (uncovered: ask, K-75)."""
    pending = umpire.state.agenda["pending"]
    bid, options = pending["battle"], pending["options"]
    umpire.emit(PhaseBegan("9.3-stand-fast", "answer", filing.writer, umpire.state.turn))
    for other in filing.decisions:
        if other != bid:
            umpire.refuse("9.3-stand-fast", f"only {bid} waits for a decision", other, ("decisions", other))
    chosen = filing.decisions.get(bid, "")
    if chosen not in options:
        why = f"decide one of {', '.join(options)}"
        umpire.refuse("9.3-stand-fast", why, bid, ("decisions", bid))
        return
    rule = "9.3-stand-fast" if STAND in options else "9.3-fortifications"
    umpire.emit(
        Decided(rule, pending["kind"], filing.writer, bid, chosen, "filed"),
        Scheduled("9.3-stand-fast", "pending", None),
        Scheduled("9.3-stand-fast", "decided", {bid: chosen}),
        Scheduled("9.0", "answered", str(filing.seq)),
    )


def resolve(umpire: Umpire[Setting], filing: Filing) -> None:
    """9.0-7: fight all declared battles, one at a time, in the order declared (Battle Commitment)."""
    agenda = umpire.state.agenda
    if "battles" not in agenda:  # fought in the offer that stood in this place
        return
    battles, orders = declared(umpire.setting, agenda), agenda["battles"]
    sealed = filing.reveal.get(f"plans/{agenda['declared']}", {})
    side = umpire.setting.counters[battles[0].attackers[0]].side  # the writer may be a referee
    umpire.emit(PhaseBegan("9.0", "combat", side, umpire.state.turn))
    for number, (battle, order) in enumerate(zip(battles, orders, strict=True)):
        hidden = sealed.get(battle.id, {}) if isinstance(sealed, dict) and "rolled" not in order else {}
        plan = plan_of(hidden or order.get("plan", {}))
        if plan != Plan():
            umpire.emit(Noted("9.0-battle-commitment", f"plan for {battle.id}: {plan.text()}"))
        try:
            _fight(umpire, battle, plan, order.get("rolled", ""))
        except Pending as stop:
            _stop(umpire, filing, plan, orders[number:], stop.decision)
            return
    for key in ("battles", "declared", "answered", "policy", "decided"):
        if key in umpire.state.agenda:
            umpire.emit(Scheduled("9.0", key, None))


def _stop(umpire: Umpire[Setting], filing: Filing, plan: Plan, left: list[dict[str, Any]], decision: Decision) -> None:
    """K-75: put down what is known of the battle that waits; it is fought again from its start with the same die.

    Sealed plans of the battles after it lapse, for they have been shown; new ones are sealed in this message.
    """
    waiting = {**left[0], "rolled": umpire.rolled[f"{left[0]['id']}/combat"], "plan": plan.to_plain()}
    options = list(decision.options)
    umpire.emit(
        Scheduled("9.0", "battles", [waiting, *left[1:]]),
        Scheduled("9.0", "declared", str(filing.seq)),
        Scheduled(
            decision.rule,
            "pending",
            {"owner": decision.owner, "battle": decision.subject, "kind": decision.kind, "options": options},
        ),
    )


def plan_again(umpire: Umpire[Setting], filing: Filing) -> None:
    """K-75: new plans for the battles not yet fought, sealed in the message that stops; their owner's desk checks."""
    label = f"plans/{filing.seq}"
    if "pending" not in umpire.state.agenda or label not in filing.sealed:
        return
    open_ = {battle.id: battle for battle in declared(umpire.setting, umpire.state.agenda)[1:]}
    value = filing.sealed[label]
    if not isinstance(value, dict):
        form = "write {battle: {retreat: [], losses: [], advance: []}}"
        umpire.refuse("9.0-battle-commitment", form, label, ("seal", label))
        return
    for bid, plan in value.items():
        path = ("seal", label, bid)
        if bid not in open_:
            umpire.refuse("9.0-battle-commitment", "is no battle that is still to be fought", bid, path)
            continue
        for key, slip in plan_slips(open_[bid], plan_of(plan), umpire.setting.board.index):
            umpire.refuse("9.0", slip, bid, (*path, key))


def _fight(umpire: Umpire[Setting], battle: Battle, plan: Plan, rolled: str) -> None:
    """9.0, the Battle Sequence: odds, die, result, defender's choice, losses, retreat, payment, advance (K-53).

    ``rolled``: the die, where it fell before the battle had to wait for a decision.
    """
    pos, agenda = view(umpire), umpire.state.agenda
    _assert_in_place(umpire, battle)
    odds = assess(pos, battle)
    if not odds.column:  # 9.1: below 1:1 there is no attack and no die (K-44, K-80)
        umpire.emit(_fought(umpire, battle, odds, "", ""))
        return
    made = int(agenda["declared"])
    open_ = agenda.get(f"policy-{umpire.setting.counters[battle.defender].side}", {"seq": "0"})
    # A referee waits for no answer; then the last thing that could have been chosen is the declaration.
    answered = max(int(agenda.get("answered", made)), int(open_["seq"]))
    die = rolled or umpire.roll(f"{battle.id}/combat", "9.0-4", declared=made, answered=answered)
    result = umpire.setting.crt[odds.column, int(die)]
    umpire.emit(_fought(umpire, battle, odds, die, result))
    taken = _defenders_choice(umpire, battle, result) if result in ("DR", "DRL") else ACCEPT
    _apply(umpire, battle, plan, "EX" if taken == EXCHANGE else "stand" if taken == STAND else result)
    _advance(umpire, battle, plan)


def _assert_in_place(umpire: Umpire[Setting], battle: Battle) -> None:
    """K-62: everybody in an unfought battle still stands where he stood; a slip here is ours."""
    pos = view(umpire)
    near = umpire.setting.board.near[battle.hex]
    if pos.at.get(battle.hex) != battle.defender or not all(near >> pos.where[u] & 1 for u in battle.attackers):
        raise AssertionError(f"{battle.id}: a participant has left his place")


def _fought(umpire: Umpire[Setting], battle: Battle, odds: Odds, die: str, result: str) -> Fought:
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


def _defenders_choice(umpire: Umpire[Setting], battle: Battle, result: str) -> str:
    """9.3 Stand Fast (DR as rolled, Major City) and Fortifications (DR or DRL into EX): K-54, K-55, K-74, K-75."""
    pos, setting, agenda = view(umpire), umpire.setting, umpire.state.agenda
    options = [ACCEPT]
    if result == "DR" and setting.cities.get(battle.hex) == MAJOR:
        options.append(STAND)
    if pos.fortified(battle.defender):
        options.append(EXCHANGE)
    if len(options) == 1:
        return ACCEPT
    if battle.id in agenda.get("decided", {}):
        return str(agenda["decided"][battle.id])
    steps = umpire.state.units[battle.defender].steps
    doomed = retreat.retreats(pos, battle.defender).kills(steps - (result == "DRL"))
    doomed = doomed or (result == "DRL" and steps == 1)
    label = setting.board.labels[battle.hex]
    keys = standing.keys_of(result, tuple(options))
    owner = setting.counters[battle.defender].side
    found = {key: standing.lookup(standing.filed(agenda, owner), key, battle, label) for key in keys}
    applies = {key: standing.holds(when, steps, doomed=doomed) for key, (when, _own) in found.items()}
    usual = {key: standing.holds(standing.DEFAULT_POLICY[key], steps, doomed=doomed) for key in keys}
    filed = standing.answer(result, tuple(options), applies, steps)
    default = standing.answer(result, tuple(options), usual, steps)
    said = [own for _when, own in found.values()]
    covered = all(said) if setting.ask else any(said)
    rule = "9.3-stand-fast" if STAND in options else "9.3-fortifications"
    usual_answer = "" if setting.ask else default
    return umpire.ask(
        Decision(rule, "conversion", owner, battle.id, tuple(options), usual_answer, filed if covered else "")
    )


def _apply(umpire: Umpire[Setting], battle: Battle, plan: Plan, result: str) -> None:
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
            loser = fights.single(_purses(umpire, battle), plan.losses)
            lose(umpire, "9.3-al", loser, 1, "attacker's loss")


def lose(umpire: Umpire[Setting], rule: str, uid: str, steps: int, why: str) -> bool:
    """Take steps from a unit; true if it survives. At none it is eliminated (9.3-step-loss)."""
    left = umpire.state.units[uid].steps - steps
    if left <= 0:
        umpire.emit(Removed(rule, uid, ELIMINATED, why))
        return False
    umpire.emit(StepsLost(rule, uid, steps, left, why))
    return True


def _purses(umpire: Umpire[Setting], battle: Battle) -> tuple[fights.Purse, ...]:
    """Who can bleed for the attacker: front line and second echelon (9.2.1-losses), at printed strength (11.2)."""
    return tuple(
        fights.Purse(uid, umpire.state.units[uid].steps, umpire.setting.counters[uid].strength)
        for uid in battle.participants
    )


def _pay(umpire: Umpire[Setting], battle: Battle, plan: Plan, due: int) -> None:
    """9.3 EX: the attacker loses at least ``due`` strength points, no unit's last step more than it takes (K-58)."""
    for uid, steps in sorted(fights.exchange(_purses(umpire, battle), due, plan.losses).items()):
        lose(umpire, "9.3-ex-payment", uid, steps, f"exchange: {due} strength points to match")


def _retreat(umpire: Umpire[Setting], battle: Battle, plan: Plan) -> None:
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
        first, second = retreat.choose(pos, uid, way, plan.retreat)
        if way.kind == retreat.COSTLY and not lose(
            umpire, "9.3-dr-unavoidable-ezocs", uid, 1, f"retreats through an EZOC at {labels[first]}"
        ):
            return
        entry.move(umpire, "9.3-dr-two-hexes", uid, (labels[first], labels[second]), "retreat")


def _advance(umpire: Umpire[Setting], battle: Battle, plan: Plan) -> None:
    """9.0 (6): one surviving front-line attacker may enter the hex the defender has left (K-60, K-78)."""
    pos, setting = view(umpire), umpire.setting
    if battle.hex in pos.at:
        return
    why: list[str] = []
    for wish in plan.advance:
        uid, _space, guard = wish.partition(" ")
        if uid not in battle.attackers or uid not in pos.where:
            continue
        if guard == standing.IF_FREE and pos.ezoc(setting.counters[uid].side) >> battle.hex & 1:
            why.append(f"{uid} only if free, and it lies in an EZOC")
            continue
        if guard == standing.IF_SUPPLIED and not pos.communication(setting.counters[uid].side) >> battle.hex & 1:
            why.append(f"{uid} only if supplied, and it is not In Communication")
            continue
        if guard and guard not in standing.GUARDS:
            continue
        entry.move(umpire, "9.0-6", uid, (setting.board.labels[battle.hex],), "advance")
        return
    if plan.advance:
        text = f"nobody advances into {setting.board.labels[battle.hex]}"
        umpire.emit(Noted("9.0-6", f"{text}: {', '.join(why)}" if why else text))
