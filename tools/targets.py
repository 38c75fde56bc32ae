"""Measure the speed against the targets of docs/performance.md. ``make bench`` begins with this table.

    python tools/targets.py [--ruleset RULESET] [--rounds 7] [--only WORDS] [--page | --json] [--root FOLDER]

Every round measures a row directly after its floor, because other load must affect both equally. Figures are CPU time;
wall time is in a column of its own. A row meets its target if the minimum of the rounds is below the target. A row that
cannot be measured stops the tool; in another tree the row is left out by name. --page: the table of the page.
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
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent.parent
ROOT = Path(sys.argv[sys.argv.index("--root") + 1]).resolve() if "--root" in sys.argv else HERE
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

Sample = tuple[float, float]
"""Milliseconds of a measurement: CPU, wall."""


REACHED = {
    "battle-for-kursk: a message of an archive": 0.75,
    "kursk-1971: a message of an archive": 0.85,
    "juggernauts: a message of an archive": 1.6,
    "armor-commander: a message of an archive": 0.6,
}
"""Beginnings of rows -> targets in place of those wanted, which Python cannot meet. docs/performance.md says why."""


@contextmanager
def leave_out_of_others(name: str) -> Iterator[None]:
    """Name what another tree does not support. In the present tree every error is raised."""
    try:
        yield
    except Exception as error:
        if ROOT == HERE:
            error.add_note(f"{name} cannot be measured")
            raise
        print(f"{name} is left out: {error!r:.300}", file=sys.stderr)


@dataclass
class Row:
    """A line of the table. ``target``: milliseconds, or 0 without a target."""

    name: str
    target: float
    work: Callable[[], Sample]
    floor: Callable[[], Sample]
    took: list[Sample] = field(default_factory=list)
    bare: list[Sample] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.target = next((reached for start, reached in REACHED.items() if self.name.startswith(start)), self.target)

    def measure(self) -> bool:
        """Measure a round; return whether the tree supports the row."""
        with leave_out_of_others(self.name):
            self.bare.append(self.floor())
            self.took.append(self.work())
            return True
        return False

    @property
    def least(self) -> float:
        return min(cpu for cpu, _wall in self.took)

    def summarize(self) -> dict[str, Any]:
        floor = min(cpu for cpu, _wall in self.bare)
        times = self.least / floor if floor else 0.0
        return {
            "name": self.name,
            "cpu": round(self.least, 4),
            "median": round(statistics.median(cpu for cpu, _wall in self.took), 4),
            "wall": round(min(wall for _cpu, wall in self.took), 4),
            "floor": round(floor, 4),
            "times": round(times, 2),
            "target": self.target,
            "met": not self.target or self.least <= self.target,
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
    words: list[str] | Callable[[], list[str]], before: Callable[[], object] = lambda: None, home: Path | None = None
) -> Callable[[], Sample]:
    """Return a timer for a whole process that succeeds."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), **({"KURSK_HOME": str(home)} if home else {})}

    def take_sample() -> Sample:
        before()
        typed = words() if callable(words) else words
        was, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(typed, env=env, capture_output=True, check=False)
        assert done.returncode == 0, (typed, done.stderr.decode())
        wall, now = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
        return (now.ru_utime - was.ru_utime + now.ru_stime - was.ru_stime) * 1000, wall * 1000

    return take_sample


KURSK = [sys.executable, "-P", "-c", "import sys; from kursk_pbem.cli import main; sys.argv[0] = 'kursk'; main()"]
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

    bare, work = time_in_process(read_floor, len(files)), time_in_process(verify_all, len(files))
    yield Row(f"{kit.id}: a message of an archive", 1, work, bare)


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
        plain = folder / f"plain-{kit.id}-{seq}"
        plain.mkdir()
        for path in folders.message_files(letter.parent)[: seq + 1]:
            shutil.copy(path, plain)

        def restore_place(seq: int = seq, place: Path = place, taker: Any = taker) -> None:
            shutil.rmtree(place, ignore_errors=True)
            copy_folder(taker.place, place)
            shorten_game(place, taker.folder.name, seq - 1)

        restore_place()
        game, home = place / taker.folder.name, place / taker.home.relative_to(taker.place)
        draft = folders.draft_path(game, seq + 1)
        at = f"{kit.id}, message {seq}"
        judge = [*KURSK, "adjudicate", str(plain / letter.name)]
        alone = (ROOT / "kursk_pbem/cli/proof/adjudicating.py").exists()  # before, 'adjudicate' was 'inbox --report'
        report = [*KURSK, *(["inbox", "--report"] if alone else ["adjudicate"]), str(letter)]
        time_process([*KURSK, "status"], home=home)()  # the desk caches the verification

        def verify_place(restore: Callable[[], object] = restore_place, home: Path = home, game: Path = game) -> None:
            restore()
            time_process([*KURSK, "status", str(game)], home=home)()

        if alone:
            yield Row(f"{at}: adjudicate", 200, time_process(judge, home=folder / "nobody"), BARE)
        yield Row(f"{at}: inbox --report", 200, time_process(report, verify_place, home), BARE)
        yield Row(f"{at}: check", 170, time_process([*KURSK, "check", str(draft)], home=home), BARE)
        time_process(report, verify_place, home)()
        order = [*KURSK, "order", str(game)]
        typed = cache(partial(find_example, game, home, order))
        yield Row(f"{at}: order", 170, time_process(typed, home=home), BARE)
        yield Row(f"{at}: order alone, with all examples", 170, time_process(order, home=home), BARE)
        yield Row(f"{at}: verify of one file", 110, time_process([*KURSK, "verify", str(letter)]), BARE)


def find_example(game: Path, home: Path, order: list[str]) -> list[str]:
    """Return the words of 'kursk order' with a legal order, preferably of a move."""
    from kursk_pbem.desk.draft import examples, ordering
    from kursk_pbem.desk.own import desks

    sheet = ordering.open_draft(desks.open_desk(game, home))
    verbs = sorted(sheet.verbs, key=lambda verb: verb.name != "move")
    return [*order, *next(filter(None, map(examples.Examples(sheet).of, verbs)), "note well played").split()]


def shorten_game(place: Path, game: str, seq: int) -> None:
    """Remove the traces of messages after ``seq`` from a player's folder."""
    for path in [*(place / game).iterdir(), *place.rglob("journal/*")]:
        digits = "".join(letter for letter in path.name if letter.isdigit())[:4]
        if path.is_file() and len(digits) == 4 and int(digits) > seq:
            path.unlink()
    for path in place.rglob("verified"):
        path.unlink()


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
    "peers": lambda _kit, _folder: import_module("bench_peers").make_peer_rows(Row, time_in_process),
    "archives": make_archive_rows,
    "rules": lambda kit, _folder: import_module("bench_rules").make_rows(kit, Row, time_in_process),
    "search": lambda kit, _folder: import_module("bench_search").make_rows(kit, Row, time_in_process),
    "decisions": lambda kit, _folder: import_module("bench_peers").make_rows(kit, Row, time_in_process),
    "commands": make_command_rows,
}

ONCE = ("many", "peers")


def make_rows(asked: argparse.Namespace, folder: Path) -> Iterator[Row]:
    """Yield the rows with the wanted words in their names."""
    from helpers import registry

    for kit in registry.kits(asked.ruleset):
        for name, make_part in PARTS.items():
            wanted = not asked.parts or name in asked.parts.split(",")
            if wanted and (name not in ONCE or kit is registry.kits(asked.ruleset)[0]):
                with leave_out_of_others(f"{name} of {kit.id}"):
                    yield from (row for row in make_part(kit, folder) if asked.only in row.name)


def measure_table(asked: argparse.Namespace) -> list[dict[str, Any]]:
    """Measure the rows; return the lines of the table as plain data."""
    compileall.compile_dir(ROOT / "kursk_pbem", quiet=1)
    with tempfile.TemporaryDirectory() as name:
        lines = list(make_rows(asked, Path(name)))
        for _round in range(asked.rounds):
            lines = [line for line in lines if line.measure()]
        return [line.summarize() for line in lines]


def print_table(lines: list[dict[str, Any]], *, page: bool = False) -> None:
    """Print the table; ``page``: with the columns of docs/performance.md, and with date and commit."""
    columns = {"CPU, minimum": "cpu", "median": "median", "wall": "wall", "floor": "floor", "x floor": "times"}
    if page:
        columns = {"CPU ms": "cpu"}
        commit = subprocess.check_output(["git", "-C", ROOT, "describe", "--always", "--dirty"], text=True).strip()
        load = f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}"
        print(f"{load}, {datetime.now(UTC):%Y-%m-%d}, commit {commit}.\n")
    print(f"| what | {' | '.join(columns)} | target | |\n|---|{'---:|' * len(columns)}---:|---|")
    for line in lines:
        figures = " | ".join(f"{line[key]:.3g}" for key in columns.values())
        target = f"{line['target']:.3g} ms" if line["target"] else ""
        met = ("MISSED", "met")[line["met"]] if target else ""
        print(f"| {line['name']} | {figures} | {target} | {met} |")


def main() -> int:
    """Parse the arguments, measure, and print the table."""
    parser = argparse.ArgumentParser(description="What must be fast, against its targets.")
    parser.add_argument("--ruleset", default="all")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="rows with these words in their names")
    parser.add_argument("--parts", default="", help=f"some of {','.join(PARTS)}; default: all")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--page", action="store_true", help="the table of docs/performance.md")
    parser.add_argument("--root", type=Path, default=HERE, help="the tree that is measured")
    asked = parser.parse_args()
    lines = measure_table(asked)
    if asked.json:
        print(json.dumps(lines))
    else:
        print_table(lines, page=asked.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
