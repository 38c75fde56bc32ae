"""Rows of the benchmark that only Battle for Kursk has: moves, odds, battles, and how their cost grows."""

from __future__ import annotations

import random
import time
from typing import Any

from helpers.measure import head, median_ms, row

from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel import forecast
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.battle_for_kursk import RULESET, movement
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, assess
from kursk_pbem.rulesets.battle_for_kursk.position import position, view
from rulesets.battle_for_kursk.random_play import Chooser, SeededDice, play


def main() -> None:
    """Return all rows of the benchmark."""
    rules()
    growth()


def rules() -> None:
    """Measure the rules on the short scenario."""
    loaded = scenario.load(scenario.find("battle-for-kursk/citadel"))
    kursk: Any = RULESET.data.load(loaded)
    state = RULESET.data.setup(kursk)
    view = median_ms(lambda: position(kursk, state))
    head("rules", f"one view of a position (who stands where, zones of control), {view:.3f} ms")
    load = median_ms(lambda: RULESET.data.load(scenario.load(scenario.find("battle-for-kursk/citadel"))))
    row("load a scenario (four files)", load, view)
    pos = position(kursk, state)
    russian = [uid for uid in sorted(pos.where) if pos.side(uid) == "russian"]
    moves = median_ms(lambda: [movement.reach(pos, uid, movement.MOVE) for uid in russian])
    row(f"legal moves of a side ({len(russian)} units)", moves, view)
    battle = Battle("b", kursk.board.index["2015"], "r-40", ("g-48-pz", "g-3-pz", "g-52"), "g-3-pz", ("g-11", "g-2-ss"))
    row("odds of one battle", median_ms(lambda: assess(pos, battle)), view)
    declared = _ten_battles(kursk, state, Chooser(kursk, random.Random(1)))
    waiting = state.with_(side="german", stage="german-dice", agenda=declared, marks=_engaged(state))
    ten = median_ms(lambda: adjudicate(RULESET, kursk, waiting, Filing(4, "german"), SeededDice(random.Random(1), 4)))
    row("adjudicate ten battles", ten, view, "10 ms")
    whole_turns(kursk, waiting)
    begin = time.perf_counter()
    stages = sum(1 for seed in range(4) for _ in play(kursk, seed))
    rate = stages / (time.perf_counter() - begin)
    print(f"{'random play, choosing included':<46} {rate:9.0f} stages a second")


def whole_turns(kursk: Any, waiting: Any) -> None:
    """Measure whole-turn odds: one battle, three in a row (means of all choices of ten battles), and nine."""
    battles = waiting.agenda["battles"]

    def compute(first: int, number: int) -> object:
        agenda = {**waiting.agenda, "battles": battles[first : first + number]}
        turn = RULESET.seen.turn(kursk, waiting.with_(agenda=agenda), {})
        assert turn is not None
        return forecast.spread(turn, lambda state: state.units["r-40"])

    one = median_ms(lambda: [compute(first, 1) for first in range(10)], runs=5) / 10
    three = median_ms(lambda: [compute(first, 3) for first in range(8)], runs=5) / 8
    row("whole-turn odds: three battles, against one", three, one, "10 x")
    row("whole-turn odds: nine battles, against one", median_ms(lambda: compute(0, 9), runs=1), one, "5000 ms")


def scaled(units: int) -> Any:
    """A made-up setting: two lines of units facing each other on a clear map of about six and a half hexes a unit."""
    citadel = scenario.load(scenario.find("battle-for-kursk/citadel"))
    size = max(8, round((units * 13 / 2) ** 0.5))
    middle = size // 2
    west, east = f"{middle:02d}05", f"{middle + 1:02d}05"
    grid = {"columns": f"01-{size:02d}", "rows": f"01-{size:02d}", "high-columns": "odd"}
    chart = {
        "grid": grid,
        "absent": [],
        "default-terrain": "clear",
        "terrain": {},
        "rivers": {},
        "railroads": {},
        "cities": {
            west: {"name": "Kiev", "kind": "major", "side": "german"},
            east: {"name": "Moscow", "kind": "major", "side": "russian"},
        },
        "start-line": _line(middle, size),
        "fortifications": {},
        "objectives": {"russian": [west]},
        "edges": {
            "german": [f"01{row:02d}" for row in range(1, size + 1)],
            "russian": [f"{size:02d}{row:02d}" for row in range(1, size + 1)],
        },
        "moscow": east,
        "kiev": west,
    }
    counters = {}
    for number in range(units):
        side, column = ("german", middle - number // size // 2) if number % 2 else ("russian", 0)
        column = column or middle + 1 + number // size // 2
        counters[f"{side[0]}-{number}"] = {
            "name": str(number),
            "short": str(number),
            "side": side,
            "formation": "one",
            "type": "infantry",
            "full": "6",
            "reduced": "3",
            "move": "4",
            "starts": "full",
            "hex": f"{column:02d}{(number // 2) % size + 1:02d}",
        }
    head = {**citadel.data["scenario"], "distribution": {}}
    data = {"scenario": head, "map": chart, "units": {"units": counters}, "tables": citadel.data["tables"]}
    return RULESET.data.load(Scenario("bench/scaled", "scaled", "battle-for-kursk", data, "0" * 64, ()), {})


def _line(middle: int, size: int) -> list[str]:
    """Every pair of adjacent hexes of two neighbouring columns, the western one first."""

    grid = Grid(1, size, 1, size)
    return [
        f"{grid.label(middle, row)}-{grid.label(*place)}"
        for row in range(1, size + 1)
        for place in grid.neighbours(middle, row)
        if place[0] == middle + 1 and 1 <= place[1] <= size
    ]


def growth() -> None:
    """Measure the growth of costs with the size of the game."""

    titles = ("one view", "moves of a side", "odds of a battle", "state hash", "phase by path:", "phase by to:")
    widths = (12, 18, 18, 12, 16, 16)
    cells = [title.rjust(width) for title, width in zip(titles, widths, strict=True)]
    print("\n" + " ".join(("units (hexes)".ljust(20), *cells)))
    phases = []
    for units in (25, 100, 400):
        kursk = scaled(units)
        state = RULESET.data.setup(kursk)
        pos = position(kursk, state)
        side = [uid for uid in pos.where if pos.side(uid) == "russian"]
        near = kursk.board.near
        attacker, defender = next(
            (uid, other)
            for uid in side
            for other in pos.where
            if pos.side(other) == "german" and near[pos.where[uid]] >> pos.where[other] & 1
        )
        battle = Battle("b", pos.where[defender], defender, (attacker,))
        by_path, by_to = _everybody_moves(kursk, state, side)
        figures = (
            median_ms(lambda: position(kursk, state), runs=9),  # noqa: B023 - called at once
            median_ms(lambda: [movement.reach(pos, uid, movement.MOVE) for uid in side], runs=9),  # noqa: B023
            median_ms(lambda: assess(pos, battle), runs=9),  # noqa: B023
            median_ms(lambda: state.with_().sha256(), runs=9),  # noqa: B023
            median_ms(lambda: _phase(kursk, state, by_path), runs=9),  # noqa: B023
            median_ms(lambda: _phase(kursk, state, by_to), runs=9),  # noqa: B023
        )
        phases.append((len(side), *figures[-2:]))
        name = f"{units} ({len(kursk.board.index)})"
        cells = [f"{figure:.3f} ms".rjust(width) for figure, width in zip(figures, widths, strict=True)]
        print(f"{name:<20} {' '.join(cells)}")
    (few, *small), *_between, (many, *big) = phases
    growth = [f"{large / little:.1f}" for large, little in zip(big, small, strict=True)]
    print(f"a whole phase, {many / few:.1f} times the moves: {' and '.join(growth)} times the time")


def _everybody_moves(kursk: Any, state: Any, side: list[str]) -> tuple[list[Any], list[Any]]:
    """Write orders that move each unit of a side up to two hexes east, eastern units first: by path, and by hex."""
    by_path, by_to = [], []
    umpire: Any = Umpire(kursk, state, 2, None)
    labels = kursk.board.labels
    for uid in sorted(side, key=lambda uid: state.units[uid].place, reverse=True):
        found = movement.reach(view(umpire), uid, movement.MOVE)
        ways = {end: way.path for end, way in found.items() if len(way.path) <= 2}
        if ways:
            path = [labels[hex_] for hex_ in ways[max(ways)]]
            by_path.append({"unit": uid, "path": path})
            by_to.append({"unit": uid, "to": path[-1]})
            movement.perform_movement(umpire, Filing(2, "russian", orders={"movement": by_path[-1:]}))
    assert not umpire.violations
    return by_path, by_to


def _phase(kursk: Any, state: Any, orders: list[Any]) -> None:
    """A whole movement phase."""
    umpire: Any = Umpire(kursk, state, 2, None)
    movement.perform_movement(umpire, Filing(2, "russian", orders={"movement": orders}))
    assert len(umpire.events) >= len(orders)
    assert not umpire.violations


def _engaged(state: Any) -> Any:
    return {**state.marks, **{side: {"posture": "engage", "previous": "engage"} for side in ("german", "russian")}}


def _ten_battles(kursk: Any, state: Any, chooser: Any) -> dict[str, Any]:
    """An agenda of ten battles that the German could declare at the start of Citadel."""

    while True:
        battles = chooser.battles(Umpire(kursk, state, 2, None), "german")
        if len(battles) >= 10:
            break
    agenda = []
    for battle in battles[:10]:
        entry = {key: battle[key] for key in ("id", "hex", "attackers")}
        defender = next(uid for uid, unit in state.units.items() if unit.place == battle["hex"])
        agenda.append({**entry, "defender": defender, "plan": {k: battle[k] for k in ("advance",) if k in battle}})
    return {"battles": agenda, "declared": "2", "answered": "3"}
