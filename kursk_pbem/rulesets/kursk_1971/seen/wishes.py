"""Which wishes of an answer or a plan some die of an attack can call for, as units stand when it is written.

Said to the writer of a draft before it is signed; nothing here is a rule. Whom a result moves, and by whose wish, is
what ``combat`` does with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX
from kursk_pbem.kernel.hexes.usual.wishes import heard
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.kursk_1971 import answers, battles
from kursk_pbem.rulesets.kursk_1971.losses import counter_for
from kursk_pbem.rulesets.kursk_1971.odds import Odds, assess, chances
from kursk_pbem.rulesets.kursk_1971.orders import SKIP, Battle, Plan, split
from kursk_pbem.rulesets.kursk_1971.position import Position
from kursk_pbem.rulesets.kursk_1971.setting import HALF

_PAID = {"EX", HALF}
Vain = tuple[str, str]
"""What counts for nothing: the paragraph, and a sentence that says it."""
Case = tuple[Odds, set[str]]
"""Odds of an attack, and what its die can bring at them."""


@dataclass(frozen=True)
class Calls:
    """What the dice of an attack can ask: whom either player may move in a retreat, and who may go into a left hex."""

    defender: frozenset[str]  # units whose retreat the defending player chooses
    attacker: frozenset[str]  # units whose retreat the attacking player chooses
    follow: bool  # whether the attackers may leave their hexes
    line: bool  # whether it is an enemy fortified line, which nobody enters
    enter: bool  # whether the defenders may leave theirs, and the attackers go in
    cases: Sequence[Case]


def calls(pos: Position, battle: Battle) -> Calls:
    """8.0, S-13, S-17, S-39: of every die, also without close support if the attack takes place without it."""
    cases = _cases(pos, battle)
    results = {result for _odds, results in cases for result in results}
    attackers, stack = frozenset(battle.attackers), frozenset(pos.stack(battle.hex))
    line = bool(pos.setting.forts[pos.side(pos.stack(battle.hex)[0])] >> battle.hex & 1)
    divisions = frozenset(uid for uid in attackers | stack if counter_for(pos.setting, pos.state, uid))
    defender, attacker = frozenset[str](), frozenset[str]()
    if results & {"AR", "BR"}:
        defender |= attackers
    if "BR" in results:
        defender |= stack
    if results & {"AX", *_PAID}:
        defender |= attackers & divisions
    if "DR" in results:
        attacker |= stack
    if results & {"DX", *_PAID}:
        attacker |= stack & divisions
    enter = not line and bool(results & {"DR", "DX", *_PAID})
    return Calls(defender, attacker, bool(results & {"AX", "AR"}), line, enter, cases)


def called(pos: Position) -> dict[Battle, Calls]:
    """What the dice of each attack that waits can ask."""
    return {battle: calls(pos, battle) for battle in battles.battles_of(pos.setting, pos.state.agenda)}


def in_vain(pos: Position, policy: Mapping[str, Any], waiting: Mapping[Battle, Calls]) -> Iterator[Vain]:
    """8.0, S-58: what an answer wishes that no die calls for: of hexes nobody attacks, of retreats, of advances.

    ``waiting``: the attacks as ``called`` gives them.
    """
    labels = pos.setting.board.labels
    if calm := sorted({*policy.get(BY_HEX, {})} - {labels[battle.hex] for battle in waiting}):
        yield ("8.0", f"nobody attacks {some(calm)}: what is said of it counts for nothing")
    ahead = {battle.id: asked for battle, asked in waiting.items()}
    ids, places = [*ahead], [answers.asked(battle.id, labels[battle.hex]) for battle in waiting]
    for _path, key, said, speaks in heard(policy, answers.ANSWERS, (BATTLES, BY_HEX), places):
        spoken = [ids[at] for at in speaks]
        if spoken and key == answers.RETREAT:
            moved = frozenset[str]().union(*(ahead[bid].defender for bid in spoken))
            yield from _retreats(pos, spoken, said, moved)
        elif spoken and not any(ahead[bid].follow for bid in spoken):
            why = f"no die makes the attackers leave their hexes in {some(spoken)}, as units stand now"
            yield ("8.0-advance", f"advance {', '.join(said)} counts for nothing: {why}")


def planned(pos: Position, battle: Battle, asked: Calls, plan: Plan) -> Iterator[Vain]:
    """8.0: what a plan wishes that no die calls for: ways of the defenders, payments, advances."""
    if plan.advance and not asked.enter:
        why = "it is an enemy fortified line" if asked.line else "no die leaves it to the attackers, as units stand now"
        yield ("8.0-advance", f"nobody can advance in {battle.id} as planned: {why}")
    if plan.retreat:
        yield from _retreats(pos, [battle.id], plan.retreat, asked.attacker)
    if plan.losses:
        yield from _payments(battle, asked.cases, plan.losses)


def _payments(battle: Battle, cases: Sequence[Case], losses: Sequence[str]) -> Iterator[Vain]:
    """8.0-ex, 8.0-half-ex, S-15: a list that no exchange asks for, or that does not pay one."""
    counts, listed = cases[0][0].attack, ", ".join(losses)
    worth = sum(counts.get(uid, 0) for uid in losses)
    asked = {
        result: -(-sum(odds.defence.values()) // (2 if result == HALF else 1))
        for odds, results in cases
        for result in sorted(results & _PAID)
    }
    if not asked:
        yield (
            "8.0-ex",
            (
                f"losses {listed} counts for nothing in {battle.id}: "
                "no die there has you pay for an exchange, as units stand now"
            ),
        )
    elif short := [f"{result} asks {due}" for result, due in asked.items() if worth < due <= sum(counts.values())]:
        yield (
            "8.0-ex",
            (
                f"losses {listed} is worth {worth} in {battle.id} and {' and '.join(short)}: "
                "then the list counts as none, and those pay who exceed it by least (S-47)"
            ),
        )


def _cases(pos: Position, battle: Battle) -> list[Case]:
    """S-51: the odds with the support ordered, and without it if the attack takes place so; with their results."""
    every = [assess(pos, battle, support=with_) for with_ in (True, battle.unsupported == SKIP)]
    return [(odds, {"DX"} if odds.automatic else {*chances(pos.setting, odds)}) for odds in every]


def _retreats(pos: Position, ids: Sequence[str], wishes: Sequence[str], moved: frozenset[str]) -> Iterator[Vain]:
    """8.0, S-13: wishes for retreats that move nobody in the attacks of which they speak."""
    if not moved:
        why = f"no die has you move anybody in {some(ids)}, as units stand now"
        yield ("8.0", f"retreat {', '.join(wishes)} counts for nothing: {why}")
    for wish in wishes if moved else ():
        if why := _slip(pos, wish, moved):
            yield ("8.0", f"retreat {wish} counts for nothing in {some(ids)}: {why}")


def _slip(pos: Position, wish: str, moved: frozenset[str]) -> str:
    """Why a wish for a retreat picks nothing, '' if it may."""
    board = pos.setting.board
    uid, way = split(wish, pos.setting.counters)
    if uid and uid not in moved:
        return f"no die there has you move {uid}, as units stand now"
    near = reduce(or_, (board.near[pos.where[unit]] for unit in ([uid] if uid else moved)))
    if way.split(" ")[0] in WAYS or near >> board.index[way] & 1:
        return ""
    return f"{way} is not beside {uid or 'anybody whom you may have to move'}"
