"""Measure the speed against the targets of docs/performance.md. ``make bench`` begins with this table.

    python tools/targets.py [--ruleset RULESET] [--rounds 7] [--only WORDS] [--json] [--root FOLDER]

Every round measures a row directly after its floor, because other load must affect both equally. Figures are CPU time;
wall time is in a column of its own. A row meets its target if the minimum of the rounds is below the target, or if the
ratio to the floor is below the target ratio.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
ROOT = Path(sys.argv[sys.argv.index("--root") + 1]).resolve() if "--root" in sys.argv else HERE
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

Sample = tuple[float, float]
"""Milliseconds of a measurement: CPU, wall."""


@dataclass
class Row:
    """A line of the table. ``target``: milliseconds. ``ratio``: target ratio to the floor, or 0. Either is enough."""

    name: str
    target: float
    work: Callable[[], Sample]
    floor: Callable[[], Sample]
    ratio: float = 0.0
    took: list[Sample] = field(default_factory=list)
    bare: list[Sample] = field(default_factory=list)

    def measure(self) -> None:
        self.bare.append(self.floor())
        self.took.append(self.work())

    @property
    def least(self) -> float:
        return min(cpu for cpu, _wall in self.took)

    def summarize(self) -> dict[str, Any]:
        floor = min(cpu for cpu, _wall in self.bare)
        times = self.least / floor if floor else 0.0
        met = self.least <= self.target or (self.ratio and times <= self.ratio)
        return {
            "name": self.name,
            "cpu": round(self.least, 4),
            "median": round(statistics.median(cpu for cpu, _wall in self.took), 4),
            "wall": round(min(wall for _cpu, wall in self.took), 4),
            "floor": round(floor, 4),
            "times": round(times, 2),
            "target": self.target,
            "ratio": self.ratio,
            "met": bool(met),
        }


def time_in_process(work: Callable[[], object], items: int = 1) -> Callable[[], Sample]:
    """Return a timer for a call in this process, per item. The first call fills caches and does not count."""
    warm: list[int] = []

    def take_sample() -> Sample:
        if not warm:
            work()
            warm.append(1)
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        return (time.process_time() - cpu) * 1000 / items, (time.perf_counter() - wall) * 1000 / items

    return take_sample


def time_process(
    words: list[str], before: Callable[[], object] = lambda: None, home: Path | None = None
) -> Callable[[], Sample]:
    """Return a timer for a whole process."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **({"KURSK_HOME": str(home)} if home else {})}

    def take_sample() -> Sample:
        before()
        was, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(words, env=env, capture_output=True, check=False)
        assert done.returncode in (0, 1), (words, done.stderr.decode())
        wall, now = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
        return (now.ru_utime - was.ru_utime + now.ru_stime - was.ru_stime) * 1000, wall * 1000

    return take_sample


KURSK = [sys.executable, "-c", "import sys; from kursk_pbem.cli import main; sys.argv[0] = 'kursk'; main()"]
BARE = time_process([sys.executable, "-c", "pass"])


def make_archive_rows(kit: Any, folder: Path) -> Iterator[Row]:
    """Yield a row for the finished games of a ruleset in the archive form, verified in this process."""
    from helpers import finished_games

    from kursk_pbem.audit import export, verify
    from kursk_pbem.game import folders
    from kursk_pbem.trust import chains, sshsig

    out = []
    for name in kit.plots:
        out.append(folder / f"archive-{kit.id}-{name}")
        export.export(finished_games.folder_of(kit, name), out[-1])
    files = [path for place in out for path in folders.message_files(place)]
    signed = [folders.read_message(path) for path in files]
    heads = {place: folders.read_message(folders.proposal_path(place)) for place in out}
    pinned = {place: chains.start_chain(head).keys for place, head in heads.items()}

    def read_floor() -> None:
        import hashlib

        for path, message in zip(files, signed, strict=True):
            raw = path.read_bytes()
            json.loads(raw)
            hashlib.sha256(raw).digest()
            hashlib.sha256(raw).digest()
            if key := pinned[path.parent].get(message.sender):
                sshsig.verify(key, sshsig.NAMESPACE, message.signed, message.armour or "")

    def verify_all() -> None:
        for place in out:
            assert verify.verify_game(place).status == 0

    first = kit.id == "battle-for-kursk"
    bare, work = time_in_process(read_floor, len(files)), time_in_process(verify_all, len(files))
    yield Row(
        f"{kit.id}: a message of an archive", 1.0 if first else 1000 / 600, work, bare, ratio=4.5 if first else 7.5
    )


def make_command_rows(kit: Any, folder: Path) -> Iterator[Row]:
    """Yield rows for whole commands at message 10 and at the end of the longest game of two players."""
    from helpers import finished_games

    from kursk_pbem.game import folders

    copy_folder = (
        import_module("helpers.one_place").copy_here
        if Path(finished_games.__file__).with_name("one_place.py").exists()  # copies in older trees ask nothing
        else shutil.copytree
    )
    two = [name for name, plot in kit.plots.items() if not plot.refereed]
    longest = max(two, key=lambda name: len(folders.message_files(finished_games.folder_of(kit, name))))
    table = finished_games.play(kit, longest, folder / f"desk-{kit.id}")
    last = table.game.chain.next_seq - 1
    for seq in sorted({min(10, last - 1), last - 1}):
        writer = table.game.chain.writer(seq)
        taker = table.players[table.other(writer)]
        place = folder / f"desk-{kit.id}-{seq}"
        letter = folders.message_path(table.players[writer].folder, seq)

        def restore_place(seq: int = seq, place: Path = place, taker: Any = taker) -> None:
            shutil.rmtree(place, ignore_errors=True)
            copy_folder(taker.place, place)
            shorten_game(place, taker.folder.name, seq - 1)

        restore_place()
        game, home = place / taker.folder.name, place / taker.home.relative_to(taker.place)
        draft = folders.draft_path(game, seq + 1)
        at = f"{kit.id}, message {seq}"
        adjudicate = [*KURSK, "inbox", "--report", str(letter)]
        time_process([*KURSK, "status"], home=home)()  # the desk caches the verification

        def verify_place(restore: Callable[[], object] = restore_place, home: Path = home, game: Path = game) -> None:
            restore()
            time_process([*KURSK, "status", str(game)], home=home)()

        yield Row(f"{at}: adjudicate", 200, time_process([*adjudicate], verify_place, home), BARE)
        yield Row(f"{at}: check", 170, time_process([*KURSK, "check", str(draft)], home=home), BARE)
        time_process(adjudicate, verify_place, home)()
        order = [*KURSK, "order", str(game)]
        yield Row(f"{at}: order", 170, time_process([*order, *find_example(game, home)], home=home), BARE)
        yield Row(f"{at}: order alone, with all examples", 170, time_process(order, home=home), BARE)
        yield Row(f"{at}: verify of one file", 110, time_process([*KURSK, "verify", str(letter)]), BARE)


def find_example(game: Path, home: Path) -> list[str]:
    """Return the words of a legal order, preferably of a move."""
    from kursk_pbem.desk.draft import examples, ordering
    from kursk_pbem.desk.own import desks

    sheet = ordering.open_draft(desks.open_desk(game, home))
    verbs = sorted(sheet.verbs, key=lambda verb: verb.name != "move")
    return next(filter(None, map(examples.Examples(sheet).of, verbs)), "note well played").split()


def shorten_game(place: Path, game: str, seq: int) -> None:
    """Remove the traces of messages after ``seq`` from a player's folder."""
    for path in [*(place / game).iterdir(), *place.rglob("journal/*")]:
        digits = "".join(letter for letter in path.name if letter.isdigit())[:4]
        if path.is_file() and len(digits) == 4 and int(digits) > seq:
            path.unlink()
    for path in place.rglob("verified"):
        path.unlink()


def make_rule_rows(kit: Any, _folder: Path) -> Iterator[Row]:
    """Yield rows for reach, moves, hints, sight and random play."""
    from rulesets import toys

    setting = kit.setting(kit.scenarios[0])
    states = [state for state, _result in islice(toys.play(kit, setting, 1), 12)]
    state, seen = max(states, key=lambda state: sum(kit.counts(setting, state).values())), kit.ruleset.seen
    first = time_in_process(lambda: state.with_().sha256())
    yield Row(f"{kit.id}: draft hints", 10, time_in_process(lambda: seen.hints(setting, state.with_(), 1)), first)
    stages = sum(1 for _ in toys.play(kit, setting, 1))

    def play() -> None:
        for _step in toys.play(kit, setting, 1):
            pass

    yield Row(
        f"{kit.id}: a stage of random play",
        1000 / (150 if kit.id == "juggernauts" else 400),
        time_in_process(play, stages),
        first,
    )
    if kit.id == "armor-commander":
        yield from _make_table_rows(setting, first)
    else:
        yield from _make_reach_rows(kit, setting, state, first)


def _make_reach_rows(kit: Any, setting: Any, state: Any, floor: Callable[[], Sample]) -> Iterator[Row]:
    """Yield rows for the reach of the units of the more mobile side, in a new position."""
    package = f"kursk_pbem.rulesets.{kit.id.replace('-', '_')}"
    movement, outlook, views = (import_module(f"{package}.{name}") for name in ("movement", "seen.outlook", "position"))
    way = {
        "battle-for-kursk": lambda pos, uid: movement.reach(pos, uid, movement.MOVE),
        "kursk-1971": lambda pos, uid: outlook.ends(pos, uid, movement.INITIAL),
        "juggernauts": movement.reach,
    }[kit.id]
    pos = views.position(setting, state)
    own = {side: [uid for uid in sorted(pos.where) if pos.side(uid) == side] for side in kit.sides}
    units = max(own.values(), key=lambda uids: sum(len(way(pos, uid)) for uid in uids))
    hexes = sum(len(way(pos, uid)) for uid in units)

    def find_moves() -> None:
        new = views.position(setting, state.with_())
        for uid in units:
            way(new, uid)

    yield Row(f"{kit.id}: moves of a side, {len(units)} units, {hexes} hexes", 5, time_in_process(find_moves), floor)
    yield Row(f"{kit.id}: reach of a unit", 0.1, time_in_process(find_moves, len(units)), floor)


def _make_table_rows(setting: Any, floor: Callable[[], Sample]) -> Iterator[Row]:
    from rulesets.armor_commander.table import begin

    from kursk_pbem.kernel.plane import CLOCK
    from kursk_pbem.rulesets.armor_commander.ahead import find_straight_end
    from kursk_pbem.rulesets.armor_commander.position import make_field as look

    state = begin(setting)
    table = look(setting, state)
    pairs = [(mid, foe) for mid in table.at for foe in table.list_enemies(setting.models[mid].side)]
    mover = next(mid for mid in table.at if table.is_mobile(mid))

    def look_at(asked: str) -> Callable[[], object]:
        return lambda: [getattr(new, asked)(*pair) for new in [look(setting, state.with_())] for pair in pairs]

    yield Row(f"armor-commander: who sees whom, {len(pairs)} pairs", 2, time_in_process(look_at("can_see")), floor)
    yield Row(f"armor-commander: half obscured, {len(pairs)} pairs", 8, time_in_process(look_at("is_obscured")), floor)
    ways = time_in_process(lambda: [find_straight_end(table, mover, vector) for vector in CLOCK.values()])
    yield Row("armor-commander: moves of a model", 3, ways, floor)


def make_many_rows(_kit: Any, _folder: Path, games: int = 60) -> Iterator[Row]:
    """Yield rows for short games in sequence, and for the start of the program."""
    from helpers import finished_games, registry

    from kursk_pbem.audit import verify
    from kursk_pbem.game import folders

    kit = registry.kit("battle-for-kursk")
    short = min(
        (finished_games.folder_of(kit, name) for name in kit.plots), key=lambda path: len(folders.message_files(path))
    )

    def run() -> None:
        for _number in range(games):
            assert verify.verify_game(short).status == 0

    length = len(folders.message_files(short))
    yield Row(f"a short game of {length} messages, one of {games}", 10, time_in_process(run, games), BARE)
    yield Row("kursk --help", 60, time_process([*KURSK, "--help"]), BARE)


PARTS: dict[str, Callable[[Any, Path], Iterator[Row]]] = {
    "many": make_many_rows,
    "archives": make_archive_rows,
    "rules": make_rule_rows,
    "search": lambda kit, _folder: import_module("bench_search").make_rows(kit, Row, time_in_process),
    "commands": make_command_rows,
}


def make_rows(asked: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """Yield the rows with the wanted words in their names. Skip a part that the commit does not support."""
    from helpers import registry

    for kit in registry.kits(asked.ruleset):
        for name, make_part in PARTS.items():
            wanted = not asked.parts or name in asked.parts.split(",")
            if not wanted or (name == "many" and kit is not registry.kits(asked.ruleset)[0]):
                continue
            try:
                yield from (row for row in make_part(kit, folder) if asked.only in row.name)
            except (AttributeError, ImportError, TypeError) as error:
                print(f"{name} of {kit.id} is not measured: {error}", file=sys.stderr)


def measure_table(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure the rows; return the lines of the table as plain data."""
    compileall.compile_dir(ROOT / "kursk_pbem", quiet=1)
    with tempfile.TemporaryDirectory() as name:
        lines = list(make_rows(asked, Path(name)))
        for _round in range(asked.rounds):
            for line in lines:
                line.measure()
        return [line.summarize() for line in lines]


def print_table(lines: list[dict[str, Any]]) -> None:
    """Print the table as in docs/performance.md."""
    print("| what | CPU, minimum | median | wall | floor | x floor | target | |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
    for line in lines:
        target = f"{line['target']:.3g} ms" + (f" or {line['ratio']} x" if line["ratio"] else "")
        figures = " | ".join(f"{line[key]:.3g}" for key in ("cpu", "median", "wall", "floor", "times"))
        print(f"| {line['name']} | {figures} | {target} | {'met' if line['met'] else 'MISSED'} |")


def main() -> int:
    """Parse the arguments, measure, and print the table."""
    parser = argparse.ArgumentParser(description="What must be fast, against its targets.")
    parser.add_argument("--ruleset", default="all")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="rows with these words in their names")
    parser.add_argument("--parts", default="", help=f"some of {','.join(PARTS)}; default: all")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--root", type=Path, default=HERE, help="the tree that is measured")
    asked = parser.parse_args()
    lines = measure_table(asked)
    if asked.json:
        print(json.dumps(lines))
    else:
        print_table(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
