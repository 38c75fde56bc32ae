"""Imagined and ordered attacks of a player of Juggernauts, with the attacks required by the rules (3.0-must)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.stands import Stack
from kursk_pbem.practice.juggernauts import tactics
from kursk_pbem.rulesets.juggernauts import battles, marks, movement
from kursk_pbem.rulesets.juggernauts.odds import LAST, find_defence, find_level, find_odds, read_result
from kursk_pbem.rulesets.juggernauts.orders import Battle
from kursk_pbem.rulesets.juggernauts.position import Position
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, ENEMY, FULL, PANTHER

Content = dict[str, Any]
EMPTY = 60
"""The worth of an empty line."""


class Plan(NamedTuple):
    """A possible attack: expected gain, hex, and unit -> hex from which it attacks."""

    gain: int
    hex: int
    goals: tuple[tuple[str, int], ...]


class Force:
    """The units of a side when its movement begins. ``ends``: unit -> ways, until it moves; ``busy``: attackers.

    ``close``: unit -> hexes for an attack. ``pulls``: the worth of a hex, by its distance from the cities. ``shut``:
    the worth of closing all ways out of a stack.
    """

    def __init__(self, pos: Position, side: str, pulls: Mapping[int, int], shut: int, *, second: bool) -> None:
        self.pos, self.setting, self.side, self.pulls, self.shut = pos, pos.setting, side, pulls, shut
        self.second, self.foe, self.busy, self.kept = second, ENEMY[side], set[str](), set[str]()
        self.wanted = dict(tactics.list_own(pos, ENEMY[side]))
        units = [uid for uid in pos.units(side) if not movement.check_unit(pos, side, uid)]
        able = [uid for uid in units if pos.counter(uid).kind != PANTHER]
        self.ends = {uid: movement.find_ends(pos, uid, second=second) for uid in able}
        self.close: dict[str, Mask] = {}
        for uid, ends in self.ends.items():
            most = movement.allowance(pos, uid, second=second)
            self.close[uid] = sum(1 << there for there, way in ends.items() if way.mp <= most)

    def fits(self, uid: str, stack: Stack) -> bool:
        """Return whether a stack has room for one more unit."""
        return self.setting.has_room(tuple([each for each in stack if each != uid]), self.setting.alike[uid])

    def imagine(self, now: Position, hex_: int, mood: int) -> Plan:
        """Return the best attack on a hex: by adjacent units first, then by others. ``mood``: added to the gain."""
        setting, near, stack, who = self.setting, self.setting.board.near, now.stack(hex_), dict[str, int]()
        held = {at: now.here(at, self.side) for at in bits(near[hex_] & ~now.occupied[self.foe])}
        extra = self._find_extra(now, hex_, max([self.pulls[at] for at in held], default=0))
        kill, outs = tactics.find_cost(now, stack), tactics.find_ways_out(now, hex_, self.foe)
        shaken = any(now.is_marked(marks.DISRUPTED, uid) for uid in stack)
        best, power, mine, origins = Plan(-1, hex_, ()), 0, 0, 0
        for uid, at in self._list_options(now, hex_, held):
            if uid in who or uid in self.busy or not (uid in held[at] or self.fits(uid, held[at])):
                continue
            held[at] = (*(each for each in held[at] if each != uid), uid)
            who[uid], origins = at, origins | 1 << at
            power, mine = power + setting.counters[uid].attack, mine + tactics.find_cost(now, [uid])
            mood -= self._find_regret(now, uid, at) + tactics.EACH
            outs &= ~(near[at] | 1 << at) if setting.counters[uid].zone == FULL else ~(1 << at)
            defence = find_defence(now, hex_, origins).total
            odds = tactics.list_results(setting, find_level(power, defence) + shaken if defence else LAST)
            worth = kill + (0 if outs else self.shut)
            gain = mood + tactics.find_gain(odds, worth, mine, defence, extra, shut=not outs)
            best = max(best, Plan(gain, hex_, tuple(who.items())))
        return best

    def _find_extra(self, now: Position, hex_: int, pull: int) -> int:
        """Return the worth of an empty hex; ``pull``: of the best hex beside it."""
        return max(0, self.pulls[hex_] - pull) + self.wanted.get(hex_, 0) + EMPTY * (not now.stack(hex_))

    def _list_options(self, now: Position, hex_: int, held: Mapping[int, Stack]) -> list[tuple[str, int]]:
        """Return units with hexes for an attack: without a march and the strongest first."""
        counters, wet = self.setting.counters, self.setting.rivers
        here = [(uid, now.where[uid]) for uid in self.list_able(now, hex_)]
        come = [(uid, at) for uid in self.ends for at in held if self.close[uid] >> at & 1]

        def rank(option: tuple[str, int]) -> tuple[Any, ...]:
            uid, at = option
            return -counters[uid].attack, (at, hex_) in wet, option

        return [*sorted(here, key=rank), *sorted(come, key=rank)]

    def _find_regret(self, now: Position, uid: str, at: int) -> int:
        """Return the loss of a unit by an attack from a hex, instead of a march to a city."""
        best = max([self.pulls[end] for end in self.ends.get(uid, ())], default=self.pulls[at]) - self.pulls[at]
        return max(0, best) * (2 if now.counter(uid).move > 1 else 1) // 2

    def list_able(self, now: Position, hex_: int) -> list[str]:
        """Return the units that can attack a hex without moving. A garrison's infantry stays entrenched."""
        near = [uid for there in bits(self.setting.board.near[hex_]) for uid in now.here(there, self.side)]
        able = [uid for uid in near if not battles.check_attacker(now, self.side, uid, hex_, second=self.second)]
        return sorted([uid for uid in able if uid not in self.kept or not now.counter(uid).infantry])

    def list_groups(self, now: Position, least: int) -> Iterator[list[Battle]]:
        """Yield attacks as groups, best first: an attack and its required attacks, with a gain above ``least``."""
        reach, done = self.setting.board.spread(now.occupied[self.side]), list[Battle]()
        targets = [hex_ for hex_ in bits(reach) if not battles.check_target(now, self.side, hex_)]
        able = {hex_: self.list_able(now, hex_) for hex_ in targets}
        alone = [
            (self._judge_attack(now, Battle("x", hex_, tuple(able[hex_]))), hex_) for hex_ in targets if able[hex_]
        ]
        for gain, hex_ in sorted(alone, reverse=True):
            group = self._find_group(now, hex_, done) if gain > least else []
            if sum(self._judge_attack(now, battle) for battle in group) > least:
                yield group
                done += group

    def _find_group(self, now: Position, hex_: int, done: Iterable[Battle]) -> list[Battle]:
        """Return an attack with all required attacks; [] if units for a required attack are missing."""
        found, met, near = list[Battle](), {battle.hex for battle in done}, self.setting.board.near
        taken = {uid for battle in done for uid in battle.attackers}
        todo = [] if hex_ in met else [hex_]
        for target in todo:  # the list grows
            able = [uid for uid in self.list_able(now, target) if uid not in taken]
            required = battles.find_required(now, Battle("x", target, tuple(able))) if able else ()
            needs = [need for need in map(self.setting.board.index.__getitem__, required) if need not in {*todo, *met}]
            for need in needs:  # the weakest able unit stays for each
                other = [uid for uid in able if near[need] >> now.where[uid] & 1 and len(able) > 1]
                if other:
                    able.remove(min(other, key=lambda uid: (now.counter(uid).attack, uid)))
            if not able:
                return []
            found.append(Battle("x", target, tuple(able)))
            taken.update(able)
            todo += needs
        return found

    def _judge_attack(self, now: Position, battle: Battle) -> int:
        """Return the expected gain of an attack by its exact odds."""
        odds, stack = find_odds(now, battle), now.stack(battle.hex)
        if not odds.allowed:
            return -tactics.CITY
        results = [read_result(self.setting, odds, die) for die in range(1, 7)]
        shut = not tactics.find_ways_out(now, battle.hex, self.foe)
        kill, mine = tactics.find_cost(now, stack) + self.shut * shut, tactics.find_cost(now, battle.attackers)
        extra = self._find_extra(now, battle.hex, max(self.pulls[now.where[uid]] for uid in battle.attackers))
        return tactics.find_gain(results, kill, mine, odds.defence.total, extra, shut=shut)

    def write_order(self, now: Position, battle: Battle, keep: Iterable[int]) -> Content:
        """Return the order for an attack. Units that hold a city stay there, and Panzerkeile try a breakthrough."""
        board, counters = self.setting.board, self.setting.counters
        label = board.labels[battle.hex]
        order: Content = {"id": f"a{label.lower()}", "hex": label, "attackers": [*battle.attackers]}
        able = [uid for uid in battle.attackers if counters[uid].kind != ARTILLERY and now.where[uid] not in keep]
        if able:
            order["advance"] = sorted(able, key=lambda uid: (-counters[uid].tank, -counters[uid].attack, uid))
        beyond = board.names(board.near[battle.hex] & now.occupied[self.foe])
        wedges = [uid for uid in battle.attackers if now.is_marked(marks.KEIL, uid)]
        if wedges and beyond:
            order |= {"breakthrough": beyond, "exploit": wedges}
        return order
