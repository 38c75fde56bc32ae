"""What can be done in a position, counted: for tests/reach, where the numbers stand."""

from __future__ import annotations

from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.kursk_1971 import air, movement, retreat
from kursk_pbem.rulesets.kursk_1971.position import position
from kursk_pbem.rulesets.kursk_1971.seen import outlook
from kursk_pbem.rulesets.kursk_1971.setting import SIDES, Setting


def counts(setting: Setting, state: State) -> dict[str, int]:
    """By side: hexes in reach of all units and what they cost together, in the second movement, hexes in supply, units
    in supply, hexes that can be attacked, hexes to retreat to, hexes in the range of aircraft."""
    pos, found = position(setting, state), {}
    for side in SIDES:
        own = pos.units(side)
        first, second = (
            [way for uid in own for way in outlook.ends(pos, uid, key).values()]
            for key in (movement.INITIAL, movement.MOTOR)
        )
        found |= {
            f"{side} reach": len(first),
            f"{side} cost": sum(way.mp for way in first),
            f"{side} again": len(second),
            f"{side} supply": pos.reached(side).bit_count(),
            f"{side} supplied": sum(map(pos.supplied, own)),
            f"{side} targets": len(list(outlook.attacks(pos, side))),
            f"{side} retreats": sum(len(retreat.candidates(pos, uid)) for uid in own),
            f"{side} range": sum(air.near(pos, uid).bit_count() for uid in air.bases(pos, side)),
        }
    return found
