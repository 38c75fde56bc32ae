"""Deterministic players with an aim, for finished games of every kind."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from helpers.registry import Content

from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import battles, movement, readiness, sequence
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.seen import possible
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, Setting
from rulesets.juggernauts.random_play import Chooser


@dataclass(frozen=True)
class Aim:
    """The aim of a side.

    ``goals``: hexes to take, in this order. ``refuge``: the destination of all units instead. ``level``: the lowest
    level of odds for an attack, 99 for never. ``answers``: the policy. ``plan``: other wishes of each attack.
    ``proriv``: whether the side also acts after the dice. ``spread``: whether units choose the nearest goal after
    the first is taken. ``near``: the distance within which units go straight to the last goal.
    """

    goals: tuple[str, ...] = ()
    refuge: str = ""
    level: int = 6
    answers: Content = field(default_factory=dict)
    plan: Content = field(default_factory=dict)
    proriv: bool = True
    spread: bool = False
    near: int = -1


class Player:
    """A side with an aim."""

    def __init__(self, setting: Setting, side: str, aim: Aim) -> None:
        self.setting, self.side, self.aim = setting, side, aim
        self.dice = Chooser(setting, random.Random(7))

    def content(self, state: State, seq: int) -> Content:
        """Return the content of the message that ``state``, after its duties, requires."""
        stage = sequence.list_stages(self.setting)[state.stage]
        if stage.key.endswith(("-half", "-rest")):
            return self.dice.content(state, seq)
        if stage.kind == ANSWER and not self.setting.refereed:
            return {"policy": dict(self.aim.answers)} if self.aim.answers else {}
        keys = {phase.key for phase in stage.phases}
        if "allocation" not in keys or (movement.second_step(state) and not self.aim.proriv):
            orders: Content = {}
        else:
            orders = self.orders(state, seq, keys)
        found: Content = {"orders": orders} if orders else {}
        if self.setting.refereed and "policy" in keys and self.aim.answers and state.turn == "1":
            found["policy"] = dict(self.aim.answers)
        return found

    def orders(self, state: State, seq: int, keys: set[str]) -> Content:
        shadow: Umpire[Setting] = Umpire(self.setting, state, seq)
        found: Content = {}
        if "wedges" in keys:
            found |= self.wedges(view(shadow))
        for phase in (readiness.entrench, readiness.form_wedges) if "wedges" in keys else (readiness.entrench,):
            if not movement.second_step(state):
                phase(shadow, Filing(seq, self.side, orders=found))
        found |= self.moves(shadow, seq)
        if self.aim.level < 99:
            found |= self.attacks(shadow, seq)
        return found

    def goal(self, pos: Position, here: int) -> int:
        """Return the first goal not taken, later the nearest with ``spread``. The last goal comes last."""
        board = self.setting.board
        if self.aim.refuge:
            return board.index[self.aim.refuge]
        *first, last = (board.index[label] for label in self.aim.goals)
        if board.distance(here, last) <= self.aim.near and pos.owner(board.labels[last]) != self.side:
            return last
        left = [hex_ for hex_ in first if pos.owner(board.labels[hex_]) != self.side] or [last]
        if not self.aim.spread or len(left) == len(first):
            return left[0]
        cities = [hex_ for hex_ in left if pos.owner(board.labels[hex_])] or [last]
        return min(cities, key=lambda hex_: (board.distance(here, hex_), hex_))

    def wedges(self, pos: Position) -> Content:
        board, found = self.setting.board, []
        for uid in sorted(pos.where):
            if pos.side(uid) == self.side and readiness.can_form(pos, uid):
                here, goal = (board.places[hex_] for hex_ in (pos.where[uid], self.goal(pos, pos.where[uid])))
                found.append({"unit": uid, "facing": POINTY_NAMES[board.grid.direction(here, goal)]})
        return {"panzerkeil": found} if found else {}

    def moves(self, shadow: Umpire[Setting], seq: int) -> Content:
        """Return moves towards the goal for units without a good attack and without a better place."""
        setting, board, found = self.setting, self.setting.board, list[Content]()
        stays = self.able(view(shadow)) if not self.aim.refuge else set()
        homes = {board.index[label] for label in setting.victory[self.side]["hold"]}
        units = [uid for uid in sorted(view(shadow).where) if not movement.check_unit(view(shadow), self.side, uid)]
        units.sort(key=lambda uid: (setting.counters[uid].kind == "panther", -setting.counters[uid].move))
        for uid in units:
            pos = view(shadow)
            if uid in stays or (not self.aim.refuge and pos.where[uid] in homes and len(pos.at[pos.where[uid]]) == 1):
                continue
            goal = self.goal(pos, pos.where[uid])
            ends = {
                end: way
                for end, way in movement.find_ends(pos, uid, second=movement.second_step(shadow.state)).items()
                if all(pos.has_room(uid, hex_) for hex_ in way.path)
            }
            best = min(ends, key=lambda end: (board.distance(end, goal), end), default=-1)
            if best < 0 or board.distance(best, goal) >= board.distance(pos.where[uid], goal):
                continue
            move = {"unit": uid, "to": board.labels[best]}
            trial: Umpire[Setting] = Umpire(setting, shadow.state, seq)
            movement.move_units(trial, Filing(seq, self.side, orders={"movement": [move]}))
            if trial.violations:
                continue
            found.append(move)
            if setting.counters[uid].kind == "panther":
                shadow.declare("14.4", movement.PATHS, trial.state.agenda[movement.PATHS])
            else:
                shadow.emit(*trial.events)
        return {"movement": found} if found else {}

    def chances(self, pos: Position, *, second: bool) -> list[possible.Chance]:
        """Return attacks at good odds, the nearest to the goal first."""
        board = self.setting.board
        able = [
            each
            for each in possible.attacks(pos, self.side, second=second)
            if each.odds.allowed and each.odds.reached >= self.aim.level
        ]

        def rank(each: possible.Chance) -> tuple[int, int, int]:
            hex_ = each.battle.hex
            return board.distance(hex_, self.goal(pos, hex_)), -each.odds.reached, hex_

        return sorted(able, key=rank)

    def able(self, pos: Position) -> set[str]:
        """Return the units that can make a useful attack at good odds."""
        board, found = self.setting.board, set()
        for each in self.chances(pos, second=movement.second_step(pos.state)):
            goal = self.goal(pos, each.battle.hex)
            near = [
                uid
                for uid in each.battle.attackers
                if board.distance(each.battle.hex, goal) <= board.distance(pos.where[uid], goal)
            ]
            found |= {*near}
        return found

    def attacks(self, shadow: Umpire[Setting], seq: int) -> Content:
        pos, found = movement.place_panthers(self.setting, shadow.state), list[dict[str, Any]]()
        second = movement.second_step(shadow.state)
        for each in self.chances(pos, second=second):
            group = self.dice.group(pos, self.side, each, found, second=second)
            for number, order in enumerate(group):
                plain = {"id": f"a{len(found) + number + 1}", "hex": order["hex"], "attackers": order["attackers"]}
                goers = [uid for uid in order["attackers"] if self.setting.counters[uid].kind != "artillery"]
                plan = {key: value for key, value in self.aim.plan.items() if self.side == GERMAN or key == "push"}
                group[number] = {**plain, **({"advance": goers} if goers else {}), **plan}
            trial: Umpire[Setting] = Umpire(self.setting, shadow.state, seq)
            battles.declare_attacks(trial, Filing(seq, self.side, orders={BATTLES: [*found, *group]}))
            if group and not trial.violations:
                found += group
        return {BATTLES: found} if found else {}


def make_minds(german: Aim, russian: Aim) -> Any:
    """Return two players with these aims."""
    return lambda setting: {"german": Player(setting, "german", german), "russian": Player(setting, "russian", russian)}
