"""Many games verified: by this process, by several, or by the workers of a cluster, with the same verdicts.

They come in the order that was asked for, each as soon as it and those before it are known. What a worker fails at, by
a fault of ours or because it was killed, is done again here. A fault of ours stops no other game: it is raised when
all others are done.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kursk_pbem.audit import units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.audit.units import Queue, Task, Unit

if TYPE_CHECKING:
    from kursk_pbem.audit.results import Results  # with it come the rules, which a file alone does not need


@dataclass(frozen=True)
class Way:
    """How many games are verified.

    ``jobs``: so many processes of this machine. ``scheduler``: the address of a cluster whose workers do it, '' for
    none. ``results``: where verdicts are kept, and which of them need not be found again. ``tell``: is told of workers
    that are of no use.
    """

    jobs: int = 1
    scheduler: str = ""
    results: Results | None = None
    tell: Callable[[str], object] = lambda _text: None


ALONE = Way()


def verify_each(work: Sequence[Task | Finding], way: Way = ALONE) -> Generator[Finding, None, None]:
    """The verdict on each, in order. Raises UsageError where a cluster cannot be used at all."""
    waiting: dict[int, Finding | None]
    waiting = {place: finding for place, finding in enumerate(work) if isinstance(finding, Finding)}
    faults: list[Exception] = []
    following = 0
    with closing(_done(units.of(work), way)) as done:
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
                except Exception as error:  # noqa: BLE001  ours; it is raised below
                    faults.append(error)
                    waiting |= dict.fromkeys(places)
                    continue
            if way.results is not None:
                way.results.put(tasks_, verdicts)
            waiting |= dict(zip(places, verdicts, strict=True))
    if faults:
        raise faults[0]


def _done(all_units: Sequence[Unit], way: Way) -> Generator[tuple[Unit, list[Finding] | None], None, None]:
    """Every unit with its verdicts, in whatever order; None where it is to be done by us."""
    known: list[tuple[Unit, list[Finding]]] = []
    left = Queue(_unknown(all_units, way.results, known))
    for unit, verdicts in _new(left, len(all_units), way):
        while known:
            yield known.pop(0)
        yield unit, verdicts
    yield from known


def _unknown(
    all_units: Sequence[Unit], results: Results | None, known: list[tuple[Unit, list[Finding]]]
) -> Iterator[Unit]:
    """The units whose verdicts have to be found; the others get into ``known``."""
    for unit in all_units:
        verdicts = results.get(unit[1]) if results is not None else None
        if verdicts is None:
            yield unit
        else:
            known.append((unit, verdicts))


def _new(left: Queue, number: int, way: Way) -> Iterator[tuple[Unit, list[Finding] | None]]:
    """What is left, done by a cluster as long as there is one, then by processes; the last of it is for us."""
    if way.scheduler:
        from kursk_pbem.audit import cluster  # noqa: PLC0415  only where one is wanted

        yield from cluster.shared(left, way.scheduler, way.tell)
    if min(way.jobs, number) > 1:
        from kursk_pbem.audit import workers  # noqa: PLC0415  as above

        yield from workers.shared(left, min(way.jobs, number), fork=not way.scheduler)
    for unit in left:
        yield unit, None
