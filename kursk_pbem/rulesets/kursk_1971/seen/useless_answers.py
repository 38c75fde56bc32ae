"""Finds useless wishes of answers and plans, for the writer of a draft before signing; no rule uses this module.

The rules fight every waiting attack alone, with every die, with and without a wish: now, and after losses in the other
attacks. If the opponent's choice is unknown, the rules are asked with several choices. A wish is useless only if it
changes nothing in any of these fights.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from kursk_pbem.kernel.hexes import plans, policies, useless
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.state import DECLARED, ELIMINATED, STANDING
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.kursk_1971 import answers, combat
from kursk_pbem.rulesets.kursk_1971.battles import list_battles
from kursk_pbem.rulesets.kursk_1971.orders import PLAN_KEYS, Battle, Plan
from kursk_pbem.rulesets.kursk_1971.position import Position, position
from kursk_pbem.rulesets.kursk_1971.seen import exact_odds
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY

Vain = tuple[str, str]
"""What counts for nothing: the paragraph, and a sentence that says it."""
Answer = tuple[tuple[str, ...], ...]
"""The defender's wishes for retreats, and for advances."""
Case = tuple[Battle, Answer]
"""An attack with a plan, and an answer to it."""
Differ = Callable[[Case, Case], bool]
"""Return whether two cases of an attack end differently for some die."""
RULES = {"retreat": "8.0", "losses": "8.0-ex", "advance": "8.0-advance"}


def ask_rules(pos: Position) -> Differ:
    """Return a function that tells whether two cases end differently by the rules. It remembers computed ends."""
    waiting = list_battles(pos.setting, pos.state.agenda)

    @cache
    def list_positions(name: str) -> list[Position]:
        """Return the present position, and the positions without the attackers or defenders of the other attacks."""
        others = [other for other in waiting if other.id != name]
        attackers = {uid for other in others for uid in other.attackers}
        defenders = {uid for other in others for uid in pos.stack(other.hex)}
        return [pos, *(_remove_units(pos, uids) for uids in (attackers, defenders) if uids)]

    @cache
    def fight(at: int, battle: Battle, answer: Answer) -> object:
        said = dict(zip(answers.ANSWERS, answer, strict=True))
        return exact_odds.list_ends(list_positions(battle.id)[at], battle, said)

    def differ(one: Case, other: Case) -> bool:
        return any(fight(at, *one) != fight(at, *other) for at in range(len(list_positions(one[0].id))))

    return differ


def _remove_units(pos: Position, uids: Collection[str]) -> Position:
    units = {uid: replace(unit, place=ELIMINATED) if uid in uids else unit for uid, unit in pos.state.units.items()}
    return position(pos.setting, pos.state.with_(units=units))


def list_followers(pos: Position, battle: Battle) -> tuple[str, ...]:
    """8.0-advance: return the defenders that could enter an attacker's hex, first those in the attacked hex."""
    hexes = sum({1 << pos.where[uid] for uid in battle.attackers})
    near = combat.find_followers(pos, ENEMY[pos.side(battle.attackers[0])], hexes)
    return tuple(sorted(near, key=lambda uid: (pos.where[uid] != battle.hex, uid)))


def list_ways(pos: Position, battle: Battle) -> tuple[str, ...]:
    """S-33: return all hexes for retreats, the highest label first, because the umpire usually takes the lowest."""
    board = pos.setting.board
    around = board.spread(sum({1 << pos.where[uid] for uid in battle.attackers} | {1 << battle.hex}))
    return tuple(board.labels[hex_] for hex_ in reversed([*bits(around)]))


def name_all(pos: Position, battle: Battle, key: str) -> Answer:
    """Return an answer with one kind of wish, which names every possible hex or unit."""
    return (list_ways(pos, battle), ()) if key == answers.RETREAT else ((), list_followers(pos, battle))


def list_plans(pos: Position, battle: Battle) -> list[Battle]:
    """Return the attack with each plan to test: its own plan, or several plans if its plan is sealed.

    Plans for an exchange name the units of one hex first, because a hex becomes empty when its units are lost.
    """
    if f"sealed/{plans.label(pos.state.agenda.get(DECLARED, ''))}" not in pos.state.agenda:
        return [battle]
    hexes = sorted({pos.where[uid] for uid in battle.attackers})
    lists = [tuple(sorted(battle.attackers, key=lambda uid: pos.where[uid] != hex_)) for hex_ in hexes]
    lists += [(uid, *(other for other in battle.attackers if other != uid)) for uid in battle.attackers]
    chosen = [Plan(), *(Plan(losses=losses) for losses in dict.fromkeys(lists)), Plan(retreat=list_ways(pos, battle))]
    return [replace(battle, plan=plan) for plan in chosen]


def list_answers(pos: Position, battle: Battle) -> list[Answer]:
    """Return each answer to test: the defender's standing answer, or several if the defender answers later."""
    enemy, label = ENEMY[pos.side(battle.attackers[0])], pos.setting.board.labels[battle.hex]
    if STANDING + enemy in pos.state.agenda:
        wishes = (answers.find_wishes(pos.state.agenda, enemy, battle.id, label, key) for key in answers.ANSWERS)
        return [tuple(wishes)]
    ways, near = list_ways(pos, battle), list_followers(pos, battle)
    return [((), ()), (ways, ()), ((), near), (ways, near)]


def find_useless(pos: Position, policy: Mapping[str, Any], differ: Differ) -> Iterator[Vain]:
    """8.0, S-58: yield the wishes of an answer that can have no effect: retreats, advances, hexes without attacks."""
    labels, waiting = pos.setting.board.labels, list_battles(pos.setting, pos.state.agenda)
    if calm := sorted({*policy.get(policies.BY_HEX, {})} - {labels[battle.hex] for battle in waiting}):
        yield ("8.0", f"{some(calm)} is not attacked, so your answer has no effect")
    places = [answers.list_places(battle.id, labels[battle.hex]) for battle in waiting]

    def list_wishes(said: Mapping[str, Any], at: int) -> Answer:
        return tuple(tuple(policies.find_answer(said, key, places[at]) or ()) for key in answers.ANSWERS)

    def changes(users: Sequence[int], other: Mapping[str, Any]) -> bool:
        fights = ((at, fight) for at in users for fight in list_plans(pos, waiting[at]))
        return any(differ((fight, list_wishes(policy, at)), (fight, list_wishes(other, at))) for at, fight in fights)

    for _path, key, vain, users in useless.find_useless(policy, answers.ANSWERS, places, changes):
        if users:
            where = some([waiting[at].id for at in users])
            yield (RULES[key], f"{key} {', '.join(vain)} has no effect in {where}: {useless.SAME}")


def is_asked(pos: Position, battle: Battle, answer: Answer, differ: Differ) -> bool:
    """Return whether an answer changes the result of at least one die roll."""
    return any(differ((fight, answer), (fight, ((), ()))) for fight in list_plans(pos, battle))


def check_plan(pos: Position, battle: Battle, differ: Differ) -> Iterator[Vain]:
    """8.0: yield the wishes of a plan that can have no effect: retreats, losses and advances."""
    said = list_answers(pos, battle)
    for key in PLAN_KEYS:

        def changes(left: Any, key: str = key) -> bool:
            other = replace(battle, plan=replace(battle.plan, **{key: tuple(left)}))
            return any(differ((battle, answer), (other, answer)) for answer in said)

        if vain := useless.list_vain(getattr(battle.plan, key), changes):
            yield (RULES[key], f"{key} {', '.join(vain)} has no effect in {battle.id}: {useless.SAME}")


def can_advance(pos: Position, battle: Battle, differ: Differ) -> bool:
    """8.0-advance: return whether an attacker can enter the attacked hex after at least one die roll."""
    near = combat.find_followers(pos, pos.side(battle.attackers[0]), 1 << battle.hex)
    bare = replace(battle, plan=replace(battle.plan, advance=()))
    goes = replace(battle, plan=replace(battle.plan, advance=tuple(near)))
    return any(differ((bare, answer), (goes, answer)) for answer in list_answers(pos, battle))
