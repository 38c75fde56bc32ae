"""Many games verified, one after the other or by several processes: the same verdicts in the same order.

Each worker takes one game at a time, or a family of games that go on from one another, and knows nothing of the
others. It ends when its pipe does, so none outlives us, however we end. What a worker fails at, by a fault of ours or
because it was killed, is done again here, where it shows.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from kursk_pbem.audit import one_file
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MOST_JOBS = 256


@dataclass(frozen=True)
class Task:
    """One game folder, or one file, to be verified; the rest as in `one_file` and `verify`.

    Those of one ``family`` are verified by one process, and held against each other; '' is no family. ``account``: what
    a tournament asks of the game is wanted too.
    """

    path: Path
    game: bool
    head: str = ""
    key: str = ""
    seq: int | None = None
    family: str = ""
    account: bool = False


Unit: TypeAlias = "tuple[list[int], list[Task]]"
"""What one process does as a whole: tasks, and their places in the order that was asked for."""


def tasks(paths: Iterable[Path], head: str, key: str, seq: int | None) -> list[Task | Finding]:
    """What is to be verified, in order: files, and every game of a folder; a verdict at once where there is nothing."""
    found: list[Task | Finding] = []
    for path in paths:
        if not _is_folder(path):
            found.append(Task(path, game=False, head=head, key=key, seq=seq))
            continue
        from kursk_pbem.audit import verify  # noqa: PLC0415  the rules, which a file alone does not need

        games = list(verify.find_games(path))
        found += [Task(folder, game=True, head=head) for folder in games]
        if not games:
            why = "no folder in it has a 0000.yaml; of saved mails 'kursk restore' makes a game folder"
            error = UsageError(f"{path} holds no game: {why}")
            found.append(one_file.failed(str(path), error))
    return _with_families(found)


def _with_families(work: Sequence[Task | Finding]) -> list[Task | Finding]:
    """The same, where several games may be one that goes on as another."""
    folders = [task.path for task in work if isinstance(task, Task) and task.game]
    if len(folders) < 2:
        return list(work)
    from kursk_pbem.audit import verify  # noqa: PLC0415  as above

    names = verify.families(folders)
    return [
        replace(each, family=names.get(each.path, "")) if isinstance(each, Task) and each.game else each
        for each in work
    ]


def _is_folder(path: Path) -> bool:
    """Whether a path is a folder; False where that cannot be asked: the reader of the file says why."""
    try:
        return path.is_dir()
    except OSError:
        return False


def verify_all(work: Sequence[Task | Finding], jobs: int, done: Callable[[], object] = lambda: None) -> list[Finding]:
    """The verdict on each, in order. ``done`` is called after each; ``jobs`` is the number of processes."""
    units = _units(work)
    number = min(jobs, MOST_JOBS, len(units))
    found: list[Finding | None] = [finding if isinstance(finding, Finding) else None for finding in work]
    for _each in filter(None, found):
        done()
    if number > 1:
        _share_out(units, found, number, done)
    for places, tasks_ in units:
        if found[places[0]] is None:
            _put(found, places, _verify_unit(tasks_), done)
    return [finding for finding in found if finding is not None]


def _units(work: Sequence[Task | Finding]) -> list[Unit]:
    """What one process does as a whole: a task, or those of a family; with their places in ``work``."""
    units: list[Unit] = []
    of_family: dict[str, Unit] = {}
    for place, each in enumerate(work):
        if not isinstance(each, Task):
            continue
        unit = of_family.get(each.family) if each.family else None
        if unit is None:
            unit = ([], [])
            units.append(unit)
            of_family[each.family] = unit
        unit[0].append(place)
        unit[1].append(each)
    return units


def _put(
    found: list[Finding | None], places: Sequence[int], verdicts: Sequence[Finding], done: Callable[[], object]
) -> None:
    for place, verdict in zip(places, verdicts, strict=True):
        found[place] = verdict
        done()


def _verify_unit(tasks_: Sequence[Task]) -> list[Finding]:
    """The verdicts on the tasks of a unit, games that continue another held against it; without their histories."""
    found = [_verify(task) for task in tasks_]
    if any(finding.continues for finding in found):
        from kursk_pbem.audit import verify  # noqa: PLC0415  as above

        found = verify.join(found)
    return [replace(finding, kept=None) if finding.kept is not None else finding for finding in found]


def _verify(task: Task) -> Finding:
    if not task.game:
        return one_file.verify_file(task.path, task.key, task.head, task.seq)
    from kursk_pbem.audit import verify  # noqa: PLC0415  as above

    return verify.verify_game(task.path, task.head, keep=bool(task.family), account=task.account)


def _share_out(units: Sequence[Unit], found: list[Finding | None], number: int, done: Callable[[], object]) -> None:
    """Let ``number`` processes fill in what is missing in ``found``; what they cannot do is left as it is."""
    from multiprocessing.connection import wait  # noqa: PLC0415  30 ms, only where several processes are wanted

    left = iter(units)
    with _workers(number) as ends:
        busy: dict[Any, list[int]] = {}
        for end in ends:
            _give(end, left, busy)
        while busy:
            ready: list[Any] = wait(list(busy))
            for end in ready:
                places = busy.pop(end)
                try:
                    verdicts = end.recv()
                except (EOFError, OSError):  # it was killed
                    continue
                if verdicts is not None:
                    _put(found, places, verdicts, done)
                _give(end, left, busy)


def _give(end: Any, left: Iterator[Unit], busy: dict[Any, list[int]]) -> None:
    """Give a worker the next unit, if there is one."""
    for places, tasks_ in left:
        try:
            end.send(tasks_)
        except OSError:  # it was killed; the unit is done by us
            return
        busy[end] = places
        return


@contextmanager
def _workers(number: int) -> Iterator[list[Connection]]:
    """So many processes, as our ends of the pipes to them. When this ends, by whatever, there are none any more."""
    import multiprocessing  # noqa: PLC0415

    from kursk_pbem.audit import verify  # noqa: F401, PLC0415  loaded once, before there are several of us

    # A fork begins with all that is loaded; elsewhere it is not safe, or there is none.
    method = "fork" if sys.platform == "linux" else "spawn"
    context: Any = multiprocessing.get_context(method)
    ends: list[Connection] = []
    processes: list[Any] = []
    try:
        with _uninterrupted():
            for _ in range(number):
                ours, theirs = context.Pipe()
                ends.append(ours)
                inherited = tuple(ends) if method == "fork" else ()
                process = context.Process(target=_work, args=(theirs, inherited), daemon=True)
                process.start()
                processes.append(process)
                theirs.close()
        yield ends
    finally:
        for end in ends:
            end.close()
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits until this is over. Processes begun in here never get one: it is for us, and we end them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: Connection, inherited: Sequence[Connection]) -> None:
    """A worker: the verdicts for units, None for one that it cannot do, until the pipe ends.

    ``inherited``: the other ends of this pipe and of those before it, which would keep it open.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for end in inherited:
        end.close()
    while True:
        try:
            tasks_ = pipe.recv()
        except EOFError:
            return
        try:
            verdicts: list[Finding] | None = _verify_unit(tasks_)
        except Exception:  # noqa: BLE001  a fault of ours: it is done again by our parent, where it is reported
            verdicts = None
        try:
            pipe.send(verdicts)
        except OSError:  # our parent has gone
            return
