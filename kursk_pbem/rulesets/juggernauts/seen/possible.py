"""What a side may do in a position: attacks with their odds, air units that can be used, guns that can change.

Also why a unit cannot go somewhere. Nothing here is a rule: whatever is ordered is judged by the room it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.earlier import NO_ATTACK
from kursk_pbem.kernel.hexes.ways import Move, Refusal
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.juggernauts import air, battles, combat, marks, movement
from kursk_pbem.rulesets.juggernauts.odds import LEAST, Odds, assess, column_text, press_cost
from kursk_pbem.rulesets.juggernauts.orders import Battle
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, FIRST, Setting


@dataclass(frozen=True)
class Chance:
    """3.0: a hex that can be attacked, by everybody beside it who may: the attack and its odds."""

    battle: Battle
    odds: Odds

    @property
    def pressable(self) -> bool:
        """7.0: whether it may be a Pressed Attack."""
        return self.odds.reached - press_cost(self.odds.side) >= LEAST and self.odds.reached <= 11


def attacks(
    pos: Position, side: str, *, second: bool | None = None, held: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Chance]:
    """3.0: every hex beside units of a side that may attack it; ``held``: who attacks which hex already."""
    later = movement.second_step(pos.state) if second is None else second
    board, foe = pos.setting.board, ENEMY[side]
    lines = sum(
        1 << hex_ for hex_ in bits(pos.active[foe] & ~pos.occupied[side]) if pos.setting.lines[hex_].grade == FIRST
    )
    for hex_ in bits((pos.occupied[foe] | lines) & board.spread(pos.occupied[side])):
        beside = (uid for there in bits(board.near[hex_] & pos.occupied[side]) for uid in pos.at[there])
        free = (uid for uid in beside if held.get(uid, board.labels[hex_]) == board.labels[hex_])
        able = tuple(sorted(uid for uid in free if not battles.attacker_slip(pos, side, uid, hex_, second=later)))
        if able:
            battle = Battle("b1", hex_, able)
            odds = assess(pos, battle)
            if odds.defence.total:
                yield Chance(battle, odds)


def planes(setting: Setting, state: State, side: str, use: str) -> list[str]:
    """20.1: air units of a side that can be used so in this turn."""
    mine = [plane for plane, entry_ in setting.planes.items() if setting.air and entry_.side == side]
    return [plane for plane in mine if air.ready(state, plane, use)]


def strikers(pos: Position, side: str, hex_: int) -> list[str]:
    """20.1, 20.3: air units of a side that can strike in this turn, and a hex."""
    return [plane for plane in planes(pos.setting, pos.state, side, "strike") if air.in_range(pos, plane, hex_)]


def guns(pos: Position, side: str, *, emplaced: bool) -> list[str]:
    """14.2: ArtKor of a side on the map that are emplaced, or on the road, and may change it."""
    own = [uid for uid in pos.units(side) if pos.counter(uid).kind == ARTILLERY]
    ready = [uid for uid in own if not pos.marked(marks.DISRUPTED, uid)]
    return [uid for uid in ready if pos.marked(marks.EMPLACED, uid) == emplaced]


def why_not(pos: Position, uid: str, to: str, *, second: bool) -> Refusal:
    """13.0: why a unit may not end a move in a hex that it cannot reach."""
    order, held = Move(uid, to, (), ()), pos.occupied[pos.side(uid)]
    march = movement.marches(pos, uid, held, second=second)[0]
    return movement.refusal(pos, march, order, ways.hindrance(pos.setting.board, march, pos.setting.board.index[to]))


def column(pos: Position, battle: Battle) -> str:
    """1.0, 3.0-cancel: the column of an attack in a position by those who are there, or that there is none."""
    battle = combat.by_who_is_left(pos, battle)
    owner = ENEMY[pos.setting.counters[battle.attackers[0]].side] if battle.attackers else ""
    line = pos.line(battle.hex)
    if not battle.attackers or not (pos.here(battle.hex, owner) or (line and line.owner == owner)):
        return NO_ATTACK
    found = assess(pos, battle)
    return column_text(pos.setting, found.reached) if found.allowed else NO_ATTACK
