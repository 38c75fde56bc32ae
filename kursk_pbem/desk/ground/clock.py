"""The time of this machine, for referees who receive mails. No other module may read the clock.

Verification, adjudication and reports never use the clock. A time counts after a referee has signed the time.
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
    """Return the current time in the format of :mod:`kursk_pbem.formats.times`."""
    return _FIXED.get() or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def fix_time(text: str) -> Iterator[None]:
    """Make :func:`now` return the time ``text`` inside a 'with' block. Only for demonstrations and tests."""
    token = _FIXED.set(text)
    try:
        yield
    finally:
        _FIXED.reset(token)


def normalize_time(text: str) -> str:
    """Return a typed time, or the Date of a mail, in the format of :func:`now`. Return other texts unchanged."""
    return times.read_time(text)


def display_time(time_: str) -> str:
    """Return a time in words for people."""
    return times.tell(time_)


def display_deadline(due: str) -> str:
    """Return a deadline in words: the time in UTC, and the time that remains."""
    return times.show_deadline(due, now())


def count_days_since(time_: str) -> int:
    """Return the number of whole days since a time. The result may only be displayed."""
    return max(times.seconds_between(time_, now()) // times.DAY, 0)


def read_monotonic() -> float:
    """Return the seconds of a clock that never runs backwards, to measure durations."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    """Sleep for some seconds."""
    time.sleep(seconds)


def read_file_time(path: Path) -> str:
    """Return the time of a file's last change in the format of :func:`now`. Signed data never use it.

    Return the current time if the file is missing or has an impossible time.
    """
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except (OSError, ValueError, OverflowError):
        return now()
