"""The test kit of Ridge Toy."""

from __future__ import annotations

import random
from pathlib import Path

from helpers.registry import Content, Kit

from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.usual.position import position
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from rulesets.ridge_toy import RULESET
from rulesets.ridge_toy.rules import ATTACKS, MOVEMENT
from rulesets.ridge_toy.setting import Setting


class Chooser:
    """Random legal content, mostly toward and against the enemy."""

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.setting, self.rng = setting, rng

    def content(self, state: State, seq: int) -> Content:
        """Return the content for the message due in ``state``, after its duties."""
        rng, wish = self.rng, f"away {self.rng.choice([*self.setting.board.index])}"
        answer = {"policy": {"retreat": [wish]}}
        if state.stage.endswith("-orders"):
            return {
                "orders": self.orders(state, seq),
                **(answer if self.setting.refereed and rng.random() < 0.3 else {}),
            }
        if state.stage.endswith("-answer") and not self.setting.refereed:
            return answer if rng.random() < 0.7 else {}
        return {}

    def orders(self, state: State, seq: int) -> Content:
        """Return moves, mostly toward the enemy, and attacks by adjacent units."""
        shadow: Umpire[Setting] = Umpire(self.setting, state, seq, None)
        side, board, moves = state.side, self.setting.board, []
        foes = [*position(self.setting, state).at]
        foes = [hex_ for hex_ in foes if position(self.setting, state).enemies(side) >> hex_ & 1]
        for uid in position(self.setting, state).units(side):
            ends = dict(MOVEMENT.able(position(self.setting, shadow.state), side)).get(uid)
            if ends and self.rng.random() < 0.8:
                near = {there: min((board.distance(there, foe) for foe in foes), default=0) for there in ends}
                there = min(near, key=near.__getitem__) if self.rng.random() < 0.8 else self.rng.choice([*ends])
                moves.append({"unit": uid, "to": board.labels[there]})
                MOVEMENT.run(shadow, Filing(seq, side, orders={"movement": moves[-1:]}))
        used, attacks = set[str](), []
        pos = position(self.setting, shadow.state)
        for target in ATTACKS.targets(pos, side):
            who = [uid for uid in pos.beside(side, board.index[target.place]) if uid not in used]
            if who and self.rng.random() < 0.9:
                used |= {*who}
                attacks.append({"id": f"a{len(attacks) + 1}", "hex": target.place, "units": who})
        return {**({"movement": moves} if moves else {}), **({BATTLES: attacks} if attacks else {})}


KIT = Kit(ruleset=RULESET, tests=Path(__file__).resolve().parent, scenarios=("ridge-toy/hill",), chooser=Chooser)
