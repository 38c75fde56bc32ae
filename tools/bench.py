"""The benchmark table: ``make bench``. Medians, each beside its floor, ratios taken in the same run.

Whole processes are timed from outside, on the demonstration game; the floor is a bare interpreter that does nothing.
In-process rows are timed on one message; the floor there is a libyaml parse of the same bytes plus one signature check.
"""

from __future__ import annotations

import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

RUNS = 21


def median_ms(work: Callable[[], object], before: Callable[[], object] = lambda: None, runs: int = RUNS) -> float:
    """Median milliseconds of ``work``; ``before`` runs untimed ahead of each."""
    times = []
    for _ in range(runs):
        before()
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def row(name: str, ms: float, floor: float, target: str = "") -> None:
    """Print one line: figure, floor, ratio, target."""
    print(f"{name:<46} {ms:9.2f} ms {floor:9.2f} ms {ms / floor:8.2f} x  {target}")


def head(title: str, floor: str) -> None:
    """Print the head of a part of the table."""
    print(f"\n{title:<46} {'median':>12} {'floor':>12} {'ratio':>10}  target\n  floor: {floor}")


class Demo:
    """The demonstration game in a temporary folder, and a copy of one desk to work on."""

    def __init__(self, folder: Path) -> None:
        from kursk_pbem.cli import run

        sys.stdout.flush()
        saved = os.dup(1)
        with Path(os.devnull).open("wb") as sink:
            os.dup2(sink.fileno(), 1)
            status = run(["demo", str(folder / "demo")])
            sys.stdout.flush()
            os.dup2(saved, 1)
        assert status == 0
        self.folder = folder / "demo"
        self.game = next((self.folder / "german").glob("game-*"))
        self.work = folder / "work"

    def german_before_7(self) -> None:
        """Anna's desk before the last message came."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.folder / "german", self.work)
        game = self.work / self.game.name
        for name in ("0007.yaml", "report-0007.txt", "0008.draft.yaml"):
            (game / name).unlink()
        next(self.work.glob("private/games/*/journal/0007.json")).unlink()

    def environment(self) -> dict[str, str]:
        """The environment of Anna's commands."""
        return {**os.environ, "KURSK_HOME": str(self.work / "private")}


def processes(demo: Demo) -> None:
    """Whole processes."""
    python = sys.executable
    script = Path(python).with_name("kursk")
    kursk = [str(script)] if script.exists() else [python, "-c", "from kursk_pbem.cli import main; main()"]

    def run(*arguments: str) -> Callable[[], object]:
        def call() -> None:
            subprocess.run(arguments, check=True, env=demo.environment(), stdout=subprocess.DEVNULL)

        return call

    bare = median_ms(run(python, "-c", "pass"))
    head("whole process", f"bare interpreter, {bare:.1f} ms")
    demo.german_before_7()
    last = str(demo.game / "0005.yaml")
    letter = str(demo.folder / "german/inbox/from-boris-0007.yaml")
    row("kursk --help", median_ms(run(*kursk, "--help")), bare, "60 ms")
    row("kursk verify 0005.yaml", median_ms(run(*kursk, "verify", last)), bare, "120 ms")
    row("kursk verify (the game, 8 messages)", median_ms(run(*kursk, "verify", str(demo.game))), bare)
    adjudicate = median_ms(run(*kursk, "adjudicate", letter), demo.german_before_7)
    row("kursk adjudicate (new message, next draft)", adjudicate, bare, "200 ms")
    draft = str(demo.work / demo.game.name / "0008.draft.yaml")
    row("kursk check (the draft it wrote)", median_ms(run(*kursk, "check", draft)), bare)


def in_process(demo: Demo) -> None:
    """The parts of one message, message 7 of the demonstration: dice of three battles, five moves."""
    import yaml

    from kursk_pbem.formats import strictyaml
    from kursk_pbem.game import folder, reports
    from kursk_pbem.game import game as record
    from kursk_pbem.kernel.adjudicate import adjudicate
    from kursk_pbem.kernel.orders import filing
    from kursk_pbem.trust import message as messages
    from kursk_pbem.trust import sshsig

    raw = (demo.game / "0007.yaml").read_bytes()
    game = record.begin(folder.read_message(demo.game / "0000.yaml"))
    for seq in range(1, 7):
        game, _result = record.extend(game, folder.read_message(demo.game / f"{seq:04d}.yaml"))
    message = messages.read(raw, "0007.yaml")
    after, result = record.extend(game, message)
    key = game.chain.keys[message.sender]

    def check_signature() -> bytes:
        return sshsig.verify(key, sshsig.NAMESPACE, message.signed, message.armour or "")

    parse = median_ms(lambda: list(yaml.parse(raw, Loader=yaml.CBaseLoader)))
    signature = median_ms(check_signature)
    floor = parse + signature
    head("in process, one message", f"libyaml events {parse:.2f} ms + one signature check {signature:.2f} ms")
    row("strict read", median_ms(lambda: strictyaml.read(raw, "x")), parse)
    row("read, schema, canonical form, id", median_ms(lambda: messages.read(raw, "x")), floor)
    row("chain: signature, order, opening, reveals", median_ms(lambda: game.chain.extend(message)), signature)
    reveals = after.chain.reveals
    orders = record.replace(filing(message.content), reveal=reveals)
    dice = record.SeedDice(after.chain.seed(7), 7)
    judged = median_ms(lambda: adjudicate(game.ruleset, game.setting, game.state, orders, dice))
    row("adjudicate (3 battles, 5 moves)", judged, floor)
    whole = median_ms(lambda: record.extend(game, messages.read(raw, "x")))
    row("all of it: read, verify, adjudicate, hash", whole, floor)
    row("report", median_ms(lambda: reports.of_message(game, after, message, result)), floor)


def tournament(folder: Path, games: int = 40) -> None:
    """Many finished games verified by one process and by two."""
    from kursk_pbem.audit import batch as tournaments

    shipped = sorted(path.parent for path in (ROOT / "tests/games").glob("*/*/0000.yaml"))
    for number in range(games):
        shutil.copytree(shipped[number % len(shipped)], folder / "tournament" / f"{number:03d}")
    work = list(tournaments.tasks([folder / "tournament"], "", "", None))
    one, two = (median_ms(lambda: tournaments.verify_all(work, jobs), runs=3) for jobs in (1, 2))  # noqa: B023
    head(f"verify, {games} finished games", f"one process, {one:.0f} ms; the ratio of two to it is at best 0.5")
    row("--jobs 2", two, one, "0.6 x")


def rules() -> None:
    """The rules alone."""
    import random

    from rulesets.battle_for_kursk.random_play import Chooser, SeededDice, play

    from kursk_pbem.kernel import scenario
    from kursk_pbem.kernel.adjudicate import adjudicate
    from kursk_pbem.kernel.orders import Filing
    from kursk_pbem.kernel.umpire import Umpire
    from kursk_pbem.rulesets.battle_for_kursk import RULESET, movement
    from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, assess
    from kursk_pbem.rulesets.battle_for_kursk.position import position

    loaded = scenario.load(scenario.find("battle-for-kursk/citadel"))
    kursk: Any = RULESET.load(loaded)
    state = RULESET.setup(kursk)
    view = median_ms(lambda: position(kursk, state))
    head("rules", f"one view of a position (who stands where, zones of control), {view:.3f} ms")
    load = median_ms(lambda: RULESET.load(scenario.load(scenario.find("battle-for-kursk/citadel"))))
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
    begin = time.perf_counter()
    stages = sum(1 for seed in range(4) for _ in play(kursk, seed))
    rate = stages / (time.perf_counter() - begin)
    print(f"{'random play, choosing included':<46} {rate:9.0f} stages a second")
    assert Umpire


def scaled(units: int) -> Any:
    """A made-up setting: two lines of units facing each other on a clear map of about six and a half hexes a unit."""
    from kursk_pbem.kernel import scenario
    from kursk_pbem.kernel.scenario import Scenario
    from kursk_pbem.rulesets.battle_for_kursk import RULESET

    citadel = scenario.load(scenario.find("battle-for-kursk/citadel"))
    size = max(8, round((units * 13 / 2) ** 0.5))
    middle = size // 2
    west, east = f"{middle:02d}05", f"{middle + 1:02d}05"
    grid = {"columns": f"01-{size:02d}", "rows": f"01-{size:02d}", "high-columns": "odd"}
    chart = {
        "grid": grid, "absent": [], "default-terrain": "clear", "terrain": {}, "rivers": {}, "railroads": {},
        "cities": {west: {"name": "Kiev", "kind": "major", "side": "german"},
                   east: {"name": "Moscow", "kind": "major", "side": "russian"}},
        "start-line": _line(middle, size), "fortifications": {}, "objectives": {"russian": [west]},
        "edges": {"german": [f"01{row:02d}" for row in range(1, size + 1)],
                  "russian": [f"{size:02d}{row:02d}" for row in range(1, size + 1)]},
        "moscow": east, "kiev": west,
    }  # fmt: skip
    counters = {}
    for number in range(units):
        side, column = ("german", middle - number // size // 2) if number % 2 else ("russian", 0)
        column = column or middle + 1 + number // size // 2
        counters[f"{side[0]}-{number}"] = {
            "name": str(number), "short": str(number), "side": side, "formation": "one", "type": "infantry",
            "full": "6", "reduced": "3", "move": "4", "starts": "full",
            "hex": f"{column:02d}{(number // 2) % size + 1:02d}",
        }  # fmt: skip
    head = {**citadel.data["scenario"], "distribution": {}}
    data = {"scenario": head, "map": chart, "units": {"units": counters}, "tables": citadel.data["tables"]}
    return RULESET.load(Scenario("bench/scaled", "scaled", "battle-for-kursk", data, "0" * 64, ()), {})


def _line(middle: int, size: int) -> list[str]:
    """Every pair of adjacent hexes of two neighbouring columns, the western one first."""
    from kursk_pbem.kernel.hexes.grid import Grid

    grid = Grid(1, size, 1, size)
    return [
        f"{grid.label(middle, row)}-{grid.label(*place)}"
        for row in range(1, size + 1)
        for place in grid.neighbours(middle, row)
        if place[0] == middle + 1 and 1 <= place[1] <= size
    ]


def growth() -> None:
    """How cost grows with the size of the game."""
    from kursk_pbem.rulesets.battle_for_kursk import RULESET, movement
    from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, assess
    from kursk_pbem.rulesets.battle_for_kursk.position import position

    titles = ("one view".rjust(12), "moves of a side".rjust(18), "odds of a battle".rjust(18), "state hash".rjust(12))
    print("\n" + " ".join(("units (hexes)".ljust(20), *titles)))
    for units in (25, 100, 400):
        kursk = scaled(units)
        state = RULESET.setup(kursk)
        pos = position(kursk, state)
        side = [uid for uid in pos.where if pos.side(uid) == "russian"]
        near = kursk.board.near
        attacker, defender = next(
            (uid, other) for uid in side for other in pos.where
            if pos.side(other) == "german" and near[pos.where[uid]] >> pos.where[other] & 1
        )  # fmt: skip
        battle = Battle("b", pos.where[defender], defender, (attacker,))
        figures = (
            median_ms(lambda: position(kursk, state), runs=9),  # noqa: B023 - called at once
            median_ms(lambda: [movement.reach(pos, uid, movement.MOVE) for uid in side], runs=9),  # noqa: B023
            median_ms(lambda: assess(pos, battle), runs=9),  # noqa: B023
            median_ms(state.sha256, runs=9),
        )
        name = f"{units} ({len(kursk.board.index)})"
        cells = [f"{figure:.3f} ms".rjust(width) for figure, width in zip(figures, (12, 18, 18, 12), strict=True)]
        print(f"{name:<20} {' '.join(cells)}")


def fairness() -> None:
    """Chi-square of two million dice."""
    import dice  # beside this file

    assert dice.main() == 0


def _engaged(state: Any) -> Any:
    return {**state.marks, **{side: {"posture": "engage", "previous": "engage"} for side in ("german", "russian")}}


def _ten_battles(kursk: Any, state: Any, chooser: Any) -> dict[str, Any]:
    """An agenda of ten battles that the German could declare at the start of Citadel."""
    from kursk_pbem.kernel.umpire import Umpire

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


def main() -> None:
    """Print the table."""
    compileall.compile_dir(ROOT / "kursk_pbem", quiet=1)  # as an installed package is
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, medians of {RUNS} runs")
    with tempfile.TemporaryDirectory() as name:
        demo = Demo(Path(name))
        processes(demo)
        in_process(demo)
        tournament(Path(name))
    rules()
    growth()
    fairness()


if __name__ == "__main__":
    main()
