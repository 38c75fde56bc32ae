"""What is dear to make is made once in a run of the tests, by whichever of its processes asks first."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest


def once(factory: pytest.TempPathFactory, config: pytest.Config, name: str, make: Callable[[Path], object]) -> Path:
    """The folder ``name`` of this run, filled by ``make(folder)``; other processes wait for it. Only to be read."""
    root = factory.getbasetemp()
    root = root.parent if hasattr(config, "workerinput") else root  # where the processes of one run have theirs
    folder, done = root / name, root / f"{name}.done"
    with (root / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # ends with the process that holds it
        if not done.exists():
            make(folder)
            done.touch()
    return folder
