"""The time of this machine, for a referee who receives a mail. The one door to the clock: nothing else may ask for it.

What is verified, adjudicated or reported never depends on it: a time counts once a referee has signed it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path

from kursk_pbem.formats import times

_FIXED: ContextVar[str] = ContextVar("fixed", default="")


def now() -> str:
    """The time now, as :mod:`kursk_pbem.formats.times` writes it."""
    return _FIXED.get() or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def fixed(text: str) -> Iterator[None]:
    """Inside this context it is always this time. For demonstrations and tests only."""
    token = _FIXED.set(text)
    try:
        yield
    finally:
        _FIXED.reset(token)


def written(moment: datetime) -> str:
    """Return a moment as :func:`now` writes it. A moment without a zone is in the zone of this machine."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")


def meant(text: str) -> str:
    """A time as people write it, or as a mail's Date has it, as :func:`now` writes it; what is none as it is."""
    return times.meant(text)


def said(time_: str) -> str:
    """Return a time as people read it."""
    return times.said(time_)


def term(due: str) -> str:
    """Return a deadline as people read it: in UTC, which is named, and how much is left of it now."""
    return times.term(due, now())


def ticking() -> float:
    """Seconds by a clock that never goes back, to see how long something has lasted; it tells no time of day."""
    return time.monotonic()


def rest(seconds: float) -> None:
    """Do nothing for a while."""
    time.sleep(seconds)


def of_file(path: Path) -> str:
    """When a file was written, as :func:`now` writes it; now if it is gone. For how long things lie, never signed.

    Now, too, where the file system says a time that no calendar of ours has.
    """
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except (OSError, ValueError, OverflowError):
        return now()
