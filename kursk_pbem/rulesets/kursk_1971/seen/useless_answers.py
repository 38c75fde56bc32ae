"""Finds useless wishes of answers and plans, for the writer of a draft before signing.

A wish is useful if some die of an attack can use the wish in the present position. No rule uses this module; ``combat``
decides the movers of results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX
from kursk_pbem.kernel.hexes.usual.precedence import find_effective
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.kursk_1971 import answers, battles, combat
from kursk_pbem.rulesets.kursk_1971.losses import find_kampfgruppe
from kursk_pbem.rulesets.kursk_1971.odds import Odds, count_results
from kursk_pbem.rulesets.kursk_1971.orders import SKIP, Battle, Plan, split_wish
from kursk_pbem.rulesets.kursk_1971.position import Position
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, HALF

_PAID = {"EX", HALF}
Vain = tuple[str, str]
"""What counts for nothing: the paragraph, and a sentence that says it."""


@frozen
class Calls:
    """The units affected by the dice of an attack: movable in retreats, and able to enter empty hexes."""

    defender: frozenset[str]  # units whose retreat the defending player chooses
    attacker: frozenset[str]  # units whose retreat the attacking player chooses
    follow: frozenset[str]  # units that may enter a hex of the attackers, unless in a fortified line
    line: bool  # the hex is an enemy fortified line, closed to advances
    enter: frozenset[str]  # units that may go into the hex of the defenders
    odds: Odds
    results: frozenset[str]  # possible results; empty without a die


def find_calls(pos: Position, battle: Battle) -> Calls:
    """8.0, S-13, S-17, S-39: return the calls of all dice, with close support unless a patrol bars support."""
    odds, results = find_case(pos, battle)
    attackers, stack = frozenset(battle.attackers), frozenset(pos.stack(battle.hex))
    divisions = frozenset(uid for uid in attackers | stack if find_kampfgruppe(pos.setting, pos.state, uid))
    none = frozenset[str]()
    defender = attackers if results & {"AR", "BR"} else attackers & divisions if results & {"AX", *_PAID} else none
    defender |= stack if "BR" in results else none
    attacker = stack if "DR" in results else stack & divisions if results & {"DX", *_PAID} else none
    line = bool(pos.setting.forts[pos.side(pos.stack(battle.hex)[0])] >> battle.hex & 1)
    side, near = pos.side(battle.attackers[0]), combat.find_followers
    outside = sum(1 << hex_ for hex_ in _find_emptied(pos, battle) if not pos.setting.forts[side] >> hex_ & 1)
    follow = frozenset(near(pos, ENEMY[side], outside if results & {"AX", "AR", "BR", *_PAID} else 0))
    enter = frozenset(near(pos, side, 1 << battle.hex if results & {"BR", "DR", "DX", *_PAID} and not line else 0))
    # S-17: units that retreat or die with every such die do not advance
    follow -= none if results & {"AX", "AR"} else stack
    enter -= none if results & {"DR", "DX", *_PAID} else attackers
    return Calls(defender, attacker, follow, line, enter, odds, results)


def _find_emptied(pos: Position, battle: Battle) -> set[int]:
    """8.0-advance: return the hexes that attackers may empty, because every unit there attacks."""
    every = {uid for other in battles.list_battles(pos.setting, pos.state.agenda) for uid in other.attackers}
    return {pos.where[uid] for uid in battle.attackers if {*battle.attackers, *every} >= {*pos.stack(pos.where[uid])}}


def list_calls(pos: Position) -> dict[Battle, Calls]:
    """Return the calls of each waiting attack."""
    return {battle: find_calls(pos, battle) for battle in battles.list_battles(pos.setting, pos.state.agenda)}


def find_useless(pos: Position, policy: Mapping[str, Any], waiting: Mapping[Battle, Calls]) -> Iterator[Vain]:
    """8.0, S-58: yield the useless wishes of an answer: for hexes without attacks, retreats, advances.

    ``waiting``: the attacks as returned by `list_calls`.
    """
    labels = pos.setting.board.labels
    if calm := sorted({*policy.get(BY_HEX, {})} - {labels[battle.hex] for battle in waiting}):
        yield ("8.0", f"{some(calm)} is not attacked, so your answer has no effect")
    fights, places = [*waiting], [answers.list_places(battle.id, labels[battle.hex]) for battle in waiting]
    for _path, key, said, speaks in find_effective(policy, answers.ANSWERS, (BATTLES, BY_HEX), places):
        spoken = [fights[at] for at in speaks]
        ids = [battle.id for battle in spoken]
        if spoken and key == answers.RETREAT:
            moved = frozenset[str]().union(*(waiting[battle].defender for battle in spoken))
            yield from _check_retreats(pos, ids, said, moved)
        elif spoken and not any(waiting[battle].follow for battle in spoken):
            why = f"no die roll empties a hex of attackers that you may enter in {some(ids)} now"
            yield ("8.0-advance", f"advance {', '.join(said)} has no effect: {why}")
        elif spoken:
            yield from _check_advances(pos, {battle: waiting[battle] for battle in spoken}, said)


def _check_advances(pos: Position, fights: Mapping[Battle, Calls], wishes: Sequence[str]) -> Iterator[Vain]:
    """8.0-advance, S-17: yield advances by units that are not adjacent, or into closed hexes."""
    labels, lines = pos.setting.board.labels, pos.setting.forts[pos.side(next(iter(fights)).attackers[0])]
    for wish in wishes:
        uid, _space, label = wish.partition(" ")
        near = pos.setting.board.near[pos.where[uid]] if uid in pos.where else 0
        own = {battle: {pos.where[who] for who in battle.attackers if near >> pos.where[who] & 1} for battle in fights}
        own = {battle: stands for battle, stands in own.items() if stands}
        spots = [hex_ for stands in own.values() for hex_ in stands if label in ("", labels[hex_])]
        reasons = {
            f"{uid} is not adjacent to a hex of the attackers": not own,
            f"no adjacent attacker is in {label}": not spots,
            "the attackers are in a fortified line of their side": all(lines >> hex_ & 1 for hex_ in spots),
            "other enemy units without an attack stay in the attackers' hex": not any(
                hex_ in _find_emptied(pos, battle) for battle in own for hex_ in spots
            ),
            "the unit leaves its own hex with every die that empties a hex of attackers": not any(
                uid in fights[battle].follow for battle in own
            ),
        }
        if why := next((reason for reason, holds in reasons.items() if holds), ""):
            told = some([battle.id for battle in own or fights])
            yield ("8.0-advance", f"advance {wish} has no effect in {told}: {why}")


def check_plan(pos: Position, battle: Battle, asked: Calls, plan: Plan) -> Iterator[Vain]:
    """8.0: yield the useless wishes of a plan: retreats, losses, advances."""
    if plan.advance and not asked.enter:
        why = "the hex is an enemy fortified line" if asked.line else "no die roll empties the hex now"
        yield ("8.0-advance", f"no unit can advance in {battle.id} as planned: {why}")
    elif vain := [uid for uid in plan.advance if uid not in asked.enter]:
        why = f"no die roll lets the unit enter {pos.setting.board.labels[battle.hex]} from its present hex"
        yield from (("8.0-advance", f"advance {uid} has no effect in {battle.id}: {why}") for uid in vain)
    if plan.retreat:
        yield from _check_retreats(pos, [battle.id], plan.retreat, asked.attacker)
    if plan.losses:
        yield from _check_losses(battle.id, asked, plan.losses)


def _check_losses(name: str, calls: Calls, losses: Sequence[str]) -> Iterator[Vain]:
    """8.0-ex, 8.0-half-ex, S-15: yield a useless list of losses."""
    counts, due, listed = calls.odds.attack, sum(calls.odds.defence.values()), ", ".join(losses)
    worth = sum(counts.get(uid, 0) for uid in losses)
    asked = {result: due if result != HALF else -(-due // 2) for result in sorted(calls.results & _PAID)}
    if not asked:
        why = "no die roll makes you pay for an exchange now"
        yield ("8.0-ex", f"losses {listed} has no effect in {name}: {why}")
    elif short := [f"{result} asks {due}" for result, due in asked.items() if worth < due <= sum(counts.values())]:
        then = "your list is then ignored, and the units with the smallest excess pay (S-47)"
        yield ("8.0-ex", f"losses {listed} is worth {worth} in {name} and {' and '.join(short)}: {then}")


def find_case(pos: Position, battle: Battle) -> tuple[Odds, frozenset[str]]:
    """S-51: return the odds with possible support, and the possible results; none without a die."""
    odds, side = combat.assess_waiting(pos, battle), pos.side(battle.attackers[0])
    skipped = battle.support and battle.unsupported == SKIP and not combat.can_support(pos, battle, side)
    return odds, frozenset() if skipped else frozenset({"DX"} if odds.automatic else count_results(pos.setting, odds))


def _check_retreats(pos: Position, ids: Sequence[str], wishes: Sequence[str], moved: frozenset[str]) -> Iterator[Vain]:
    """8.0, S-13: yield wishes for retreats that move no unit of the attacks."""
    if not moved:
        why = f"no die roll lets you move a unit in {some(ids)} now"
        yield ("8.0", f"retreat {', '.join(wishes)} has no effect: {why}")
    for wish in wishes if moved else ():
        if why := _find_fault(pos, wish, moved):
            # S-40: the wish still sets the order of retreats
            counts = ("has no effect", "picks no hex")[split_wish(wish, pos.setting.counters)[0] in moved]
            yield ("8.0", f"retreat {wish} {counts} in {some(ids)}: {why}")


def _find_fault(pos: Position, wish: str, moved: frozenset[str]) -> str:
    """Return why a wish for a retreat chooses nothing, '' if useful."""
    board = pos.setting.board
    uid, way = split_wish(wish, pos.setting.counters)
    if uid and uid not in moved:
        return f"no die roll lets you move {uid} now"
    who = [uid] if uid else moved
    if way.split(" ")[0] in WAYS or any(board.near[pos.where[unit]] >> board.index[way] & 1 for unit in who):
        return ""
    return f"{way} is not adjacent to {uid or 'a unit that you may move'}"
