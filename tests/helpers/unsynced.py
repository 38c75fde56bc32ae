"""No waiting for the disk in tests: only a power cut loses data in the system's cache, a killed process loses none."""

from __future__ import annotations

import os
import sqlite3
from functools import partial
from typing import Any


class _Connection(sqlite3.Connection):
    """A database that leaves the time of writing to the system."""

    def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
        return super().execute(sql.replace("synchronous = full", "synchronous = off"), *values)


def watch(patch: Any) -> None:
    """Skip waiting for the disk from now on; tests still see every call of ``fsync``."""
    patch.setattr(os, "fsync", lambda _handle: None)
    patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=_Connection))
