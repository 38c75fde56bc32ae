"""Effects of entering a hex, by whatever way, and of Disruption (4.0, 15.2, 18.0; J-49, J-56)."""

from __future__ import annotations

from kursk_pbem.kernel.events import Marked, Moved, Noted, Placed, Removed, Unmarked
from kursk_pbem.kernel.hexes import cities
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.position import view
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, FERDINAND, Setting

GONE = "2.0-de"  # reports omit markers of eliminated units


def move_unit(umpire: Umpire[Setting], rule: str, uid: str, path: tuple[str, ...], how: str, mp: str = "") -> None:
    """Move a unit along a legal path, with the effects of every hex. ``path``: the hex labels after the start."""
    for label in path:
        run_over_units(umpire, uid, label)
    umpire.emit(Moved(rule, uid, umpire.state.units[uid].place, path, how, mp))
    remove_marker(umpire, "15.1", marks.ENTRENCHED, uid)
    remove_marker(umpire, "14.2", marks.EMPLACED, uid)  # J-40: a moving or retreating unit is in road mode afterwards
    for label in path:
        record_entry(umpire, uid, label)


def place_unit(umpire: Umpire[Setting], rule: str, uid: str, label: str, how: str) -> None:
    """11.1, 11.2, J-77: place an arriving unit, even in a full hex. The unit does not become Disrupted."""
    umpire.emit(Placed(rule, uid, label, 1, how))
    record_entry(umpire, uid, label)


def run_over_units(umpire: Umpire[Setting], uid: str, label: str) -> None:
    """13.4: eliminate a lone enemy unit with values in square brackets when a unit enters its hex."""
    pos = view(umpire)
    for other in pos.here(umpire.setting.board.index[label], ENEMY[pos.side(uid)]):
        eliminate_unit(umpire, "13.4", other, f"run over by {umpire.setting.counters[uid].short}")


def record_entry(umpire: Umpire[Setting], uid: str, label: str) -> None:
    """15.2, 18.0, J-49, J-56: record that a unit entered a hex: a line there is lost, or the city changes hands."""
    setting, side = umpire.setting, umpire.setting.counters[uid].side
    hex_ = setting.board.index[label]
    if line := setting.lines.get(hex_):
        if line.owner != side:
            mark_line_lost(umpire, label)
        elif umpire.state.mark(marks.BREACHED, label):
            umpire.emit(Unmarked("15.2", marks.BREACHED, label))
    if hex_ in setting.cities:
        cities.record_entry(umpire, "18.0", marks.CONTROL, label, side)


def mark_line_lost(umpire: Umpire[Setting], label: str) -> None:
    """15.2, J-49: mark a hex of a line as lost by its owner."""
    if not umpire.state.mark(marks.BREACHED, label):
        umpire.emit(Marked("15.2", marks.BREACHED, label, marks.YES))


def remove_marker(umpire: Umpire[Setting], rule: str, table: str, uid: str) -> None:
    """Remove a marker from a unit or hex, if there is such a marker."""
    if umpire.state.mark(table, uid):
        umpire.emit(Unmarked(rule, table, uid))


def eliminate_unit(umpire: Umpire[Setting], rule: str, uid: str, why: str) -> None:
    """Eliminate a unit and remove its markers."""
    for table in (marks.DISRUPTED, marks.ENTRENCHED, marks.EMPLACED, marks.KEIL):
        remove_marker(umpire, GONE, table, uid)
    umpire.emit(Removed(rule, uid, ELIMINATED, why))


def disrupt_unit(umpire: Umpire[Setting], rule: str, uid: str, why: str, *, result: bool = False) -> None:
    """4.0, 4.0-entrenched, 14.1: Disrupt a unit. An entrenched unit loses its entrenchment instead (J-15).

    A Panzerkeil ends only if its unit is Disrupted by a combat ``result`` (J-6).
    """
    if umpire.state.mark(marks.DISRUPTED, uid):
        remove_marker(umpire, "4.0-entrenched", marks.ENTRENCHED, uid)
    else:
        umpire.emit(Noted(rule, f"{umpire.setting.counters[uid].name} is Disrupted: {why}"))
        umpire.emit(Marked(rule, marks.DISRUPTED, uid, marks.YES))
    if result:
        remove_marker(umpire, "14.1", marks.KEIL, uid)


def disrupt_in_place(umpire: Umpire[Setting], rule: str, uid: str, why: str) -> None:
    """14.3: Disrupt a unit that stays in its hex. Ferdinands are eliminated instead of Disrupted."""
    if umpire.setting.counters[uid].kind == FERDINAND:
        eliminate_unit(umpire, "14.3", uid, "Ferdinands are lost when Disrupted")
    else:
        disrupt_unit(umpire, rule, uid, why, result=True)
