"""Fill a new store with what version 0.2 has kept in files of the post folder. This module goes two versions later."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def fill(found: sqlite3.Connection, root: Path) -> None:
    """Read the files of a post folder into the tables of a new store. Files that cannot be read are left out."""
