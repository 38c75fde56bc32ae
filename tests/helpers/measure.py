"""Rows of the benchmark table: medians with their floors."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

RUNS = 21


def median_ms(work: Callable[[], object], before: Callable[[], object] = lambda: None, runs: int = RUNS) -> float:
    """Return the median milliseconds of ``work``; ``before`` runs untimed before every run."""
    times = []
    for _ in range(runs):
        before()
        begin = time.perf_counter()
        work()
        times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times)


def row(name: str, ms: float, floor: float, target: str = "") -> None:
    """Print a row: figure, floor, ratio, target."""
    print(f"{name:<46} {ms:9.2f} ms {floor:9.2f} ms {ms / floor:8.2f} x  {target}")


def head(title: str, floor: str) -> None:
    """Print the head of a part of the table."""
    print(f"\n{title:<46} {'median':>12} {'floor':>12} {'ratio':>10}  target\n  floor: {floor}")
