"""Tournaments that prove their own standings: signed papers, pairings and tables that anybody computes again."""

from pathlib import Path

FOLDER = "tournaments"
"""Where their records lie in the private folder."""


def any_here(home: Path) -> bool:
    """Whether anybody here directs a tournament, or takes part in one; nothing heavy is loaded to know it."""
    return (home / FOLDER).is_dir()
