"""17.1 Set-up: the first position, and the free placement of armour in two rounds (17.2, J-57)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel.events import Marked, Placed, Unmarked
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import When
from kursk_pbem.kernel.state import OFF_MAP, State, Unit
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import marks
from kursk_pbem.rulesets.juggernauts.arrivals import FACTORS
from kursk_pbem.rulesets.juggernauts.position import Position, view
from kursk_pbem.rulesets.juggernauts.setting import GERMAN, Setting

HALF, REST = "deployment/half", "deployment/rest"


def make_first_state(setting: Setting) -> State:
    """17.1, J-60: return the first position. Infantry is entrenched, and one replacement factor is saved."""
    there = {uid: counter for uid, counter in setting.counters.items() if not counter.arrives}
    entrenched = {uid: marks.YES for uid, counter in there.items() if counter.infantry}
    emplaced = {uid: marks.YES for uid, counter in there.items() if counter.emplaced}
    laid = {marks.ENTRENCHED: entrenched, marks.EMPLACED: emplaced}
    units = {uid: Unit(counter.hex if uid in there else OFF_MAP, 1) for uid, counter in setting.counters.items()}
    filled = {table: entries for table, entries in laid.items() if entries}
    stage = "german-half" if setting.free else "german-orders"
    return State(setting.turns[0], GERMAN, stage, units, filled, {FACTORS: setting.factors})


def list_free_units(setting: Setting, side: str) -> list[str]:
    """17.2, J-71: return the tank units that a side may place freely, ascending."""
    return [uid for uid, counter in setting.counters.items() if counter.free and counter.side == side]


def count_half(setting: Setting, side: str) -> int:
    """17.2, J-57: return how many units a side places in the first round: half of the free units, rounded up."""
    return (len(list_free_units(setting, side)) + 1) // 2


def can_stand(setting: Setting, uid: str, label: str) -> bool:
    """17.2, J-57: return whether a unit may be placed in a hex: its side's hex at the start, in the unit's sector."""
    hex_, counter = setting.board.index.get(label), setting.counters[uid]
    if hex_ is None or not setting.own[counter.side] >> hex_ & 1:
        return False
    south = setting.board.places[hex_][1] > setting.sector_row
    return not counter.sector or (counter.sector == "south") == south


def _find_mistakes(setting: Setting, state: State, side: str, value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """17.2: yield every mistake in a placement: unit and sentence."""
    known = list_free_units(setting, side)
    first = not any(state.mark(marks.PLACED, uid) for uid in known)
    if first and len(value) != count_half(setting, side):
        yield "", f"the first round places {count_half(setting, side)} units, not {len(value)}"
    stacks = _list_fixed(setting, state, side, value)
    for uid, label in value.items():
        if uid not in known:
            yield uid, "is no unit for your side to place"
        elif state.mark(marks.PLACED, uid):
            yield uid, "was placed in the first round"
        elif not isinstance(label, str) or not can_stand(setting, uid, label):
            yield uid, f"cannot be in {str(label)[:10]}: not a hex of your side, or a hex of the wrong sector"
        elif not setting.can_stack([*stacks.get(label, []), uid]):
            yield uid, f"has no room in {label} beside {', '.join(stacks[label])}"
        else:
            stacks.setdefault(label, []).append(uid)


def _list_fixed(setting: Setting, state: State, side: str, moving: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the units that cannot move any more, by hex: units that are not free, and units placed before."""
    free, fixed = list_free_units(setting, side), dict[str, list[str]]()
    for uid, unit in sorted(state.units.items()):
        stays = uid not in free or state.mark(marks.PLACED, uid)
        if setting.counters[uid].side == side and stays and uid not in moving and unit.place != OFF_MAP:
            fixed.setdefault(unit.place, []).append(uid)
    return fixed


def check_seal(umpire: Umpire[Setting], filing: Filing, label: str) -> None:
    """17.2: check the sealed placement of German tank units. Only a computer that knows the placement can check it."""
    if label not in filing.secret and label not in filing.sealed:
        umpire.refuse("17.2", "must be sealed now", label, ("seal", label))
    value, due = filing.sealed.get(label), count_half(umpire.setting, filing.writer)
    for uid, why in _find_mistakes(umpire.setting, umpire.state, filing.writer, value) if value is not None else ():
        umpire.refuse("17.2", why, uid, ("seal", label), waits=not uid and len(value or ()) < due)


def place_openly(umpire: Umpire[Setting], filing: Filing) -> None:
    """17.2: place the Russian tank units, not sealed, while the first half of the German units is sealed."""
    value, due = dict(filing.order("placement") or {}), count_half(umpire.setting, filing.writer)
    for uid, why in _find_mistakes(umpire.setting, umpire.state, filing.writer, value):
        at = ("orders", "placement", *([uid] if uid else []))
        umpire.refuse("17.2", why, uid or "placement", at, waits=not uid and len(value or ()) < due)
    if not umpire.violations:
        place_chosen(umpire, filing.writer, value)


def is_shown(label: str) -> When:
    """17.2: return a function that tells whether a message reveals the placement under a label."""
    return lambda _umpire, filing: label in filing.reveal


def show_placement(umpire: Umpire[Setting], filing: Filing, label: str) -> None:
    """17.2: reveal the sealed German placement, then place the units. Illegal entries are ignored."""
    value = filing.reveal.get(label)
    value = dict(sorted(value.items())) if isinstance(value, dict) else {}
    setting, side = umpire.setting, filing.writer
    bad = {uid for uid, _why in _find_mistakes(setting, umpire.state, side, value)}
    good = {uid: place for uid, place in value.items() if uid not in bad}
    place_chosen(umpire, side, dict(list(good.items())[: count_half(setting, side)]) if label == HALF else good)


def place_chosen(umpire: Umpire[Setting], side: str, chosen: Mapping[str, str]) -> None:
    """17.2, J-57: place the chosen units. In the second round, place all others in or near their historical hexes."""
    setting, free = umpire.setting, list_free_units(umpire.setting, side)
    second = any(umpire.state.mark(marks.PLACED, uid) for uid in free)
    for uid, label in chosen.items():
        _place_unit(umpire, uid, label)
    left = [uid for uid in free if not umpire.state.mark(marks.PLACED, uid)]
    for uid in left if second else left[: count_half(setting, side) - len(chosen)]:
        _place_unit(umpire, uid, _find_nearest(view(umpire), uid, left))


def _place_unit(umpire: Umpire[Setting], uid: str, label: str) -> None:
    # Report unchanged hexes, too: the opponent needs to know which units cannot move any more.
    umpire.emit(Placed("17.2", uid, label, 1, "set-up"), Marked("17.2", marks.PLACED, uid, marks.YES))


def _find_nearest(pos: Position, uid: str, left: list[str]) -> str:
    """J-57: return the historical hex of a unit, or the nearest legal hex."""
    setting, board = pos.setting, pos.setting.board
    home = board.index[setting.counters[uid].hex]
    able = [board.index[label] for label in list_spots(setting, pos.state, uid, dict.fromkeys(left, ""))]
    return board.labels[min(able, key=lambda hex_: (board.distance(home, hex_), hex_), default=home)]


def list_spots(setting: Setting, state: State, uid: str, chosen: Mapping[str, str]) -> list[str]:
    """17.2, 12.0: return the hexes in which a unit may be placed. ``chosen``: the hexes of the other units."""
    stacks = _list_fixed(setting, state, setting.counters[uid].side, chosen)
    for other, label in chosen.items():
        if other != uid:
            stacks.setdefault(label, []).append(other)
    able = [label for label in setting.board.labels if can_stand(setting, uid, label)]
    return [label for label in able if setting.can_stack([*stacks.get(label, []), uid])]


def begin_play(umpire: Umpire[Setting], _filing: Filing) -> None:
    """17.2: remove the markers of the placement, then begin play."""
    for uid in sorted(umpire.state.marks.get(marks.PLACED, {})):
        umpire.emit(Unmarked("17.2", marks.PLACED, uid))
