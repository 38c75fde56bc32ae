"""19.1 Replacements and reinforcements, at the beginning of a turn, in the last Russian message of the turn before."""

from __future__ import annotations

from kursk_pbem.kernel.events import Noted, Tracked
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.juggernauts import entry
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, RUSSIAN, Setting

FACTORS = "replacements"  # track: saved tank factors


def bring_reinforcements(umpire: Umpire[Setting]) -> None:
    """11.1, 11.2, J-34, J-56, J-72: save replacement factors, and place due units in Tula or Voronezh if possible."""
    umpire.emit(Tracked("11.2", FACTORS, umpire.state.tracks[FACTORS] + umpire.setting.factors))
    turn = umpire.setting.turns.index(umpire.state.turn) + 1
    away = [counter for uid, counter in umpire.setting.counters.items() if umpire.state.units[uid].place == OFF_MAP]
    due = sorted((counter.arrives, counter.id) for counter in away if 0 < counter.arrives <= turn)
    for _turn, uid in due:
        pos = view(umpire)
        if label := next((label for label in umpire.setting.arrivals["reinforcements"] if _is_free(pos, label)), ""):
            entry.place_unit(umpire, "11.1", uid, label, "arrives")
        else:
            name = pos.counter(uid).name
            umpire.emit(Noted("11.1", f"{name} waits: no possible place of arrival is in Russian hands"))


def _is_free(pos: Position, label: str) -> bool:
    """J-34: return whether a hex is in Russian hands and contains no German unit."""
    hex_ = pos.setting.board.index[label]
    held = pos.owner(label) == RUSSIAN if hex_ in pos.setting.cities else True
    return held and not pos.occupied[GERMAN] >> hex_ & 1


def can_return_to(pos: Position, label: str) -> bool:
    """J-35: return whether a replacement may enter a hex of its list: the hex must be Russian and in supply."""
    listed = label in pos.setting.arrivals["replacements"]
    return listed and _is_free(pos, label) and bool(pos.supply(RUSSIAN) >> pos.setting.board.index[label] & 1)


def list_lost_tanks(pos: Position) -> list[str]:
    """11.2, J-38: return the eliminated tank corps and tank armies. Mechanized corps never return."""
    lost = sorted(uid for uid, unit in pos.state.units.items() if unit.place == ELIMINATED)
    return [uid for uid in lost if pos.counter(uid).kind == "tank"]


def return_tanks(umpire: Umpire[Setting], filing: Filing) -> None:
    """11.2, 19.1: return eliminated tank units to the map for their attack factors. They are not Disrupted."""
    for number, order in enumerate(filing.order("replacements")):
        uid, label, path = order["unit"], order["hex"], ("orders", "replacements", number)
        pos, saved = view(umpire), umpire.state.tracks[FACTORS]
        if uid not in list_lost_tanks(pos):
            umpire.refuse("11.2", "is no eliminated tank corps or tank army of yours", uid, (*path, "unit"))
        elif label not in umpire.setting.board.index or not can_return_to(pos, label):
            places = " or ".join(umpire.setting.arrivals["replacements"])
            why = f"returns to {places}, if Russian and in supply"
            umpire.refuse("11.2", why, uid, (*path, "hex"))
        elif (cost := pos.counter(uid).attack) > saved:
            umpire.refuse("11.2", f"costs {plural(cost, 'factor')}; left to pay with: {saved}", uid, (*path, "unit"))
        else:
            umpire.emit(Tracked("11.2", FACTORS, saved - cost))
            entry.place_unit(umpire, "11.2", uid, label, "return")
