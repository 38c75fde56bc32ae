"""The test kit of Hex Toy."""

from __future__ import annotations

import random
from pathlib import Path

from helpers.registry import Content, Kit

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from rulesets.hex_toy import RULESET, assaults
from rulesets.hex_toy.assaults import ASSAULTS, BOLD, BROKEN, EARLY, LATE, STEADY
from rulesets.hex_toy.outlook import reach, units_of
from rulesets.hex_toy.setting import Setting


class Chooser:
    """Random legal content, mostly toward and against the enemy."""

    def __init__(self, setting: Setting, rng: random.Random) -> None:
        self.setting, self.rng = setting, rng

    def content(self, state: State, seq: int) -> Content:
        """Return the content for the message due in ``state``, after its duties."""
        found: Content = {}
        kind = state.stage.partition("-")[2]
        if kind == "reply" and not self.setting.refereed:
            first = state.agenda[ASSAULTS][0]["id"]
            return {"policy": {"volley": LATE, ASSAULTS: {first: self.rng.choice([EARLY, LATE])}}}
        if kind == "march":
            found["orders"] = self.march(state, seq)
        elif kind == "dice" and BROKEN in state.agenda:
            left = state.agenda[BROKEN][0]
            alive = [uid for uid in left["units"] if state.units[uid].steps]
            found["orders"] = {"pursuit": [{"unit": uid, "to": left["hex"]} for uid in alive[:2]]}
        if self.setting.refereed and self.rng.random() < 0.3:
            found["policy"] = {"volley": self.rng.choice([EARLY, LATE]), "hexes": {"D6": EARLY}}
        return found

    def march(self, state: State, seq: int) -> Content:
        shadow: Umpire[Setting] = Umpire(self.setting, state, seq, None)
        side, rng, board = state.side, self.rng, self.setting.board
        enemies = [board.index[label] for label in self.setting.standing(state, self.setting.foe(side))]
        moves = []
        for uid in units_of(self.setting, state, side):
            ends = reach(self.setting, shadow.state, uid)
            if ends and rng.random() < 0.8:
                nearest = [min(board.distance(board.index[end.place], each) for each in enemies) for end in ends]
                end = ends[nearest.index(min(nearest))] if rng.random() < 0.8 else rng.choice(ends)
                move = {"unit": uid, "to": end.place} if rng.random() < 0.5 else {"unit": uid, "path": list(end.path)}
                assaults.march_all(shadow, Filing(seq, side, orders={"march": [move]}))
                moves.append(move)
        orders: Content = {"march": moves} if moves else {}
        own, used, found = self.setting.standing(shadow.state, side), set(), []
        for label in self.setting.standing(shadow.state, self.setting.foe(side)):
            near = [uid for hex_ in board.names(self.setting.beside(label)) for uid in own.get(hex_, ())]
            near = [uid for uid in near if uid not in used]
            if near and rng.random() < 0.9:
                used |= {*near}
                order = {"id": f"a{len(found) + 1}", "hex": label, "units": near}
                found.append({**order, "stance": rng.choice([BOLD, STEADY])} if rng.random() < 0.7 else order)
        return {**orders, ASSAULTS: found} if found else orders


KIT = Kit(
    ruleset=RULESET,
    tests=Path(__file__).resolve().parent,
    scenarios=("hex-toy/fords",),
    chooser=Chooser,
    options=(("nerves", "steel"),),
)
