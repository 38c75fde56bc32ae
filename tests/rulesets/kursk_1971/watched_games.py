"""Games of Kursk (1971) for tests: a short skirmish with aircraft, and whole scenarios."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from helpers.adversary import Content, Draft, Sitting
from helpers.watched_play import Play, Seen, watched

from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.setting import Setting
from rulesets.kursk_1971.board import at, bare, shipped
from rulesets.kursk_1971.random_play import Chooser

BESIDE = {
    "1514": "g-gd g-505 g-110",
    "1414": "g-3pz",
    "1513": "s-1t s-13at",
    "1413": "s-61-1 s-8art s-61-2",
    "1613": "s-5gm",
    "1516": "g-air1 g-air2",
    "1518": "g-t g-296",
    "1610": "s-air1 s-air2",
    "1611": "s-9g",
}


class Skirmisher(Chooser):
    """A player without marches: adjacent armies fight."""

    def moves(self, shadow: Umpire[Setting], phase: str, orders: Content) -> None:
        return


def _play(setting: Setting, start: State, chooser: type[Chooser]) -> Play:
    return Play(RULESET, setting, start, lambda state, seq, rng: chooser(setting, rng).content(state, seq), misplaced)


def misplaced(stage: str) -> Content:
    """Return content that is illegal in a message of this stage."""
    moves: Content = {"orders": {"movement": [{"unit": "g-gd", "to": "1512"}]}}
    return moves if stage.endswith("-answer") else {"policy": {"retreat": ["1514"]}}


def skirmish(**options: str) -> Play:
    setting = bare(forest=("1613",), rivers=("1414-1413",), lines=(("soviet", ("1513",)),), **options)
    return _play(setting, at(setting, BESIDE), Skirmisher)


def whole(name: str, **options: str) -> Play:
    """Play a scenario from its set-up."""
    setting = shipped(name, **options)
    return _play(setting, RULESET.data.setup(setting), Chooser)


PLAYS: dict[str, Callable[[], Play]] = {
    "skirmish": skirmish,
    "skirmish, print": lambda: skirmish(edition="print"),
    "july4-historical": lambda: whole("july4-historical"),
    "may3": lambda: whole("may3", edition="print"),
    "august3": lambda: whole("august3"),
}
MOST = {"skirmish": 24}
"""Messages of a usual game; 7 of the others."""


@cache
def usual(name: str, number: int) -> Seen:
    """Play a short game, varied by the number."""
    return watched(PLAYS[name](), number, MOST.get(name.partition(",")[0], 7))


@cache
def written() -> Mapping[str, list[tuple[Sitting, Draft]]]:
    """Yield a position of every stage, with its message."""
    found: dict[str, list[tuple[Sitting, Draft]]] = {}
    for name in PLAYS:
        for stage, messages in usual(name, 0).written.items():
            found.setdefault(stage, []).extend(messages)
    return found
