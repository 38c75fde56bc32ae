"""5.0 Victory: the result after Turn 8, and the present score."""

from __future__ import annotations

from collections.abc import Mapping

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Noted
from kursk_pbem.kernel.given import find_giver
from kursk_pbem.kernel.hexes.stands import kept
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import make_verdict
from kursk_pbem.kernel.state import ELIMINATED, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN, RUSSIAN, SIDES, Setting


@frozen
class Score:
    """Victory points by side and reason; ``total`` is positive for the Russian (K-70)."""

    cities: dict[str, int]
    objective: dict[str, int]
    losses: dict[str, int]
    given: Mapping[str, int]

    @property
    def total(self) -> int:
        """Victory points of the Russian minus victory points of the German."""
        parts = (self.cities, self.objective, self.losses, self.given)
        return sum(part[RUSSIAN] - part[GERMAN] for part in parts)


def count_eliminated(setting: Setting, state: State, side: str) -> int:
    """5.0-eliminated: count the units in a side's Eliminated Units box. Units off the map do not count (K-70)."""
    return sum(1 for uid, u in state.units.items() if u.place == ELIMINATED and setting.counters[uid].side == side)


def score(setting: Setting, state: State) -> Score:
    """5.0, 5.0-objective, 5.0-eliminated: count victory points: enemy Major Cities, objective, eliminated units."""
    return _count_points(position(setting, state))


@kept
def _count_points(pos: Position) -> Score:
    setting, state = pos.setting, pos.state
    cities = {side: (setting.enemy_majors[side] & pos.cities[side]).bit_count() for side in SIDES}
    lost = {side: count_eliminated(setting, state, side) for side in SIDES}
    return Score(
        cities,
        {side: int(state.mark("objective", "won") == side) for side in SIDES},
        {side: int(lost[side] < lost[ENEMY[side]]) for side in SIDES},
        setting.given,
    )


def reckon(umpire: Umpire[Setting], _filing: Filing) -> None:
    """5.0, 5.0-level: count the points after Turn 8 and end the game (K-70, K-71).

    If a side gave victory points before the game, a draw is a win for this side.
    """
    result = score(umpire.setting, umpire.state)
    total = result.total
    operational, strategic = umpire.setting.victory
    winner = RUSSIAN if total > 0 else GERMAN if total < 0 else ""
    how = "strategic" if abs(total) >= strategic else "operational" if abs(total) >= operational else "draw"
    umpire.emit(Noted("5.0", score_text(result)))
    if how == "draw" and (giver := find_giver(result.given)):
        winner, how = giver, "operational"
    umpire.finish("5.0", winner if how != "draw" else "", how)


def score_text(result: Score) -> str:
    """Return the victory points in one sentence."""
    parts = [
        f"{side.capitalize()}: Major Cities {result.cities[side]}, objective {result.objective[side]}, "
        f"fewer units eliminated {result.losses[side]}"
        for side in (RUSSIAN, GERMAN)
    ]
    given = "".join(f"; given to the {side.capitalize()} {number}" for side, number in result.given.items() if number)
    return f"victory points {result.total:+d} ({'; '.join(parts)}{given})"


def _describe_end(winner: str, how: str) -> str:
    if how == "moscow":
        return "German victory: German troops entered Moscow (5.0)"
    return f"{winner.capitalize()} {how} victory (5.0)" if winner else "Draw: the victory points are even (5.0)"


find_verdict = make_verdict(_describe_end)
