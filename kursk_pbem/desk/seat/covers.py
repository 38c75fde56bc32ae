"""Small pictures for the home page: a scenario's first position, a game's current position."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from kursk_pbem.desk.games import views
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import State
from kursk_pbem.report.pictures import svg


@lru_cache(maxsize=64)
def draw_scenario(scenario: str) -> str:
    """Return a picture of a scenario's first position. Raises UsageError if unknown, FileError for faulty data."""
    start = views.view_scenario(scenario)
    if start is None:
        raise UsageError("the scenario does not exist")
    return _draw_cover(start.ruleset, start.setting, start.state)


def draw_game(room: Room, game: str, *, whole: bool, before: bool) -> str:
    """Return a picture of a game's position, or of the position ``before`` the last message. Raises KurskError.

    ``whole``: the whole map instead of the part with units.
    """
    desk = room.desk(game)
    played = desk.history.last_step.before if before else desk.game
    return _draw_cover(played.ruleset, played.setting, played.state, whole=whole)


def _draw_cover(ruleset: Ruleset, setting: Any, state: State, *, whole: bool = False) -> str:
    return svg.draw_thumbnail(ruleset.seen.picture(setting, state), ruleset.sides, whole=whole)
