"""Time every command in the most expensive scenario of each ruleset.

``python tools/worst.py [RULESET]``; ``make bench`` prints the same table. Commands run as whole processes on copies of
two desks, because no command may change the desk of the next command. The figures are CPU time, which is almost
independent of other load, and peak memory. The pages of the board are measured in this process.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from helpers import registry  # noqa: E402
from helpers.registry import Content, Kit, Mind  # noqa: E402
from helpers.signed_play import Player, Table  # noqa: E402
from helpers.worst import Worst, write  # noqa: E402

from kursk_pbem.desk.draft import drafts  # noqa: E402
from kursk_pbem.desk.own import desks  # noqa: E402
from kursk_pbem.errors import UsageError  # noqa: E402
from kursk_pbem.formats.data import SEARCH_PATH  # noqa: E402
from kursk_pbem.kernel.state import OVER, State  # noqa: E402
from kursk_pbem.trust import keys  # noqa: E402

SECONDS = 2.0
"""The limit of a command on an idle core."""
_CHILD = """
import os, pathlib
from kursk_pbem.cli import main
try:
    main()
finally:
    status = pathlib.Path("/proc/self/status").read_text().splitlines()
    pathlib.Path(os.environ["KURSK_WEIGHT"]).write_text(next(line for line in status if line.startswith("VmHWM")))
"""
"""A command that writes its peak memory to a file. The figure of the system would include the parent process."""


@dataclass
class Costs:
    """The most expensive run of each command: CPU seconds, megabytes, and the stage of the run."""

    rows: dict[str, tuple[float, float, str]] = field(default_factory=dict)

    def add(self, name: str, seconds: float, megabytes: float, stage: str) -> None:
        """Add a run of a command."""
        had = self.rows.get(name, (0.0, 0.0, ""))
        slower = seconds > had[0]
        self.rows[name] = max(seconds, had[0]), max(megabytes, had[1]), stage if slower else had[2]


def measure_costs(kit: Kit, root: Path) -> Costs:
    """Play the most expensive scenario of a ruleset under ``root``, then very wrong orders in a shipped scenario."""
    costs, worst = Costs(), _make_worst(kit)
    folder = write(worst.data, root / "scenarios")
    os.environ[SEARCH_PATH] = str(root / "scenarios")
    try:
        _time_command(costs, "scenario check", ("scenario", "check", str(folder)), {}, root, "")
        _time_command(costs, "scenario", ("scenario",), {}, root, "")
        dearest = Table(root / "dearest", worst.data["scenario"]["id"]).begin()
        _play_messages(worst, dearest, worst.minds(dearest.game.setting), costs, every=True)
        for name, *more in (("verify",), ("report", "--all"), ("replay", "-o", "replay.html")):
            whole = f"{name}, for each of {worst.messages + 1} messages"
            _run_on_copy(
                costs, dearest, dearest.due, whole, (name, str(dearest.due.folder), *more), "", worst.messages + 1
            )
        shipped = Table(root / "shipped", kit.scenarios[0]).begin()
        chooser = kit.chooser(shipped.game.setting, random.Random(1))
        _play_messages(worst, shipped, dict.fromkeys(kit.sides, chooser), costs, every=False)
    finally:
        del os.environ[SEARCH_PATH]
    return costs


def _make_worst(kit: Kit) -> Worst:
    assert kit.worst is not None
    found = kit.worst()
    assert isinstance(found, Worst)
    return found


def _play_messages(worst: Worst, table: Table, minds: Mapping[str, Mind], costs: Costs, *, every: bool) -> None:
    """Play messages. At the first message of a stage, time every command, or only the commands for wrong orders."""
    met, last = set[str](), "" if every else f", {table.scenario}"
    while not table.game.over and table.game.chain.next_seq <= worst.messages:
        stage, setting = table.game.state.stage, table.game.setting
        writer, receiver = table.due, table.players[table.other(table.due.side)]
        middle = desks.preview_duties(writer.desk, writer.desk.record_of_writer()).middle
        content = worst.wrong(setting, middle) if stage not in met and middle.stage != OVER else {}
        if content:
            _time_wrong_orders(table, costs, content, last)
        if every and stage not in met:
            for name, arguments in _list_before(worst, setting, middle, writer):
                _run_on_copy(costs, table, writer, name, arguments, stage)
        if middle.stage != OVER:
            writer.fill(minds[middle.side].content(middle, writer.desk.seq))
        if every and stage not in met:
            for name, more in (*_list_looks(setting, middle), ("sign", ("sign", "--yes"))):
                _run_on_copy(costs, table, writer, name, (*more[:1], str(writer.draft()), *more[1:]), stage)
            _time_pages(costs, writer, f"{stage}, orders", worst.said(setting, middle))
        letter = table.mail(writer.sign(), receiver.side)
        if every and stage not in met:
            _run_on_copy(costs, table, receiver, "adjudicate", ("inbox", "--report", str(letter)), stage)
        met.add(stage)
        receiver.take(letter)


def _time_wrong_orders(table: Table, costs: Costs, content: Content, last: str) -> None:
    """Time commands on very wrong orders at the writer's desk, then sign the orders anyway and time the receiver."""
    writer, stage = table.due, table.game.state.stage
    receiver = table.players[table.other(writer.side)]
    draft = writer.draft()
    was = draft.read_bytes()
    writer.fill(content)
    for name in ("check", "status", "moves", "map"):
        more = () if name == "status" else (str(draft),)
        _run_on_copy(costs, table, writer, f"{name} (wrong){last}", (name, *more), stage)
    checked = writer.check()
    if checked.result.violations:
        forced = replace(checked, result=replace(checked.result, violations=()))
        _message, slot = drafts.sign_draft(writer.desk, forced, keys.load_key(writer.key))
        letter = receiver.place / "wrong.yaml"
        letter.write_text(slot.text, encoding="ascii", newline="\n")
        _run_on_copy(costs, table, receiver, f"adjudicate (wrong){last}", ("inbox", "--report", str(letter)), stage)
    draft.write_bytes(was)


def _list_before(worst: Worst, setting: Any, state: State, writer: Player) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the commands before the first order."""
    folder = str(writer.folder)
    yield "status", ("status",)
    yield "draft", ("setup", "draft", folder, "--force")
    yield "check (as proposed)", ("check", str(writer.draft()))
    yield "moves", ("moves", folder)
    if said := worst.said(setting, state):
        yield "order", ("order", *said.split())


def _list_looks(setting: Any, state: State) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the commands on a draft with orders: name, then arguments around the draft."""
    yield "check", ("check",)
    yield "moves (draft)", ("moves",)
    yield "moves --json", ("moves", "--json")
    for unit in _pick_units(setting, state):
        yield "moves UNIT", ("moves", unit)
    yield "odds", ("odds",)
    yield "map", ("map",)
    yield "map --svg", ("map", "--svg", "-o", "map.svg")
    yield "map --svg --moves", ("map", "--svg", "--moves", "-o", "map2.svg")


def _pick_units(setting: Any, state: State) -> list[str]:
    """Return the middle unit of the writing side in a list, or an empty list if no unit is on the map."""
    own = [
        uid
        for uid, unit in state.units.items()
        if unit.place not in ("off-map", "eliminated") and _find_side(setting, uid) == state.side
    ]
    return own[len(own) // 2 :][:1]


def _find_side(setting: Any, uid: str) -> str:
    things = setting.counters if hasattr(setting, "counters") else setting.models
    return str(things[uid].side)


def _run_on_copy(
    costs: Costs, table: Table, player: Player, name: str, arguments: tuple[str, ...], stage: str, parts: int = 1
) -> None:
    """Time a command on a copy of the two desks. ``parts``: divide the time by the number of equal parts."""
    copy = table.root.with_name("copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(table.root, copy)
    moved = tuple(each.replace(str(table.root), str(copy)) for each in arguments)
    place = copy / player.side
    _time_command(costs, name, moved, {"KURSK_HOME": str(place / "private")}, place, stage, parts)


def _time_command(
    costs: Costs,
    name: str,
    arguments: tuple[str, ...],
    more: Mapping[str, str],
    place: Path,
    stage: str,
    parts: int = 1,
) -> None:
    command = [sys.executable, "-c", _CHILD, *arguments]
    weight = place / "weight"
    child = subprocess.Popen(
        command,
        env={**os.environ, **more, "KURSK_WEIGHT": str(weight)},
        cwd=place,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert child.stderr is not None
    said = child.stderr.read()
    _pid, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wanted = (0, 1, 2) if "wrong" in name else (0,)
    assert child.returncode in wanted, (arguments, child.returncode, said.decode())
    kilobytes = int(weight.read_text(encoding="ascii").split()[1])
    costs.add(name, (used.ru_utime + used.ru_stime) / parts, kilobytes / 1024, stage)


def _time_pages(costs: Costs, writer: Player, stage: str, said: str) -> None:
    """Time the pages of a board in this process: home, game, units, obstacles, and order forms."""
    try:
        from kursk_pbem.board import app
        from kursk_pbem.board.access import BoardAccess
        from kursk_pbem.desk.seat.room import Room
    except ImportError:  # the board is not installed
        return
    access = BoardAccess(5000)
    access.session = "bench"
    browser = app.create_app(Room(writer.home, writer.place), access).test_client()
    browser.set_cookie("kursk-board", access.session, domain="127.0.0.1", path=f"{access.root}/")

    def get(name: str, path: str, wanted: tuple[int, ...] = (200,)) -> None:
        start = time.process_time()
        answer = browser.get(f"{access.root}{path}", base_url=access.address)
        assert answer.status_code in wanted, (path, answer.status_code, answer.data[:500])
        costs.add(f"page {name}", time.process_time() - start, 0.0, stage)

    game = writer.desk.game
    at = f"/game/{game.chain.game}"
    get("home", "/")
    get("game", f"{at}/")
    get("game again", f"{at}/")
    for uid in _pick_units(game.setting, game.state):
        get("unit", f"{at}/unit/{uid}", (200, 400))  # dice may have destroyed the unit
        get("why", f"{at}/why?unit={uid}&place={game.state.units[uid].place}", (200, 400))
    for verb in game.ruleset.seen.verbs(game.setting):
        get(f"form {verb.name}", f"{at}/form?verb={verb.name}", (200, 400))  # some verbs do not fit the message
    if said:
        get("try", f"{at}/form?verb={said.split(maxsplit=1)[0]}&words={'+'.join(said.split()[1:])}")


def show_costs(kit: Kit) -> bool:
    """Print the table of a ruleset, most expensive first; return whether every command meets the limit."""
    with tempfile.TemporaryDirectory() as name:
        costs = measure_costs(kit, Path(name))
    print(f"\nthe dearest scenario of {kit.id:<40} {'processor':>10} {'memory':>11}  stage; at most {SECONDS} s")
    for command, (seconds, megabytes, stage) in sorted(costs.rows.items(), key=lambda each: -each[1][0]):
        held = f"{megabytes:.0f} MB" if megabytes else ""
        print(f"{command:<62} {seconds:8.2f} s {held:>11}  {stage}{'  TOO DEAR' if seconds > SECONDS else ''}")
    return all(seconds <= SECONDS for seconds, _megabytes, _stage in costs.rows.values())


def main() -> int:
    """Print the tables of a ruleset, or of every ruleset; return 1 if a command exceeds the limit."""
    try:
        kits = registry.kits(*sys.argv[1:2])
    except UsageError as error:
        print(f"worst: {error}", file=sys.stderr)
        return 2
    found = [show_costs(kit) for kit in kits if kit.worst is not None]
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
