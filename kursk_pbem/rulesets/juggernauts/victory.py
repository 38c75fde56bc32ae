"""18.0 Victory: who holds which cities, and what that is worth; looked at where the sequence says."""

from __future__ import annotations

from dataclasses import dataclass

from kursk_pbem.kernel.events import Noted
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import Verdict
from kursk_pbem.kernel.state import VERDICT, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, RUSSIAN, Setting

NORMAL, SMASHING, DRAW = "normal", "smashing", "draw"
Marks = tuple[tuple[str, bool], ...]  # hex, whether it is as it should be
RULES = {GERMAN: "18.1", RUSSIAN: "18.2"}


@dataclass(frozen=True)
class Goals:
    """How a side stands: for what to take, to hold, and what more would do."""

    take: Marks
    hold: Marks
    more: Marks
    level: str
    needs_one: bool = False


def _held(pos: Position, side: str, key: str) -> Marks:
    return tuple((label, pos.owner(label) == side) for label in pos.setting.victory[side][key])


def german(pos: Position) -> Goals:
    """18.1, J-36: Kursk in supply, the four cities held; with Tula or Voronezh it is Smashing."""
    goals, supply, index = pos.setting.victory[GERMAN], pos.supply(GERMAN), pos.setting.board.index
    take = tuple((label, pos.owner(label) == GERMAN and bool(supply >> index[label] & 1)) for label in goals["take"])
    hold, more = _held(pos, GERMAN, "hold"), _held(pos, GERMAN, "more")
    won = all(done for _label, done in (*take, *hold))
    level = (SMASHING if any(done for _label, done in more) else NORMAL) if won else ""
    return Goals(take, hold, more, level)


def russian(pos: Position) -> Goals:
    """18.2, J-36: Orel and one of the four cities, all own ones held; three of the four are Smashing."""
    goals = pos.setting.victory[RUSSIAN]
    take, more, hold = (_held(pos, RUSSIAN, key) for key in ("take", "any", "hold"))
    number = sum(done for _label, done in more)
    won = number and all(done for _label, done in (*take, *hold))
    level = (SMASHING if number >= goals["smashing"] else NORMAL) if won else ""
    return Goals(take, hold, more, level, needs_one=True)


def reckon(umpire: Umpire[Setting], filing: Filing) -> None:
    """19.2-6, 19.3-7: whether the enemy has won, after the operations of whoever writes."""
    winner, goals = (RUSSIAN, russian) if filing.writer == GERMAN else (GERMAN, german)
    if level := goals(view(umpire)).level:
        umpire.finish(RULES[winner], winner, level)


def end(umpire: Umpire[Setting], _filing: Filing) -> None:
    """18.0, J-58: after the last turn without a victory the game is drawn."""
    umpire.emit(Noted("18.0", "neither side has met its victory conditions"))
    umpire.finish("18.0", "", DRAW)


def verdict(_setting: Setting, state: State) -> Verdict | None:
    """How the game ended by the rules, None while it goes on."""
    how = state.mark(VERDICT, "how")
    if not how:
        return None
    winner = state.mark(VERDICT, "winner").replace("draw", "")
    if how == DRAW:
        return Verdict("", how, "Draw: neither side has met its victory conditions (18.0)")
    name = "Smashing Strategic Victory, worth two games" if how == SMASHING else "victory"
    return Verdict(winner, how, f"{winner.capitalize()} {name} ({RULES[winner]})")
