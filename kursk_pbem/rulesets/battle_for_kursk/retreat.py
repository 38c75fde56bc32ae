"""9.3 Defender Retreat: possible paths, their cost, and the attacker's choice.

K-61 has the order of preference: free paths, then costly paths, then elimination, then the map edge.
"""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.stands import kept
from kursk_pbem.rulesets.battle_for_kursk.position import Position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN

FREE, COSTLY, FATAL, EXIT, COSTLY_EXIT, NONE = "free", "costly", "fatal", "exit", "costly exit", "none"

Pair = tuple[int, int]


@frozen
class Retreat:
    """The cost (``kind``) and permitted paths (first, second hex) of a retreat, ascending by label.

    A retreat that destroys the unit, or leaves the map over its own edge, has no path.
    """

    kind: str
    paths: tuple[Pair, ...] = ()

    def kills(self, steps: int) -> bool:
        """Return whether a retreat eliminates a unit. ``steps``: the unit's steps."""
        if self.kind in (FATAL, NONE):
            return True
        return self.kind in (COSTLY, COSTLY_EXIT) and steps <= 1


@kept
def permit(pos: Position, uid: str) -> Retreat:
    """9.3: return the retreat that the rules permit a unit (K-61, steps 1 to 7).

    Both hexes of a path lead away from the start and contain no enemy (9.3-dr-retreat-restrictions). The second hex
    contains no friend. A path avoids EZOCs if possible; otherwise the unit loses a step (9.3-dr-avoid-ezocs).
    """
    board, side, start = pos.setting.board, pos.side(uid), pos.where[uid]
    ezoc, enemies = pos.ezoc(side), pos.enemies(side)
    near = board.near[start]
    ends = board.spread(near) & ~near & ~(1 << start) & ~enemies & ~pos.occupied[side]
    pairs = [(first, second) for first in bits(near & ~enemies) for second in bits(board.near[first] & ends)]
    out = [(first, second) for first, second in pairs if not ezoc >> second & 1]
    free = tuple((first, second) for first, second in out if not ezoc >> first & 1)
    if out:
        return Retreat(FREE, free) if free else Retreat(COSTLY, tuple(out))
    return Retreat(FATAL) if pairs else _over_the_edge(pos, side, start)


def _over_the_edge(pos: Position, side: str, start: int) -> Retreat:
    """9.3 Off the Map: return the exit, only if the map has no path, not even a fatal one (K-61, step 6)."""
    board, edge = pos.setting.board, pos.setting.edges[side]
    if edge >> start & 1:
        return Retreat(EXIT)
    exits = edge & board.near[start] & ~pos.enemies(side)
    if exits & ~pos.ezoc(side):
        return Retreat(EXIT)
    return Retreat(COSTLY_EXIT if exits else NONE)


def choose(pos: Position, uid: str, retreat: Retreat, wishes: tuple[str, ...]) -> Pair:
    """9.3: return the path that the attacker chooses for a retreat, by the first wish that a path meets (K-76).

    Of several paths, take the one with fewest gains for the defender; then lowest last hex; then lowest first hex.
    """
    ranked = sorted(retreat.paths, key=lambda pair: (count_gifts(pos, uid, pair), pair[1], pair[0]))
    first, second = plans.choose_way(pos.setting.board, ranked, wishes)
    return first, second


def find_unmet(pos: Position, uid: str, wishes: Iterable[str]) -> list[str]:
    """Return the wishes that no permitted path meets. A wish with ``toward`` or ``away`` is always met."""
    labels = pos.setting.board.labels
    ways = [(labels[first], labels[second]) for first, second in permit(pos, uid).paths]
    met = {second for _first, second in ways} | {f"{first}-{second}" for first, second in ways}
    return [wish for wish in wishes if wish.split(" ")[0] not in plans.WAYS and wish not in met]


def count_gifts(pos: Position, uid: str, pair: Pair) -> tuple[bool, bool, int]:
    """Count what a unit gains if it retreats along a path: Moscow, its side's objective, and cities (K-76)."""
    side, state, labels = pos.side(uid), pos.state, pos.setting.board.labels
    objective = state.mark("objective", "hex") if state.mark("objective", "side") == side else ""
    lost = pos.cities[ENEMY[side]]
    return (
        side == GERMAN and pos.setting.moscow in pair,
        objective in (labels[pair[0]], labels[pair[1]]),
        sum(lost >> hex_ & 1 for hex_ in pair),
    )
