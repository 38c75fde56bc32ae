"""Bounds of time that hold on any machine, busy or not: in seconds of one that reads the yardstick in ``YARD``."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

YARD = 0.015
_LINES = b"".join(b"> line %d of a mail\n" % number for number in range(20_000))
_WORD = re.compile(rb"^> (\w+) (\d+)[^\n]*$", re.MULTILINE)


def _yardstick() -> float:
    """Seconds of a processor that one piece of work takes now, of the kind that reading mails is."""
    began = time.process_time()
    seen: dict[bytes, int] = {}
    for match in _WORD.finditer(_LINES):
        seen[match[2]] = seen.get(match[1], 0) + len(match[0])
    assert len(seen) == 20_000
    return time.process_time() - began


@contextmanager
def within(limit: float) -> Iterator[None]:
    """Fail if what is done in it takes longer than ``limit`` seconds of a processor of the yardstick's pace.

    A neighbour on the same core slows both alike: CI failed on a bound that held here twice over.
    """
    before = _yardstick()
    began = time.process_time()
    yield
    took = time.process_time() - began
    pace = max(1.0, (before + _yardstick()) / 2 / YARD)
    assert took < limit * pace, f"{took:.2f} s at {pace:.2f} times the pace, {limit} allowed"
