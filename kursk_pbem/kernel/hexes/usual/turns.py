"""A turn with player turns in sequence: orders, the answer, dice and results.

============  ============  =======================================================
stage         writer        message holds
============  ============  =======================================================
S-orders      S             moves, and attacks declared
S-answer      the other     what the defenders do
S-dice        S             the attacks are fought
over          -             the game has ended
============  ============  =======================================================

If a side declares no attack, the opponent's orders follow at once. A setting has ``turns`` and ``sides``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.hexes.policies import BATTLES, drop_standing
from kursk_pbem.kernel.hexes.usual.position import find_errors, set_up
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.refereed import split_stages
from kursk_pbem.kernel.ruleset import ANSWER, DICE, Phase, Split, Stage
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.umpire import Umpire, other


@frozen
class Turns:
    """The sequence of play: a player turn of every side, in this order."""

    rule: str  # the paragraph
    sides: tuple[str, str]
    orders: tuple[Phase, ...]
    answer: Phase
    dice: Phase
    standing: Phase
    reckon: Callable[[Umpire[Any], Filing], None]  # the end of the game, after the last turn
    marks: tuple[str, ...] = ()  # tables of marks that play creates; a first position may have these marks
    duties: tuple[Phase, ...] = ()  # phases before a side's orders, such as losses without supply

    @cached_property
    def _table(self) -> tuple[Mapping[str, Stage], Mapping[str, Stage]]:
        over = Stage(OVER, self.rule, "", (), (), "nothing: the game is over")
        rows = [*self._player_turn(self.sides[0], last=False), *self._player_turn(self.sides[1], last=True), over]
        return split_stages(rows, self.standing)

    def _player_turn(self, side: str, *, last: bool) -> list[Stage]:
        foe = other(self.sides, side)
        orders, answer, dice, after = f"{side}-orders", f"{side}-answer", f"{side}-dice", f"{foe}-orders"
        then, ends = ((), (after,)) if last else ((after,), ())
        end = (
            Phase("reckoning", self.rule, self.reckon, when=self._game_ends, sided=False),
            Phase("next-turn", self.rule, self._next_turn, when=self._turn_ends, announced=False),
        )
        after_dice = end if last else ()
        split = Split(f"dice and results of the {side} attacks", "the end of the turn", always=last)
        moves = f"{side} moves and attacks"
        return [
            Stage(orders, self.rule, side, self.duties, (*self.orders, *after_dice), moves, (answer, *then), ends),
            Stage(
                answer, self.rule, foe, (), (self.answer,), f"the answer to the {side} attacks", (dice,), kind=ANSWER
            ),
            Stage(dice, self.rule, side, (self.dice,), after_dice, "dice and results", then, ends, DICE, split=split),
        ]

    def _turn_ends(self, umpire: Umpire[Any], filing: Filing) -> bool:
        return umpire.state.side == self.sides[1] and not filing.order(BATTLES) and BATTLES not in umpire.state.agenda

    def _game_ends(self, umpire: Umpire[Any], filing: Filing) -> bool:
        return self._turn_ends(umpire, filing) and umpire.state.turn == umpire.setting.turns[-1]

    def _next_turn(self, umpire: Umpire[Any], _filing: Filing) -> None:
        umpire.next_turn(self.rule, umpire.setting.turns)

    def stages(self, setting: Any) -> Mapping[str, Stage]:
        """Return the stages of a game by key."""
        return self._table[setting.refereed]

    def follow(self, umpire: Umpire[Any], _filing: Filing, stage: str) -> str:
        """Return the key of the next stage; '' after an answer, because only one stage can follow."""
        side, _dash, kind = stage.partition("-")
        if kind == "orders" and BATTLES in umpire.state.agenda:
            return f"{side}-answer"
        return "" if kind == "answer" else f"{other(self.sides, side)}-orders"

    def seals(self, umpire: Umpire[Any], filing: Filing) -> None:
        """Refuse every seal."""
        umpire.seals(filing, self.rule, ())

    def quiet(self, setting: Any, state: State) -> bool:
        """Return whether the message contains no choices, because it only rolls dice."""
        return self.stages(setting)[state.stage].kind == DICE or state.stage.endswith("-dice")

    def setup(self, setting: Any) -> State:
        """Return the first position of the game, with the first side to move."""
        return set_up(setting, f"{self.sides[0]}-orders")

    def resume(self, setting: Any, state: State) -> State | str:
        """Return a position as the first position of a new game, without standing policies, or why it cannot begin."""
        state = drop_standing(state)
        side, _dash, kind = state.stage.partition("-")
        if state.stage == OVER:
            return "the game is over there"
        if kind != "orders" or side != state.side or side not in self.sides or state.agenda:
            return "a declared attack waits"
        first = self.setup(setting)
        same = state.units.keys() == first.units.keys() and state.tracks.keys() == first.tracks.keys()
        if not same or state.turn not in setting.turns or state.marks.keys() - {*first.marks, *self.marks}:
            return "it is no position of this scenario"
        return "".join(find_errors(setting, state)[:1]) or state
