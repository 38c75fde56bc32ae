"""Possibilities of a side: attacks with odds, available air units, artillery; and reasons against a move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.earlier import NO_ATTACK
from kursk_pbem.kernel.hexes.ways import Move, Refusal
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.juggernauts import air, battles, combat, marks, movement
from kursk_pbem.rulesets.juggernauts.odds import LEAST, Odds, find_odds, find_press_cost, name_column
from kursk_pbem.rulesets.juggernauts.orders import Battle
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, FIRST, Setting


@frozen
class Chance:
    """3.0: an attack on a hex by all adjacent units that may attack, with the odds."""

    battle: Battle
    odds: Odds

    @property
    def pressable(self) -> bool:
        """7.0: whether the rules allow the attack as a Pressed Attack."""
        return self.odds.reached - find_press_cost(self.odds.side) >= LEAST and self.odds.reached <= 11


def attacks(
    pos: Position, side: str, *, second: bool | None = None, held: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Chance]:
    """3.0: yield each possible target with all its possible attackers. ``held``: hexes already attacked, by unit."""
    later = movement.second_step(pos.state) if second is None else second
    board, foe = pos.setting.board, ENEMY[side]
    lines = sum(
        1 << hex_ for hex_ in bits(pos.active[foe] & ~pos.occupied[side]) if pos.setting.lines[hex_].grade == FIRST
    )
    for hex_ in bits((pos.occupied[foe] | lines) & board.spread(pos.occupied[side])):
        beside = (uid for there in bits(board.near[hex_] & pos.occupied[side]) for uid in pos.at[there])
        free = (uid for uid in beside if held.get(uid, board.labels[hex_]) == board.labels[hex_])
        able = tuple(sorted(uid for uid in free if not battles.check_attacker(pos, side, uid, hex_, second=later)))
        if able:
            battle = Battle("b1", hex_, able)
            odds = find_odds(pos, battle)
            if odds.defence.total:
                yield Chance(battle, odds)


def planes(setting: Setting, state: State, side: str, use: str) -> list[str]:
    """20.1: return the air units of a side that are ready. ``use``: to strike or to intercept."""
    mine = [plane for plane, entry_ in setting.planes.items() if setting.air and entry_.side == side]
    return [plane for plane in mine if air.is_ready(state, plane, use)]


def strikers(pos: Position, side: str, hex_: int) -> list[str]:
    """20.1, 20.3: return the air units of a side that can strike targets in a hex."""
    return [plane for plane in planes(pos.setting, pos.state, side, "strike") if air.is_in_range(pos, plane, hex_)]


def guns(pos: Position, side: str, *, emplaced: bool) -> list[str]:
    """14.2: return a side's artillery korps that are not Disrupted. ``emplaced``: False means on the road."""
    own = [uid for uid in pos.units(side) if pos.counter(uid).kind == ARTILLERY]
    ready = [uid for uid in own if not pos.is_marked(marks.DISRUPTED, uid)]
    return [uid for uid in ready if pos.is_marked(marks.EMPLACED, uid) == emplaced]


def why_not(pos: Position, uid: str, to: str, *, second: bool) -> Refusal:
    """13.0: return the reason why a unit cannot end its move in a hex."""
    order, held = Move(uid, to, (), ()), pos.occupied[pos.side(uid)]
    march = movement.make_marches(pos, uid, held, second=second)[0]
    return movement.explain_slip(
        pos, march, order, ways.hindrance(pos.setting.board, march, pos.setting.board.index[to])
    )


def column(pos: Position, battle: Battle) -> str:
    """1.0, 3.0-cancel: return the odds column of an attack by the remaining units, or NO_ATTACK."""
    battle = combat.keep_able_attackers(pos, battle)
    owner = ENEMY[pos.setting.counters[battle.attackers[0]].side] if battle.attackers else ""
    line = pos.line(battle.hex)
    if not battle.attackers or not (pos.here(battle.hex, owner) or (line and line.owner == owner)):
        return NO_ATTACK
    found = find_odds(pos, battle)
    return name_column(pos.setting, found.reached) if found.allowed else NO_ATTACK
