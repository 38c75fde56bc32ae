"""Finds useless wishes of answers and plans, for the writer of a draft before signing; no rule uses this module.

The rules carry out every possible result of a waiting attack, with and without a wish: now, and after losses in earlier
attacks. If the opponent's choice is unknown, the rules are asked with several choices. A wish is useless only if it
changes nothing in any of these ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from kursk_pbem.kernel.branches import run_branches
from kursk_pbem.kernel.events import Scheduled
from kursk_pbem.kernel.hexes import plans, policies, useless
from kursk_pbem.kernel.state import DECLARED, ELIMINATED, STANDING
from kursk_pbem.kernel.umpire import Dice, Umpire
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.juggernauts import combat, marks, movement
from kursk_pbem.rulesets.juggernauts.advance import advance_attackers
from kursk_pbem.rulesets.juggernauts.answers import CROWD, LOSE, NO_RETREAT, ON, RETREAT, WITHDRAW
from kursk_pbem.rulesets.juggernauts.odds import Odds, find_odds, list_results
from kursk_pbem.rulesets.juggernauts.orders import FORCED, Battle, Plan, read_battles
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.results import Fight, apply_result
from kursk_pbem.rulesets.juggernauts.retreat import Attack
from kursk_pbem.rulesets.juggernauts.seen import bombing
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, RESULTS, Setting

Policy = Mapping[str, Any]
Case = tuple[Umpire[Setting], Odds, Attack, str]
"""An umpire before an attack, the attack's odds and hexes, and a result."""
USUAL = {NO_RETREAT: "no", WITHDRAW: "0", RETREAT: ""}
"""Kinds of answers, with their defaults. An earlier retreat may fill a hex, so the rules are not asked about CROWD."""
BUDGET, IDLE, MOST_WAYS = 20_000_000, 10, 16
"""Maximum work for a position, some seconds; units added to those of an attack; maximum ways of the dice of an end."""
NEAR = 2  # hexes from an attack in which its Panzerkeil may attack again


def is_open(pos: Position, battle: Battle, others: Sequence[Battle]) -> bool:
    """14.4, 20.1, J-66: return whether an attack's odds can still change: by a Panther, air strike or Panzerkeil."""
    board, moving = pos.setting.board, pos.state.agenda.get(movement.PATHS, {}).keys() & {*battle.attackers}
    near = [other for other in others if other.id != battle.id and board.distance(other.hex, battle.hex) <= NEAR]
    keil = any(pos.is_marked(marks.KEIL, uid) for other in near for uid in other.attackers)
    return bool(keil or moving or bombing.over(pos.state, board.labels[battle.hex]))


def list_cases(pos: Position, waiting: Sequence[Battle], at: int, *, unknown: bool) -> list[Case]:
    """Return the positions in which to test an attack: the current position, and positions after earlier attacks."""
    battle, earlier, board = waiting[at], waiting[:at], pos.setting.board
    if any(combat.find_wedges(pos, other) for other in earlier):
        earlier = [other for other in waiting if other is not battle]  # a Panzerkeil may join a later attack first
    origins = sum({1 << pos.where[uid] for uid in battle.attackers})
    later = sum({1 << other.hex for other in waiting[at + 1 :]})
    attackers, foe = {uid for other in earlier for uid in other.attackers}, ENEMY[pos.side(battle.attackers[0])]
    reach = [(other.hex, NEAR if combat.find_wedges(pos, other) else 0) for other in earlier]
    near = {uid for uid in pos.units(foe) for hex_, far in reach if board.distance(hex_, pos.where[uid]) <= far}
    defenders = sorted(near - {*pos.stack(battle.hex)})
    agenda = {policies.BATTLES: [battle.to_plain(board.labels[battle.hex])], DECLARED: "1"}
    come = {uid: board.labels[battle.hex] for uid in defenders if board.distance(pos.where[uid], battle.hex) <= NEAR}
    changes = (dict.fromkeys(attackers, ELIMINATED), dict.fromkeys(defenders, ELIMINATED), come)
    cases = []
    for places in ({}, *filter(None, changes)):
        units = {uid: replace(one, place=places.get(uid, one.place)) for uid, one in pos.state.units.items()}
        umpire = Umpire(pos.setting, pos.state.with_(units=units, agenda=agenda), 3)
        found = find_odds(view(umpire), battle)
        results = RESULTS if unknown else list_results(pos.setting, found)
        cases += [(umpire, found, Attack(battle.hex, origins, later), result) for result in results]
    return cases


def find_end(case: Case, battle: Battle, policy: Policy) -> object:
    """2.0, 9.0: return the position after a result and the planned advance, for each die roll of the advance."""
    start, found, attack, result = case
    before = start.goes_on()
    before.emit(Scheduled("6.0", policies.POLICY, dict(policy)))

    def run(dice: Dice) -> object:
        umpire = before.goes_on(dice)
        after = apply_result(Fight(umpire, battle, found, attack), result)
        advance_attackers(umpire, after, battle.plan.advance)
        return useless.describe_end(umpire), after.result, after.gone, after.route

    ways = run_branches(start.seq, run, groups=lambda _label: ("123", "456"), most=MOST_WAYS)
    return ways or object()  # with too many dice no end equals another


def list_plans(pos: Position, battle: Battle, result: str) -> list[Battle]:
    """Return the attack with each plan to test: its own plan, or several plans if its plan is sealed."""
    if f"sealed/{plans.label(pos.state.agenda.get(DECLARED, ''))}" not in pos.state.agenda:
        return [battle]
    chosen = [Plan(), *(Plan(push=(far,)) for far in "01" if result in ("D1", "D2"))]
    for first in battle.attackers:  # first in the losses, then the units of its hex
        losses = sorted(battle.attackers, key=lambda uid: (uid != first, pos.where[uid] != pos.where[first]))
        chosen.append(Plan(losses=tuple(losses), forced=("yes", *FORCED)))
    return [replace(battle, plan=plan) for plan in chosen]


def list_answers(pos: Position, battle: Battle) -> list[Policy]:
    """Return each answer to test: the defender's standing answer, or several if the defender answers later."""
    enemy = ENEMY[pos.side(battle.attackers[0])]
    if STANDING + enemy in pos.state.agenda:
        return [policies.filed_policy(pos.state.agenda, enemy)]
    aims = {f"toward {wish.rpartition(' ')[2]}" for wish in battle.plan.advance if " " in wish}
    units, ways = pos.here(battle.hex, enemy), sorted(aims) or [""]
    return [
        {NO_RETREAT: "yes"},
        *({policies.BY_UNIT: {uid: {NO_RETREAT: "yes"}}} for uid in units if units[1:]),
        *({WITHDRAW: far, RETREAT: [way], CROWD: crowd} for far, crowd in (("0", LOSE), ("2", ON)) for way in ways),
    ]


def is_dear(pos: Position, waiting: Sequence[Battle], at: int, ends: int) -> bool:
    """Return whether testing an attack costs too much: two earlier attacks are near, or too many ends are possible.

    Decision 46: every unit looks for room, so the cost grows with the cube of the number of units.
    """
    battle, distance = waiting[at], pos.setting.board.distance
    near = sum(distance(other.hex, battle.hex) <= 2 * NEAR for other in waiting[:at])
    units = IDLE + len(battle.attackers) + len(pos.stack(battle.hex))
    return near > 1 or bool(ends * units**3 * len(waiting) > BUDGET)


def find_useless(pos: Position, policy: Policy, side: str) -> Iterator[str]:
    """2.0-d, 6.0, 8.0, 12.0, J-53, J-70: yield a sentence for each part of an answer that can have no effect."""
    labels, waiting = pos.setting.board.labels, read_battles(pos.setting, pos.state.agenda)
    asked = [(at, uid) for at, battle in enumerate(waiting) for uid in pos.here(battle.hex, side)]
    places = [
        ((policies.BY_UNIT, uid), (policies.BATTLES, waiting[at].id), (policies.BY_HEX, labels[waiting[at].hex]))
        for at, uid in asked
    ]
    # 2.0-breakthrough, 8.0: a later attack, by a Panzerkeil or on units in an empty line, may use the answer
    again = any(not pos.here(battle.hex, side) or combat.find_wedges(pos, battle) for battle in waiting)

    @cache
    def differ(at: int) -> Callable[[Policy], bool]:
        cases = list_cases(pos, waiting, at, unknown=is_open(pos, waiting[at], waiting))
        fights = [(case, planned) for case in cases for planned in list_plans(pos, waiting[at], case[-1])]
        dear = is_dear(pos, waiting, at, len(fights))
        return useless.ask_each(fights, lambda fight, said: find_end(fight[0], fight[1], said), policy, dear=dear)

    def changes(users: Sequence[int], other: Policy) -> bool:
        return any(differ(at)(other) for at in sorted({asked[user][0] for user in users}))

    for path, key, vain, users in useless.find_useless(policy, tuple(USUAL), places, changes):
        whose = f" for {path[-1]}" if path and not (users and path[0] == policies.BATTLES) else ""
        said = f"{key} {', '.join(vain)}{whose} has no effect"
        if users and vain != [USUAL.get(key)]:
            where = some([*dict.fromkeys(waiting[asked[user][0]].id for user in users)])
            yield f"{said} in {where}: {useless.SAME}"
        elif not users and not (again and policies.BATTLES not in path):
            yield f"{said}: more specific answers apply"


def ask_plan(pos: Position, waiting: Sequence[Battle], at: int, plan: Plan, *, unknown: bool) -> Callable[[Plan], bool]:
    """Return a function that tells whether a plan other than ``plan`` changes the end of an attack."""
    battle = waiting[at]
    answers = list_answers(pos, replace(battle, plan=plan))
    fights = [(case, said) for case in list_cases(pos, waiting, at, unknown=unknown) for said in answers]
    dear = is_dear(pos, waiting, at, len(fights))
    return useless.ask_each(
        fights, lambda one, new: find_end(one[0], replace(battle, plan=new), one[1]), plan, dear=dear
    )


def check_plan(pos: Position, waiting: Sequence[Battle], at: int, *, unknown: bool) -> Iterator[str]:
    """2.0, 6.0-forced, 9.0: yield a sentence for each useless wish of a plan. ``unknown``: odds can change."""
    plan, name = waiting[at].plan, waiting[at].id
    changes = ask_plan(pos, waiting, at, plan, unknown=unknown)
    for key in ("advance",) if unknown else ("push", "losses", "exchange", "forced", "advance"):
        wishes = () if key == "losses" and plan.breakthrough else vars(plan)[key]  # losses are for both attacks

        def differs(left: Any, key: str = key) -> bool:
            return changes(replace(plan, **{key: tuple(left)}))

        if vain := useless.list_vain(wishes, differs):
            yield f"{key} {', '.join(vain)} has no effect in {name}: {useless.SAME}"
    if plan.exploit and not plan.breakthrough:
        yield f"'exploit {', '.join(plan.exploit)}' has no effect in {name}: the plan has no breakthrough"
