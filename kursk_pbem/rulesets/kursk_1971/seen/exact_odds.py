"""7.0, 9.0-d4: every way in which a declared attack can end, with its exact chance.

Nothing is reckoned a second time here: each face of the die is put into the real resolution, on a copy of the position,
and what came of it is read from the events and from the position after it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from kursk_pbem.kernel.branches import run_branches, run_once
from kursk_pbem.kernel.events import Event, Fought, Moved, Placed, Removed
from kursk_pbem.kernel.hexes.earlier import NO_ATTACK, Earlier
from kursk_pbem.kernel.hexes.fights import odds_text
from kursk_pbem.kernel.hexes.plans import label as plans_label
from kursk_pbem.kernel.hexes.plans import of_battle
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY, filed_policy
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outcomes import chance, mean, merge_outcomes
from kursk_pbem.kernel.outlook import UNFOLLOWED, Chances, Outcome
from kursk_pbem.kernel.state import ANSWERED, DECLARED, ELIMINATED, State
from kursk_pbem.kernel.umpire import Dice, Umpire, first_ripe
from kursk_pbem.rulesets.kursk_1971 import combat, raids
from kursk_pbem.rulesets.kursk_1971.answers import ANSWERS, lookup
from kursk_pbem.rulesets.kursk_1971.battles import battles_of
from kursk_pbem.rulesets.kursk_1971.odds import assess
from kursk_pbem.rulesets.kursk_1971.orders import PLAN_KEYS, Battle, Plan
from kursk_pbem.rulesets.kursk_1971.position import PATROL, POINTS, Position, position, view
from kursk_pbem.rulesets.kursk_1971.seen.wording import strength
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, KAMPFGRUPPE, Setting

Order = Mapping[str, Any]
Watch = Callable[[Umpire[Setting]], None]
NO_PLAN = {"retreat": "nearest supply, lowest hex (S-33)", "losses": "cheapest (S-47)", "advance": "none (S-17)"}

MEANS = {
    "attacker-strength": "strength lost by the attacker",
    "defender-strength": "by the defender",
    "attacker-points": "victory points for the attacker",
    "defender-points": "for the defender",
}


def odds(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Chances, ...]:
    """The chances of every attack that waits, each by itself as the position stands now.

    ``sealed``: label -> value of hidden plans that are known at this desk.
    """
    waiting = [(key, order) for key in (raids.RAIDS, BATTLES) for order in state.agenda.get(key, ())]  # S-1
    first, pos = len(state.agenda.get(raids.RAIDS, ())), position(setting, state)
    battles = tuple(enumerate(battles_of(setting, state.agenda), first))
    now = [*[""] * first, *(_column(pos, battle, ()) for _at, battle in battles)]
    order = Earlier([attack["id"] for _key, attack in waiting], now)

    def chances(number: int, key: str, attack: Order) -> Chances:
        def watch(umpire: Umpire[Setting]) -> None:
            """Take down what one way in which an attack can end makes of the attacks after it."""
            after, attacked = view(umpire), () if key == raids.RAIDS else pos.stack(setting.board.index[attack["hex"]])
            order.note(number, ((at, _column(after, other, attacked)) for at, other in battles if at > number))

        return replace(_chances(setting, state, key, attack, (sealed, watch)), caveat=order.caveat(number))

    return tuple(chances(number, key, attack) for number, (key, attack) in enumerate(waiting))


def _column(pos: Position, battle: Battle, attacked: Collection[str]) -> str:
    """7.0-procedure, S-12, S-38: the column of an attack in a position, in words, or that there is none."""
    side = pos.setting.counters[battle.attackers[0]].side
    if not pos.enemies(side) >> battle.hex & 1:
        return NO_ATTACK
    odds = assess(pos, battle, attacked, support=combat.supports(pos, battle, side))
    if combat.unable(pos, battle, side, odds):
        return NO_ATTACK
    return combat.NO_DEFENCE if odds.automatic else odds_text(odds.column)


def declared(setting: Setting, state: State, sealed: Mapping[str, Any]) -> tuple[Fought, ...]:
    """The arithmetic of every attack that waits."""
    waiting = ((key, order) for key in (raids.RAIDS, BATTLES) for order in state.agenda.get(key, ()))
    told = (_told(_alone(setting, state, key, order), _side(setting, key, order), sealed) for key, order in waiting)
    return tuple(fought for fought in told if fought is not None)


def _told(before: Umpire[Setting], side: str, sealed: Mapping[str, Any]) -> Fought | None:
    """The arithmetic of the attack that waits, before its die; None where nothing is told of it."""
    umpire = run_once(before.seq, lambda dice: _resolve(before, side, sealed, dice))
    told = next((event for event in umpire.events if isinstance(event, Fought)), None)
    return replace(told, label="", dice="", die="", result="", meaning="", chance="") if told else None


def _side(setting: Setting, key: str, order: Order) -> str:
    """Who attacks."""
    return setting.counters[order["aircraft" if key == raids.RAIDS else "attackers"][0]].side


def _alone(setting: Setting, state: State, key: str, order: Order) -> Umpire[Setting]:
    """An umpire for whom one attack waits alone; a base is defended by its share of the patrols beside the others."""
    others = {other: value for other, value in state.agenda.items() if other not in (raids.RAIDS, BATTLES)}
    if key == raids.RAIDS:
        others[POLICY] = {PATROL: {order["base"]: _share(setting, state, order)}}
    umpire: Umpire[Setting] = Umpire(setting, state.with_(agenda={**others, key: [order]}), first_ripe(state.agenda))
    view(umpire)  # once for all ways in which the dice can fall
    return umpire


def _share(setting: Setting, state: State, raid: Order) -> tuple[str, ...]:
    """9.0-d4, S-52: the patrols that defend a base, of those over its hex, as all attacks there share them."""
    policy = filed_policy(state.agenda, ENEMY[_side(setting, raids.RAIDS, raid)])
    return raids.shares(position(setting, state), raids.raids_of(state.agenda), policy)[raid["base"]]


def _resolve(before: Umpire[Setting], side: str, sealed: Mapping[str, Any], dice: Dice) -> Umpire[Setting]:
    """Fight the attack that waits with these dice, by the rules themselves."""
    umpire = before.goes_on(dice)
    combat.resolve(umpire, Filing(dice.seq, side, reveal=sealed))
    return umpire


def _chances(setting: Setting, state: State, key: str, order: Order, said: tuple[Mapping[str, Any], Watch]) -> Chances:
    """Every way in which one attack can end; ``said``: what is known, and who looks at what each way leads to."""
    sealed, watch = said
    before, side = _alone(setting, state, key, order), _side(setting, key, order)
    told = _told(before, side, sealed)
    title, assumed = "" if told else f"attack {order['id']}", tuple(_assumed(setting, state, key, order, sealed))
    base = order.get("base", "")

    def run(dice: Dice) -> Outcome:
        watch(umpire := _resolve(before, side, sealed, dice))
        return _outcome(setting, state, umpire, side, base)

    ways = run_branches(before.seq, run)
    if ways is None:
        return Chances(order["id"], told, title, (*assumed, UNFOLLOWED), (), (), ())
    outcomes = merge_outcomes(ways)
    means = tuple((what, mean(outcomes, key)) for key, what in MEANS.items())
    what, figure = ("the base is destroyed", "destroyed") if base else ("the hex is left", "vacated")
    return Chances(order["id"], told, title, assumed, outcomes, ((what, chance(outcomes, figure)),), means)


def _outcome(setting: Setting, before: State, umpire: Umpire[Setting], side: str, base: str) -> Outcome:
    """What the die that was thrown led to; ``base``: the air unit whose base is attacked, '' in a battle."""
    fought = next((event for event in umpire.events if isinstance(event, Fought)), None)
    text = tuple(line for event in umpire.events for line in _line(event))
    gone = [
        uid
        for uid, unit in umpire.state.units.items()
        if unit.place == ELIMINATED and before.units[uid].place != ELIMINATED
    ]
    had, left = ({who: strength(setting, state, who) for who in setting.sides} for state in (before, umpire.state))
    lost = {who: had[who] - left[who] for who in setting.sides}  # 10.0-c: a Kampfgruppe is what is left of a division
    scored = {who: umpire.state.tracks[POINTS.format(who)] - before.tracks[POINTS.format(who)] for who in setting.sides}
    figures = {
        "attacker-strength": str(lost[side]),
        "defender-strength": str(lost[ENEMY[side]]),
        "attacker-points": str(scored[side]),
        "defender-points": str(scored[ENEMY[side]]),
    }
    done = base in gone if base else fought and _left(setting, umpire, fought.place, ENEMY[side])
    figures["destroyed" if base else "vacated"] = "yes" if done else "no"
    return Outcome(Fraction(0), (), fought.result if fought else "", text or ("nothing happens",), figures)


def _left(setting: Setting, umpire: Umpire[Setting], label: str, side: str) -> bool:
    """Whether nobody of a side stands in a hex any more, and not because its units follow beaten attackers."""
    moved = (event for event in umpire.events if isinstance(event, Moved) and event.how == "advance")
    follow = {event.unit for event in moved if event.start == label}
    return not any(
        setting.counters[uid].side == side and (unit.place == label or uid in follow)
        for uid, unit in umpire.state.units.items()
    )


def _line(event: Event) -> list[str]:
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


def _assumed(setting: Setting, state: State, key: str, order: Order, sealed: Mapping[str, Any]) -> list[str]:
    """By whose answers and plans the outcomes were found."""
    lines = [f"the defender: {_answered(setting, state, key, order)}"]
    if key == BATTLES:
        label = plans_label(state.agenda[DECLARED])
        if f"sealed/{label}" in state.agenda and label not in sealed:
            return [*lines, f"the attacker: the plan is sealed; assumed {', '.join(map(' '.join, NO_PLAN.items()))}"]
        hidden = of_battle(sealed.get(label, {}), order["id"])
        plan = vars(Plan.from_plain(hidden or order.get("plan")))
        missing = ", ".join(f"{kind} {NO_PLAN[kind]}" for kind in PLAN_KEYS if not plan[kind])
        lines.append("the attacker: as planned" + (f"; {missing}" if missing else ""))
    return lines


def _answered(setting: Setting, state: State, key: str, order: Order) -> str:
    """8.0, 9.0-d4: what the defender has said of an attack, or that they have said nothing of it."""
    policy = filed_policy(state.agenda, owner := ENEMY[_side(setting, key, order)])
    if not (policy or ANSWERED in state.agenda):
        return "nothing filed yet"
    if key == BATTLES:
        told = {kind: lookup(state.agenda, owner, order["id"], order["hex"], kind) for kind in ANSWERS}
    else:
        count = _share(setting, state, order)
        share = tuple(policy.get(PATROL, {}).get(order["base"], ()))  # S-52: of an impossible one nothing counts
        told = {PATROL: share if share in ((), count) else (*share, "which counts for nothing there")}
    said = [f"{kind} {', '.join(wishes)}" for kind, wishes in told.items() if wishes]
    return f"as answered, {'; '.join(said)}" if said else "nothing was answered on it"
