"""Players with an :class:`Aim` for each side, for the finished games of tests/games.

Orders come from the functions of the rules. Ties go to the lowest id or hex, so equal dice give equal games.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import RULESET, air, battles, movement
from kursk_pbem.rulesets.kursk_1971.odds import assess
from kursk_pbem.rulesets.kursk_1971.position import INTERDICTION, PATROL, POINTS, Position, view
from kursk_pbem.rulesets.kursk_1971.seen import outlook
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, Setting

Content = dict[str, Any]
NEVER = 99  # no column of the table


@dataclass(frozen=True)
class Aim:
    """The aim of a side.

    ``take``: hexes to march to, in order; ``moves``: number of marching units in a phase, nearest first; ``leave``:
    hexes to leave and never enter. ``column``: lowest odds of attacks; ``attacks``: limit for a turn; ``content``:
    points for strength that end attacks. ``flies``: aircraft leave their bases; ``raids``: aircraft against a base.
    ``deploy``: set-up; ``answers``: policy as defender; ``loses``: attackers have a list of losses.
    """

    take: tuple[str, ...] = ()
    moves: int = 0
    leave: tuple[str, ...] = ()
    column: int = NEVER
    attacks: int = 3
    content: int = NEVER
    flies: bool = True
    raids: int = 0
    deploy: tuple[tuple[str, tuple[str, ...]], ...] = ()
    answers: Mapping[str, Any] | None = None
    unsupported: str = "attack"
    loses: bool = field(default=True)


class Player:
    """Writes the content of each message of a side."""

    def __init__(self, setting: Setting, side: str, aim: Aim) -> None:
        self.setting, self.side, self.aim = setting, side, aim

    def content(self, state: State, seq: int) -> Content:
        """Return the choices of a message; ``state``: the position after its duties."""
        stage = RULESET.stage(self.setting, state)
        answers = dict(self.aim.answers or {})
        if stage.kind == ANSWER and not self.setting.refereed:
            policy = self.answer(state, answers)
            return {"policy": policy} if policy else {}
        orders = self.orders(Umpire(self.setting, state, seq, None), {phase.key for phase in stage.phases})
        found: Content = {"orders": orders} if orders else {}
        if self.setting.refereed and answers and f"policy-{self.side}" not in state.agenda:
            found["policy"] = {key: value for key, value in answers.items() if key != "battles"}
        return found

    def answer(self, state: State, answers: Content) -> Content:
        """Return the policy, with the first attack named, and with patrols if requested."""
        waiting = state.agenda.get("battles", ())
        if waiting and "battles" in answers:
            answers["battles"] = {waiting[0]["id"]: answers["battles"]}
        else:
            answers.pop("battles", None)
        return answers

    def orders(self, shadow: Umpire[Setting], phases: set[str]) -> Content:
        """Return the side's orders, phase by phase, on a copy of the position."""
        orders: Content = {}
        if "deployment" in phases and self.aim.deploy:
            orders["deployment"] = [{"hex": hex_, "units": list(units)} for hex_, units in self.aim.deploy]
            self.do(shadow, "deployment", orders)
        if "movement" in phases:
            self.intercept(shadow, orders)
            self.arrive(shadow, orders)
            self.march(shadow, movement.INITIAL, orders)
            self.raid(shadow, orders)
            self.attack(shadow, orders)
        if "motorized" in phases and not {"battles", "superiority"} & orders.keys():
            self.march(shadow, movement.MOTOR, orders)
            self.fly(shadow, orders)
        assert not shadow.violations, shadow.violations
        return orders

    def do(self, shadow: Umpire[Setting], key: str, orders: Content) -> None:
        """Carry out the orders of a phase."""
        for phase in RULESET.stage(self.setting, shadow.state).phases:
            if phase.key == key:
                phase.run(shadow, Filing(shadow.seq, self.side, orders=orders))

    def intercept(self, shadow: Umpire[Setting], orders: Content) -> None:
        """Order one aircraft against the first enemies in the air."""
        marks, pos = shadow.state.marks, view(shadow)
        over = sorted(
            {
                label
                for table in (PATROL, INTERDICTION)
                for uid, label in marks.get(table, {}).items()
                if pos.side(uid) != self.side
            }
        )
        for label in over if self.aim.flies else ():
            hex_ = self.setting.board.index[label]
            able = [uid for uid in air.list_ready(pos, self.side) if air.is_in_range(pos, uid, hex_)]
            if able and air.find_prey(pos, self.side, hex_):
                orders["interception"] = [{"unit": able[0], "hex": label}]
                self.do(shadow, "interception", orders)
                return

    def arrive(self, shadow: Umpire[Setting], orders: Content) -> None:
        """Order two reinforcements a turn."""
        found = []
        spots = self.setting.board.names(self.setting.entry[self.side])
        for uid in movement.list_reinforcements(self.setting, view(shadow), self.side)[: 2 if self.aim.moves else 0]:
            label = next(
                (each for each in spots if not movement.find_entry_fault(view(shadow), self.side, uid, each)), ""
            )
            if label:
                found.append({"unit": uid, "hex": label})
                self.do(shadow, "movement", {"reinforcements": found[-1:]})
        if found:
            orders["reinforcements"] = found

    def march(self, shadow: Umpire[Setting], key: str, orders: Content) -> None:
        """Move the nearest units to the first hex of the aim, and other units out of the hexes to leave."""
        index, found = self.setting.board.index, []
        leave = sum(1 << index[label] for label in self.aim.leave)
        start = view(shadow)
        goals = [label for label in self.aim.take if not start.occupied[self.side] >> index[label] & 1]
        if not goals and not leave:
            return
        goal = index[goals[0]] if goals else -1
        supplied = {uid: start.is_supplied(uid) for uid in start.units(self.side)}
        fresh = {each["unit"] for each in orders.get("reinforcements", ())}
        units = [
            uid
            for uid in start.units(self.side)
            if uid not in fresh and not self.setting.counters[uid].air and not movement.find_move_fault(start, uid, key)
        ]
        if goal >= 0:
            units.sort(key=lambda uid: (self.setting.board.distance(start.where[uid], goal), uid))
        for uid in units:
            pos = view(shadow)
            goes = bool(leave >> pos.where[uid] & 1)
            if len(found) >= self.aim.moves and not goes:
                continue
            points = movement.count_allowance(self.setting, uid, supplied=supplied[uid])
            ends = {
                there: way for there, way in movement.find_reach(pos, uid, points).items() if not leave >> there & 1
            }
            there = self.nearest(pos, uid, goal, ends)
            if there is not None:
                labels = [self.setting.board.labels[hex_] for hex_ in ends[there].path]
                found.append({"unit": uid, "to": labels[-1]} if len(labels) > 2 else {"unit": uid, "path": labels})
                movement.enter_hexes(shadow, "3.0-c", uid, labels, key)
        if found:
            orders[key] = found

    def nearest(self, pos: Position, uid: str, goal: int, ends: Mapping[int, Any]) -> int | None:
        """Return the end of a move nearest to a hex, if nearer than the unit's present hex."""
        board = self.setting.board
        if goal < 0:
            edge = max(bits(self.setting.edges[self.side]))
            return max(ends, key=lambda there: (-board.distance(there, edge), -there), default=None)
        here = board.distance(pos.where[uid], goal)
        best = min(ends, key=lambda there: (board.distance(there, goal), there), default=None)
        return best if best is not None and board.distance(best, goal) < here else None

    def fights(self, state: State) -> bool:
        """Return whether the side still attacks."""
        return state.tracks[POINTS.format(self.side)] < self.aim.content

    def raid(self, shadow: Umpire[Setting], orders: Content) -> None:
        """Order all aircraft in range against the first base."""
        found = list(outlook.find_raids(view(shadow), self.side))
        if self.aim.raids and found and self.fights(shadow.state):
            raid = found[0]
            orders["superiority"] = [{"id": "r1", "base": raid.base, "aircraft": list(raid.aircraft[: self.aim.raids])}]
            self.do(shadow, "superiority", orders)

    def attack(self, shadow: Umpire[Setting], orders: Content) -> None:
        """Order the attacks with the best odds, with close support and a plan."""
        if not self.fights(shadow.state) or self.aim.column == NEVER:
            return
        found: list[Content] = []
        pos, used = view(shadow), set[str]()
        options = sorted(outlook.find_attacks(pos, self.side), key=lambda each: (-each.odds.column, each.battle.hex))
        flyers = list(air.list_ready(pos, self.side)) if self.aim.flies else []
        for option in options:
            free = tuple(uid for uid in option.battle.attackers if uid not in used)
            odds = assess(pos, replace(option.battle, attackers=free)) if free else None
            if not odds or battles.find_partner_fault(pos, free) or not sum(odds.attack.values()):
                continue
            if len(found) < self.aim.attacks and (odds.automatic or odds.column >= self.aim.column):
                used |= {*free}
                label = self.setting.board.labels[option.battle.hex]
                order: Content = {"id": f"b{label}", "hex": label, "attackers": list(free)}
                near = [uid for uid in flyers if air.is_in_range(pos, uid, option.battle.hex)]
                if near and not odds.automatic:
                    flyers.remove(near[0])
                    order |= {"support": near[0], "unsupported": self.aim.unsupported}
                if self.aim.loses:
                    order |= {"losses": sorted(free)[:2], "advance": [free[0]], "retreat": [f"away {label}"]}
                found.append(order)
        if found:
            orders["battles"] = found

    def fly(self, shadow: Umpire[Setting], orders: Content) -> None:
        """Order a patrol over the first aircraft's base, and interdiction of an enemy base by the second."""
        pos = view(shadow)
        able = air.list_ready(pos, self.side) if self.aim.flies else []
        if able:
            orders[PATROL] = [{"unit": able[0], "hex": pos.state.units[able[0]].place}]
        foes = air.list_air_units(pos, ENEMY[self.side])
        for uid in able[1:]:
            for hex_ in [pos.where[foe] for foe in foes]:
                if air.is_in_range(pos, uid, hex_) and not air.is_blocked(pos, self.side, hex_):
                    orders[INTERDICTION] = [{"unit": uid, "hex": self.setting.board.labels[hex_]}]
                    return
