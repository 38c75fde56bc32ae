"""Step 1 of a player turn, and recovery: entrenchment (15.1), Panzerkeil (14.1), ArtKor (14.2), Disruption (5.0)."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.kernel.events import Marked, Noted, Unmarked
from kursk_pbem.kernel.hexes.grid import POINTY_NAMES
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import air, marks
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import ARTILLERY, GERMAN, RUSSIAN, Setting


def entrench(umpire: Umpire[Setting], filing: Filing) -> None:
    """15.1, 19.2-1, 19.3-1, J-37, J-61: entrench all infantry that is not Disrupted, without a cost."""
    pos = view(umpire)
    for uid in (uid for uid in pos.units(filing.writer) if pos.counter(uid).infantry):
        if not pos.is_marked(marks.DISRUPTED, uid) and not pos.is_marked(marks.ENTRENCHED, uid):
            umpire.emit(Marked("15.1", marks.ENTRENCHED, uid, marks.YES))


def can_form(pos: Position, uid: str) -> bool:
    """14.1: return whether a panzerkorps can form a Panzerkeil: with Tigers or Ferdinands in its hex, not Disrupted."""
    if uid not in pos.where or not pos.counter(uid).panzerkorps or pos.is_marked(marks.DISRUPTED, uid):
        return False
    makers = [other for other in pos.at[pos.where[uid]] if pos.counter(other).wedge]
    return pos.counter(uid).tigers or not all(pos.is_marked(marks.DISRUPTED, maker) for maker in makers)


def form_wedges(umpire: Umpire[Setting], filing: Filing) -> None:
    """14.1, 19.2-1, J-52, J-62: remove each Panzerkeil without Tigers. Then form and turn Panzerkeile by order."""
    pos = view(umpire)
    for uid in sorted(umpire.state.marks.get(marks.KEIL, {})):
        if not can_form(pos, uid):
            umpire.emit(Unmarked("14.1", marks.KEIL, uid))
    seen: set[str] = set()
    for number, order in enumerate(filing.order("panzerkeil")):
        uid, path = order["unit"], ("orders", "panzerkeil", number)
        if uid in seen:
            umpire.refuse("14.1", "is named twice", uid, path)
        elif uid not in pos.where or not pos.counter(uid).panzerkorps:
            umpire.refuse("14.1", "is no panzerkorps on the map", uid, (*path, "unit"))
        elif pos.is_marked(marks.DISRUPTED, uid):
            umpire.refuse("14.1", "is Disrupted, and therefore no Panzerkeil", uid, (*path, "unit"))
        elif not can_form(pos, uid):
            why = "needs undisrupted Tigers or Ferdinands in the hex to be a Panzerkeil"
            umpire.refuse("14.1", why, uid, (*path, "unit"))
        elif order["facing"] not in POINTY_NAMES:
            why = f"write the facing of a Panzerkeil as one of {', '.join(POINTY_NAMES)}"
            umpire.refuse("14.1", why, uid, (*path, "facing"))
        elif umpire.state.mark(marks.KEIL, uid) != order["facing"]:
            umpire.emit(Marked("14.1", marks.KEIL, uid, order["facing"]))
        seen.add(uid)


def set_artillery(umpire: Umpire[Setting], filing: Filing) -> None:
    """14.2, 19.3-1, J-40: before any movement, emplace artillery korps (ArtKor) or put them on the road."""
    seen: set[str] = set()
    for key, emplaced in (("emplace", True), ("road", False)):
        for number, uid in enumerate(filing.order(key)):
            pos, path = view(umpire), ("orders", key, number)
            counter = umpire.setting.counters.get(uid)
            if counter is None or counter.kind != ARTILLERY or counter.side != filing.writer or uid not in pos.where:
                umpire.refuse("14.2", "is no artillery korps of yours on the map", uid, path)
            elif uid in seen:
                umpire.refuse("14.2", "is named twice", uid, path)
            elif pos.is_marked(marks.DISRUPTED, uid):
                umpire.refuse("14.2", "is Disrupted, and cannot be changed now", uid, path)
            elif pos.is_marked(marks.EMPLACED, uid) == emplaced:
                umpire.refuse("14.2", f"is {'emplaced' if emplaced else 'on the road'} already", uid, path)
            elif emplaced:
                umpire.emit(Marked("14.2", marks.EMPLACED, uid, marks.YES))
            else:
                umpire.emit(Unmarked("14.2", marks.EMPLACED, uid))
            seen.add(uid)


def recover_units(umpire: Umpire[Setting], rule: str, uids: Iterable[str]) -> None:
    """5.0: recover the Disrupted units of a list. Only units on the map and in supply recover."""
    pos = view(umpire)
    for uid in sorted(uids):
        if uid in pos.where and pos.is_marked(marks.DISRUPTED, uid) and pos.is_supplied(uid):
            umpire.emit(Unmarked(rule, marks.DISRUPTED, uid))


def recover_unattacked(umpire: Umpire[Setting], _filing: Filing) -> None:
    """19.2-3, 5.0, J-13, J-63: recover Russian units without a declared attack, except Guards."""
    pos, attacked = view(umpire), {battle["hex"] for battle in umpire.state.agenda.get(BATTLES, ())}
    spared = [uid for uid in pos.where if umpire.state.units[uid].place not in attacked]
    recover_units(umpire, "19.2-3", [uid for uid in spared if is_ordinary(pos, uid)])


def is_ordinary(pos: Position, uid: str) -> bool:
    """5.0: return whether a unit is Russian and not a Guards unit."""
    counter = pos.counter(uid)
    return counter.side == RUSSIAN and not counter.guards


def recover_own(umpire: Umpire[Setting], filing: Filing) -> None:
    """19.2-8, 19.3-8, 5.0, 13.3: recover German units in supply, or Guards. Remove the markers of this player turn."""
    pos, german = view(umpire), filing.writer == GERMAN
    rule = "19.2-8" if german else "19.3-8"
    own = [uid for uid in pos.where if (pos.side(uid) == GERMAN if german else pos.counter(uid).guards)]
    recover_units(umpire, rule, own)
    for uid in sorted(umpire.state.marks.get(marks.ACTED, {})):
        umpire.emit(Unmarked(rule, marks.ACTED, uid))
    air.return_planes(umpire, turn=not german)


def report_supply(umpire: Umpire[Setting], filing: Filing) -> None:
    """19.2-7, 19.3-6, 16.3, J-56: report the units out of supply. The report does not change any unit."""
    pos, rule = view(umpire), "19.2-7" if filing.writer == GERMAN else "19.3-6"
    out = [pos.counter(uid).name for uid in pos.units(filing.writer) if not pos.is_supplied(uid)]
    umpire.emit(Noted(rule, f"out of supply: {', '.join(out)}" if out else "all units are in supply"))
