"""Numbers of possible actions in a position, for tests/reach."""

from __future__ import annotations

from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971 import air, movement, retreat
from kursk_pbem.rulesets.kursk_1971.position import position
from kursk_pbem.rulesets.kursk_1971.seen import outlook
from kursk_pbem.rulesets.kursk_1971.setting import SIDES, Setting


def counts(setting: Setting, state: State) -> dict[str, int]:
    """Return numbers for each side: reachable hexes and their costs, second movement, supply, attacks, retreats, air.

    In order: hexes in reach of all units and their total cost, hexes in reach in the second movement, hexes in supply,
    units in supply, hexes open to attack, retreat hexes, hexes in range of aircraft.
    """
    pos, found = position(setting, state), {}
    for side in SIDES:
        own = pos.units(side)
        first, second = (
            [way for uid in own for way in outlook.find_ends(pos, uid, key).values()]
            for key in (movement.INITIAL, movement.MOTOR)
        )
        found |= {
            f"{side} reach": len(first),
            f"{side} cost": sum(way.mp for way in first),
            f"{side} again": len(second),
            f"{side} supply": pos.find_supplied(side).bit_count(),
            f"{side} supplied": sum(map(pos.is_supplied, own)),
            f"{side} targets": len(list(outlook.find_attacks(pos, side))),
            f"{side} retreats": sum(len(retreat.find_candidates(pos, uid)) for uid in own),
            f"{side} range": sum(air.find_range(pos, uid).bit_count() for uid in air.list_air_units(pos, side)),
        }
    return found
