"""Tournaments with public proofs: signed papers, and pairings and tables that a reader can compute again."""

import os
from pathlib import Path

FOLDER = "tournaments"
"""The folder of the records in the private folder."""


def any_here(home: Path) -> bool:
    """Return whether this private folder has tournaments, or cannot be read. Import no large module."""
    return os.path.lexists(home / FOLDER)
