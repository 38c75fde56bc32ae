"""The rules as a search among orders uses them: rows of ``python tools/targets.py --parts search``."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import Any


def make_rows(kit: Any, row: Any, timed: Any) -> Iterator[Any]:
    """Yield rows for a search among orders: a message, a position after a move, and a battle with one of its dice.

    ``row``, ``timed``: the row and the timer of `targets`.
    """
    from helpers import finished_games

    from kursk_pbem.game import folders, histories
    from kursk_pbem.kernel.adjudicate import adjudicate
    from kursk_pbem.kernel.events import Moved
    from kursk_pbem.kernel.orders import filing
    from kursk_pbem.kernel.umpire import Umpire

    two = [name for name, plot in kit.plots.items() if not plot.refereed]
    longest = max((finished_games.folder_of(kit, name) for name in two), key=lambda at: len(folders.message_files(at)))
    steps: list[Any] = [step for step in histories.load(longest).steps if step.result is not None and step.result.told]
    setting, ruleset = steps[0].before.setting, kit.ruleset
    first = timed(lambda: [steps[-1].before.state.with_().sha256() for _time in range(20)], 20)
    todo = [
        (step, dataclasses.replace(filing(step.message.content), reveal=step.after.chain.reveals)) for step in steps
    ]

    def judge() -> None:
        for step, filed in todo:
            adjudicate(ruleset, setting, step.before.state.with_(), filed, Fallen(filed.seq, step.result.dice))

    yield row(f"{kit.id}: a message, judged", 2, timed(judge, len(todo)), first)
    if kit.id == "armor-commander":
        return
    view = import_module(f"kursk_pbem.rulesets.{kit.id.replace('-', '_')}.position").view
    most = max(steps, key=lambda step: sum(isinstance(event, Moved) for event in step.result.events))
    moves = [event for event in most.result.events if isinstance(event, Moved)]

    def lead_on() -> None:
        umpire = Umpire(setting, most.result.before, 1)
        view(umpire)
        for move in moves:
            umpire.emit(move)
            umpire.keep_views()
            ruleset.play.margin(setting, umpire.state)

    yield row(f"{kit.id}: a position after a move, with its points", 0.1, timed(lead_on, len(moves)), first)
    waiting = [pair for pair in todo if pair[0].result.dice and "battles" in pair[0].before.state.agenda]
    fights = [(*pair, order) for pair in waiting for order in pair[0].before.state.agenda["battles"]][:20]
    fights = [each for each in fights if _fight(ruleset, view, *each)]  # without battles of too many dice
    ways = sum(len(_fight(ruleset, view, *each)) for each in fights)
    fight_all = timed(lambda: [_fight(ruleset, view, *each) for each in fights], ways)
    yield row(f"{kit.id}: a battle, with one of its dice", 0.2, fight_all, first)


@dataclasses.dataclass
class Fallen:
    """The dice of a finished game."""

    seq: int
    dice: Any

    def roll(self, label: str, _number: int) -> str:
        return str(self.dice[label])


def _fight(ruleset: Any, view: Any, step: Any, filed: Any, order: Any) -> Any:
    """Fight one declared battle with all its dice, by the real rules."""
    from kursk_pbem.kernel.branches import run_branches
    from kursk_pbem.kernel.events import Scheduled
    from kursk_pbem.kernel.umpire import GameEnded, Umpire

    setting, state = step.before.setting, step.before.state
    start: Any = Umpire(setting, state, filed.seq)
    view(start)
    start.emit(Scheduled("", "battles", [order]), *(Scheduled("", key, None) for key in ("strikes", "raids")))
    start = start.goes_on()

    def run(dice: Any) -> Any:
        umpire = start.goes_on(dice)
        with suppress(GameEnded):
            for phase in (phase for phase in ruleset.stage(setting, state).duties if phase.rolls):
                if phase.when is None or phase.when(umpire, filed):
                    phase.run(umpire, filed)
        return umpire.state

    return run_branches(filed.seq, run)
