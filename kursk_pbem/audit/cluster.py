"""Units of games shared out among the workers of a cluster of dask.distributed (decision 66).

A game travels as the bytes of its files, and a verdict comes back as a line of JSON. Each worker takes two units at a
time, works at one of them, and is used only if it holds this very program. What a worker that has gone was to do goes
to others; where the scheduler has gone, or no worker is left, the rest is left to our caller.
"""

from __future__ import annotations

import io
import json
import logging
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from kursk_pbem.audit import edition, results, units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.units import Queue, Task, Unit
from kursk_pbem.errors import KurskError, MissingError, UsageError
from kursk_pbem.game import folders

PATIENCE = 10.0
"""Seconds: for the scheduler to answer, and for a worker to come when there is none."""
_ROUND = 0.5
"""Seconds after which we look who has come and gone."""
_AT_ONCE = 2
"""Units that a worker has: one to work at, and one that is on its way."""
_TRIES = 2
"""Of so many workers a unit is tried; then it is done here, where its fault shows."""
_working = Lock()


def shared(left: Queue, address: str, tell: Callable[[str], object]) -> Iterator[tuple[Unit, list[Finding] | None]]:
    """The verdicts on what is left, as the workers find them; None for a unit that they cannot do.

    ``tell``: is told of workers that are of no use, and of a scheduler that has gone. UsageError where there is no
    scheduler at this address, or dask is not installed.
    """
    try:
        import distributed  # noqa: PLC0415  a second, only where a cluster is wanted
    except ImportError:
        raise MissingError("--scheduler", "cluster") from None
    logging.disable()  # what a person should know is told by us
    try:
        client: Any = distributed.Client(address, timeout=PATIENCE, direct_to_workers=False)
    except (OSError, ValueError) as error:
        logging.disable(logging.NOTSET)
        raise UsageError(f"no dask scheduler answers at {address}: {error or type(error).__name__}") from None
    sharing = _Sharing(client, left, tell)
    try:
        yield from sharing.all()
    except Exception as error:
        # A line that breaks raises an OSError (a timeout, too) or cancels what was asked; who speaks into one that is
        # broken already gets an error of dask that is neither.
        if client.status == "running" and not isinstance(error, (OSError, distributed.CancelledError)):
            raise
        tell(f"the scheduler at {address} has gone ({type(error).__name__}): the rest is verified here")
    finally:
        for _address, unit in sharing.busy.values():
            left.back(unit)
        client.close(timeout=1)
        logging.disable(logging.NOTSET)


@dataclass
class _Sharing:
    """Who is there and what each has to do. ``good``: worker -> whether it is of use; None while it is asked."""

    client: Any
    left: Queue
    tell: Callable[[str], object]
    busy: dict[Any, tuple[str, Unit]] = field(default_factory=dict)
    asked: dict[Any, str] = field(default_factory=dict)
    good: dict[str, bool | None] = field(default_factory=dict)
    tries: dict[int, int] = field(default_factory=dict)

    def all(self) -> Iterator[tuple[Unit, list[Finding] | None]]:
        """Until nothing is left, or nobody can do it."""
        from distributed import wait  # noqa: PLC0415  as above

        since = time.monotonic()
        while True:
            yield from self._who_is_there()
            yield from self._give()
            if self.busy or any(well is None for well in self.good.values()):
                since = time.monotonic()
            elif any(self.good.values()):
                return
            elif time.monotonic() - since > PATIENCE:
                self.tell("no worker of the cluster is of use: the rest is verified here")
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
                    self._answered(future)
                else:
                    yield from self._done(future)

    def _who_is_there(self) -> Iterator[tuple[Unit, None]]:
        """Ask who is new; what those that have gone were to do is left for others."""
        if self.client.status != "running":
            raise ConnectionError("the line to the scheduler is closed")
        there = set(self.client.sync(self.client.scheduler.ncores, callback_timeout=PATIENCE))
        for gone in self.good.keys() - there:
            del self.good[gone]
            for future in [future for future, (address, _unit) in self.busy.items() if address == gone]:
                yield from self._failed(self.busy.pop(future)[1])
                future.cancel(force=True)
            for future in [future for future, address in self.asked.items() if address == gone]:
                del self.asked[future]
        for new in sorted(there - self.good.keys()):
            self.good[new] = None
            self.asked[self._submit(edition.own, new)] = new

    def _submit(self, work: Callable[..., str], worker: str, *given: Any) -> Any:
        return self.client.submit(work, *given, workers=[worker], allow_other_workers=False, pure=False, retries=0)

    def _answered(self, future: Any) -> None:
        """A worker says which program it is."""
        worker = self.asked.pop(future)
        theirs = _result(future) or _why(future)
        self.good[worker] = theirs == edition.own()
        if not self.good[worker]:
            self.tell(f"worker {worker} has kursk-pbem {theirs}, and this is {edition.own()}: it gets no game")

    def _give(self) -> Iterator[tuple[Unit, None]]:
        """Every worker of use gets something to do, as long as there is something."""
        for worker in [worker for worker, well in self.good.items() if well]:
            while sum(address == worker for address, _unit in self.busy.values()) < _AT_ONCE:
                unit = next(self.left, None)
                if unit is None:
                    return
                if (packed := pack(unit[1])) is None:
                    yield unit, None
                    continue
                try:
                    future = self._submit(work_at, worker, packed)
                except BaseException:  # the line is broken: nobody has it
                    self.left.back(unit)
                    raise
                self.busy[future] = worker, unit

    def _done(self, future: Any) -> Iterator[tuple[Unit, list[Finding] | None]]:
        try:
            verdicts = results.from_line(_result(future))
        except (ValueError, TypeError, KeyError, AttributeError):
            verdicts = None
        _worker, unit = self.busy.pop(future)  # not before: where the line breaks over the answer, it is still busy
        if verdicts is None or not _fit(verdicts, unit):
            yield from self._failed(unit)
        else:
            yield unit, verdicts

    def _failed(self, unit: Unit) -> Iterator[tuple[Unit, None]]:
        """A worker could not do it: another one tries, and then we do."""
        tries = self.tries[unit[0][0]] = self.tries.get(unit[0][0], 0) + 1
        if tries < _TRIES:
            self.left.back(unit)
        else:
            yield unit, None


def _result(future: Any) -> str:
    """What came of it; '' where nothing did, or where it went with the worker that held it."""
    try:
        return str(future.result(timeout=PATIENCE)) if future.status == "finished" else ""
    except TimeoutError:
        return ""


def _why(future: Any) -> str:
    """In a few words, why a worker did not answer."""
    error = future.exception() if future.status == "error" else None
    return f"that does not answer ({error})" if error else "that does not answer"


def _fit(verdicts: Sequence[Finding], unit: Unit) -> bool:
    """Whether these are verdicts on this unit that follow from its bytes alone; others are found here."""
    paths = [str(task.path) for task in unit[1]]
    return [finding.path for finding in verdicts] == paths and all(results.lasts(finding) for finding in verdicts)


def pack(tasks_: Sequence[Task]) -> bytes | None:
    """Games as they travel: a zip file of a folder for each and of what is asked. None for what stays here."""
    packed = io.BytesIO()
    try:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("tasks.json", json.dumps([asdict(task) | {"path": str(task.path)} for task in tasks_]))
            for number, task in enumerate(tasks_):
                if not task.game:
                    return None
                folders.need_one_line(task.path)
                for name, raw in units.contents(task.path):
                    archive.writestr(f"{number}/{name}", raw)
    except (KurskError, OSError):  # what cannot be read is told here
        return None
    return packed.getvalue()


def work_at(packed: bytes) -> str:
    """On a worker: the verdicts on a unit, with the paths that the games have at home."""
    with _working, tempfile.TemporaryDirectory(prefix="kursk-pbem-") as name:
        place = Path(name).resolve()
        with zipfile.ZipFile(io.BytesIO(packed)) as archive:
            archive.extractall(place)
        told = json.loads((place / "tasks.json").read_bytes())
        tasks_ = [Task(**(said | {"path": Path(said["path"])})) for said in told]
        here = [Task(**(asdict(task) | {"path": place / str(number)})) for number, task in enumerate(tasks_)]
        said = results.to_line(units.verify_unit(here))
        for number, task in reversed([*enumerate(tasks_)]):
            said = said.replace(_in_json(place / str(number)), _in_json(task.path))
        return said


def _in_json(path: Path) -> str:
    return json.dumps(str(path))[1:-1]
