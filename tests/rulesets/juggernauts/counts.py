"""Counts of the possibilities in a position, for tests/reach."""

from __future__ import annotations

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.juggernauts import movement, readiness, retreat
from kursk_pbem.rulesets.juggernauts.position import position
from kursk_pbem.rulesets.juggernauts.retreat import Attack
from kursk_pbem.rulesets.juggernauts.seen import possible
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, SIDES, Setting


def counts(setting: Setting, state: State) -> dict[str, int]:
    """Return counts by side.

    Counts: reachable hexes and their cost before and after the dice, hexes in supply and in zones, attacks,
    attackers, ways of retreat, and possible Panzerkeile.
    """
    pos, found = position(setting, state), {}
    for side in SIDES:
        own = [uid for uid in sorted(pos.where) if pos.side(uid) == side]
        able = [uid for uid in own if not movement.check_unit(pos, side, uid)]
        moves = [way for uid in able for way in movement.find_ends(pos, uid).values()]
        later = [way for uid in able for way in movement.find_ends(pos, uid, second=True).values()]
        attacks = list(possible.attacks(pos, side, second=False))
        ways = 0
        for uid in own:
            here = pos.where[uid]
            for origin in bits(setting.board.near[here] & pos.occupied[ENEMY[side]]):
                ways += len(retreat.list_ways(pos, uid, Attack(here, 1 << origin, 0), 2))
        found |= {
            f"{side} reach": len(moves),
            f"{side} cost": sum(way.mp for way in moves),
            f"{side} second": len(later),
            f"{side} supply": pos.supply(side).bit_count(),
            f"{side} zone": pos.zone(side).mask.bit_count(),
            f"{side} targets": len(attacks),
            f"{side} attackers": sum(len(each.battle.attackers) for each in attacks),
            f"{side} retreats": ways,
            f"{side} wedges": sum(readiness.can_form(pos, uid) for uid in own),
        }
    return found
