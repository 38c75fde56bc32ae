"""Many games verified, one after the other or by several processes: the same verdicts in the same order.

Each worker takes one game at a time and knows nothing of the others. It ends when its pipe does, so none outlives us,
however we end. What a worker fails at, by a fault of ours or because it was killed, is done again here, where it shows.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kursk_pbem.audit import one_file
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.errors import UsageError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MOST_JOBS = 256


@dataclass(frozen=True)
class Task:
    """One game folder, or one file, to be verified; the rest as in `one_file` and `verify`."""

    path: Path
    game: bool
    head: str = ""
    key: str = ""
    seq: int | None = None
    keep: frozenset[str] = frozenset()


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
    return _with_links(found)


def _with_links(work: Sequence[Task | Finding]) -> list[Task | Finding]:
    """The same, where several games may be one that goes on as another."""
    folders = [each.path for each in work if isinstance(each, Task) and each.game]
    if len(folders) < 2:
        return list(work)
    from kursk_pbem.audit import verify  # noqa: PLC0415  as above

    keep = verify.continued(folders)
    return [replace(each, keep=keep) if isinstance(each, Task) and each.game else each for each in work]


def _is_folder(path: Path) -> bool:
    """Whether a path is a folder; False where that cannot be asked: the reader of the file says why."""
    try:
        return path.is_dir()
    except OSError:
        return False


def verify_all(
    work: Sequence[Task | Finding], jobs: int, done: Callable[[], object] = lambda: None
) -> list[Finding]:
    """The verdict on each, in order. ``done`` is called after each; ``jobs`` is the number of processes."""
    number = min(jobs, MOST_JOBS, sum(isinstance(each, Task) for each in work))
    found: list[Finding | None] = [each if isinstance(each, Finding) else None for each in work]
    for _each in filter(None, found):
        done()
    if number > 1:
        _share_out(work, found, number, done)
    for place, each in enumerate(work):
        if found[place] is None and isinstance(each, Task):
            found[place] = _verify(each)
            done()
    return [each for each in found if each is not None]


def _verify(task: Task) -> Finding:
    if not task.game:
        return one_file.verify_file(task.path, task.key, task.head, task.seq)
    from kursk_pbem.audit import verify  # noqa: PLC0415  as above

    return verify.verify_game(task.path, task.head, task.keep)


def _share_out(
    work: Sequence[Task | Finding], found: list[Finding | None], number: int, done: Callable[[], object]
) -> None:
    """Let ``number`` processes fill in what is missing in ``found``; what they cannot do is left as it is."""
    from multiprocessing.connection import wait  # noqa: PLC0415  30 ms, only where several processes are wanted

    left = ((place, each) for place, each in enumerate(work) if isinstance(each, Task))
    with _workers(number) as ends:
        busy: dict[Any, int] = {}
        for end in ends:
            _give(end, left, busy)
        while busy:
            ready: list[Any] = wait(list(busy))
            for end in ready:
                place = busy.pop(end)
                try:
                    found[place] = end.recv()
                except (EOFError, OSError):  # it was killed
                    continue
                if found[place] is not None:
                    done()
                _give(end, left, busy)


def _give(end: Any, left: Iterator[tuple[int, Task]], busy: dict[Any, int]) -> None:
    """Give a worker the next task, if there is one."""
    for place, task in left:
        try:
            end.send(task)
        except OSError:  # it was killed; the task is done by us
            return
        busy[end] = place
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
    """A worker: verdicts for tasks, None for one that it cannot do, until the pipe ends.

    ``inherited``: the other ends of this pipe and of those before it, which would keep it open.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for end in inherited:
        end.close()
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            verdict: Finding | None = replace(_verify(task), kept=None)  # too much for a pipe
        except Exception:  # noqa: BLE001  a fault of ours: it is done again by our parent, where it is reported
            verdict = None
        try:
            pipe.send(verdict)
        except OSError:  # our parent has gone
            return
