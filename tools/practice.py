"""Measure the levels of the practice opponent: ``make practice``.

    python tools/practice.py [--ruleset R] [--scenario S] [--pairs 1-0 2-1] [--games 40] [--jobs 2]
    python tools/practice.py --old PATH --pairs 2-old1    "old1": level 1 of another checkout
    python tools/practice.py --busiest LEVEL    seconds for the twelve busiest positions of the finished games
    python tools/practice.py --check    status 1 if a row is of other code; --renew writes the hashes anew
    python tools/practice.py --alone LEVEL [--ruleset R] [--games N]    games of a level against itself

A pair plays each number of a game with changed sides and fixed seeds, at the kernel and without keys. A level against
itself plays all scenarios, options and dice modes. Finished games are kept in build/practice.jsonl and finished rows in
docs/practice.md, so the command continues after a stop. A change of the levels or of a system's ideas begins the rows
of the system again. The other words of docs/practice.md stay.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import deciding
from helpers import busiest, registry

from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.practice import levels, play, systems

ROOT = Path(__file__).resolve().parent.parent
KEPT, TABLE = ROOT / "build" / "practice.jsonl", ROOT / "docs" / "practice.md"
SURE = 1.96
"""Standard deviations of an interval of 95 %."""
PAIRS, ALONE = "| system, scenario | pair |", "| system | level against itself |"
"""The beginnings of the headings of both tables."""
USUAL_GAMES = {"0": 1_000, "1": 1_000, "2": 200, "3": 40}
"""Level -> games against itself."""
PAIRED = ("battle-for-kursk",)
"""Systems with unequal sides and a margin: the unit is the pair of games with changed sides."""
MOST = 600
"""Maximum number of messages of a game."""
OLD = """
import pickle, sys
sys.path.insert(0, "tests")
from helpers import registry
from kursk_pbem.practice import levels
settings = {}
while sys.stdin.buffer.peek():
    rid, given, state, seq, own, level, seed = pickle.load(sys.stdin.buffer)
    kit = registry.kit(rid)
    if repr(given) not in settings:
        settings[repr(given)] = kit.setting(given[0], given[1], refereed=given[2])
    found = levels.think(kit.ruleset, settings[repr(given)], state, seq, own, level, seed)
    pickle.dump(found, sys.stdout.buffer)
    sys.stdout.buffer.flush()
"""
"""The program of a player from another checkout."""


def digest(name: str) -> str:
    """Return a hash of the code that decides in a system, or in the system of a scenario."""
    return deciding.digest(name.partition("/")[0])


@cache
def start_old(path: str) -> subprocess.Popen[bytes]:
    """Return a process with the players of another checkout."""
    away = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, "-c", OLD]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=path, env=away)


def ask_old(path: str, *asked: Any) -> play.Content:
    """Return the content that a level of another checkout writes."""
    old = start_old(path)
    assert old.stdin is not None
    assert old.stdout is not None
    pickle.dump(asked, old.stdin)
    old.stdin.flush()
    found: play.Content = pickle.load(old.stdout)  # noqa: S301 - of a process started here
    return found


def make_mind(kit: registry.Kit, setting: Any, given: Any, who: str, seed: str, spent: list[float]) -> play.Mind:
    """Return a player: a level, a level of another checkout, or the random player of the tests.

    ``given``: scenario, options, and whether a referee rolls; ``spent`` takes the times of the messages.
    """
    chooser = kit.chooser(setting, random.Random(f"{who}/{seed}"))

    def content(state: Any, seq: int, own: Any) -> play.Content:
        if who == "random":
            return chooser.content(state, seq)
        if who.startswith("old"):
            return ask_old(os.environ["OLD"], kit.id, given, state, seq, own, int(who[3:]), seed)
        begun = time.process_time()
        found = levels.think(kit.ruleset, setting, state, seq, own, int(who), seed)
        spent.append(time.process_time() - begun)
        return found

    return content


def play_game(rid: str, scenario: str, options: Any, dice: str, first: str, second: str, number: int) -> Any:
    """Play a game; the first player has the first side if the number is even. Return the result for this player."""
    kit = registry.kit(rid)
    setting = kit.setting(scenario, options, refereed=dice == REFEREE)
    side = kit.sides[number % 2]
    other = kit.ruleset.other(side)
    spent: dict[str, list[float]] = {side: [], other: []}
    given = scenario, dict(options), dice == REFEREE
    seed = f"{scenario}/{number}"
    minds = {
        side: make_mind(kit, setting, given, first, f"{seed}/{side}", spent[side]),
        other: make_mind(kit, setting, given, second, f"{seed}/{other}", spent[other]),
    }
    table = play.Table(kit.ruleset, setting, kit.setup(setting))
    try:
        while not table.is_over and table.seq < MOST:
            table = table.play_message(play.HashedDice(table.seq, f"{scenario}/{number // 2}"), minds)
    except play.IllegalContentError as error:
        return {"number": number, "fault": f"{seed}: {error}", "spent": spent[side]}
    verdict = kit.ruleset.play.verdict(setting, table.state)
    if verdict is None:
        return {"number": number, "fault": f"{seed}: not over after {MOST} messages", "spent": spent[side]}
    points: Any = kit.ruleset.play.margin(setting, table.state)
    if points is not None and verdict.winner and (points > 0) != (verdict.winner == kit.sides[0]):
        ideas = systems.find_ideas(kit.ruleset)
        points = (
            ideas.evaluate(setting, table.state, kit.sides[0]) / 100 if ideas else None
        )  # such as a German in Moscow
    return {
        "number": number,
        "result": 1 if verdict.winner == side else 0 if verdict.winner else 0.5,
        "how": verdict.how,
        "points": None if points is None else points if side == kit.sides[0] else -points,
        "messages": table.seq - 1,
        "spent": [round(each, 4) for each in spent[side]],
    }


def play_job(job: tuple[Any, ...]) -> Any:
    """Play a game and keep an error of the program as a fault, so the other games go on."""
    try:
        return play_game(*job)
    except Exception as error:  # noqa: BLE001 - a crash is a result here
        return {"number": job[-1], "fault": f"{job[1]}/{job[-1]}: {type(error).__name__}: {error}", "spent": []}


def read_kept() -> dict[str, Any]:
    """Return the kept games by key."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    return {game["key"]: game for game in map(json.loads, lines)}


def play_all(keyed: dict[str, tuple[Any, ...]], jobs: int) -> list[Any]:
    """Play the games that are not kept; return all in order of their numbers."""
    kept = read_kept()
    found = [kept[key] for key in keyed if key in kept]
    todo = {key: job for key, job in keyed.items() if key not in kept}
    KEPT.parent.mkdir(exist_ok=True)
    with multiprocessing.Pool(jobs) as pool, KEPT.open("a", encoding="utf-8") as file:
        for key, game in pool.imap_unordered(play_keyed, todo.items()):
            file.write(json.dumps({"key": key, **game}) + "\n")
            file.flush()
            found.append(game)
            if "fault" in game:
                print("FAULT", game["fault"], flush=True)
    return sorted(found, key=lambda game: game["number"])


def play_keyed(item: tuple[str, tuple[Any, ...]]) -> tuple[str, Any]:
    """Play a game with its key."""
    return item[0], play_job(item[1])


def describe_times(games: list[Any]) -> str:
    """Return the mean and the worst time of a message."""
    spent = list(itertools.chain.from_iterable(game["spent"] for game in games)) or [0.0]
    mean, worst = sum(spent) / len(spent), max(spent)
    return f"{mean * 1000:.0f} ms, {worst * 1000:.0f} ms" if worst < 1 else f"{mean:.2f} s, {worst:.2f} s"


def describe_interval(games: list[Any]) -> str:
    """Return Wilson's interval of a share of results, in percent; a draw is half of a success."""
    number = max(1, len(games))
    share = sum(game["result"] for game in games) / number
    middle, spread = share + SURE**2 / (2 * number), SURE * (share * (1 - share) + SURE**2 / (4 * number)) ** 0.5
    low, high = (100 * (middle + sign * spread * number**-0.5) / (1 + SURE**2 / number) for sign in (-1, 1))
    return f"{low:.0f} to {high:.0f} %"


def list_pairs(kit: registry.Kit) -> list[str]:
    """Return the pairs of a system: level 1 against random orders, every level against the level below and itself."""
    found = [(f"{level}-{level - 1}", f"{level}-{level}") for level in kit.ruleset.levels]
    return ["1-random", *itertools.chain.from_iterable(found)]


def pair_games(games: list[Any]) -> list[Any]:
    """Return the results of the pairs with changed sides and equal dice: the points of both games decide."""
    pairs: dict[int, list[Any]] = {}
    for game in games:
        pairs.setdefault(game["number"] // 2, []).append(game["points"])
    sums = [sum(pair) for pair in pairs.values() if len(pair) > 1]
    return [{"result": 1 if points > 0 else 0.5 if points == 0 else 0} for points in sums]


def describe_games(games: list[Any], rid: str) -> list[str]:
    """Return points, results in all and by side, and times."""
    done = [game for game in games if "fault" not in game]
    points = [game["points"] for game in done if game["points"] is not None]
    sides = [[game for game in done if game["number"] % 2 == side] for side in (0, 1)]
    cells = [str(len(done)), f"{sum(points) / len(points):+.1f}" if points else "-"]
    units = pair_games(done) if rid in PAIRED else done
    told = f"{sum(unit['result'] for unit in units):g} of {len(units)}{' pairs' * (rid in PAIRED)}"
    cells += [told, describe_interval(units)]
    for part in sides:
        mean = [game["points"] for game in part if game["points"] is not None]
        said = f"{sum(game['result'] for game in part):g} of {len(part)}"
        cells.append(f"{said}, {sum(mean) / len(mean):+.1f}" if mean else said)
    return [*cells, describe_times(done)]


def write_row(heading: str, name: str, kind: str, cells: list[str]) -> None:
    """Write a row of a table in place of an earlier one; rows are sorted."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    first = 2 + next(number for number, line in enumerate(lines) if line.startswith(heading))
    last = next((number for number in range(first, len(lines)) if not lines[number]), len(lines))
    rows = [line for line in lines[first:last] if not line.startswith(f"| {name} | {kind} |")]
    lines[first:last] = sorted([*rows, f"| {' | '.join((name, kind, *cells))} |"])
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measure_pairs(kit: registry.Kit, scenario: str, pairs: list[str], games: range, jobs: int, *, write: bool) -> None:
    """Play the pairs of a system and write their rows."""
    code = digest(kit.id)
    for pair in pairs:
        first, second = pair.split("-")
        keyed: dict[str, tuple[Any, ...]] = {
            f"{code}/{scenario}/{pair}/{number}": (kit.id, scenario, {}, PLAYERS, first, second, number)
            for number in games
        }
        cells = describe_games(play_all(keyed, jobs), kit.id)
        print(scenario, pair, *cells, sep=" | ", flush=True)
        if write:
            against = second if second == "random" else f"level {second}"
            write_row(PAIRS, scenario, f"level {first} against {against}", [*cells, code])


def measure_alone(kit: registry.Kit, level: str, games: int, jobs: int, *, write: bool) -> int:
    """Play games of a level against itself, with all scenarios, options and dice modes; return the number of faults."""
    code = digest(kit.id)
    keyed: dict[str, tuple[Any, ...]] = {}
    for number in range(games):
        scenario, options = kit.of_seed(number)
        dice = REFEREE if number // 2 % 2 else PLAYERS
        keyed[f"{code}/alone/{kit.id}/{level}/{number}"] = (kit.id, scenario, options, dice, level, level, number)
    found = play_all(keyed, jobs)
    done = [game for game in found if "fault" not in game]
    faults, draws = len(found) - len(done), sum(game["result"] == 0.5 for game in done)
    first = sum(game["result"] == 1 - game["number"] % 2 for game in done)  # the first side wins
    cells = [str(len(found)), str(faults), f"{first} of {len(done)}", str(draws), describe_times(found)]
    print(kit.id, level, *cells, sep=" | ", flush=True)
    if write:
        write_row(ALONE, kit.id, level, [*cells, code])
    return faults


def time_busiest(kit: Any, level: int) -> None:
    """Print the seconds of a level for each of the busiest positions of the finished games."""
    spent = []
    for step in busiest.list_busiest(kit.id) if kit.id in busiest.list_searching() else ():
        began, state = time.process_time(), step.result.middle if step.result else step.after.state
        levels.think(kit.ruleset, step.after.setting, state, step.message.seq, {}, level, "busiest")
        spent.append(time.process_time() - began)
    print(f"{kit.id}, level {level}: {' '.join(f'{each:.2f}' for each in spent)}; worst {max(spent, default=0):.2f} s")


def main() -> int:
    """Measure pairs, or a level against itself; return 1 after a fault."""
    parser = argparse.ArgumentParser(description="Measure the levels of the practice opponent.")
    parser.add_argument("--ruleset", default="all", help=f"all, or one of {', '.join(registry.KITS)}")
    parser.add_argument("--scenario", default="", help="the shortest scenario of the system if omitted")
    parser.add_argument("--pairs", nargs="+", default=[], metavar="FIRST-SECOND", help="levels, or random")
    parser.add_argument("--games", type=int, default=0, help="40 of a pair, more of a level against itself")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game, for fresh seeds")
    parser.add_argument("--old", default="", metavar="PATH", help="another checkout, whose levels are named old1, old2")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--try", dest="attempt", action="store_true", help="do not write the table")
    parser.add_argument("--alone", default="", metavar="LEVEL", help="play a level against itself, 'all' levels")
    parser.add_argument("--busiest", default="", metavar="LEVEL", help="time a level in the busiest positions")
    parser.add_argument("--check", action="store_true", help="play nothing; status 1 if a row is of other code")
    parser.add_argument("--renew", action="store_true", help="write the hashes anew: the code plays as before")
    asked = parser.parse_args()
    if asked.check:
        return deciding.check(TABLE, digest, "make practice")
    if asked.renew:
        deciding.renew(TABLE, KEPT, digest)
        return 0
    os.environ["OLD"] = asked.old
    faults = 0
    for kit in registry.kits(asked.ruleset):
        if asked.busiest:
            time_busiest(kit, int(asked.busiest))
        elif asked.alone:
            offered = map(str, levels.list_levels(kit.ruleset.levels))
            for level in offered if asked.alone == "all" else [asked.alone]:
                games = asked.games or USUAL_GAMES[level]
                faults += measure_alone(kit, level, games, asked.jobs, write=not asked.attempt)
        else:
            games = range(asked.first, asked.first + (asked.games or 40))
            scenario = asked.scenario or kit.scenarios[0]
            measure_pairs(kit, scenario, asked.pairs or list_pairs(kit), games, asked.jobs, write=not asked.attempt)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
