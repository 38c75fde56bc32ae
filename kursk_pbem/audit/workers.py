"""Share units of games among processes of this machine.

Each worker takes one unit at a time. A worker ends when the pipe closes, so no worker outlives the program (decision
16).
"""

from __future__ import annotations

import signal
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from kursk_pbem.audit import units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.units import Unit

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

MAX_JOBS = 256


def share_units(left: deque[Unit], number: int, *, fork: bool = True) -> Iterator[tuple[Unit, list[Finding] | None]]:
    """Let ``number`` processes verify the remaining units of work. Yield units and verdicts; ``None`` if a unit failed.

    ``fork``: whether this process may fork. With threads, forking is unsafe: use False.
    """
    from multiprocessing.connection import wait  # noqa: PLC0415  30 ms, only where several processes are wanted

    with _start_workers(min(number, MAX_JOBS), fork=fork) as ends:
        busy: dict[Any, Unit] = {}
        for end in ends:
            _give_unit(end, left, busy)
        while busy:
            ready: list[Any] = wait(list(busy))
            for end in ready:
                unit = busy.pop(end)
                try:
                    verdicts = end.recv()
                except (EOFError, OSError):  # the worker was killed
                    yield unit, None
                    continue
                _give_unit(end, left, busy)
                yield unit, verdicts


def _give_unit(end: Any, left: deque[Unit], busy: dict[Any, Unit]) -> None:
    """Give a worker the next unit, if available."""
    if left:
        with suppress(OSError):  # the worker was killed
            end.send(left[0][1])
            busy[end] = left.popleft()


@contextmanager
def _start_workers(number: int, *, fork: bool) -> Iterator[list[Connection]]:
    """Start processes and yield our ends of the pipes. All processes are ended at the exit."""
    import multiprocessing  # noqa: PLC0415

    from kursk_pbem.audit import verify  # noqa: F401, PLC0415  loaded once, before there are several of us

    # A fork starts with all loaded modules. On other systems a fork is unsafe or missing.
    method = "fork" if fork and sys.platform == "linux" else "spawn"
    context: Any = multiprocessing.get_context(method)
    ends: list[Connection] = []
    processes: list[Any] = []
    try:
        with _block_interrupts():
            for _ in range(number):
                ours, theirs = context.Pipe()
                ends.append(ours)
                inherited = tuple(ends) if method == "fork" else ()
                process = context.Process(target=_run_worker, args=(theirs, inherited), daemon=True)
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
def _block_interrupts() -> Iterator[None]:
    """Delay Ctrl-C until the end of the context. Processes started inside never receive Ctrl-C."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_worker(pipe: Connection, inherited: Sequence[Connection]) -> None:
    """Run a worker: answer units with verdicts, ``None`` for a failed unit, until the pipe closes.

    ``inherited``: the other ends of this pipe and of earlier pipes, which would keep the pipe open.
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
            verdicts: list[Any] | None = units.run_unit(tasks_)
        except Exception:  # noqa: BLE001  a fault of the program; the parent verifies again and reports
            verdicts = None
        try:
            pipe.send(verdicts)
        except OSError:  # the parent has gone
            return
