"""The test kit of Plane Toy."""

from __future__ import annotations

import random
from pathlib import Path

from helpers.registry import Content, Kit

from kursk_pbem.kernel.picture import Point
from kursk_pbem.kernel.state import State
from rulesets.plane_toy import RULESET
from rulesets.plane_toy.orders import label
from rulesets.plane_toy.setting import SIDES, Setting, square, text


class Chooser:
    """Random legal content: a way toward the enemy, and the nearest target."""

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.setting, self.rng = setting, rng

    def content(self, state: State, _seq: int) -> Content:
        """Return the content for the message due in ``state``, after its duties."""
        if state.stage == "show" and self.setting.refereed:
            return {}
        setting, rng, found = self.setting, self.rng, []
        enemies = setting.alive(state, SIDES[1 - SIDES.index(state.side)])
        for uid in setting.alive(state, state.side):
            here = setting.where(state, uid)
            near = min(enemies, key=lambda each: square(here, setting.where(state, each)))
            order = {"id": uid}
            if rng.random() < 0.8 and setting.fits(to := self.towards(uid, here, setting.where(state, near))):
                order["to"] = text(to)
            if rng.random() < 0.9:
                order["fire"] = near if rng.random() < 0.8 else rng.choice(enemies)
            found.append(order)
        if state.stage == "orders":
            return {"orders": {"models": found}}
        return {"seal": {label(state.turn): found}}

    def towards(self, uid: str, here: Point, there: Point) -> Point:
        """Return a step of at most half a move, to either side of the straight way."""
        far = self.setting.models[uid].speed // 4
        return tuple(
            a + (far if a < b else -far) + self.rng.randint(-far, far) // 2 for a, b in zip(here, there, strict=True)
        )


KIT = Kit(ruleset=RULESET, tests=Path(__file__).resolve().parent, scenarios=("plane-toy/orchard",), chooser=Chooser)
