"""What each side may gain by attacks in its next turn: the potential of a position, for the search of good places.

Hexes, units and ways are masks and whole numbers, so the same position has the same potential on every computer. A
system gives the reach of its units and the value of its attacks (`Tactics`).
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeVar

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes.board import Board, Mask, bits

T = TypeVar("T", bound=tuple[object, ...])
NOTHING: Mapping[str, Mask] = MappingProxyType({})
MOST_KNOWN = 100_000
"""Maximum number of kept answers of a cache."""
MOST_LEFT = 2
"""Maximum number of ways out that units behind a stack may still close; attackers beside it close the others."""


@frozen
class Army:
    """The units of a side, the cheapest losses first. A set of units is a mask: a number with one bit for each unit.

    ``kinds``: for every unit, the facts that decide its reach, except its hex. ``controls``: the units that have a zone
    of control.
    """

    units: tuple[str, ...]
    kinds: tuple[Any, ...]
    controls: int


class Reached(NamedTuple):
    """The hexes that a unit can reach, the hexes adjacent to these, and the ``window`` that decides the reach."""

    ends: Mask
    beside: Mask
    window: Mask


class Target(NamedTuple):
    """A possible target of an attack. ``shut``: no retreat is left. ``sight``: the result of ``Tactics.find_sight``."""

    hex: int
    stack: int
    shut: bool
    sight: Any


class Attack(NamedTuple):
    """An attack on a hex. ``gain``: the expected gain. ``units``: the attackers."""

    gain: int
    hex: int
    units: int


class Tactics(Protocol):
    """The rules of a system about attacks."""

    def find_zone(self, side: str, hexes: Mask) -> Mask:
        """Return the zone of control of units in these ``hexes``, if every unit there has a zone."""

    def find_reach(self, side: str, kind: Any, start: int, zone: Mask, closed: Mask) -> Reached:
        """Return the hexes that a unit of this ``kind`` reaches from ``start``.

        ``zone``: hexes under enemy control. ``closed``: hexes with enemies.
        """

    def find_sight(self, side: str, hex_: int, spots: Mask) -> Any:
        """Return further facts that decide an attack on ``hex_`` by units that can reach ``spots`` around it."""

    def find_attack(self, side: str, able: int, target: Target) -> tuple[int, int]:
        """Return the gain of the best attack by some of the ``able`` units, and the units of this attack."""


def take_best(found: Sequence[T], renew: Callable[[T], T | None]) -> Iterator[T]:
    """Yield candidates, best first. ``renew``: a function that rates a candidate again after earlier choices."""
    waiting = sorted(found)
    while waiting:
        best = renew(waiting.pop())
        if best is not None and waiting and best < waiting[-1]:
            insort(waiting, best)
        elif best is not None:
            yield best


def close_ring(
    board: Board,
    outs: Mask,
    spots: Mask,
    units: Sequence[str],
    judge: Callable[[str, int, Mapping[str, int]], tuple[int, ...]],
) -> dict[str, int]:
    """Return unit -> hex for units that close every way out of a stack; {} if they cannot.

    ``spots``: the possible hexes. The hex that closes most ways is taken first. Of equal hexes ``judge(unit, hex, units
    placed so far)`` prefers the greatest figures; () means that the unit cannot go there.
    """
    closers: dict[str, int] = {}
    while outs:
        best: tuple[int, tuple[int, ...], str, int] = (0, (), "", -1)
        for there in bits(spots):
            closed = (outs & (board.near[there] | 1 << there)).bit_count()
            for uid in units if closed >= max(best[0], 1) else ():
                if uid not in closers and (worth := judge(uid, there, closers)):
                    best = max(best, (closed, worth, uid, there))
        _closed, _worth, uid, there = best
        if not uid:
            return {}
        closers[uid] = there
        outs &= ~(board.near[there] | 1 << there)
    return closers


class Reach:
    """The hexes that units can reach. ``enter`` and ``leave``: the extra cost of a step into or out of an enemy zone.

    ``prices``: manner of movement -> cost -> the hexes that cost this to enter. ``stops``: a unit in an enemy zone must
    stop. ``slides``: a unit may step from zone to zone as its first step.
    """

    def __init__(
        self,
        board: Board,
        prices: Mapping[Hashable, Mapping[int, Mask]],
        enter: int,
        leave: int,
        *,
        stops: bool = False,
        slides: bool = False,
    ) -> None:
        self.board, self.prices, self.enter, self.leave = board, prices, enter, leave
        self.stops, self.slides = stops, slides
        self._known: dict[Hashable, Reached] = {}

    def find(self, manner: Hashable, points: int, start: int, zone: Mask, closed: Mask) -> Reached:
        """Return the reach of a unit with ``points`` movement points from ``start``."""
        around = self.board.around(start)
        window = around[min(points, len(around) - 1)]
        key = manner, points, start, zone & window, closed & window
        found = self._known.get(key)
        if found is None:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            ends = self._flood(manner, points, start, zone & window, window & ~closed)
            found = self._known[key] = Reached(ends, self.board.spread(ends), window)
        return found

    def _flood(self, manner: Hashable, points: int, start: int, zone: Mask, free: Mask) -> Mask:
        open_hexes = [(price, mask & free & ~zone) for price, mask in self.prices[manner].items()]
        controlled = [(price + self.enter, mask & free & zone) for price, mask in self.prices[manner].items()]
        steps = [(price, mask) for price, mask in (*open_hexes, *controlled) if mask]
        waiting, seen = [0] * (points + 1), 0
        waiting[0] = 1 << start
        for spent in range(points + 1):
            ring = waiting[spent] & ~seen
            seen |= ring
            for leave, part in ((0, ring & ~zone), (self.leave, ring & zone)):
                around = self.board.spread(part) & ~seen if part else 0
                if self.stops and part & zone:
                    around = 0 if spent else around if self.slides else around & ~zone
                for price, mask in steps if around else ():
                    if spent + leave + price <= points:
                        waiting[spent + leave + price] |= around & mask
        return seen


class Potential:
    """All units' places, which a search may change, and what each side may gain by attacks in its next turn.

    ``prizes``: side -> hexes that the side wants to enter. An empty hex among these also counts as a target.
    """

    def __init__(
        self,
        board: Board,
        tactics: Tactics,
        armies: Mapping[str, Army],
        where: Mapping[str, int],
        prizes: Mapping[str, Mask] = NOTHING,
    ) -> None:
        self.board, self.tactics, self.armies = board, tactics, armies
        self.prizes = prizes
        self.foe = dict(zip(armies, reversed([*armies]), strict=True))
        self.numbers = {uid: (side, number) for side, army in armies.items() for number, uid in enumerate(army.units)}
        self.where: dict[str, int] = {}
        self.stacks: dict[str, dict[int, int]] = {side: {} for side in armies}
        self._groups: dict[str, dict[tuple[int, Any], int]] = {side: {} for side in armies}
        self._reached: dict[str, dict[tuple[int, Any], Reached]] = {side: {} for side in armies}
        self._attacks: dict[Hashable, tuple[int, int]] = {}
        for uid in self.numbers:
            if uid in where:
                self.put(uid, where[uid])

    def put(self, uid: str, hex_: int) -> None:
        """Place a unit in a hex. -1 takes the unit off the map."""
        side, number = self.numbers[uid]
        old, unit, kind = self.where.get(uid, -1), 1 << number, self.armies[side].kinds[number]
        groups, stacks = self._groups[side], self.stacks[side]
        if old >= 0:
            _drop(groups, (old, kind), unit)
            _drop(stacks, old, unit)
        if hex_ >= 0:
            groups[hex_, kind] = groups.get((hex_, kind), 0) | unit
            stacks[hex_] = stacks.get(hex_, 0) | unit
        self.where[uid] = hex_
        changed, known = sum({1 << each for each in (old, hex_) if each >= 0}), self._reached[self.foe[side]]
        changed |= self.board.spread(changed)
        for key in [key for key, reached in known.items() if changed & reached.window]:
            del known[key]

    def find_zone(self, side: str) -> Mask:
        """Return the hexes under a side's control."""
        controls = self.armies[side].controls
        held = sum([1 << hex_ for hex_, units in self.stacks[side].items() if units & controls])
        return self.tactics.find_zone(side, held)

    def count(self, side: str) -> int:
        """Return the total expected gain of a side's attacks in its next turn."""
        return sum([attack.gain for attack in self.list_attacks(side)])

    def find_threats(self, side: str) -> dict[str, int]:
        """Return place -> gain that the enemy of ``side`` may expect from an attack there in the enemy's next turn."""
        return {self.board.labels[attack.hex]: attack.gain for attack in self.list_attacks(self.foe[side])}

    def list_attacks(self, side: str) -> list[Attack]:
        """Return the attacks that a side may make in its next turn, best first. Every unit attacks once."""
        taken, done, known = 0, list[Attack](), self._attacks
        targets = {target.hex: (able, target) for able, target in self._list_targets(side)}

        def judge(hex_: int) -> Attack | None:
            able, target = targets[hex_]
            key = side, able & ~taken, target
            if key not in known:
                known[key] = self.tactics.find_attack(*key)
            gain, units = known[key]
            return Attack(gain, hex_, units) if gain > 0 else None

        def renew(attack: Attack) -> Attack | None:
            return judge(attack.hex) if attack.units & taken else attack

        for attack in take_best([attack for hex_ in targets if (attack := judge(hex_))], renew):
            taken |= attack.units
            done.append(attack)
        return done

    def _list_targets(self, side: str) -> Iterator[tuple[int, Target]]:
        """Yield the stacks that a side may attack, each with the able units."""
        foe, near = self.foe[side], self.board.near
        find_reach, controls = self.tactics.find_reach, self.armies[side].controls
        mine, theirs = (sum([1 << hex_ for hex_ in self.stacks[each]]) for each in (side, foe))
        zone, enemy_zone = self.find_zone(side), self.find_zone(foe)
        able: dict[int, int] = {}
        came = held = 0
        prizes = self.prizes.get(side, 0) & ~theirs
        known = self._reached[side]
        for key, units in self._groups[side].items():
            if key not in known:
                known[key] = find_reach(side, key[1], key[0], enemy_zone, theirs)
            ends, beside, _window = known[key]
            came |= ends
            held |= ends if units & controls else 0
            for hex_ in bits(beside & theirs | ends & prizes):
                able[hex_] = able.get(hex_, 0) | units
        closable = self.tactics.find_zone(side, held) | held
        for hex_, units in able.items():
            left, ring = near[hex_] & ~zone & ~mine, near[hex_] & held
            behind = left & ~self.tactics.find_zone(side, ring) & ~ring
            shut = not left & ~closable and behind.bit_count() <= MOST_LEFT
            sight = self.tactics.find_sight(side, hex_, near[hex_] & came)
            yield units, Target(hex_, self.stacks[foe].get(hex_, 0), shut, sight)


@dataclass
class Placement:
    """The units of a side, for which a search compares places (`kernel.ideas.Places`)."""

    potential: Potential  # rates the places
    side: str
    ends: Mapping[str, Sequence[int]]  # unit -> hexes to compare, the present hex first
    pull: Callable[[str, int], int]  # the worth of a hex for a unit, without regard to other units
    fits: Callable[[str, tuple[str, ...]], bool]  # whether a stack has room for a unit
    go: Callable[[str, int], bool]  # order a march; return whether the march is possible
    fears: bool  # subtract the enemy's expected gain
    judge: Callable[[Callable[[int], tuple[str, ...]]], int] = lambda _list_stack: 0  # more worth
    hopes: bool = False  # add the side's own expected gain

    def __post_init__(self) -> None:
        """Add up the pulls of the units' present places, as the search begins there."""
        self.foe = self.potential.foe[self.side]
        self.drawn = sum(self.pull(unit, ends[0]) for unit, ends in self.ends.items())

    def list_units(self) -> list[str]:
        """Return the units. Units in the stacks that the enemy most wants to attack are first."""
        threats = {attack.hex: attack.gain for attack in self.potential.list_attacks(self.foe)}
        return sorted(self.ends, key=lambda unit: (-threats.get(self.potential.where[unit], 0), unit))

    def list_stack(self, hex_: int) -> tuple[str, ...]:
        """Return the units of the side in a hex."""
        names = self.potential.armies[self.side].units
        return tuple([names[number] for number in bits(self.potential.stacks[self.side].get(hex_, 0))])

    def list_ends(self, unit: str) -> list[int]:
        """Return the hexes to compare for a unit. Hexes without room for the unit are left out."""
        here = self.potential.where[unit]
        return [end for end in self.ends[unit] if end == here or self.fits(unit, self.list_stack(end))]

    def draw(self, unit: str, end: int) -> int:
        """Return the worth of a hex for a unit, without regard to other units."""
        return self.pull(unit, end)

    def put(self, unit: str, end: int) -> None:
        """Place a unit in a hex for the search, without an order."""
        self.drawn += self.pull(unit, end) - self.pull(unit, self.potential.where[unit])
        self.potential.put(unit, end)

    def measure_worth(self) -> int:
        """Return the worth of all places. ``fears``: minus the enemy's expected gain. ``hopes``: plus this side's."""
        worth = self.drawn + self.judge(self.list_stack) - (self.potential.count(self.foe) if self.fears else 0)
        return worth + (self.potential.count(self.side) if self.hopes else 0)

    def march(self, unit: str, end: int) -> bool:
        """Order a unit to march to a hex. Return whether the march is possible."""
        return self.go(unit, end)


def _drop(table: dict[Any, int], key: Any, unit: int) -> None:
    table[key] &= ~unit
    if not table[key]:
        del table[key]
