"""Small pictures for the home page: how a scenario begins, how a game stands."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.shelf import views
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import State
from kursk_pbem.report import svgthumb


@lru_cache(maxsize=64)
def of_scenario(scenario: str) -> str:
    """The first position of a scenario. UsageError if there is none such, FileError if it has a fault."""
    start = views.of_scenario(scenario)
    if start is None:
        raise UsageError("there is no such scenario")
    return _drawn(start.ruleset, start.setting, start.state)


def of_game(room: Room, game: str, *, whole: bool) -> str:
    """The position of a game; the ``whole`` of its map for the corner of that, where its frame lies. KurskError."""
    played = room.desk(game).game
    return _drawn(played.ruleset, played.setting, played.state, whole=whole)


def _drawn(ruleset: Ruleset, setting: Any, state: State, *, whole: bool = False) -> str:
    return svgthumb.draw(ruleset.seen.picture(setting, state), ruleset.sides, whole=whole)
