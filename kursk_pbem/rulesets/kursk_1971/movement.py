"""3.0 Movement and its costs, 4.0 zones of control, 13.0 reinforcements.

One `March` both checks a declared path and feeds the search, so every offered move is legal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from kursk_pbem.kernel.events import Marked, Moved, Placed
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.stands import explain_foreign, explain_own
from kursk_pbem.kernel.hexes.ways import March, Move, Refusal, Slip, Way
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OFF_MAP
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971.position import CITIES, FLOWN, Position, find_holder, view
from kursk_pbem.rulesets.kursk_1971.setting import FOOT, MOTORIZED, Setting

INITIAL, MOTOR = "movement", "motorized"
BASE = "base-move"  # the mark of an air unit whose ground element moved
RULES = {
    ways.NO_HEX: "3.0-c",
    ways.OUT_OF_REACH: "3.0-c",
    ways.FAR: "3.0-c",
    ways.CLOSED: "3.0-g",
    ways.DEAR: "3.0-a",
    ways.TOO_FAR: "3.0-a",
    ways.STAYS: "3.0-c",
    ways.NOWHERE: "3.0-c",
}


def find_manner(setting: Setting, uid: str) -> str:
    """3.0-a, 9.0-c: return the column of movement costs that applies to a unit. Ground elements count as motorized."""
    counter = setting.counters[uid]
    return MOTORIZED if counter.motorized or counter.air else FOOT


def count_allowance(setting: Setting, uid: str, *, supplied: bool) -> int:
    """3.0-movement, 6.0-a, S-2, S-20: return a phase's movement allowance; without supply half, rounded down."""
    printed = setting.counters[uid].move
    return printed if supplied else printed // 2


def make_march(pos: Position, uid: str, points: int) -> March:
    """Return how a unit can move now with its movement points.

    No unit enters an enemy hex (3.0-g) or a full stack, not even in passing (3.0-f, 5.0-e). Controlled hexes cost more
    to enter and to leave (4.0-a, 4.0-b, 4.0-c, S-10), even with friends in the hex (4.0-e). No hex makes a unit stop,
    and no step is free (S-9). A unit may end its move out of supply (6.0-e).
    """
    setting, side = pos.setting, pos.side(uid)
    costs = setting.costs(side, find_manner(setting, uid), pos.find_controlled(side))
    return March(pos.where[uid], points, costs, pos.enemies(side) | pos.find_full(uid))


def find_move_fault(pos: Position, uid: str, phase: str) -> str:
    """3.0-b, 9.0-c, S-23, S-61: return why a unit on the map cannot move in a phase, or ''."""
    counter = pos.setting.counters[uid]
    if phase == MOTOR and not counter.motorized:
        return "only motorized units move again after combat"
    if counter.air and pos.state.mark(FLOWN, uid):
        return "the unit has flown or moved this turn"
    return ""


def find_reach(pos: Position, uid: str, points: int) -> dict[int, Way]:
    """3.0-c: return the hexes where a unit's move can end, each with the cheapest path, ascending."""
    return ways.find_reach(make_march(pos, uid, points))


def enter_hexes(umpire: Umpire[Setting], rule: str, uid: str, path: Collection[str], how: str, mp: str = "") -> None:
    """14.0-control, S-45: move a unit along a path, and record that its side holds the cities on the path."""
    umpire.emit(Moved(rule, uid, umpire.state.units[uid].place, tuple(path), how, mp))
    take_cities(umpire, uid, path)


def take_cities(umpire: Umpire[Setting], uid: str, labels: Collection[str]) -> None:
    """14.0-control, S-45: record a unit's side as the last side in some cities."""
    setting, side = umpire.setting, umpire.setting.counters[uid].side
    for label in labels:
        hex_ = setting.board.index[label]
        if hex_ in setting.cities and find_holder(setting, umpire.state, hex_) != side:
            umpire.emit(Marked("14.0-control", CITIES, label, side))


def move_initially(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.0-movement, 13.0, 6.0-when, S-60: place reinforcements, determine supply, then move all kinds of units."""
    spent = _place_arrivals(umpire, filing)
    _move_all(umpire, filing, INITIAL, spent)


def move_motorized(umpire: Umpire[Setting], filing: Filing) -> None:
    """3.0-b, S-2: after combat, determine supply again. Then move motorized units with their whole allowance."""
    _move_all(umpire, filing, MOTOR, {})


def list_reinforcements(setting: Setting, pos: Position, side: str) -> list[str]:
    """13.0, S-29: return a side's units that can arrive now: units due this turn, and delayed units."""
    now = setting.turns.index(pos.state.turn) + 1
    return [
        uid
        for uid, turn in setting.arrivals.items()
        if turn <= now and pos.side(uid) == side and pos.state.units[uid].place == OFF_MAP
    ]


def entry_price(pos: Position, uid: str, hex_: int) -> int:
    """13.0, S-29: return the movement points that a reinforcement pays for its first hex."""
    setting, side = pos.setting, pos.side(uid)
    zone = setting.limits["zoc-enter"] if pos.find_controlled(side) >> hex_ & 1 else 0
    return setting.base[side, find_manner(setting, uid)][hex_] + zone


def find_entry_fault(pos: Position, side: str, uid: str, label: str) -> tuple[str, str] | None:
    """13.0, S-46: return the paragraph and the reason if a unit cannot arrive in a hex, or None."""
    setting = pos.setting
    if uid not in setting.counters or uid not in list_reinforcements(setting, pos, side):
        return "13.0", "is not due as a reinforcement of your side now"
    hex_ = setting.board.index.get(label, -1)
    if hex_ < 0 or not setting.entry[side] >> hex_ & 1:
        return "13.0", f"reinforcements do not enter in {label}"
    if pos.enemies(side) >> hex_ & 1:
        return "3.0-g", f"{label} contains an enemy"
    if not pos.can_stack((*pos.stack(hex_), uid)):
        return "5.0-a", f"{label} is full"
    if entry_price(pos, uid, hex_) > setting.counters[uid].move:
        return "3.0-a", f"entering {label} costs more than the whole allowance"
    return None


def _place_arrivals(umpire: Umpire[Setting], filing: Filing) -> dict[str, int]:
    """13.0, S-29, S-46: place reinforcements on their edge; return the points spent by every unit."""
    spent: dict[str, int] = {}
    for number, order in enumerate(filing.order("reinforcements")):
        uid, label, path = order["unit"], order["hex"], ("orders", "reinforcements", number)
        if slip := find_entry_fault(view(umpire), filing.writer, uid, label):
            umpire.refuse(*slip, uid, path)
            continue
        spent[uid] = entry_price(view(umpire), uid, umpire.setting.board.index[label])
        umpire.emit(Placed("13.0", uid, label, 1, "arrives"))
        take_cities(umpire, uid, (label,))
    return spent


def _move_all(umpire: Umpire[Setting], filing: Filing, phase: str, spent: Mapping[str, int]) -> None:
    """3.0-c, 3.0-h: move units in the order written, each at most once; ``spent``: points of arrivals, by unit."""
    first = view(umpire)  # supply counts as the phase begins

    def ready(uid: str) -> March | Refusal:
        if refusal := _find_order_fault(umpire, filing.writer, uid, phase):
            return refusal
        supplied = uid in spent or first.is_supplied(uid)
        points = count_allowance(umpire.setting, uid, supplied=supplied) - spent.get(uid, 0)
        return make_march(view(umpire), uid, points)

    def go(move: Move, unit: March) -> Refusal | None:
        pos, board = view(umpire), umpire.setting.board
        way = ways.find_way(board, unit, move)
        if isinstance(way, Slip):
            return _explain_slip(pos, move.unit, unit, way)
        enter_hexes(umpire, "3.0-c", move.unit, [board.labels[hex_] for hex_ in way.path], phase, str(way.mp))
        if umpire.setting.counters[move.unit].air:
            umpire.emit(Marked("9.0-c", FLOWN, move.unit, BASE))
        return None

    ways.run_moves(umpire, ways.read_moves(filing, phase), "3.0-h", ready, go)


def _find_order_fault(umpire: Umpire[Setting], side: str, uid: str, phase: str) -> Refusal | None:
    pos = view(umpire)
    if why := explain_own(umpire.setting, umpire.state, side, uid):
        stranger = uid in umpire.setting.counters and explain_foreign(umpire.setting, side, uid)
        return Refusal("3.0-d" if stranger else "3.0-c", why)
    why = find_move_fault(pos, uid, phase)
    return Refusal("9.0-c" if pos.setting.counters[uid].air else "3.0-b", why) if why else None


def explain_unreachable(pos: Position, uid: str, phase: str, there: int, points: int) -> Refusal:
    """3.0-b, 3.0-c, 4.0: return why a unit cannot end a move in a hex if a phase begins now."""
    if why := find_move_fault(pos, uid, phase):
        return Refusal("9.0-c" if pos.setting.counters[uid].air else "3.0-b", why)
    unit = make_march(pos, uid, points)
    return _explain_slip(pos, uid, unit, ways.hindrance(pos.setting.board, unit, there))


def _explain_slip(pos: Position, uid: str, unit: March, slip: Slip) -> Refusal:
    """Return why a move is illegal, with the paragraph."""
    board, stack = pos.setting.board, pos.stack(slip.there)
    if slip.kind == ways.CLOSED and stack and pos.side(stack[0]) == pos.side(uid):
        return Refusal("5.0-e", f"{board.labels[slip.there]} is full: {', '.join(stack)}")
    text = ways.describe_slip(board, unit, slip, ", ".join(stack))
    if slip.why is None:
        return Refusal(RULES[slip.kind], text)
    inner = _explain_slip(pos, uid, unit, slip.why)
    return Refusal(inner.rule, f"{text}: {inner.why}")
