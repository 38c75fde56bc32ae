"""Units of games shared out among processes of this machine.

Each worker takes one unit at a time. It ends when its pipe does, so none outlives us, however we end (decision 16).
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from kursk_pbem.audit import units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.units import Queue, Unit

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MOST_JOBS = 256


def shared(left: Queue, number: int, *, fork: bool = True) -> Iterator[tuple[Unit, list[Finding] | None]]:
    """The verdicts on what is left, as ``number`` processes find them; None for a unit that they cannot do.

    ``fork``: whether we may be copied as we are; not where we have threads.
    """
    from multiprocessing.connection import wait  # noqa: PLC0415  30 ms, only where several processes are wanted

    with _workers(min(number, MOST_JOBS), fork=fork) as ends:
        busy: dict[Any, Unit] = {}
        for end in ends:
            _give(end, left, busy)
        while busy:
            ready: list[Any] = wait(list(busy))
            for end in ready:
                unit = busy.pop(end)
                try:
                    verdicts = end.recv()
                except (EOFError, OSError):  # it was killed
                    yield unit, None
                    continue
                _give(end, left, busy)
                yield unit, verdicts


def _give(end: Any, left: Queue, busy: dict[Any, Unit]) -> None:
    """Give a worker the next unit, if there is one."""
    for unit in left:
        try:
            end.send(unit[1])
        except OSError:  # it was killed
            left.back(unit)
            return
        busy[end] = unit
        return


@contextmanager
def _workers(number: int, *, fork: bool) -> Iterator[list[Connection]]:
    """So many processes, as our ends of the pipes to them. When this ends, by whatever, there are none any more."""
    import multiprocessing  # noqa: PLC0415

    from kursk_pbem.audit import verify  # noqa: F401, PLC0415  loaded once, before there are several of us

    # A fork begins with all that is loaded; elsewhere it is not safe, or there is none.
    method = "fork" if fork and sys.platform == "linux" else "spawn"
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
            verdicts: list[Finding] | None = units.verify_unit(tasks_)
        except Exception:  # noqa: BLE001  a fault of ours: it is done again by our parent, where it is reported
            verdicts = None
        try:
            pipe.send(verdicts)
        except OSError:  # our parent has gone
            return
