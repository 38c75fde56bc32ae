"""Hints of a draft, possible actions and unused orders, for movement, attacks and answers together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.brief import Unused, split_phases
from kursk_pbem.kernel.events import Event
from kursk_pbem.kernel.hexes import commands
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.usual.answers import Retreats
from kursk_pbem.kernel.hexes.usual.attacks import Attacks
from kursk_pbem.kernel.hexes.usual.movement import Movement
from kursk_pbem.kernel.hexes.usual.position import position
from kursk_pbem.kernel.hexes.usual.turns import Turns
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.outlook import Outlook
from kursk_pbem.kernel.ruleset import Hint
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.kernel.verbs import Verb
from kursk_pbem.kernel.words import plural, some


@frozen
class Shown:
    """The displays for a player who has to choose."""

    turns: Turns
    movement: Movement
    attacks: Attacks
    retreats: Retreats

    def outlook(self, setting: Any, state: State, unit: str) -> Outlook:
        """Return what the next writer, or one unit, can do. Raises UsageError if the unit is not on the map."""
        pos = position(setting, state)
        if unit and unit not in pos.where:
            raise UsageError(f"{unit} is no unit on the map")
        side = pos.side(unit) if unit else state.side
        if not unit and self.movement.key not in self._phase_keys(setting, state):
            return Outlook(side, (), (), ("Nothing moves in the message that is due.",))
        heading = f"Possible attacks from the present hexes [{self.attacks.rule}]"
        targets = tuple(self.attacks.targets(pos, side, unit))
        return Outlook(side, (self.movement.shown(pos, side, unit),), targets, (), heading)

    def hints(self, setting: Any, state: State, _seq: int) -> tuple[Hint, ...]:
        """Return the comments of a draft, one for every part of the message."""
        return tuple(self._yield_hints(setting, state))

    def _yield_hints(self, setting: Any, state: State) -> Iterator[Hint]:
        keys, pos = self._phase_keys(setting, state), position(setting, state)
        if self.movement.key in keys:
            yield self.movement.hint(pos, f"Movement ({self.movement.rule}), in written order.")
            yield self.attacks.hint(pos, f"Attacks ({self.attacks.rule}), from the hexes after movement.")
        if self.retreats.answered.key in keys:
            yield self.retreats.hint(pos, f"The answer to the attacks ({self.retreats.rule}).")
        if self.retreats.standing.key in keys:
            yield self.retreats.hint(pos, f"Your open answer to later attacks ({self.retreats.rule}).")

    def unused(self, setting: Any, before: State, events: Sequence[Event], filing: Filing) -> tuple[Unused, ...]:
        """Return what a draft leaves unused: hexes not attacked, units without a move, a missing answer."""
        return tuple(self._find_unused(setting, before, events, filing))

    def _find_unused(self, setting: Any, before: State, events: Sequence[Event], filing: Filing) -> Iterator[Unused]:
        done = {part.phase: part for part in split_phases(before, events)}
        if any(part.after.stage == OVER for part in done.values()):  # the orders win the game
            return
        if self.movement.key in done:
            pos = position(setting, done[self.movement.key].after)
            attacked = {order["hex"] for order in filing.order(BATTLES)}
            targets = [one.place for one in self.attacks.targets(pos, filing.writer) if one.place not in attacked]
            if targets:
                yield Unused(self.attacks.rule, f"you do not attack {some(targets)}")
            moved = {order["unit"] for order in filing.order(self.movement.key)}
            able = [uid for uid, _ends in self.movement.able(pos, filing.writer) if uid not in moved]
            if able:
                yield Unused(self.movement.rule, f"{plural(len(able), 'unit')} could move: {some(able)}")
        if self.retreats.answered.key in done and not filing.policy:
            yield Unused(self.retreats.rule, "you gave no answer about retreats")

    def verbs(self, _setting: Any) -> tuple[Verb, ...]:
        """Return the verbs of ``kursk order``."""
        return self.movement.word(), self.attacks.word(), self.retreats.word()

    def command(self, _choices: dict[str, Any], path: Path, order: Any) -> str:
        """Return an entry of a draft as the player types it after ``kursk order``, or ''."""
        match path:
            case ("policy", *_rest):
                return commands.write_answer(path, order)
            case ("orders", key, _at) if key == self.movement.key:
                return commands.write_move(self.movement.verb, order)
            case ("orders", key, _at) if key == BATTLES:
                return f"attack {order['hex']} with {' '.join(order['units'])} as {order['id']}"
            case _:
                return ""

    def _phase_keys(self, setting: Any, state: State) -> set[str]:
        return {phase.key for phase in self.turns.stages(setting)[state.stage].phases}
