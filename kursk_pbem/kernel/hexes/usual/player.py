"""A random player of a small game, for tests: legal content, mostly toward and against the enemy."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.usual.attacks import Attacks
from kursk_pbem.kernel.hexes.usual.movement import Movement
from kursk_pbem.kernel.hexes.usual.position import view_now
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import GameEnded, Umpire


@frozen
class RandomPlayer:
    """``rng``: a generator of the module ``random``. Rules code has no chance of its own."""

    movement: Movement
    attacks: Attacks
    setting: Any
    rng: Any

    def content(self, state: State, seq: int) -> dict[str, Any]:
        """Return the choices of message ``seq``; ``state`` is the position after its duties."""
        chosen: dict[str, Any] = {}
        if state.stage.endswith("-orders"):
            chosen = {"orders": self._choose_orders(state, seq)}
        answers = state.stage.endswith(f"-{ANSWER}") and not self.setting.refereed
        stands = bool(chosen) and self.setting.refereed
        if self.rng.randrange(10) < 7 * answers + 3 * stands:
            chosen["policy"] = {"retreat": [f"away {self.rng.choice([*self.setting.board.index])}"]}
        return chosen

    def _choose_orders(self, state: State, seq: int) -> dict[str, Any]:
        umpire: Umpire[Any] = Umpire(self.setting, state, seq)
        side, board, rng = state.side, self.setting.board, self.rng
        foes, moves = [*bits(view_now(umpire).enemies(side))], []
        for uid in view_now(umpire).units(side):
            ends = dict(self.movement.able(view_now(umpire), side)).get(uid)
            if ends and umpire.state.stage != OVER and rng.randrange(10) < 8:
                near = {there: min((board.distance(there, foe) for foe in foes), default=0) for there in ends}
                there = min(near, key=near.__getitem__) if rng.randrange(10) < 8 else rng.choice([*ends])
                moves.append({"unit": uid, "to": board.labels[there]})
                with suppress(GameEnded):
                    self.movement.run(umpire, Filing(seq, side, orders={self.movement.key: moves[-1:]}))
        if umpire.state.stage == OVER:  # a move won the game
            return {self.movement.key: moves}
        pos, used, attacks = view_now(umpire), set[str](), list[dict[str, Any]]()
        for target in self.attacks.targets(pos, side):
            who = [uid for uid in pos.beside(side, board.index[target.place]) if uid not in used]
            if who and rng.randrange(10) < 9:
                used |= {*who}
                attacks.append({"id": f"a{len(attacks) + 1}", "hex": target.place, "units": who})
        return {key: listed for key, listed in ((self.movement.key, moves), (BATTLES, attacks)) if listed}
