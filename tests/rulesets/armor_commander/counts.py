"""Counts of the possibilities in a position: moves, total distance, visible and reachable enemies."""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander.ahead import find_straight_end
from kursk_pbem.rulesets.armor_commander.position import make_field
from kursk_pbem.rulesets.armor_commander.seen.outlook import list_shots
from kursk_pbem.rulesets.armor_commander.setting import Setting


def counts(setting: Setting, state: State) -> Mapping[str, int]:
    """Return the counts by name."""
    table = make_field(setting, state)
    ends = [
        (mid, find_straight_end(table, mid, vector))
        for mid in table.at
        for vector in CLOCK.values()
        if table.is_mobile(mid)
    ]
    reach = [plane.distance(table.at[mid], end) for mid, end in ends if end is not None]
    pairs = [(mid, foe) for mid in table.at for foe in table.list_enemies(setting.models[mid].side)]
    return {
        "models": len(table.at),
        "ways": len(reach),
        "hundredths": sum(reach),
        "seen": sum(table.can_see(*pair) for pair in pairs),
        "half obscured": sum(table.is_obscured(*pair) for pair in pairs),
        "front": sum(table.find_arc(*pair) == plane.FRONT for pair in pairs),
        "shots": sum(len(list_shots(table, [mid], foe)) for mid, foe in pairs),
    }
