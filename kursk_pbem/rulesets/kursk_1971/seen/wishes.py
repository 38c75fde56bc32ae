"""Which wishes of an answer or a plan some die of an attack can call for, as units stand when it is written.

Said to the writer of a draft before it is signed; nothing here is a rule. Whom a result moves, and by whose wish, is
what ``combat`` does with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX
from kursk_pbem.kernel.hexes.usual.wishes import heard
from kursk_pbem.kernel.words import some
from kursk_pbem.rulesets.kursk_1971 import answers, battles
from kursk_pbem.rulesets.kursk_1971.losses import counter_for
from kursk_pbem.rulesets.kursk_1971.odds import assess, chances
from kursk_pbem.rulesets.kursk_1971.orders import Battle, split
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
    follow: bool  # whether the attackers may leave their hexes
    enter: bool  # whether the defenders may leave theirs, and the attackers go in


def _calls(pos: Position, battle: Battle) -> Calls:
    """8.0, S-13, S-17, S-39: of every die, with and without the close support that is ordered."""
    results: set[str] = set()
    for support in (True, False):
        odds = assess(pos, battle, support=support)
        results |= {"DX"} if odds.automatic else {*chances(pos.setting, odds)}
    attackers, stack = frozenset(battle.attackers), frozenset(pos.stack(battle.hex))
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
    return Calls(defender, attacker, bool(results & {"AX", "AR"}), bool(results & {"DR", "DX", *_PAID}))


def called(pos: Position) -> dict[Battle, Calls]:
    """What the dice of each attack that waits can ask."""
    return {battle: _calls(pos, battle) for battle in battles.battles_of(pos.setting, pos.state.agenda)}


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


def planned(pos: Position, battle: Battle, asked: Calls, retreat: Sequence[str]) -> Iterator[Vain]:
    """8.0: wishes of a plan for the way of the defenders that no die calls for."""
    if retreat:
        yield from _retreats(pos, [battle.id], retreat, asked.attacker)


def _retreats(pos: Position, ids: Sequence[str], wishes: Sequence[str], moved: frozenset[str]) -> Iterator[Vain]:
    """8.0, S-13: wishes for retreats that move nobody in the attacks of which they speak."""
    if not moved:
        why = f"no die has you move anybody in {some(ids)}, as units stand now"
        yield ("8.0", f"retreat {', '.join(wishes)} counts for nothing: {why}")
        return
    for wish in wishes:
        if why := _slip(pos, wish, moved):
            yield ("8.0", f"retreat {wish} counts for nothing in {some(ids)}: {why}")


def _slip(pos: Position, wish: str, moved: frozenset[str]) -> str:
    """Why a wish for a retreat picks nothing, '' if it may."""
    board = pos.setting.board
    uid, way = split(wish, pos.setting.counters)
    if uid and uid not in moved:
        return f"no die there has you move {uid}, as units stand now"
    near = 0
    for unit in [uid] if uid else moved:
        near |= board.near[pos.where[unit]]
    if way.split(" ")[0] in WAYS or near >> board.index[way] & 1:
        return ""
    return f"{way} is not beside {uid or 'anybody whom you may have to move'}"
