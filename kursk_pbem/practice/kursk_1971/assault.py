"""Imagined attacks of a player of Kursk (1971): units to close the ways out of a hex, attackers, and the gain."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.fights import level_of
from kursk_pbem.kernel.hexes.potential import close_ring
from kursk_pbem.kernel.hexes.stands import Stack
from kursk_pbem.kernel.ideas import POINT
from kursk_pbem.practice.kursk_1971 import tactics
from kursk_pbem.rulesets.kursk_1971 import losses, movement
from kursk_pbem.rulesets.kursk_1971.position import Position
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY

NO_GAIN = -100 * POINT
"""The gain of no attack."""
CLOSER, MEMBER, FLIGHT = 30, 20, 25
"""The cost of a unit that closes a way out from elsewhere, of an attacker, and of close support."""


class Plan(NamedTuple):
    """A possible attack: gain, hex, unit -> hex (first units that only close ways out), support, level of the odds."""

    gain: int
    hex: int
    goals: tuple[tuple[str, int], ...]
    flies: bool
    level: int


class Force:
    """The units of a side when a phase begins. ``points``: unit -> points, until it moves. ``reach``: unit -> hexes.

    ``busy``: units that attack, or that close ways out.
    """

    def __init__(self, pos: Position, side: str, phase: str, came: Collection[str]) -> None:
        self.pos, self.setting, self.side, self.foe = pos, pos.setting, side, ENEMY[side]
        self.costs, self.power = tactics.find_costs(pos), tactics.find_powers(pos, side)
        self.payer = {uid: tactics.find_price(self.costs[uid], power, uid) for uid, power in self.power.items()}
        self.busy: set[str] = set()
        self.points: dict[str, int] = {}
        self.reach = {uid: 1 << pos.where[uid] for uid in self.power}
        known: dict[Any, Mask] = {}
        for uid in self.power:
            counter, here = self.setting.counters[uid], pos.where[uid]
            if counter.air or movement.find_move_fault(pos, uid, phase):
                continue
            points = movement.count_allowance(self.setting, uid, supplied=uid in came or pos.is_supplied(uid))
            self.points[uid] = points - (movement.entry_price(pos, uid, here) if uid in came else 0)
            key = here, counter.large, counter.motorized, self.points[uid]
            if key not in known:
                known[key] = sum(1 << there for there in movement.find_reach(pos, uid, self.points[uid]))
            self.reach[uid] |= known[key]

    def fits(self, uid: str, stack: Stack) -> bool:
        """Return whether a stack has room for one more unit."""
        return self.setting.counters[uid].large not in self.setting.no_more(stack)

    def imagine(self, now: Position, hex_: int, mood: int, *, flies: bool) -> Plan | None:
        """Return the best attack on a hex, with or without units that block retreats. ``mood``: added to the gain."""
        beside = self.setting.board.near[hex_] & ~now.enemies(self.side)
        free = [uid for uid in self.reach if uid not in self.busy and not self.setting.counters[uid].air]
        able = [uid for uid in free if self.power[uid] and self._can_reach(now, uid, beside)]
        plans = list[Plan]()
        for closers, shut in self._list_closers(now, hex_, free) if able else ():
            for key in (self.payer.__getitem__, lambda uid: (-self.power[uid], self.payer[uid])):
                order = sorted((uid for uid in able if uid not in closers), key=key)
                fill = _Fill(self, now, hex_, closers, mood, shut=shut, flies=flies)
                plans.append(fill.find_best(order))
        return max(plans, default=None)

    def _can_reach(self, now: Position, uid: str, hexes: Mask) -> bool:
        return bool(self.reach[uid] & hexes) and (uid in self.points or bool(hexes >> now.where[uid] & 1))

    def _list_closers(self, now: Position, hex_: int, free: Sequence[str]) -> Iterator[tuple[Mapping[str, int], bool]]:
        """Yield units with hexes to close the ways out of a hex: first none, then mostly adjacent, then behind."""
        board = self.setting.board
        outs, near = tactics.find_ways_out(now, hex_, self.foe), board.near[hex_]
        yield {}, not outs
        spots = (board.spread(outs) | outs) & ~now.enemies(self.side)
        able = [uid for uid in free if uid in self.setting.controlling and uid in self.points]
        spots &= reduce(or_, (self.reach[uid] for uid in able), 0)
        for first in (near, 0) if outs else ():

            def judge(uid: str, there: int, closers: Mapping[str, int], first: Mask = first) -> tuple[int, ...]:
                if not self.reach[uid] >> there & 1 or now.where[uid] == there:
                    return ()
                stack = (*now.stack(there), *(other for other, at in closers.items() if at == there))
                if not self.fits(uid, stack):
                    return ()
                return first >> there & 1, self.power[uid] * (1 if near >> there & 1 else -1), -self.costs[uid]

            if closers := close_ring(board, outs, spots, able, judge):
                yield closers, True


class _Fill:
    """Attacks on a hex by more and more units; closers beside the hex take part."""

    def __init__(
        self, force: Force, now: Position, hex_: int, closers: Mapping[str, int], mood: int, *, shut: bool, flies: bool
    ) -> None:
        self.force, self.setting, self.now, self.hex, self.shut = force, force.setting, now, hex_, shut
        near = self.setting.board.near[hex_] & ~now.enemies(force.side)
        self.placed = {there: now.stack(there) for there in bits(near)}
        self.elsewhere = tuple((uid, there) for uid, there in closers.items() if there not in self.placed)
        self.inside = [(uid, there) for uid, there in closers.items() if there in self.placed]
        for uid, there in self.inside:
            self.placed[there] = (*self.placed[there], uid)
        stack = now.stack(hex_)
        self.kill = sum(force.costs[uid] for uid in stack) + mood
        self.defence = tactics.count_defence(force.pos, stack, hex_)
        self.support = (0, self.setting.limits["support"]) if flies and self.defence else (0,)
        self.blind = {there for there in self.placed if not tactics.find_ways_out(now, there, force.side)}
        self.units: dict[str, int] = {}
        self.partners: dict[tuple[int, str], int] = {}

    def find_best(self, order: Sequence[str]) -> Plan:
        """Return the best attack by the closers and the first units of an order."""
        best, most = Plan(NO_GAIN, self.hex, (), flies=False, level=0), self.setting.levels[1]
        for uid, goal in (*self.inside, *((uid, -1) for uid in order)):
            there = goal if goal >= 0 else self._find_spot(uid)
            if there >= 0 and self._add_attacker(uid, there) and len(self.units) >= len(self.inside):
                plans = self._weigh_attack()
                best = max(best, *plans)
                if plans[0].level >= most or not self.defence:
                    break
        return best

    def _find_spot(self, uid: str) -> int:
        """Return the best hex of a unit for the attack, -1 for no hex."""
        here, force, rivers = self.now.where[uid], self.force, self.setting.rivers
        if here in self.placed:
            return here
        spots = [at for at, stack in self.placed.items() if force.reach[uid] >> at & 1 and force.fits(uid, stack)]
        return max(spots, key=lambda at: ((at, self.hex) not in rivers, at not in self.blind, at), default=-1)

    def _add_attacker(self, uid: str, there: int) -> bool:
        """Add an attacker; return false for a limited unit without a regular partner (7.0-e)."""
        limited = self.setting.counters[uid].limited
        if limited and self.partners.get((there, limited), 0) >= self.partners.get((there, ""), 0):
            return False
        self.placed[there] = tuple({**dict.fromkeys(self.placed[there]), uid: None})
        self.partners[there, limited] = self.partners.get((there, limited), 0) + 1
        self.units[uid] = there
        return True

    def _weigh_attack(self) -> list[Plan]:
        """Return the present attack with its gain, without and with close support."""
        force, setting, units = self.force, self.setting, self.units
        counts = {uid: force.power[uid] for uid in sorted(units, key=force.payer.__getitem__)}
        exchange, half = (
            sum(force.costs[uid] for uid in losses.choose_payment(setting, counts, due, [*counts]))
            for due in (self.defence, (self.defence + 1) // 2)
        )
        mine = sum(force.costs[uid] for uid in units)
        stuck = sum(force.costs[uid] for uid, there in units.items() if there in self.blind)
        prize = tactics.find_prize(setting, self.hex)
        stakes = tactics.Stakes(self.kill, mine, exchange, half, stuck, prize, self.shut)
        level = level_of(sum(counts.values()), self.defence) if self.defence else 0
        spots = sum({1 << there for there in units.values()})
        modifier = tactics.find_shift(setting, self.hex, force.foe, spots)
        plans = []
        for more in self.support:
            faces = tactics.count_faces(setting, level, modifier + more)
            gain = stakes.find_gain(faces) if self.defence else self.kill + prize
            gain -= MEMBER * len(units) + FLIGHT * more + CLOSER * len(self.elsewhere)
            goals = (*self.elsewhere, *units.items())
            plans.append(Plan(gain, self.hex, goals, flies=more > 0, level=level))
        return plans
