"""7.0, 9.0-d4: all outcomes of a declared attack, with exact chances.

Every die face is resolved by the rules on a copy of the position; outcomes are read from the events and the new
position.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kursk_pbem.kernel.branches import EACH, Groups, group_faces, run_branches, run_once
from kursk_pbem.kernel.events import Event, Fought, Moved, Placed, Removed
from kursk_pbem.kernel.forecast import Turn
from kursk_pbem.kernel.hexes.earlier import NO_ATTACK, Earlier
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.plans import of_battle
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY, filed_policy
from kursk_pbem.kernel.hexes.useless import describe_end
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outcomes import chance, mean, merge_outcomes
from kursk_pbem.kernel.outlook import UNFOLLOWED, Chances, Outcome
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, State
from kursk_pbem.kernel.umpire import Dice, Umpire, first_ripe
from kursk_pbem.rulesets.kursk_1971 import combat, raids
from kursk_pbem.rulesets.kursk_1971.answers import ANSWERS, find_wishes
from kursk_pbem.rulesets.kursk_1971.battles import list_battles
from kursk_pbem.rulesets.kursk_1971.odds import assess, find_result
from kursk_pbem.rulesets.kursk_1971.orders import PLAN_KEYS, Battle, Plan, Raid
from kursk_pbem.rulesets.kursk_1971.position import PATROL, POINTS, Position, position, view
from kursk_pbem.rulesets.kursk_1971.seen.wording import count_strength
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, KAMPFGRUPPE, Setting

Order = Mapping[str, Any]
Left = tuple[tuple[Raid, ...], tuple[Battle, ...], frozenset[str]]
Watch = Callable[[Umpire[Setting]], None]
NO_PLAN = {"retreat": "nearest supply, lowest hex (S-33)", "losses": "cheapest (S-47)", "advance": "none (S-17)"}

MEANS = {
    "attacker-strength": "strength lost by the attacker",
    "defender-strength": "by the defender",
    "attacker-points": "victory points for the attacker",
    "defender-points": "for the defender",
}


def list_chances(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """Return the chances of each declared attack, as if it were fought first.

    ``sealed``: the hidden plans that this computer knows, by label.
    """
    waiting = [(key, order) for key in (raids.RAIDS, BATTLES) for order in state.agenda.get(key, ())]  # S-1
    first, pos = len(state.agenda.get(raids.RAIDS, ())), position(setting, state)
    battles = tuple(enumerate(list_battles(setting, state.agenda), first))
    now = [*[""] * first, *(_describe_column(pos, battle, ()) for _at, battle in battles)]
    order = Earlier([attack["id"] for _key, attack in waiting], now)

    def chances(number: int, key: str, attack: Order) -> Chances:
        def watch(umpire: Umpire[Setting]) -> None:
            """Note the effect of one outcome on the later attacks."""
            after, attacked = view(umpire), () if key == raids.RAIDS else pos.stack(setting.board.index[attack["hex"]])
            order.note(number, ((at, _describe_column(after, other, attacked)) for at, other in battles if at > number))

        return replace(_find_chances(setting, state, key, attack, (sealed, watch)), caveat=order.caveat(number))

    return tuple(chances(number, key, attack) for number, (key, attack) in enumerate(waiting))


def make_turn(setting: Setting, state: State, sealed: Mapping[str, Any]) -> Turn | None:
    """S-1, 7.0: return the declared attacks for a forecast."""
    agenda = state.agenda
    if BATTLES not in agenda and raids.RAIDS not in agenda:
        return None
    start, listed = Umpire(setting, state, first_ripe(agenda)), raids.list_raids(agenda)
    plans, pos = sealed.get(plans_label(agenda[DECLARED]), {}), view(start)
    battles = [replace(each, plan=each.plan.unless(plans, each.id)) for each in list_battles(setting, agenda)]
    owner = setting.counters[listed[0].base].side if listed else ""
    shared = raids.share_patrols(pos, listed, filed_policy(agenda, owner))

    def resolve(umpire: Umpire[Setting], left: Left) -> Left | tuple[()]:
        flying, waiting, attacked = left
        if flying:
            raids.fight_raid(umpire, flying[0], shared.get(flying[0].base, ()))
        else:
            attacked |= combat.fight_battle(umpire, waiting[0], {*attacked})
        rest = (flying[1:], waiting if flying else waiting[1:])
        return (*rest, attacked) if any(rest) else ()

    def groups(umpire: Umpire[Setting], left: Left, _label: str) -> Groups:
        pos, (flying, waiting, attacked) = view(umpire), left
        if flying:
            return EACH
        flies = combat.can_support(pos, waiting[0], _find_side(setting, BATTLES, {"attackers": waiting[0].attackers}))
        odds = assess(pos, waiting[0], attacked, support=flies)
        return group_faces(lambda face: find_result(setting, odds, face))

    return Turn(start, (listed, tuple(battles), frozenset()), resolve, groups)


def _describe_column(pos: Position, battle: Battle, attacked: Collection[str]) -> str:
    """7.0-procedure, S-12, S-38: return the column of an attack in a position as text, or NO_ATTACK."""
    side = pos.setting.counters[battle.attackers[0]].side
    if not pos.enemies(side) >> battle.hex & 1:
        return NO_ATTACK
    odds = assess(pos, battle, attacked, support=combat.can_support(pos, battle, side))
    if combat.find_fault(pos, battle, side, odds):
        return NO_ATTACK
    return combat.NO_DEFENCE if odds.automatic else odds_text(odds.column)


def list_declared(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Fought, ...]:
    """Return the calculation of the odds of each declared attack, before its die is rolled."""
    waiting = ((key, order) for key in (raids.RAIDS, BATTLES) for order in state.agenda.get(key, ()))
    told = (
        _make_fought(_isolate(setting, state, key, order), _find_side(setting, key, order), sealed)
        for key, order in waiting
    )
    return tuple(fought for fought in told if fought is not None)


def _make_fought(before: Umpire[Setting], side: str, sealed: Mapping[str, Any]) -> Fought | None:
    """Return the arithmetic of the waiting attack before its die, if any."""
    umpire = run_once(before.seq, lambda dice: _resolve_attack(before, side, sealed, dice))
    told = next((event for event in umpire.events if isinstance(event, Fought)), None)
    return replace(told, label="", dice="", die="", result="", meaning="", chance="") if told else None


def _find_side(setting: Setting, key: str, order: Order) -> str:
    return setting.counters[order["aircraft" if key == raids.RAIDS else "attackers"][0]].side


def _isolate(setting: Setting, state: State, key: str, order: Order) -> Umpire[Setting]:
    """Return an umpire with one waiting attack; a base keeps its share of patrols from all attacks."""
    others = {other: value for other, value in state.agenda.items() if other not in (raids.RAIDS, BATTLES)}
    if key == raids.RAIDS:
        others[POLICY] = {PATROL: {order["base"]: _find_share(setting, state, order)}}
    umpire: Umpire[Setting] = Umpire(setting, state.with_(agenda={**others, key: [order]}), first_ripe(state.agenda))
    view(umpire)  # cached for all dice
    return umpire


def list_ends(pos: Position, battle: Battle, answer: Mapping[str, Any]) -> object:
    """Return the positions after an attack, one for each result of its die. ``answer``: the defender's answer."""
    setting, side = pos.setting, pos.side(battle.attackers[0])
    agenda = {DECLARED: "1", **{key: value for key, value in pos.state.agenda.items() if key != raids.RAIDS}}
    agenda |= {BATTLES: [battle.to_plain(setting.board.labels[battle.hex])], POLICY: {BATTLES: {battle.id: answer}}}
    before: Umpire[Setting] = Umpire(setting, pos.state.with_(agenda=agenda), first_ripe(agenda))
    view(before)
    odds = combat.assess_waiting(pos, battle)
    faces = EACH if odds.automatic else group_faces(lambda face: find_result(setting, odds, face))
    return run_branches(
        before.seq, lambda dice: describe_end(_resolve_attack(before, side, {}, dice)), groups=lambda _label: faces
    )


def _find_share(setting: Setting, state: State, raid: Order) -> tuple[str, ...]:
    """9.0-d4, S-52: return the patrols that defend a base, shared among all attacks there."""
    policy = filed_policy(state.agenda, ENEMY[_find_side(setting, raids.RAIDS, raid)])
    return raids.share_patrols(position(setting, state), raids.list_raids(state.agenda), policy)[raid["base"]]


def _resolve_attack(before: Umpire[Setting], side: str, sealed: Mapping[str, Any], dice: Dice) -> Umpire[Setting]:
    umpire = before.goes_on(dice)
    combat.resolve_attacks(umpire, Filing(dice.seq, side, reveal=sealed))
    return umpire


def _find_chances(
    setting: Setting, state: State, key: str, order: Order, said: tuple[Mapping[str, Any], Watch]
) -> Chances:
    """Return the outcomes of one attack; ``said``: known plans, and the observer of outcomes."""
    sealed, watch = said
    before, side = _isolate(setting, state, key, order), _find_side(setting, key, order)
    told = _make_fought(before, side, sealed)
    title, assumed = ("" if told else f"attack {order['id']}", tuple(_list_assumed(setting, state, key, order, sealed)))
    base = order.get("base", "")

    def run(dice: Dice) -> Outcome:
        watch(umpire := _resolve_attack(before, side, sealed, dice))
        return _make_outcome(setting, state, umpire, side, base)

    ways = run_branches(before.seq, run)
    if ways is None:
        return Chances(order["id"], told, title, (*assumed, UNFOLLOWED), (), (), ())
    outcomes = merge_outcomes(ways)
    means = tuple((what, mean(outcomes, key)) for key, what in MEANS.items())
    what, figure = ("the base is destroyed", "destroyed") if base else ("the hex is left", "vacated")
    return Chances(order["id"], told, title, assumed, outcomes, ((what, chance(outcomes, figure)),), means)


def _make_outcome(setting: Setting, before: State, umpire: Umpire[Setting], side: str, base: str) -> Outcome:
    """Return the outcome of one die face; ``base``: the attacked air unit, '' in a battle."""
    fought = next((event for event in umpire.events if isinstance(event, Fought)), None)
    text = tuple(line for event in umpire.events for line in _describe_event(event))
    gone = [
        uid
        for uid, unit in umpire.state.units.items()
        if unit.place == ELIMINATED and before.units[uid].place != ELIMINATED
    ]
    had, left = (
        {who: count_strength(setting, state, who) for who in setting.sides} for state in (before, umpire.state)
    )
    lost = {who: had[who] - left[who] for who in setting.sides}  # 10.0-c: a Kampfgruppe keeps its strength
    scored = {who: umpire.state.tracks[POINTS.format(who)] - before.tracks[POINTS.format(who)] for who in setting.sides}
    figures = {
        "attacker-strength": str(lost[side]),
        "defender-strength": str(lost[ENEMY[side]]),
        "attacker-points": str(scored[side]),
        "defender-points": str(scored[ENEMY[side]]),
    }
    done = base in gone if base else fought and _is_vacated(setting, umpire, fought.place, ENEMY[side])
    figures["destroyed" if base else "vacated"] = "yes" if done else "no"
    went = [event for event in umpire.events if isinstance(event, Moved) and event.how == "advance"]
    if fought and (into := [event.unit for event in went if event.path[-1] == fought.place]):
        figures["advance"] = ",".join(into)
    return Outcome(Fraction(0), (), fought.result if fought else "", text or ("nothing happens",), figures)


def _is_vacated(setting: Setting, umpire: Umpire[Setting], label: str, side: str) -> bool:
    """Return whether a side has left a hex; units that follow beaten attackers still count as present."""
    moved = (event for event in umpire.events if isinstance(event, Moved) and event.how == "advance")
    follow = {event.unit for event in moved if event.start == label}
    return not any(
        setting.counters[uid].side == side and (unit.place == label or uid in follow)
        for uid, unit in umpire.state.units.items()
    )


def _describe_event(event: Event) -> list[str]:
    match event:
        case Fought(dice="", note=note):
            return [note.partition(" [")[0]]
        case Moved(how="retreat" | "advance" as how):
            return [f"{event.unit} {how}s to {event.path[-1]}"]
        case Removed(place=place) if place == ELIMINATED:
            return [f"{event.unit} is eliminated"]
        case Placed(how=how) if how == KAMPFGRUPPE:
            return [f"{event.unit} is formed in {event.place}"]
        case _:
            return []


def _list_assumed(setting: Setting, state: State, key: str, order: Order, sealed: Mapping[str, Any]) -> list[str]:
    """Return the answers and plans behind the outcomes."""
    lines = [f"the defender: {_describe_answer(setting, state, key, order)}"]
    if key == BATTLES:
        label = plans_label(state.agenda[DECLARED])
        if f"sealed/{label}" in state.agenda and label not in sealed:
            return [*lines, f"the attacker: the plan is sealed; assumed {', '.join(map(' '.join, NO_PLAN.items()))}"]
        hidden = of_battle(sealed.get(label, {}), order["id"])
        plan = vars(Plan.from_plain(hidden or order.get("plan")))
        missing = ", ".join(f"{kind} {NO_PLAN[kind]}" for kind in PLAN_KEYS if not plan[kind])
        lines.append("the attacker: as planned" + (f"; {missing}" if missing else ""))
    return lines


def _describe_answer(setting: Setting, state: State, key: str, order: Order) -> str:
    """8.0, 9.0-d4: return the defender's answer to an attack as text."""
    policy = filed_policy(state.agenda, owner := ENEMY[_find_side(setting, key, order)])
    if not (policy or ANSWERED in state.agenda):
        return "nothing filed yet"
    if key == BATTLES:
        told = {kind: find_wishes(state.agenda, owner, order["id"], order["hex"], kind) for kind in ANSWERS}
    else:
        count = _find_share(setting, state, order)
        share = tuple(policy.get(PATROL, {}).get(order["base"], ()))  # S-52: impossible shares are ignored
        told = {PATROL: share if share in ((), count) else (*share, "impossible, so ignored")}
    said = [f"{kind} {', '.join(wishes)}" for kind, wishes in told.items() if wishes]
    return f"as answered, {'; '.join(said)}" if said else "no answer to this attack"
