"""What happens the moment a unit enters a hex or is Disrupted, by whatever way: cities, lines, entrenchments, markers.

Moving, retreating, advancing and arriving all come through here (15.2, 18.0, 4.0; J-49, J-56).
"""

from __future__ import annotations

from kursk_pbem.kernel.events import Marked, Moved, Noted, Placed, Removed, Unmarked
from kursk_pbem.kernel.hexes import cities
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.position import view
from kursk_pbem.rulesets.juggernauts.setting import ENEMY, FERDINAND, Setting

GONE = "2.0-de"  # markers that leave with a unit are not told


def move(umpire: Umpire[Setting], rule: str, uid: str, path: tuple[str, ...], how: str, mp: str = "") -> None:
    """Move a unit along a legal path and let every entry count. ``path``: labels entered, the start not among them."""
    for label in path:
        run_over(umpire, uid, label)
    umpire.emit(Moved(rule, uid, umpire.state.units[uid].place, path, how, mp))
    unmark(umpire, "15.1", marks.ENTRENCHED, uid)
    unmark(umpire, "14.2", marks.EMPLACED, uid)  # J-40: who moves or retreats is in road mode after it
    for label in path:
        entered(umpire, uid, label)


def place(umpire: Umpire[Setting], rule: str, uid: str, label: str, how: str) -> None:
    """11.1, 11.2, J-77: place a unit that arrives, not Disrupted, also in a hex that is full."""
    if not view(umpire).keeps(uid, umpire.setting.board.index[label]):
        umpire.repaired(3, rule)
    umpire.emit(Placed(rule, uid, label, 1, how))
    entered(umpire, uid, label)


def run_over(umpire: Umpire[Setting], uid: str, label: str) -> None:
    """13.4: a unit in square brackets that is alone in a hex is destroyed by who enters it."""
    pos = view(umpire)
    for other in pos.here(umpire.setting.board.index[label], ENEMY[pos.side(uid)]):
        eliminate(umpire, "13.4", other, f"run over by {umpire.setting.counters[uid].short}")


def entered(umpire: Umpire[Setting], uid: str, label: str) -> None:
    """15.2, 18.0: lines and cities after ``uid`` has entered ``label`` (J-49, J-56)."""
    setting, side = umpire.setting, umpire.setting.counters[uid].side
    hex_ = setting.board.index[label]
    if line := setting.lines.get(hex_):
        if line.owner != side:
            lose_line(umpire, label)
        elif umpire.state.mark(marks.BREACHED, label):
            umpire.emit(Unmarked("15.2", marks.BREACHED, label))
    if hex_ in setting.cities:
        cities.record_entry(umpire, "18.0", marks.CONTROL, label, side)


def lose_line(umpire: Umpire[Setting], label: str) -> None:
    """15.2, J-49: mark a line hex as lost, if it is not."""
    if not umpire.state.mark(marks.BREACHED, label):
        umpire.emit(Marked("15.2", marks.BREACHED, label, marks.YES))


def unmark(umpire: Umpire[Setting], rule: str, table: str, uid: str) -> None:
    """Take a marker away, if it lies there."""
    if umpire.state.mark(table, uid):
        umpire.emit(Unmarked(rule, table, uid))


def eliminate(umpire: Umpire[Setting], rule: str, uid: str, why: str) -> None:
    """A unit leaves the game, its markers with it."""
    for table in (marks.DISRUPTED, marks.ENTRENCHED, marks.EMPLACED, marks.KEIL):
        unmark(umpire, GONE, table, uid)
    umpire.emit(Removed(rule, uid, ELIMINATED, why))


def disrupt(umpire: Umpire[Setting], rule: str, uid: str, why: str, *, result: bool = False) -> None:
    """4.0, 4.0-entrenched, 14.1: Disrupt a unit; a second time it loses its entrenchment, nothing else (J-15).

    A Panzerkeil ends only if a combat ``result`` Disrupts it (J-6).
    """
    if umpire.state.mark(marks.DISRUPTED, uid):
        unmark(umpire, "4.0-entrenched", marks.ENTRENCHED, uid)
    else:
        umpire.emit(Noted(rule, f"{umpire.setting.counters[uid].name} is Disrupted: {why}"))
        umpire.emit(Marked(rule, marks.DISRUPTED, uid, marks.YES))
    if result:
        unmark(umpire, "14.1", marks.KEIL, uid)
    elif umpire.state.mark(marks.KEIL, uid):
        umpire.repaired(3, "14.1")


def shake(umpire: Umpire[Setting], rule: str, uid: str, why: str) -> None:
    """14.3: a unit is Disrupted in place, which is the end of Ferdinands."""
    if umpire.setting.counters[uid].kind == FERDINAND:
        eliminate(umpire, "14.3", uid, "Ferdinands are lost when Disrupted")
    else:
        disrupt(umpire, rule, uid, why, result=True)
