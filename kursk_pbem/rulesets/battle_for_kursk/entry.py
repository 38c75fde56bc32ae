"""Effects of entering a hex: control of cities, the objective, Moscow.

Moves, retreats, advances and placements use this module (10.0 Friendly Controlled, 12.1, 5.0; K-36, K-68, K-69).
"""

from __future__ import annotations

from kursk_pbem.kernel.events import Marked, Moved, Noted, Tracked, Unmarked
from kursk_pbem.kernel.hexes import cities
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, Setting


def move(umpire: Umpire[Setting], rule: str, uid: str, path: tuple[str, ...], how: str, mp: str = "") -> None:
    """Move a unit along a legal path, with the effects of every hex. ``path``: the hex labels after the start."""
    setting = umpire.setting
    moscow = setting.board.labels[setting.moscow]
    if setting.counters[uid].side == GERMAN and moscow in path:
        path = path[: path.index(moscow) + 1]  # the game ends there (K-69)
    umpire.emit(Moved(rule, uid, umpire.state.units[uid].place, path, how, mp))
    for label in path:
        record_entry(umpire, uid, label)


def record_entry(umpire: Umpire[Setting], uid: str, label: str) -> None:
    """10.0, 12.1, 5.0: update the control of cities, objective and Moscow when a unit has entered a hex."""
    setting, side = umpire.setting, umpire.setting.counters[uid].side
    hex_ = setting.board.index[label]
    if hex_ in setting.cities:
        cities.record_entry(umpire, "10.0-friendly-controlled", "control", label, side)
    if umpire.state.mark("objective", "hex") == label and umpire.state.mark("objective", "side") == side:
        win_objective(umpire, side, label)
    if side == GERMAN and hex_ == setting.moscow:
        umpire.finish("5.0-moscow", GERMAN, "moscow")


def win_objective(umpire: Umpire[Setting], side: str, label: str) -> None:
    """12.1: give a side the point for entering its Strategic Objective, and remove the objective marker (K-68)."""
    umpire.emit(
        Noted("12.1-won", f"the Strategic Objective in {label} is occupied: 1 victory point"),
        Marked("12.1-won", "objective", "won", side),
        Unmarked("12.1-won", "objective", "hex"),
    )


def spend_offensive(umpire: Umpire[Setting], rule: str, side: str, number: int, why: str) -> None:
    """9.2.1-marker, 12.0 (2): remove Offensive markers of a side. The caller checks that the side has so many."""
    track = f"offensives-{side}"
    umpire.emit(Tracked(rule, track, umpire.state.tracks[track] - number, -number, why))
