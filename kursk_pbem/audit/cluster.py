"""Share units of games among the workers of a dask.distributed cluster (decision 66).

A game travels as the bytes of the files, and a verdict returns as a line of JSON. Each worker holds two units and works
on one. Only workers with this very program are used. Units of lost workers go to other workers. Without a scheduler or
workers, the caller verifies the rest.
"""

from __future__ import annotations

import io
import json
import logging
import tempfile
import time
import zipfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from kursk_pbem.audit import results, units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.units import Task, Unit
from kursk_pbem.errors import KurskError, MissingError, UsageError
from kursk_pbem.game import folders

PATIENCE = 10.0
"""Maximum time, in seconds, to wait for the scheduler, and for its first worker."""
_ROUND = 0.5
"""Seconds between two checks of the workers."""
_AT_ONCE = 2
"""Units of a worker: one in work, one on the way."""
_TRIES = 2
"""Number of workers that try a unit before this process verifies the unit and reports the fault."""
_working = Lock()


def share_units(
    left: deque[Unit], address: str, tell: Callable[[str], object]
) -> Iterator[tuple[Unit, list[Finding] | None]]:
    """Let a cluster verify the remaining units of work. Yield the units with verdicts, ``None`` for a failed unit.

    ``tell``: a function to call with warnings about unusable workers and a lost scheduler. Raises UsageError if no
    scheduler answers, or if dask is missing.
    """
    try:
        import distributed  # noqa: PLC0415  a second, only where a cluster is wanted
    except ImportError:
        raise MissingError("--scheduler", "cluster") from None
    logging.disable()  # tell() prints the messages that a person needs
    try:
        client: Any = distributed.Client(address, timeout=PATIENCE, direct_to_workers=False)
    except (OSError, ValueError) as error:
        logging.disable(logging.NOTSET)
        raise UsageError(f"no dask scheduler answers at {address}: {error or type(error).__name__}") from None
    sharing = _Sharing(client, left, tell)
    try:
        yield from sharing.all()
    except Exception as error:
        # A broken line raises OSError (also for a timeout) or cancels the request. Later requests raise other dask
        # errors.
        if client.status == "running" and not isinstance(error, (OSError, distributed.CancelledError)):
            raise
        tell(f"the scheduler at {address} is gone ({type(error).__name__}): this machine does the remaining work")
    finally:
        for _address, unit in sharing.busy.values():
            left.appendleft(unit)
        client.close(timeout=1)
        logging.disable(logging.NOTSET)


@dataclass
class _Sharing:
    """The workers and their units. ``good``: worker -> whether useful; ``None`` while a check is open."""

    client: Any
    left: deque[Unit]
    tell: Callable[[str], object]
    busy: dict[Any, tuple[str, Unit]] = field(default_factory=dict)
    asked: dict[Any, str] = field(default_factory=dict)
    good: dict[str, bool | None] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)

    def all(self) -> Iterator[tuple[Unit, list[Finding] | None]]:
        """Yield verdicts until no unit is left or no worker can continue."""
        from distributed import wait  # noqa: PLC0415  as above

        since = time.monotonic()
        while True:
            yield from self._who_is_there()
            yield from self._give_units()
            if self.busy or any(well is None for well in self.good.values()):
                since = time.monotonic()
            elif any(self.good.values()):
                return
            elif time.monotonic() - since > PATIENCE:
                self.tell("no worker of the cluster can be used: this machine does the remaining work")
                return
            waiting = [*self.busy, *self.asked]
            if not waiting:
                time.sleep(_ROUND)
                continue
            try:
                ended = wait(waiting, timeout=_ROUND, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                continue
            for future in ended:
                if future in self.asked:
                    self._check_worker(future)
                else:
                    yield from self._take_verdicts(future)

    def _who_is_there(self) -> Iterator[tuple[Unit, None]]:
        """Check new workers; return the units of lost workers to the queue."""
        if self.client.status != "running":
            raise ConnectionError("the connection to the scheduler is closed")
        there = set(self.client.sync(self.client.scheduler.ncores, callback_timeout=PATIENCE))
        for gone in self.good.keys() - there:
            del self.good[gone]
            for future in [future for future, (address, _unit) in self.busy.items() if address == gone]:
                yield from self._return_failed(self.busy.pop(future)[1])
                future.cancel(force=True)
            for future in [future for future, address in self.asked.items() if address == gone]:
                del self.asked[future]
        for new in sorted(there - self.good.keys()):
            self.good[new] = None
            self.asked[self._submit(results.identify_program, new)] = new

    def _submit(self, work: Callable[..., str], worker: str, *given: Any) -> Any:
        return self.client.submit(work, *given, workers=[worker], allow_other_workers=False, pure=False, retries=0)

    def _check_worker(self, future: Any) -> None:
        """Accept or reject a worker by the program that the worker reports."""
        worker = self.asked.pop(future)
        theirs = _read_result(future) or _describe_failure(future)
        self.good[worker] = theirs == results.identify_program()
        if not self.good[worker]:
            self.tell(f"worker {worker} gets no game: its kursk-pbem is {theirs}, ours is {results.identify_program()}")

    def _give_units(self) -> Iterator[tuple[Unit, None]]:
        """Give units to every useful worker while units are left."""
        for worker in [worker for worker, well in self.good.items() if well]:
            while self.left and sum(address == worker for address, _unit in self.busy.values()) < _AT_ONCE:
                unit = self.left[0]  # it leaves the queue after it is sent, because the line can break
                if (packed := pack(unit[1])) is not None:
                    self.busy[self._submit(verify_packed, worker, packed)] = worker, unit
                self.left.popleft()
                if packed is None:
                    yield unit, None

    def _take_verdicts(self, future: Any) -> Iterator[tuple[Unit, list[Finding] | None]]:
        said, verdicts = _read_result(future), None
        _worker, unit = self.busy.pop(future)  # not earlier: if the line breaks now, the unit is still busy
        with suppress(ValueError, TypeError, KeyError, AttributeError):
            verdicts = _read_verdicts(said, unit)
        if not verdicts:
            yield from self._return_failed(unit)
        else:
            yield unit, verdicts

    def _return_failed(self, unit: Unit) -> Iterator[tuple[Unit, None]]:
        """Return a failed unit to the queue, or yield the unit after the last try."""
        tries = self.tries[unit[0][0]] = self.tries.get(unit[0][0], 0) + 1
        if tries < _TRIES:
            self.left.appendleft(unit)
        else:
            yield unit, None


def _read_result(future: Any) -> str:
    """Return the result of a task, or '' if the task failed or the worker is gone."""
    try:
        return str(future.result(timeout=PATIENCE)) if future.status == "finished" else ""
    except TimeoutError:
        return ""


def _describe_failure(future: Any) -> str:
    """Return briefly why a worker did not answer."""
    error = future.exception() if future.status == "error" else None
    return f"not answering ({error})" if error else "not answering"


def _read_verdicts(said: str, unit: Unit) -> list[Any]:
    """Return the verdicts if they are about this unit and follow from the bytes alone, or the result of a job."""
    if not isinstance(unit[1][0], Task):
        return [said] if said else []
    verdicts = results.from_line(said)
    fits = [finding.path for finding in verdicts] == [str(task.path) for task in unit[1]]
    return verdicts if fits and all(results.is_lasting(finding) for finding in verdicts) else []


def pack(tasks_: Sequence[Any]) -> Any:
    """Pack the games of a unit of work into a zip file, with a folder for every game; None if a game is unreadable.

    A job other than verification is returned unchanged. For a task that is not a game, the result is None.
    """
    if not isinstance(tasks_[0], Task):
        return tasks_[0]
    packed = io.BytesIO()
    try:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("tasks.json", json.dumps([asdict(task) | {"path": str(task.path)} for task in tasks_]))
            for number, task in enumerate(tasks_):
                if not task.game:
                    return None
                folders.need_one_line(task.path)
                for name, raw in units.read_contents(task.path):
                    archive.writestr(f"{number}/{name}", raw)
    except (KurskError, OSError):  # the local verification reports unreadable files
        return None
    return packed.getvalue()


def verify_packed(packed: Any) -> str:
    """Do a packed unit of work on a worker. Return verdicts with the caller's paths, or the result of another job."""
    if not isinstance(packed, bytes):
        with _working:
            return str(packed.run())
    with _working, tempfile.TemporaryDirectory(prefix="kursk-pbem-") as name:
        place = Path(name).resolve()
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(place)
        told = json.loads((place / "tasks.json").read_bytes())
        tasks_ = [Task(**(said | {"path": Path(said["path"])})) for said in told]
        here = [Task(**(asdict(task) | {"path": place / str(number)})) for number, task in enumerate(tasks_)]
        said = results.to_line(units.verify_unit(here))
        for number, task in reversed([*enumerate(tasks_)]):
            said = said.replace(_quote_path(place / str(number)), _quote_path(task.path))
        return said


def _quote_path(path: Path) -> str:
    return json.dumps(str(path))[1:-1]
