"""Bounds of time for any machine, busy or not, in seconds of a machine as fast as ``YARD``."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

YARD = 0.015
_LINES = b"".join(b"> line %d of a mail\n" % number for number in range(20_000))
_WORD = re.compile(rb"^> (\w+) (\d+)[^\n]*$", re.MULTILINE)


def _measure_yardstick() -> float:
    """Return the processor seconds of a fixed piece of work, similar to reading mails."""
    began = time.process_time()
    seen: dict[bytes, int] = {}
    for match in _WORD.finditer(_LINES):
        seen[match[2]] = seen.get(match[1], 0) + len(match[0])
    assert len(seen) == 20_000
    return time.process_time() - began


@contextmanager
def limit_time(limit: float) -> Iterator[None]:
    """Fail if the block takes longer than ``limit`` processor seconds at the yardstick's pace.

    A busy neighbor on the core slows work and yardstick alike. Without the yardstick, CI failed on a generous bound.
    """
    before = _measure_yardstick()
    began = time.process_time()
    yield
    took = time.process_time() - began
    pace = max(1.0, (before + _measure_yardstick()) / 2 / YARD)
    assert took < limit * pace, f"{took:.2f} s at {pace:.2f} times the pace, {limit} allowed"
