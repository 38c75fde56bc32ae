"""A player with random, legal choices of moves and targets."""

from __future__ import annotations

import random
from typing import Any

from helpers.registry import Content

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.armor_commander import plotting, sequence, setup
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, Field, make_field
from kursk_pbem.rulesets.armor_commander.setting import TANK, Group, Setting

TRIES = 6
FACES = list(CLOCK)

Entry = dict[str, Any]


class Chooser:
    """A player whose ``content`` is legal in every position."""

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.setting, self.rng = setting, rng

    def content(self, state: State, _seq: int) -> Content:
        """Return the content of the message after the duties in ``state``."""
        phases = sequence.list_stages(self.setting)[state.stage].phases
        if sequence.DEPLOY in phases:
            return {"seal": {DEPLOYMENT: self.deployment(state.side)}}
        if sequence.PLACE in phases:
            return {"orders": {"deployment": self.deployment(state.side)}}
        if sequence.PLOT in phases:
            return {"seal": {plotting.name_seal(state.turn): self.orders(state, state.side)}}
        if sequence.ORDERS in phases:
            return {"orders": {"units": self.orders(state, state.side)}}
        return {}

    def deployment(self, side: str) -> list[Entry]:
        """Shift some models of the scenario's deployment, if legal."""
        found: list[Entry] = []
        for mid, (place, face) in setup.list_scenario_places(self.setting, side).items():
            shifted = place[0] + self.rng.randint(-150, 150), place[1] + self.rng.randint(-150, 150)
            entry = {"id": mid, "at": plane.text((max(0, shifted[0]), max(0, shifted[1])))}
            if face and self.rng.random() < 0.3:
                entry["face"] = self.rng.choice(FACES)
            if self.rng.random() < 0.5 and not setup.read_deployment(self.setting, side, [*found, entry])[1]:
                found.append(entry)
        return found

    def orders(self, state: State, side: str) -> list[Entry]:
        """Give most units a chip, in random order."""
        table, found = make_field(self.setting, state), list[Entry]()
        units = [
            unit for unit in self.setting.list_units(side) if table.list_unit(unit.id) and not table.is_pinned(unit.id)
        ]
        self.rng.shuffle(units)
        for unit in units:
            fires = self.fire(table, unit)
            goes = self.rng.random() < (0.4 if fires else 0.9)
            if goes and (move := self.move(table, unit, found)):
                found.append(move)
            elif fires and self.rng.random() < 0.95:
                found.append(fires)
        return found

    def fire(self, table: Field, unit: Group) -> Entry | None:
        """Aim at a visible enemy, then at another enemy; give single models their own targets."""
        seen = {mid: self.seen(table, mid) for mid in table.list_unit(unit.id)}
        everybody = sorted({foe for foes in seen.values() for foe in foes})
        if not everybody:
            return None
        first = self.rng.choice(everybody)
        targets = [self.setting.models[first].unit if self.rng.random() < 0.5 else first, self.rng.choice(everybody)]
        order: Entry = {"id": unit.id, "chip": "red", "at": list(dict.fromkeys(targets))}
        if unit.kind == TANK and (aims := [mid for mid, foes in seen.items() if foes and self.rng.random() < 0.7]):
            order["shots"] = [{"id": mid, "at": [self.rng.choice(seen[mid])]} for mid in aims]
        return order

    def seen(self, table: Field, mid: str) -> list[str]:
        """Return the visible enemies that a model may fire at."""
        return [foe for foe in table.list_enemies(self.setting.models[mid].side) if self.may(table, mid, foe)]

    def may(self, table: Field, mid: str, foe: str) -> bool:
        """Return whether a shot is allowed and has a visible target; rarely return True anyway."""
        models = self.setting.models
        allowed = table.setting.find_weapon(models[mid].kind, models[foe].kind) is not None
        return allowed and (table.can_see(mid, foe) or self.rng.random() < 0.02)

    def move(self, table: Field, unit: Group, others: list[Entry]) -> Entry | None:
        """Move all models of the unit in a similar way, if legal, rather towards the enemy."""
        movers = [mid for mid in table.list_unit(unit.id) if table.is_mobile(mid)]
        for _ in range(TRIES if movers else 0):
            far, way = self.setting.moves[unit.kind], self.way(table, movers[0])
            moves = []
            for mid in movers:
                legs = [self.jitter(table.at[mid], leg, far) for leg in way]
                face = {"face": self.rng.choice(FACES)} if unit.kind == TANK and self.rng.random() < 0.6 else {}
                moves.append({"id": mid, "path": [plane.text(leg) for leg in legs], **face})
            order = {"id": unit.id, "chip": "green", "moves": moves}
            if not plotting.judge_orders(table, unit.side, [*others, order])[1]:
                return order
        return None

    def way(self, table: Field, mid: str) -> list[Point]:
        """Return one or two legs as vectors."""
        foes = table.list_enemies(self.setting.models[mid].side)
        here = table.at[mid]
        goal = min((table.at[foe] for foe in foes), key=lambda each: plane.square(here, each), default=here)
        if self.setting.objectives and self.rng.random() < 0.6:
            goal = self.setting.objectives[0].at
        legs = []
        count = self.rng.choice((1, 1, 2))
        for _ in range(count):
            far = self.rng.choice((150, 300, 415)) // count
            vector = [far if a < b else -far for a, b in zip(here, goal, strict=True)]
            if self.rng.random() < 0.4:
                vector = [self.rng.randint(-far, far), self.rng.randint(-far, far)]
            legs.append((vector[0], vector[1]))
        return legs

    def jitter(self, place: Point, leg: Point, _far: int) -> Point:
        """Return a place on the table near the common way."""
        x, y = (a + b + self.rng.choice((0, 0, 0, 5, -10)) for a, b in zip(place, leg, strict=True))
        return min(max(0, x), self.setting.size[0]), min(max(0, y), self.setting.size[1])
