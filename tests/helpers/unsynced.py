"""Tests do not wait for the disk: a killed process loses nothing in the system's cache, only a power cut does."""

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
    """From here on no file of this process waits until it is on the disk; tests still see each call of ``fsync``."""
    patch.setattr(os, "fsync", lambda _handle: None)
    patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=_Connection))
