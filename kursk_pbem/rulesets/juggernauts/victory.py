"""18.0 Victory: owners of cities, and their worth, checked at the times of the sequence."""

from __future__ import annotations

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Noted
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import make_verdict
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, RUSSIAN, Setting

NORMAL, SMASHING, DRAW = "normal", "smashing", "draw"
Marks = tuple[tuple[str, bool], ...]  # hex, whether the goal is met there
RULES = {GERMAN: "18.1", RUSSIAN: "18.2"}


@frozen
class Goals:
    """How near a side is to victory: cities to take, cities to hold, and cities for a greater victory."""

    take: Marks
    hold: Marks
    more: Marks
    level: str
    needs_one: bool = False


def _check_cities(pos: Position, side: str, key: str) -> Marks:
    return tuple((label, pos.owner(label) == side) for label in pos.setting.victory[side][key])


def check_german_goals(pos: Position) -> Goals:
    """18.1, J-36: return the German goals: take Kursk in supply, hold four cities; Tula or Voronezh for Smashing."""
    goals, supply, index = pos.setting.victory[GERMAN], pos.supply(GERMAN), pos.setting.board.index
    take = tuple((label, pos.owner(label) == GERMAN and bool(supply >> index[label] & 1)) for label in goals["take"])
    hold, more = _check_cities(pos, GERMAN, "hold"), _check_cities(pos, GERMAN, "more")
    won = all(done for _label, done in (*take, *hold))
    level = (SMASHING if any(done for _label, done in more) else NORMAL) if won else ""
    return Goals(take, hold, more, level)


def check_russian_goals(pos: Position) -> Goals:
    """18.2, J-36: return the Russian goals: take Orel and one of four cities (three for Smashing), hold their own."""
    goals = pos.setting.victory[RUSSIAN]
    take, more, hold = (_check_cities(pos, RUSSIAN, key) for key in ("take", "any", "hold"))
    number = sum(done for _label, done in more)
    won = number and all(done for _label, done in (*take, *hold))
    level = (SMASHING if number >= goals["smashing"] else NORMAL) if won else ""
    return Goals(take, hold, more, level, needs_one=True)


def check_victory(umpire: Umpire[Setting], filing: Filing) -> None:
    """19.2-6, 19.3-7: end the game if the writer's opponent has reached all goals."""
    winner, goals = (RUSSIAN, check_russian_goals) if filing.writer == GERMAN else (GERMAN, check_german_goals)
    if level := goals(view(umpire)).level:
        umpire.finish(RULES[winner], winner, level)


def end_game(umpire: Umpire[Setting], _filing: Filing) -> None:
    """18.0, J-58: end the game after the last turn as a draw."""
    umpire.emit(Noted("18.0", "neither side has met its victory conditions"))
    umpire.finish("18.0", "", DRAW)


def _describe_end(winner: str, how: str) -> str:
    if not winner:
        return "Draw: neither side has met its victory conditions (18.0)"
    name = "Smashing Strategic Victory, worth two games" if how == SMASHING else "victory"
    return f"{winner.capitalize()} {name} ({RULES[winner]})"


find_verdict = make_verdict(_describe_end)
