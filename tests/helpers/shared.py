"""Expensive folders, made only once in a test run by the first process that needs them."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest


def make_once(
    factory: pytest.TempPathFactory, config: pytest.Config, name: str, make: Callable[[Path], object]
) -> Path:
    """Return the read-only folder ``name`` of this run, filled by ``make(folder)``; other processes wait."""
    root = factory.getbasetemp()
    root = root.parent if hasattr(config, "workerinput") else root  # the common parent of the processes of a run
    folder, done = root / name, root / f"{name}.done"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # ends with the process
        if not done.exists():
            make(folder)
            done.touch()
    return folder
