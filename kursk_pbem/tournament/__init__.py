"""Tournaments that prove their own standings: signed papers, pairings and tables that anybody computes again."""

import os
from pathlib import Path

FOLDER = "tournaments"
"""Where their records lie in the private folder."""


def any_here(home: Path) -> bool:
    """Whether anybody here directs a tournament, or takes part in one; nothing heavy is loaded to know it.

    True too where nobody may look: what comes for a tournament is not called unknown then.
    """
    return os.path.lexists(home / FOLDER)
