"""A player with a goal, for whole games with a planned end and for checks that scenarios play well."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from helpers.registry import Content

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander import fire, plotting, sequence
from kursk_pbem.rulesets.armor_commander.orders import read_order
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, Field, make_field
from kursk_pbem.rulesets.armor_commander.setting import TANK, Group, Setting

Entry = dict[str, Any]


@dataclass(frozen=True)
class Aim:
    """The goal of a side.

    ``goal``: destination of the tanks (None: no move). ``fires``: least mean number of losses for which tanks fire (a
    large number: never). ``guns``: guns fire. ``near``: hundredths from the goal at which tanks stop. ``deploy``:
    entries of the deployment.
    """

    goal: Point | None
    fires: Fraction = Fraction(1, 2)
    guns: bool = True
    near: int = 300
    deploy: tuple[tuple[str, str], ...] = ()


class Player:
    """A player with fixed choices for each position."""

    def __init__(self, setting: Setting, side: str, aim: Aim) -> None:
        self.setting, self.side, self.aim = setting, side, aim

    def content(self, state: State, _seq: int) -> Content:
        """Return the content of the message after the duties in ``state``."""
        phases = sequence.list_stages(self.setting)[state.stage].phases
        deployment = [{"id": mid, "at": at} for mid, at in self.aim.deploy]
        if sequence.DEPLOY in phases:
            return {"seal": {DEPLOYMENT: deployment}}
        if sequence.PLACE in phases:
            return {"orders": {"deployment": deployment}}
        if sequence.PLOT in phases:
            return {"seal": {plotting.name_seal(state.turn): self.orders(make_field(self.setting, state))}}
        return {"orders": {"units": self.orders(make_field(self.setting, state))}} if sequence.ORDERS in phases else {}

    def orders(self, table: Field) -> list[Entry]:
        """Order the guns first, then the platoon."""
        mine = self.setting.list_units(self.side)
        units = [unit for unit in mine if table.list_unit(unit.id) and not table.is_pinned(unit.id)]
        found: list[Entry] = []
        for unit in sorted(units, key=lambda each: each.kind == TANK):
            if unit.kind != TANK and not self.aim.guns:
                continue
            order, worth = self.fire(table, unit)
            least = self.aim.fires if unit.kind == TANK else Fraction(1, 100)
            if order is None or worth < least:
                order = (self.move(table, unit) if unit.kind == TANK else None) or order
            if order is not None and (order["chip"] == "green" or self.aim.fires < 90):
                found.append(order)
        return found

    def fire(self, table: Field, unit: Group) -> tuple[Entry | None, Fraction]:
        """Aim each model at its likeliest loss; return the order and the mean number of losses."""
        shots, worth = [], Fraction(0)
        for mid in table.list_unit(unit.id):
            values = {foe: self.worth(table, unit, mid, foe) for foe in table.list_enemies(self.side)}
            best = max(values, key=lambda foe: (values[foe], foe), default="")
            if best and values[best]:
                shots.append({"id": mid, "at": [best]})
                worth += values[best]
        return ({"id": unit.id, "chip": "red", "shots": shots} if shots else None), worth

    def worth(self, table: Field, unit: Group, mid: str, foe: str) -> Fraction:
        """Return the chance that a shot destroys its target."""
        if self.setting.find_weapon(unit.kind, self.setting.models[foe].kind) is None:
            return Fraction(0)
        entry = {"id": unit.id, "chip": "red", "shots": [{"id": mid, "at": [foe]}]}
        order, _slips = read_order(self.setting, self.side, entry)
        assert order is not None
        found = fire.list_shots(table, order)[0]
        return found.hit_chance * (1 - found.effects[0].chance) if found.band else Fraction(0)

    def move(self, table: Field, unit: Group) -> Entry | None:
        """Move all tanks in one direction, as near to the goal as possible, facing the nearest enemy."""
        movers = [mid for mid in table.list_unit(unit.id) if table.is_mobile(mid)]
        goal = self.aim.goal
        if not movers or goal is None or plane.is_within(table.at[movers[0]], goal, self.aim.near):
            return None
        best: tuple[int, Entry] | None = None
        for x, y in CLOCK.values():
            for far in (600, 450, 250):
                step = (int(x * far / 1000000), int(y * far / 1000000))
                moves = [self.one(table, mid, step) for mid in movers]
                order = {"id": unit.id, "chip": "green", "moves": moves}
                left = plane.square((table.at[movers[0]][0] + step[0], table.at[movers[0]][1] + step[1]), goal)
                if (best is None or left < best[0]) and not plotting.judge_orders(table, self.side, [order])[1]:
                    best = left, order
        return best[1] if best and best[0] < plane.square(table.at[movers[0]], goal) else None

    def one(self, table: Field, mid: str, step: Point) -> Entry:
        """Return the move of one tank."""
        end = max(0, table.at[mid][0] + step[0]), max(0, table.at[mid][1] + step[1])
        foes = [table.at[foe] for foe in table.list_enemies(self.side)]
        nearest = min(foes, key=lambda each: plane.square(end, each), default=end)
        faces = [name for name, vector in CLOCK.items() if plane.find_arc(vector, end, nearest) == "front"]
        middle = faces[len(faces) // 2] if faces else "12"
        return {"id": mid, "path": [plane.text(end)], "face": middle}
