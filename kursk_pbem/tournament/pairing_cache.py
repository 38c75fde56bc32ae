"""A cache of computed pairings, in ``pairings/`` of the private folder. A large pairing takes seconds."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from kursk_pbem import __version__
from kursk_pbem.errors import DiskError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES, canon, sha256_hex
from kursk_pbem.game import disk
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.pairing.solve import Solved
from kursk_pbem.tournament.rules import MATCH

FOLDER = "pairings"
MOST = 500
"""The maximum number of files; the oldest files are deleted."""


def make_solver(home: Path) -> Callable[[Mapping[str, Any]], Solved]:
    """Return a function to compute the pairs of a round, with a cache in a private folder."""
    return partial(_solve_cached, home)


def _solve_cached(home: Path, given: Mapping[str, Any]) -> Solved:
    """Return the pairs of a round. Pairs of a Swiss come from the cache, if possible.

    The cache is trusted like all private records. The file name is a hash of the release and of the input, which names
    the formula.
    """
    if given["method"] != MATCH:
        return solving.solve_round(given)
    path = home / FOLDER / f"{sha256_hex(canon([__version__, dict(given)]))}.json"
    solved = _read_pairs(path)
    if solved is None:
        solved = solving.solve_round(given)
        _write_pairs(path, solved)
    return solved


def _read_pairs(path: Path) -> Solved | None:
    try:
        said = json.loads(files.read(path, MAX_BYTES))
        solved = Solved([(first, second) for first, second in said["pairs"]], said["bye"])
        return solved if said == _make_plain(solved) else None
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _write_pairs(path: Path, solved: Solved) -> None:
    with contextlib.suppress(OSError, DiskError):  # without the file the next call computes the pairs again
        disk.make_private(path.parent)
        disk.replace(path, canon(_make_plain(solved)), mode=0o600)
        for old in sorted(path.parent.glob("*.json"), key=lambda there: there.stat().st_mtime_ns)[:-MOST]:
            old.unlink(missing_ok=True)


def _make_plain(solved: Solved) -> dict[str, Any]:
    pairs = [list(pair) for pair in solved.pairs]
    return {"pairs": pairs, "bye": solved.bye, "sha256": sha256_hex(canon([pairs, solved.bye]))}
