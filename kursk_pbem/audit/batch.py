"""Verify many games in this process, in several processes, or on a cluster, with equal verdicts.

Verdicts come in the order of the request. If a worker fails or is killed, this process verifies the unit again. A fault
of the program stops no other game and is raised at the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from kursk_pbem.audit import units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.units import Job, Task, Unit
from kursk_pbem.frozen import frozen

if TYPE_CHECKING:
    from kursk_pbem.audit.results import Results  # loads the rules, which a single file does not need


@frozen
class Way:
    """Settings for verifying many games.

    ``jobs``: number of processes on this machine. ``scheduler``: address of a cluster, or ''. ``results``: file with
    known verdicts. ``tell``: a function to call with warnings about unusable workers.
    """

    jobs: int = 1
    scheduler: str = ""
    results: Results | None = None
    tell: Callable[[str], object] = lambda _text: None


THIS_PROCESS = Way()


def verify_each(work: Sequence[Task | Finding], way: Way = THIS_PROCESS) -> Generator[Finding, None, None]:
    """Verify the tasks and yield their verdicts in order. Raises UsageError if a named cluster cannot be used."""
    waiting: dict[int, Finding | None]
    waiting = {place: finding for place, finding in enumerate(work) if isinstance(finding, Finding)}
    faults: list[Exception] = []
    following = 0
    with closing(_verify_units(units.group_units(work), way)) as done:
        while following < len(work):
            if following in waiting:
                finding = waiting.pop(following)
                following += 1
                if finding is not None:
                    yield finding
                continue
            (places, tasks_), verdicts = next(done)
            if verdicts is None:
                try:
                    verdicts = units.verify_unit(tasks_)
                except Exception as error:  # noqa: BLE001  a fault of the program, raised below
                    faults.append(error)
                    waiting |= dict.fromkeys(places)
                    continue
            if way.results is not None:
                way.results.put(tasks_, verdicts)
            waiting |= dict(zip(places, verdicts, strict=True))
    if faults:
        raise faults[0]


def run_jobs(jobs: Sequence[Job], way: Way = THIS_PROCESS) -> Iterator[str]:
    """Run jobs other than verification; yield their results in order. Raises the exception of a failed job."""
    done: dict[int, str] = {}
    following = 0
    left = deque[Unit](([place], [job]) for place, job in enumerate(jobs))
    for (places, (job,)), results in _verify_unknown(left, way):
        done[places[0]] = results[0] if results is not None else job.run()
        while following in done:
            yield done.pop(following)
            following += 1


def _verify_units(all_units: Sequence[Unit], way: Way) -> Generator[tuple[Unit, list[Finding] | None], None, None]:
    """Yield every unit with verdicts, in any order; ``None`` if this process must verify the unit."""
    left = deque[Unit]()
    for unit in all_units:
        verdicts = way.results.get(unit[1]) if way.results is not None else None
        if verdicts is None:
            left.append(unit)
        else:
            yield unit, verdicts
    yield from _verify_unknown(left, way)


def _verify_unknown(left: deque[Unit], way: Way) -> Iterator[tuple[Unit, list[Any] | None]]:
    """Yield verdicts from a cluster, then from processes; the rest is left to this process."""
    if way.scheduler:
        from kursk_pbem.audit import cluster  # noqa: PLC0415  only where one is wanted

        yield from cluster.share_units(left, way.scheduler, way.tell)
    if (number := min(way.jobs, len(left))) > 1:
        from kursk_pbem.audit import workers  # noqa: PLC0415  as above

        yield from workers.share_units(left, number, fork=not way.scheduler)
    while left:
        yield left.popleft(), None
