"""Which wishes of an answer or a plan some die of an attack can call for, as units stand when it is written.

Said to the writer of a draft before it is signed; nothing here is a rule. Whom a result moves, and by whose wish, is
what ``combat`` does with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX, parts
from kursk_pbem.kernel.orders import Path
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.kursk_1971 import answers, battles, combat
from kursk_pbem.rulesets.kursk_1971.losses import counter_for
from kursk_pbem.rulesets.kursk_1971.odds import Odds, chances
from kursk_pbem.rulesets.kursk_1971.orders import SKIP, Battle, Plan, split
from kursk_pbem.rulesets.kursk_1971.position import Position
from kursk_pbem.rulesets.kursk_1971.setting import HALF

_PAID = {"EX", HALF}
Vain = tuple[str, str]
"""What counts for nothing: the paragraph, and a sentence that says it."""


@dataclass(frozen=True)
class Calls:
    """What the dice of an attack can ask: whom either player may move in a retreat, and who may go into a left hex."""

    defender: frozenset[str]  # units whose retreat the defending player chooses
    attacker: frozenset[str]  # units whose retreat the attacking player chooses
    follow: bool  # whether the attackers may leave hexes that are no fortified line of theirs
    enter: bool  # whether the defenders may leave theirs, and the attackers go in


def calls(pos: Position, battle: Battle) -> Calls:
    """8.0, S-13, S-17, S-39: of every die, also without close support if the attack takes place without it."""
    _odds, results = _case(pos, battle)
    attackers, stack = frozenset(battle.attackers), frozenset(pos.stack(battle.hex))
    divisions = frozenset(uid for uid in attackers | stack if counter_for(pos.setting, pos.state, uid))
    none = frozenset[str]()
    defender = attackers if results & {"AR", "BR"} else attackers & divisions if results & {"AX", *_PAID} else none
    defender |= stack if "BR" in results else none
    attacker = stack if "DR" in results else stack & divisions if results & {"DX", *_PAID} else none
    outside = any(not pos.setting.forts[pos.side(uid)] >> pos.where[uid] & 1 for uid in attackers)
    return Calls(defender, attacker, outside and bool(results & {"AX", "AR"}), bool(results & {"DR", "DX", *_PAID}))


def in_vain(pos: Position, policy: Mapping[str, Any]) -> Iterator[Vain]:
    """8.0, S-58: what an answer wishes that no die calls for: of hexes nobody attacks, of retreats, of advances."""
    labels = pos.setting.board.labels
    waiting = battles.battles_of(pos.setting, pos.state.agenda)
    if calm := sorted({*policy.get(BY_HEX, {})} - {labels[battle.hex] for battle in waiting}):
        yield ("8.0", f"nobody attacks {some(calm)}: what is said of it counts for nothing")
    ahead, fights = {battle.id: calls(pos, battle) for battle in waiting}, {battle.id: battle for battle in waiting}
    places = {battle.id: answers.asked(battle.id, labels[battle.hex]) for battle in waiting}
    for path, part in parts(policy, (BATTLES, BY_HEX)):
        for key in (key for key in answers.ANSWERS if part.get(key)):
            heard = [bid for bid in ahead if path in _speaking(policy, key, places[bid])]
            if heard and key == answers.RETREAT:
                moved = frozenset[str]().union(*(ahead[bid].defender for bid in heard))
                yield from _retreats(pos, heard, part[key], moved)
            elif heard and not any(ahead[bid].follow for bid in heard):
                why = f"no die makes attackers leave a hex that you may enter in {some(heard)}, as units stand now"
                yield ("8.0-advance", f"advance {', '.join(part[key])} counts for nothing: {why}")
            elif heard:
                yield from _follows(pos, [fights[bid] for bid in heard], part[key])


def _follows(pos: Position, fights: Sequence[Battle], wishes: Sequence[str]) -> Iterator[Vain]:
    """8.0-advance, S-17: wishes for hexes of attackers by units that do not defend, or into hexes nobody may enter."""
    labels, lines = pos.setting.board.labels, pos.setting.forts[pos.side(fights[0].attackers[0])]
    for wish in wishes:
        uid, _space, label = wish.partition(" ")
        own = [battle for battle in fights if uid in pos.stack(battle.hex)]
        left = {pos.where[attacker] for battle in own for attacker in battle.attackers}
        spots = [hex_ for hex_ in left if label in ("", labels[hex_])]
        why = "" if spots else f"nobody attacks it from {label}"
        if spots and all(lines >> hex_ & 1 for hex_ in spots):
            why = "the attackers stand in their own fortified line"
        if not own:
            why = f"{uid} does not defend there"
        if why:
            told = some([battle.id for battle in own or fights])
            yield ("8.0-advance", f"advance {wish} counts for nothing in {told}: {why}")


def planned(pos: Position, battle: Battle, plan: Plan) -> Iterator[Vain]:
    """8.0: what a plan wishes that no die calls for: ways of the defenders, payments, advances."""
    called, line = calls(pos, battle), pos.setting.forts[pos.side(pos.stack(battle.hex)[0])] >> battle.hex & 1
    if plan.advance and (line or not called.enter):
        why = "it is an enemy fortified line" if line else "no die leaves it to the attackers, as units stand now"
        yield ("8.0-advance", f"nobody can advance in {battle.id} as planned: {why}")
    if plan.retreat:
        yield from _retreats(pos, [battle.id], plan.retreat, called.attacker)
    if plan.losses:
        yield from _payments(pos, battle, plan.losses)


def _payments(pos: Position, battle: Battle, losses: Sequence[str]) -> Iterator[Vain]:
    """8.0-ex, 8.0-half-ex, S-15: a list that no exchange asks for, or that does not pay one."""
    odds, results = _case(pos, battle)
    worth, listed = sum(odds.attack.get(uid, 0) for uid in losses), ", ".join(losses)
    due = sum(odds.defence.values())
    asked = {result: due if result != HALF else -(-due // 2) for result in sorted(results & _PAID)}
    if not asked:
        why = "no die there has you pay for an exchange, as units stand now"
        yield ("8.0-ex", f"losses {listed} counts for nothing in {battle.id}: {why}")
    elif short := [f"{result} asks {due}" for result, due in asked.items() if worth < due <= sum(odds.attack.values())]:
        then = "then the list counts as none, and those pay who exceed it by least (S-47)"
        yield ("8.0-ex", f"losses {listed} is worth {worth} in {battle.id} and {' and '.join(short)}: {then}")


def _case(pos: Position, battle: Battle) -> tuple[Odds, set[str]]:
    """S-51: the odds with the aircraft if it can support, and what the dice can bring: nothing where none falls."""
    odds, side = combat.ahead(pos, battle), pos.side(battle.attackers[0])
    skipped = battle.support and battle.unsupported == SKIP and not combat.supports(pos, battle, side)
    results = {"DX"} if odds.automatic else {*chances(pos.setting, odds)}
    return odds, set() if skipped else results


def _speaking(policy: Mapping[str, Any], key: str, places: Sequence[tuple[str, str]]) -> list[Path]:
    """The one part of a policy that counts for an attack, as a list; it is empty if none says anything."""
    named = [place for place in places if key in policy.get(place[0], {}).get(place[1], {})]
    whole: Path = ()
    return [*named, whole][:1]


def _retreats(pos: Position, heard: Sequence[str], wishes: Sequence[str], moved: frozenset[str]) -> Iterator[Vain]:
    """8.0, S-13: wishes for retreats that move nobody in the attacks of which they speak."""
    if not moved:
        why = f"counts for nothing: no die has you move anybody in {some(heard)}, as units stand now"
        yield ("8.0", f"retreat {', '.join(wishes)} {why}")
        return
    for wish in wishes:
        if why := _slip(pos, wish, moved):
            # S-40: a unit that is moved goes in the order in which it is named, also with a hex that it cannot reach
            counts = ("counts for nothing", "picks no hex")[split(wish, pos.setting.counters)[0] in moved]
            yield ("8.0", f"retreat {wish} {counts} in {some(heard)}: {why}")


def _slip(pos: Position, wish: str, moved: frozenset[str]) -> str:
    """Why a wish for a retreat picks nothing, '' if it may."""
    board = pos.setting.board
    uid, way = split(wish, pos.setting.counters)
    if uid and uid not in moved:
        return f"no die there has you move {uid}, as units stand now"
    who = [uid] if uid else moved
    if way.split(" ")[0] in WAYS or any(board.near[pos.where[unit]] >> board.index[way] & 1 for unit in who):
        return ""
    return f"{way} is not beside {uid or 'anybody whom you may have to move'}"
