"""14.0 Victory: points for strength and cities, and the level by their ratio."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from kursk_pbem.kernel.events import Noted
from kursk_pbem.kernel.given import find_giver
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import make_verdict
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971.position import POINTS, Position, find_holder, position, view
from kursk_pbem.rulesets.kursk_1971.setting import ENEMY, LEVELS, SIDES, Setting


def find_possessor(pos: Position, hex_: int) -> str:
    """14.0-control, S-45: return the side that possesses a city and gets its points, or ''.

    A unit in supply possesses its city. An empty city belongs to the side that was there last, if this side can trace
    supply to the city (S-52). Units out of supply possess no city.
    """
    stack = pos.stack(hex_)
    if stack:
        return pos.side(stack[0]) if any(pos.is_supplied(uid) for uid in stack) else ""
    side = find_holder(pos.setting, pos.state, hex_)
    return side if pos.find_supplied(side) >> hex_ & 1 else ""


def count_city_points(pos: Position) -> dict[str, int]:
    """14.0-cities, 14.0-august: return each side's points for the cities that it possesses."""
    held = dict.fromkeys(SIDES, 0)
    for hex_, points in pos.setting.objectives.items():
        if owner := find_possessor(pos, hex_):
            held[owner] += points
    return held


def count_points(pos: Position) -> dict[str, int]:
    """14.0: return each side's victory points if the game ended now."""
    held = count_city_points(pos)
    return {side: pos.state.tracks[POINTS.format(side)] + held[side] + pos.setting.given[side] for side in SIDES}


def find_margin(setting: Setting, state: State) -> int:
    """14.0: return the first side's points minus the second side's points if the game ended now."""
    one, other = count_points(position(setting, state)).values()
    return one - other


def find_outcome(setting: Setting, points: dict[str, int]) -> tuple[str, str]:
    """14.0-levels, S-32, S-37: return the winner ('' for a draw) and the level. In the ratio, 0 points count as 1.

    If a side gave points before the game, equal points are a win for this side.
    """
    one, other = SIDES
    if points[one] == points[other]:
        giver = find_giver(setting.given)
        return giver, LEVELS[0] if giver else "draw"
    winner = one if points[one] > points[other] else other
    ratio = Fraction(points[winner], max(points[ENEMY[winner]], 1))
    reached = [level for level, needed in zip(LEVELS, setting.ratios[winner], strict=True) if ratio >= needed]
    return winner, reached[-1]


def end_game(umpire: Umpire[Setting], _filing: Filing) -> None:
    """3.0, 14.0, S-37, S-63: compare the points after the last motorized movement, and end the game."""
    points = count_points(view(umpire))
    told = ", ".join(f"{side} {number}" for side, number in points.items())
    told += "".join(f"; given to the {side} {number}" for side, number in umpire.setting.given.items() if number)
    umpire.emit(Noted("14.0", f"victory points: {told}"))
    winner, level = find_outcome(umpire.setting, points)
    umpire.finish("14.0-levels", winner, level)


def _describe_end(winner: str, how: str) -> str:
    return f"{winner.capitalize()} {how} victory (14.0-levels)" if winner else "Draw: the points are even (14.0-levels)"


find_verdict = make_verdict(_describe_end)


def split_points(setting: Setting, state: State) -> tuple[Mapping[str, int], ...]:
    """Return three tables of points by side: for strength, for cities possessed now, and for given points."""
    pos = position(setting, state)
    return {side: state.tracks[POINTS.format(side)] for side in SIDES}, count_city_points(pos), setting.given
