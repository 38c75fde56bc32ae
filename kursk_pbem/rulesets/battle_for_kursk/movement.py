"""8.0 Movement, 8.1 infantry rail movement, 8.2 restrictions, 8.3 EZOC, 11.1 mud.

One `March` contains a unit's possibilities. Path checks and the search use the same `March`, so offered moves are
legal.
"""

from __future__ import annotations

from collections.abc import Callable

from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.hexes.board import Mask, bits
from kursk_pbem.kernel.hexes.stands import explain_own
from kursk_pbem.kernel.hexes.ways import ALL, March, Move, Refusal, Slip, Way
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import entry
from kursk_pbem.rulesets.battle_for_kursk.position import Position, is_mud, view
from kursk_pbem.rulesets.battle_for_kursk.setting import GERMAN, Setting

MOVE, RAIL = "move", "rail"
RULES = {
    ways.NO_HEX: "8.0",
    ways.OUT_OF_REACH: "8.0",
    ways.FAR: "8.0",
    ways.ENDED: "8.3",
    ways.CLOSED: "8.2.1",
    ways.NO_WAY: "8.1",
    ways.WHOLE: "8.0-terrain",
    ways.DEAR: "8.0-terrain",
    ways.FULL: "8.2.2",
    ways.STAYS: "8.0",
    ways.TOO_FAR: "8.0",
    ways.NOWHERE: "8.0",
}


def make_march(pos: Position, uid: str, how: str) -> March:
    """Return where and how a unit can move.

    A unit never enters a hex with an enemy (8.2.1). It stops in an EZOC, an enemy zone of control (7.1, 8.3). It never
    ends a move on a friend, even for a moment (8.2.2, Movement Example 1, K-28). A step that costs the entire allowance
    needs all points and leaves none (K-26).
    """
    setting, side, start = pos.setting, pos.side(uid), pos.where[uid]
    costs = setting.by_rail if how == RAIL else setting.in_mud if is_mud(pos.state) else setting.by_land
    full = pos.occupied[side] & ~(1 << start)
    return March(start, setting.counters[uid].move, costs, pos.enemies(side), pos.ezoc(side), full)


def find_refusal(pos: Position, uid: str, how: str, slip: Slip) -> Refusal:
    """Return the paragraph and the reason for refusing a move. The reason names what blocks the way."""
    unit = make_march(pos, uid, how)
    if slip.why is not None:
        behind = find_refusal(pos, uid, how, slip.why)
        return Refusal(behind.rule, f"{ways.describe_slip(pos.setting.board, unit, slip)}: {behind.why}")
    setting, rule, what = pos.setting, RULES[slip.kind], ""
    if slip.kind == ways.WHOLE:
        if is_mud(pos.state):
            return Refusal("11.1", "in mud a unit moves one hex, except infantry by rail")
        what = setting.terrain[slip.there]
        if setting.river_cost.get(setting.rivers.get((slip.here, slip.there), "")) == ALL:
            rule, what = "8.0-major-river", "across a Major River"
    elif slip.kind in (ways.DEAR, ways.TOO_FAR, ways.NOWHERE) and how == RAIL:
        rule = "8.1"
    holder = describe_controllers(pos, uid, slip.here) if slip.kind == ways.ENDED else pos.unit(slip.there)
    return Refusal(rule, ways.describe_slip(setting.board, unit, slip, holder, what))


def describe_controllers(pos: Position, uid: str, hex_: int) -> str:
    """7.0: return the enemies whose zones of control include a hex, as 'r-40 in 2113, r-70 in 2112'."""
    near = bits(pos.setting.board.near[hex_] & pos.enemies(pos.side(uid)))
    return ", ".join(f"{pos.unit(there)} in {pos.setting.board.labels[there]}" for there in near)


def why_not(pos: Position, uid: str, how: str, there: int) -> Refusal:
    """8.0 to 8.3: return the reasons why a unit cannot end its move in a hex."""
    return find_refusal(pos, uid, how, ways.hindrance(pos.setting.board, make_march(pos, uid, how), there))


def reach(pos: Position, uid: str, how: str) -> dict[int, Way]:
    """8.0, K-35: return the hexes in which a unit's move can end, ascending, with the cheapest path to each."""
    return ways.find_reach(make_march(pos, uid, how))


def rail_riders(pos: Position, side: str) -> Mask:
    """8.1: return the hexes from which a side can move units by rail: railway hexes on its part of the map."""
    return pos.setting.on_rails & pos.occupied[side] & pos.setting.own_side[side]


def armor_and_rail(umpire: Umpire[Setting], filing: Filing) -> None:
    """8.0, 8.1: carry out the Armor and Rail Movement Phase. Armor moves normally, infantry moves only by rail."""
    pos = view(umpire)
    starts = rail_riders(pos, filing.writer)

    def how(uid: str) -> str | Refusal:
        if umpire.setting.counters[uid].armor:
            return MOVE  # never by rail, nor at the rail price (8.1-armor, K-33)
        if starts >> pos.where[uid] & 1:
            return RAIL
        return Refusal("8.1", "infantry moves now only by rail, from a railway on its own side of the Start Line")

    _move_all(umpire, filing, "armor-and-rail", how)


def perform_movement(umpire: Umpire[Setting], filing: Filing) -> None:
    """8.0: carry out the Movement Phase. All units can move normally, with their full allowance again (K-33)."""
    _move_all(umpire, filing, "movement", lambda _uid: MOVE)


def _move_all(umpire: Umpire[Setting], filing: Filing, key: str, how: Callable[[str], str | Refusal]) -> None:
    """8.0, K-24: move units in written order, each at most once."""

    def ready(uid: str) -> March | Refusal:
        if why := explain_own(umpire.setting, umpire.state, filing.writer, uid):
            return Refusal("8.0", why)
        manner = how(uid)
        return manner if isinstance(manner, Refusal) else make_march(view(umpire), uid, manner)

    def go(move: Move, unit: March) -> Refusal | None:
        return _move_one(umpire, move, unit, str(how(move.unit)))

    ways.run_moves(umpire, ways.read_moves(filing, key), "8.0", ready, go)


def _move_one(umpire: Umpire[Setting], move: Move, unit: March, how: str) -> Refusal | None:
    """8.0: move a unit along its ordered way; a German entry into Moscow ends the way and the game (K-69)."""
    pos, board, moscow = view(umpire), umpire.setting.board, umpire.setting.moscow
    way = ways.find_way(board, unit, move)
    if isinstance(way, Way) and moscow in way.path[:-1] and pos.side(move.unit) == GERMAN:
        way = ways.check_path(board, unit, way.path[: way.path.index(moscow) + 1])
    if isinstance(way, Slip):
        return find_refusal(pos, move.unit, how, way)
    spent = "" if is_mud(umpire.state) and how == MOVE else str(way.mp)
    labels = tuple(board.labels[hex_] for hex_ in way.path)
    entry.move(umpire, "8.1" if how == RAIL else "8.0", move.unit, labels, how, spent)
    return None
