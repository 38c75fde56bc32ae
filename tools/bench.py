"""The benchmark table: ``make bench``. The figures are medians. A ratio compares a row with its floor in the same run.

The kit of a ruleset supplies the special rows of the ruleset. Rows of whole processes are timed on the demonstration
game; the floor is an interpreter without a program. Rows in one process are timed on one message; the floor is a
libyaml parse of the message plus one signature check.
"""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers.measure import RUNS, head, median_ms, row  # noqa: E402


class Demo:
    """The demonstration game in a temporary folder, and a copy of one desk for the measured commands."""

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

    def restore_before_7(self) -> None:
        """Restore Anna's desk before the arrival of the last message."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.folder / "german", self.work)
        game = self.work / self.game.name
        for name in ("0007.yaml", "report-0007.txt", "0008.draft.yaml"):
            (game / name).unlink()
        next(self.work.glob("private/games/*/journal/0007.json")).unlink()

    def make_environment(self) -> dict[str, str]:
        """Return the environment of Anna's commands."""
        return {**os.environ, "KURSK_HOME": str(self.work / "private")}


def time_processes(demo: Demo) -> None:
    """Time whole processes."""
    python = sys.executable
    script = Path(python).with_name("kursk")
    kursk = [str(script)] if script.exists() else [python, "-c", "from kursk_pbem.cli import main; main()"]

    def run(*arguments: str) -> Callable[[], object]:
        def call() -> None:
            subprocess.run(arguments, check=True, env=demo.make_environment(), stdout=subprocess.DEVNULL)

        return call

    bare = median_ms(run(python, "-c", "pass"))
    head("whole process", f"bare interpreter, {bare:.1f} ms")
    demo.restore_before_7()
    last = str(demo.game / "0005.yaml")
    letter = str(demo.folder / "german/inbox/from-boris-0007.yaml")
    row("kursk --help", median_ms(run(*kursk, "--help")), bare, "60 ms")
    row("kursk verify 0005.yaml", median_ms(run(*kursk, "verify", last)), bare, "120 ms")
    row("kursk verify (the game, 8 messages)", median_ms(run(*kursk, "verify", str(demo.game))), bare)
    adjudicate = median_ms(run(*kursk, "inbox", "--report", letter), demo.restore_before_7)
    row("kursk adjudicate (new message, next draft)", adjudicate, bare, "200 ms")
    draft = str(demo.work / demo.game.name / "0008.draft.yaml")
    row("kursk check (the draft it wrote)", median_ms(run(*kursk, "check", draft)), bare)


def time_in_process(demo: Demo) -> None:
    """Time the parts of message 7 of the demonstration: dice of three battles, five moves."""
    import yaml

    from kursk_pbem.formats import strictyaml
    from kursk_pbem.game import folders, reports
    from kursk_pbem.game import games as record
    from kursk_pbem.kernel.adjudicate import adjudicate
    from kursk_pbem.kernel.orders import filing
    from kursk_pbem.trust import messages, sshsig

    raw = (demo.game / "0007.yaml").read_bytes()
    game = record.begin(folders.read_message(demo.game / "0000.yaml"))
    for seq in range(1, 7):
        game, _result = record.extend(game, folders.read_message(demo.game / f"{seq:04d}.yaml"))
    message = messages.read_message(raw, "0007.yaml")
    after, result = record.extend(game, message)
    key = game.chain.keys[message.sender]

    def check_signature() -> bytes:
        return sshsig.verify(key, sshsig.NAMESPACE, message.signed, message.armour or "")

    parse = median_ms(lambda: list(yaml.parse(raw, Loader=yaml.CBaseLoader)))
    signature = median_ms(check_signature)
    floor = parse + signature
    head("in process, one message", f"libyaml events {parse:.2f} ms + one signature check {signature:.2f} ms")
    row("strict read", median_ms(lambda: strictyaml.read(raw, "x")), parse)
    row("read, schema, canonical form, id", median_ms(lambda: messages.read_message(raw, "x")), floor)
    row("chain: signature, order, opening, reveals", median_ms(lambda: game.chain.extend(message)), signature)
    reveals = after.chain.reveals
    orders = record.replace(filing(message.content), reveal=reveals)
    dice = record.SeedDice(after.chain.seed(7), 7)
    judged = median_ms(lambda: adjudicate(game.ruleset, game.setting, game.state, orders, dice))
    row("adjudicate (3 battles, 5 moves)", judged, floor)
    whole = median_ms(lambda: record.extend(game, messages.read_message(raw, "x")))
    row("all of it: read, verify, adjudicate, hash", whole, floor)
    row("report", median_ms(lambda: reports.report_message(game, after, message, result)), floor)


def time_pages(demo: Demo) -> None:
    """Time the board at the end of the demonstration (about 100 units), and the replay of the longest game."""
    from kursk_pbem.board import app
    from kursk_pbem.board.access import BoardAccess
    from kursk_pbem.desk.seat.room import Room
    from kursk_pbem.game import histories
    from kursk_pbem.game import replay as replays
    from kursk_pbem.report import replay as page
    from kursk_pbem.report.pictures import svg

    place, access = demo.folder / "german", BoardAccess(5000)

    def open_board() -> Any:
        browser = app.create_app(Room(place / "private", place), access).test_client()
        browser.set_cookie("kursk-board", access.session, domain="127.0.0.1", path=f"{access.root}/")
        return browser

    def get(browser: Any, path: str) -> bytes:
        answer = browser.get(f"{access.root}{path}", base_url=access.address)
        assert answer.status_code == 200, path
        return bytes(answer.data)

    access.session = "bench"
    game = histories.load(demo.game).game
    at, shown = f"/game/{game.chain.game}", open_board()
    empty = median_ms(lambda: get(shown, f"{at}/place/2113"))
    shapes = game.ruleset.seen.picture(game.setting, game.state)
    head(f"board and pictures, {len(shapes.pieces)} units", f"the card of a hex, {empty:.2f} ms")
    row("first page, nothing is open yet", median_ms(lambda: get(open_board(), f"{at}/"), runs=5), empty, "1 s")
    size = len(get(shown, f"{at}/"))
    row(f"the page again, {size // 1000} kB of at most 400", median_ms(lambda: get(shown, f"{at}/")), empty)
    unit = next(each.id for each in shapes.pieces if each.side == "german" and each.symbol == "armor")
    row("a click on a unit: where it may go", median_ms(lambda: get(shown, f"{at}/unit/{unit}")), empty, "100 ms")
    row("SVG of the position", median_ms(lambda: svg.render(shapes, game.ruleset.sides)), empty, "150 ms")
    longest = max((ROOT / "tests/games").glob("*/*/"), key=lambda each: len(list(each.glob("*.yaml"))))
    past = histories.load(longest)
    size = len(page.render_page(replays.make_replay(past)).encode())
    name = f"replay of {len(past.steps)} messages, {size // 1000} kB of at most 1500"
    row(name, median_ms(lambda: page.render_page(replays.make_replay(past)), runs=3), empty, "2 s")


def time_tournament(folder: Path, games: int = 40) -> None:
    """Time the verification of many finished games by one process and by two."""
    from kursk_pbem.audit import batch, units

    shipped = sorted(path.parent for path in (ROOT / "tests/games").glob("*/*/0000.yaml"))
    for number in range(games):
        shutil.copytree(shipped[number % len(shipped)], folder / "tournament" / f"{number:03d}")
    work = units.list_tasks([folder / "tournament"], "", "", None)
    ways = (batch.Way(jobs) for jobs in (1, 2))
    one, two = (median_ms(lambda: list(batch.verify_each(work, way)), runs=3) for way in ways)  # noqa: B023
    head(f"verify, {games} finished games", f"one process, {one:.0f} ms; the ratio of two to it is at best 0.5")
    row("--jobs 2", two, one, "0.6 x")


def time_rules(kit: Any) -> None:
    """Time the rules alone: loading a scenario, random play, then the bench of the ruleset's kit."""
    import random

    from kursk_pbem.game import scenarios

    scenario = kit.scenarios[0]
    setting = kit.setting(scenario)
    floor = median_ms(lambda: kit.setup(setting))
    head(f"rules of {kit.id}", f"the first position, {floor:.3f} ms")
    loaded = scenarios.load(scenario)
    row("read a scenario's files", median_ms(lambda: scenarios.load(scenario)), floor)
    row("make a setting of them", median_ms(lambda: kit.ruleset.data.load(loaded, {})), floor)
    state = kit.setup(setting)
    row("hash of a position", median_ms(lambda: state.with_().sha256()), floor)
    chooser = kit.chooser(setting, random.Random(1))
    row("choices of a first message, at random", median_ms(lambda: chooser.content(state, 1)), floor)
    row("hints of a first draft", median_ms(lambda: kit.ruleset.seen.hints(setting, state, 1)), floor)
    if kit.bench is not None:
        kit.bench()


def check_dice() -> None:
    """Print the chi-square tests of two million dice. Raises AssertionError if a test fails."""
    import dice  # in the same folder

    assert dice.main() == 0


def show_worst(kits: list[Any]) -> None:
    """Print the costs of every command in the most expensive scenario: ``python tools/worst.py`` alone."""
    import worst  # in the same folder

    for kit in kits:
        if kit.worst is not None:
            worst.show_costs(kit)


def main() -> int:
    """Print the table: ``python tools/bench.py [RULESET]``. Without RULESET, print the rows of every ruleset."""
    import bench_post  # in the same folder
    from helpers import registry

    from kursk_pbem.errors import UsageError

    try:
        kits = registry.kits(*sys.argv[1:2])
    except UsageError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    compileall.compile_dir(ROOT / "kursk_pbem", quiet=1)  # compiled, like an installed package
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, medians of {RUNS} runs")
    with tempfile.TemporaryDirectory() as name:
        demo = Demo(Path(name))
        time_processes(demo)
        time_in_process(demo)
        time_pages(demo)
        time_tournament(Path(name))
        bench_post.print_rows(Path(name))
    for kit in kits:
        time_rules(kit)
    check_dice()
    show_worst(kits)
    return 0


if __name__ == "__main__":
    sys.exit(main())
