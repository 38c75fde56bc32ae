"""Plausible orders for the fuzzer's target ``adjudicate``, with models, places and paths of the table.

Enough orders are legal to test the rules deeply; the others are wrong in every way that a form allows.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from fuzz_corpus import Pool, any_value, change_tree
from fuzz_games import Moment

from kursk_pbem.kernel import plane
from kursk_pbem.kernel.plane import CLOCK
from kursk_pbem.kernel.state import State, Unit
from kursk_pbem.rulesets.armor_commander.plotting import name_seal
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, FACING
from rulesets.armor_commander.random_play import Chooser

EVERYTHING: dict[str, Any] = {
    "orders": {
        "deployment": [{"id": "g-pz-1", "at": "31.00, 9.50", "face": "1:30"}, {"id": "g-pak-1"}],
        "units": [
            {
                "id": "g-panzer",
                "chip": "green",
                "moves": [{"id": "g-pz-1", "path": ["31.00, 10.50", "31.00, 12.00"], "face": "12"}],
            },
            {
                "id": "g-pak-1",
                "chip": "red",
                "at": ["s-tanks", "s-t-1"],
                "rounds": "ap",
                "shots": [{"id": "g-pak-1", "at": ["s-t-2"], "rounds": "ap"}],
            },
        ],
    },
    "seal": {DEPLOYMENT: [{"id": "s-t-1", "at": "36.00, 38.50"}], "orders/turn-1": [{"id": "s-tanks", "chip": "red"}]},
}
"""Choices with every existing field."""
MOST = 50
AWAY = ("off-map", "eliminated")
NOWHERE = (
    "0.00, 0.00",
    "999.99, 999.99",
    "72.00, 48.00",
    "36.00, 24.00",
    "1.00,1.00",
    "-1.00, 2.00",
    "\u0661.00, 1.00",
)


class Orders:
    """Contents of Armor Commander messages: see ``Hostile`` in tools/fuzz_orders.py."""

    everything = EVERYTHING

    def make_likely(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Return a random player's orders, sometimes changed a little or mixed with misplaced fields."""
        found: dict[str, Any] = dict(Chooser(moment.game.setting, rng).content(moment.middle, moment.seq))
        if rng.random() < 0.5:
            found = change_tree(rng, found, rng.choice((1, 2, 4)), self.make_pool(moment), 0.15) if found else {}
        if rng.random() < 0.1:
            found.update({key: EVERYTHING[key] for key in EVERYTHING if rng.random() < 0.5})
        return found

    def make_pool(self, moment: Moment) -> Pool:
        """Return a value of the same kind, such as another model or another place."""
        setting, state = moment.game.setting, moment.middle
        places = [unit.place for unit in state.units.values() if unit.place not in AWAY]
        groups = ([*setting.models, *setting.units], [*CLOCK, "13", "0"], ["green", "red", "blue"], ["ap", "he"])

        def other(rng: random.Random, old: Any) -> Any:
            alike = next((group for group in groups if old in group), None) if isinstance(old, str) else None
            if alike and rng.random() < 0.9:
                return rng.choice(alike)
            if isinstance(old, str) and ", " in old and rng.random() < 0.9:
                return _beside(rng, rng.choice([old, *places]))
            return any_value(rng, old)

        return other

    def fill_lists(self, rng: random.Random, orders: dict[str, Any], moment: Moment) -> dict[str, Any]:
        """Return as many entries as the form allows, with the longest paths and lists."""
        units = [*moment.game.setting.units]
        models = [*moment.game.setting.models]

        def far() -> list[str]:
            return [_beside(rng, rng.choice(NOWHERE)) for _ in range(12)]

        long = [
            {
                "id": rng.choice(units),
                "chip": "green",
                "moves": [{"id": mid, "path": far()} for mid in rng.sample(models, 5)],
            }
            for _ in range(MOST)
        ]
        return {key: (each * MOST)[:MOST] for key, each in orders.items() if isinstance(each, list)} | {"units": long}

    def is_sealable(self, orders: Mapping[str, Any]) -> bool:
        return True

    def list_labels(self, moment: Moment) -> tuple[list[str], list[str]]:
        """Return the dice labels of the models on the table, and possible labels of seals."""
        setting = moment.game.setting
        dice = [f"{mid}/hit" for mid in setting.models] + [f"initiative/1/{side}" for side in setting.sides]
        pairs = [(a, b) for a in setting.models for b in setting.models if a[:1] != b[:1]]
        dice += [f"{a}/{what}/{b}" for a, b in pairs for what in ("save", "crew", "blast")]
        return dice, [DEPLOYMENT, name_seal(moment.middle.turn)]

    def make_sealed(self, rng: random.Random, moment: Moment, name: str) -> Any:
        """Return a value of any form for a label."""
        if rng.random() < 0.3:
            return any_value(rng, [])
        chooser = Chooser(moment.game.setting, rng)
        side = rng.choice(moment.game.setting.sides)
        value = chooser.deployment(side) if name == DEPLOYMENT else chooser.orders(moment.middle, side)
        count = rng.choice((0, 0, 1, 1, 3))
        return change_tree(rng, {"": value}, count, self.make_pool(moment), 0.15).get("", "")

    def make_changes(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Move some models, and reduce some crews."""
        there = [mid for mid, unit in moment.middle.units.items() if unit.place not in AWAY]
        found: dict[str, Any] = {}
        for mid in rng.sample(there, min(len(there), rng.randint(0, 4))):
            near = _beside(rng, moment.middle.units[rng.choice(there)].place)
            found[mid] = {"at": near, "steps": rng.randint(1, moment.game.setting.models[mid].crew)}
        return found

    def apply_changes(self, state: State, changes: Mapping[str, Any]) -> State:
        """Return the position after the changes."""
        units = {mid: Unit(each["at"], each["steps"]) for mid, each in changes.items()}
        assert FACING in state.marks or not units
        return state.with_(units={**state.units, **units})


def _beside(rng: random.Random, place: str) -> str:
    """Return a place near another place, on the usual tables."""
    try:
        x, y = plane.point(place)
    except ValueError:
        return place
    x, y = x + rng.randint(-200, 200), y + rng.randint(-200, 200)
    return plane.text((min(max(0, x), 4800), min(max(0, y), 4800)))
