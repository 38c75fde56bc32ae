"""9.3 Defender Retreat: which ways are open to a retreating unit, what they cost, and which one the attacker takes.

The order of preference is ruling K-61: free paths, then costly ones, then death, then the map edge.
"""

from __future__ import annotations

from dataclasses import dataclass

from kursk_pbem.rulesets.battle_for_kursk.position import Position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN

FREE, COSTLY, FATAL, EXIT, COSTLY_EXIT, NONE = "free", "costly", "fatal", "exit", "costly exit", "none"

Pair = tuple[int, int]


@dataclass(frozen=True)
class Retreat:
    """What a retreat costs (``kind``) and the permitted paths (first, second hex), ascending by label.

    Fatal: no path is walked. Exit: over the own map edge, no path either.
    """

    kind: str
    paths: tuple[Pair, ...] = ()

    def kills(self, steps: int) -> bool:
        """Whether a unit with ``steps`` left is eliminated by this retreat."""
        if self.kind in (FATAL, NONE):
            return True
        return self.kind in (COSTLY, COSTLY_EXIT) and steps <= 1


def retreats(pos: Position, uid: str) -> Retreat:
    """9.3: the permitted retreat of a unit from where it stands (K-61, steps 1 to 7)."""
    board, side = pos.setting.board, pos.side(uid)
    start = pos.where[uid]
    ezoc, enemies = pos.ezoc(side), pos.enemies(side)
    found: dict[str, list[Pair]] = {FREE: [], COSTLY: [], FATAL: []}
    for first in board.neighbours[start]:
        if enemies >> first & 1:
            continue  # never into or through an enemy unit (9.3-dr-retreat-restrictions)
        for second in board.neighbours[first]:
            if enemies >> second & 1 or second in pos.at or board.distance(start, second) != 2:
                continue  # two hexes away, each step further; not on a friendly unit
            if ezoc >> second & 1:
                found[FATAL].append((first, second))
            else:
                found[COSTLY if ezoc >> first & 1 else FREE].append((first, second))
    for kind in (FREE, COSTLY):  # EZOC avoided if possible, else a step (9.3-dr-avoid-ezocs)
        if found[kind]:
            return Retreat(kind, tuple(sorted(found[kind])))
    if found[FATAL]:  # forced to end in an EZOC
        return Retreat(FATAL)
    return _over_the_edge(pos, side, start)


def _over_the_edge(pos: Position, side: str, start: int) -> Retreat:
    """9.3 Off the Map: only where no path on the map exists at all, fatal ones included (K-61, step 6)."""
    edge = pos.setting.edges[side]
    if edge >> start & 1:
        return Retreat(EXIT)
    exits = [near for near in pos.setting.board.neighbours[start] if (edge & ~pos.enemies(side)) >> near & 1]
    if any(not pos.ezoc(side) >> near & 1 for near in exits):
        return Retreat(EXIT)
    return Retreat(COSTLY_EXIT if exits else NONE)


def choose(pos: Position, uid: str, retreat: Retreat, wishes: tuple[str, ...]) -> Pair:
    """9.3: the attacker's path, by his list of wishes tried in order (K-76).

    ``H1-H2`` that path; ``H2`` the path to that hex; ``toward HEX``, ``away HEX``. What matches nothing is skipped.
    Where a wish leaves several, and where none matches: the path that gives least away, then the lowest (second,
    first) by label.
    """
    board = pos.setting.board
    ranked = sorted(retreat.paths, key=lambda pair: (gifts(pos, uid, pair), pair[1], pair[0]))
    for wish in wishes:
        words = wish.split(" ")
        if len(words) == 2 and words[0] in ("toward", "away") and words[1] in board.index:
            target = board.index[words[1]]
            sign = 1 if words[0] == "toward" else -1
            return min(ranked, key=lambda pair: sign * board.distance(pair[1], target))  # ties: as ranked
        for first, second in ranked:
            if wish in (board.labels[second], f"{board.labels[first]}-{board.labels[second]}"):
                return first, second
    return ranked[0]


def gifts(pos: Position, uid: str, pair: Pair) -> tuple[bool, bool, int]:
    """What a retreat would hand to the retreating side by entering it: Moscow, its objective, cities (K-36, K-76)."""
    side, state, labels = pos.side(uid), pos.state, pos.setting.board.labels
    objective = state.mark("objective", "hex") if state.mark("objective", "side") == side else ""
    lost = pos.cities[ENEMY[side]]
    return (
        side == GERMAN and pos.setting.moscow in pair,
        objective in (labels[pair[0]], labels[pair[1]]),
        sum(lost >> hex_ & 1 for hex_ in pair),
    )
