"""9.0, 9.3: all outcomes of a declared battle, with exact chances.

The real rules resolve the battle for every face of the die, on a copy of the position. Events and the final position
give the outcome, so no rule is repeated here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kursk_pbem.kernel.branches import Groups, group_faces, run_branches, run_once
from kursk_pbem.kernel.events import Decided, Fought, Moved, Removed, Scheduled
from kursk_pbem.kernel.forecast import Turn
from kursk_pbem.kernel.hexes.earlier import NO_ATTACK, Earlier
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.plans import DECIDED
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.policies import BATTLES, filed_policy
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outcomes import chance, mean, merge_outcomes
from kursk_pbem.kernel.outlook import DECISION, UNFOLLOWED, Chances, Outcome
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, OFF_MAP, OVER, State
from kursk_pbem.kernel.umpire import Dice, GameEnded, Umpire, first_ripe
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk import answers, combat, entry
from kursk_pbem.rulesets.battle_for_kursk.odds import assess
from kursk_pbem.rulesets.battle_for_kursk.orders import PLAN_KEYS, Battle
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position, view
from kursk_pbem.rulesets.battle_for_kursk.seen.wording import SAID
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, Setting

Watch = Callable[[Umpire[Setting]], None]
NO_PLAN = {"retreat": "the usual retreat (K-76)", "losses": "cheapest losses (K-77)", "advance": "no advance (K-78)"}


def list_chances(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """Return the chances of every declared battle, with the units where they are.

    ``sealed``: the hidden plans known on this computer, by label. A missing answer means the default (K-75), even if
    the game has later decisions.
    """
    usual, pos = replace(setting, ask=False), position(setting, state)
    waiting, decided = combat.list_declared(setting, state.agenda), state.agenda.get(DECIDED, {})
    asks = {
        battle.id: ("without an answer the dice stop for the defender; here the default is assumed (K-75)",)
        for battle in waiting
        if setting.ask and battle.id not in decided and combat.list_rights(pos, battle)
    }
    order = Earlier([battle.id for battle in waiting], [_describe_column(pos, battle) for battle in waiting])

    def chances(number: int, battle: Battle) -> Chances:
        def watch(umpire: Umpire[Setting]) -> None:
            """Record an outcome's effects on later battles."""
            for after in _list_endings(umpire, battle, advance=_is_plan_unknown(state, battle, sealed)):
                later = enumerate(waiting[number + 1 :], number + 1)
                order.note(number, ((at, _describe_column(after, other)) for at, other in later))

        found = _compute_chances(usual, state, battle, sealed, (asks.get(battle.id, ()), watch))
        return replace(found, caveat=order.caveat(number))

    return tuple(chances(number, battle) for number, battle in enumerate(waiting))


def make_turn(setting: Setting, state: State, sealed: Mapping[str, Any]) -> Turn | None:
    """9.0-7: return the declared battles for a forecast. The defender's later decisions are the default (K-75)."""
    if BATTLES not in state.agenda:
        return None
    plans = sealed.get(plans_label(state.agenda[DECLARED]), {})
    battles = tuple(
        battle if battle.rolled else replace(battle, plan=battle.plan.unless(plans, battle.id))
        for battle in combat.list_declared(setting, state.agenda)
    )

    def resolve(umpire: Umpire[Setting], left: tuple[Battle, ...]) -> tuple[Battle, ...]:
        combat.fight_battle(umpire, left[0])
        return left[1:]

    def groups(umpire: Umpire[Setting], left: tuple[Battle, ...], _label: str) -> Groups:
        column = assess(view(umpire), left[0]).column
        return group_faces(lambda face: setting.crt[column, face])

    start = Umpire(replace(setting, ask=False), state, first_ripe(state.agenda))
    view(start)  # computed once for all dice
    return Turn(start, battles, resolve, groups)


def _describe_column(pos: Position, battle: Battle) -> str:
    """9.0-3: describe the column of a battle in a position."""
    column = assess(pos, battle).column
    return odds_text(column) if column else NO_ATTACK


def _list_endings(umpire: Umpire[Setting], battle: Battle, *, advance: bool) -> Iterator[Position]:
    """Return the positions after a battle; with ``advance``, one for every possible advance (9.0-6)."""
    if umpire.state.stage == OVER:
        return
    yield (pos := view(umpire))
    if advance and battle.hex not in pos.at:
        for uid in (uid for uid in battle.attackers if uid in pos.where):
            entered = umpire.goes_on()
            with suppress(GameEnded):
                entry.move(entered, "9.0-6", uid, (umpire.setting.board.labels[battle.hex],), "advance")
                yield view(entered)


def _is_plan_unknown(state: State, battle: Battle, sealed: Mapping[str, Any]) -> bool:
    """Return whether the plan of a battle is sealed and unknown on this computer."""
    label = plans_label(state.agenda[DECLARED])
    return not battle.rolled and f"sealed/{label}" in state.agenda and label not in sealed


def _isolate(setting: Setting, state: State, battle: Battle) -> Umpire[Setting]:
    """Return an umpire with one waiting battle; its views serve all dice."""
    umpire: Umpire[Setting] = Umpire(setting, state, first_ripe(state.agenda))
    view(umpire)  # known by the position, and led on
    umpire.emit(Scheduled("9.0", BATTLES, [battle.to_plain(setting.board.labels[battle.hex])]))
    return umpire.goes_on()


def _resolve(before: Umpire[Setting], battle: Battle, plans: Any, dice: Dice) -> Umpire[Setting]:
    """Resolve one battle with given dice by the real rules."""
    umpire, writer = before.goes_on(dice), ENEMY[before.setting.counters[battle.defender].side]
    with suppress(GameEnded):  # a German unit in Moscow ends the game, and is an outcome
        combat.resolve(umpire, Filing(dice.seq, writer, reveal={plans_label(umpire.state.agenda[DECLARED]): plans}))
    return umpire


def list_declared(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Fought, ...]:
    """Return the calculation of the odds for every declared battle."""
    plans = sealed.get(plans_label(state.agenda[DECLARED]), {}) if DECLARED in state.agenda else {}
    usual = replace(setting, ask=False)
    return tuple(_tell_odds(usual, state, battle, plans) for battle in combat.list_declared(setting, state.agenda))


def _tell_odds(setting: Setting, state: State, battle: Battle, plans: Any) -> Fought:
    """Return the arithmetic of one battle, before its die."""
    before = _isolate(setting, state, battle)
    umpire = run_once(before.seq, lambda dice: _resolve(before, battle, plans, dice))
    told = next(event for event in umpire.events if isinstance(event, Fought))
    return replace(told, label="", dice="", result="", meaning="", chance="")


def _compute_chances(
    setting: Setting, state: State, battle: Battle, sealed: Mapping[str, Any], said: tuple[tuple[str, ...], Watch]
) -> Chances:
    """Return all outcomes of one battle; a battle that waits for a decision keeps its die (K-75)."""
    lines, watch = said
    plans = sealed.get(plans_label(state.agenda[DECLARED]), {})
    answer = (
        (f"the defender's decision: {decided}",)
        if (decided := state.agenda.get(DECIDED, {}).get(battle.id))
        else _answer_lines(setting, state, battle)
    )
    assumed = (*lines, *answer, *_plan_lines(state, battle, sealed))
    fought, before = _tell_odds(setting, state, battle, plans), _isolate(setting, state, battle)

    def run(dice: Dice) -> Outcome:
        watch(umpire := _resolve(before, battle, plans, dice))
        return _make_outcome(setting, state, battle, umpire)

    ways = run_branches(before.seq, run)
    if ways is None:
        return Chances(battle.id, fought, "", (*assumed, UNFOLLOWED), (), (), ())
    return _sum_outcomes(battle, fought, assumed, merge_outcomes(ways, battle.rolled))


def _make_outcome(setting: Setting, before: State, battle: Battle, umpire: Umpire[Setting]) -> Outcome:
    """Return the outcome of the rolled die."""
    events, after = umpire.events, umpire.state
    told = next(event for event in events if isinstance(event, Fought))
    figures = _list_figures(before, after, battle)
    if not told.column:
        return Outcome(Fraction(0), (), "", ("no attack takes place, no die falls",), figures)
    text: list[str] = []
    for event in events:
        if isinstance(event, Decided):
            figures["conversion"], figures["conversion-source"] = event.chosen, event.source
            text.append(f"{DECISION}{event.chosen}")
    for event in events:
        if isinstance(event, Removed) and event.unit == battle.defender and figures["defender"] == "eliminated":
            figures |= {"why": _COSTS.get(event.rule, event.why)} if told.result != "DE" else {}
    text.append(_describe_fate(battle.defender, figures))
    lost = {uid: before.units[uid].steps - after.units[uid].steps for uid in battle.participants}
    if any(lost.values()):
        worth = setting.strength
        points = sum(worth(uid, before.units[uid].steps) - worth(uid, after.units[uid].steps) for uid in lost)
        who = ", ".join(_describe_loss(uid, after) for uid, steps in lost.items() if steps)
        figures["attacker-points"] = str(points)
        text.append(f"the attacker loses {plural(sum(lost.values()), 'step')}, {points} SP: {who}")
    for event in events:
        if isinstance(event, Moved) and event.how == "advance":
            figures["advance"] = event.unit
            text.append(f"{event.unit} advances")
    if figures["vacated"] == "yes" and "advance" not in figures:
        text.append("nobody advances")
    if after.stage == OVER:
        text.append("the game ends: Moscow")
    return Outcome(Fraction(0), (), told.result, tuple(text), figures)


_COSTS = {"9.3-ex": "an exchange costs its last step", "9.3-drl": "a DRL costs its last step"}


def _list_figures(before: State, after: State, battle: Battle) -> dict[str, str]:
    """Return an outcome as words for programs."""
    was, now = before.units[battle.defender], after.units[battle.defender]
    lost = was.steps - now.steps
    if now.place == ELIMINATED:
        fate = "eliminated"
    elif now.place == OFF_MAP:
        fate = "off the map"
    elif now.place == was.place:
        fate = "loses a step and stays" if lost else "stays"
    else:
        fate = "retreats with loss" if lost else "retreats"
    return {
        "defender": fate,
        "defender-place": now.place,
        "vacated": "no" if now.place == was.place else "yes",
        "defender-steps": str(lost),
        "attacker-steps": str(sum(before.units[uid].steps - after.units[uid].steps for uid in battle.participants)),
        "attacker-points": "0",
    }


def _describe_fate(uid: str, figures: Mapping[str, str]) -> str:
    lost = int(figures["defender-steps"])
    step = f" and loses {plural(lost, 'step')}" if lost else ""
    match figures["defender"]:
        case "eliminated":
            return f"{uid} is eliminated{f': {why}' if (why := figures.get('why', '')) else ''}"
        case "off the map":
            return f"{uid} leaves the map{step}"
        case "stays" | "loses a step and stays":
            return f"{uid} stays{step}"
        case _:
            return f"{uid} retreats to {figures['defender-place']}{step}"


def _describe_loss(uid: str, after: State) -> str:
    return f"{uid} {'eliminated' if after.units[uid].place == ELIMINATED else 'reduced'}"


def _sum_outcomes(battle: Battle, fought: Fought, assumed: tuple[str, ...], outcomes: tuple[Outcome, ...]) -> Chances:
    eliminated = ("the defender is eliminated", chance(outcomes, "defender", "eliminated"))
    steps = [(f"steps lost by the {who}", mean(outcomes, f"{who}-steps")) for who in ("defender", "attacker")]
    points = ("strength points lost by the attacker", mean(outcomes, "attacker-points"))
    sums = (("the hex is vacated", chance(outcomes, "vacated")), eliminated)
    return Chances(battle.id, fought, "", assumed, outcomes, sums, (*steps, points))


def _answer_lines(setting: Setting, state: State, battle: Battle) -> tuple[str, ...]:
    """Yield the defender's answer to a DR or DRL; nothing without a choice."""
    policy = filed_policy(state.agenda, setting.counters[battle.defender].side)
    own_words: list[str] = []
    usual: list[str] = []
    for key in combat.list_rights(position(setting, state), battle):
        when, own = answers.find_condition(policy, key, battle, setting.board.labels[battle.hex])
        (own_words if own else usual).append(SAID[key, when])
    lines = []
    if own_words:
        lines.append(f"the defender's answer, as filed: {', '.join(own_words)}")
    if usual:
        answered = setting.refereed or ANSWERED in state.agenda
        why = "because the defender filed no answer" if answered else "assumed until the answer"
        lines.append(f"the umpire's default (K-75), {why}: {', '.join(usual)}")
    return tuple(lines)


def _plan_lines(state: State, battle: Battle, sealed: Mapping[str, Any]) -> tuple[str, ...]:
    """Yield the attacker's plan for retreat, losses and advance."""
    label = plans_label(state.agenda[DECLARED])
    if battle.rolled:
        sealed = {}  # the die revealed the plan
    elif _is_plan_unknown(state, battle, sealed):
        return (f"the attacker's plan is sealed and not known here; assumed: {', '.join(NO_PLAN.values())}",)
    plan = battle.plan.unless(sealed.get(label), battle.id)
    missing = [NO_PLAN[key] for key in PLAN_KEYS if not getattr(plan, key)]
    said = plan.text() or "none written"
    return (f"the attacker's plan: {said}" + (f"; otherwise {', '.join(missing)}" if missing else ""),)
