"""Counts of possible actions in a position, for the numbers in tests/reach."""

from __future__ import annotations

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk import movement, replacements, retreat
from kursk_pbem.rulesets.battle_for_kursk.position import position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, SIDES, Setting


def counts(setting: Setting, state: State) -> dict[str, int]:
    """Count for each side: hexes in reach of all units and their total cost, the same figures by rail, hexes in
    communication, pairs of possible opponents, retreat paths, places for returning units."""
    pos, found = position(setting, state), {}
    near = setting.board.near
    for side in SIDES:
        own = [uid for uid in sorted(pos.where) if pos.side(uid) == side]
        moves = [way for uid in own for way in movement.reach(pos, uid, movement.MOVE).values()]
        riders = [pos.unit(hex_) for hex_ in bits(movement.rail_riders(pos, side))]
        rides = [way for uid in riders for way in movement.reach(pos, uid, movement.RAIL).values()]
        lost = [
            uid
            for uid, unit in sorted(state.units.items())
            if uid not in pos.where and setting.counters[uid].side == side
        ]
        found |= {
            f"{side} reach": len(moves),
            f"{side} cost": sum(way.mp for way in moves),
            f"{side} rail": len(rides),
            f"{side} communication": pos.communication(side).bit_count(),
            f"{side} targets": sum((near[pos.where[uid]] & pos.occupied[ENEMY[side]]).bit_count() for uid in own),
            f"{side} retreats": sum(len(retreat.permit(pos, uid).paths) for uid in own),
            f"{side} placements": sum(len(replacements.find_placements(pos, uid)) for uid in lost),
        }
    return found
