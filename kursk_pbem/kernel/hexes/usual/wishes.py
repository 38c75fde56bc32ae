"""Which part of an answer counts for an attack: what is said elsewhere, though it may apply there too, does not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.hexes import policies
from kursk_pbem.kernel.orders import Path

Places = Sequence[tuple[str, str]]
"""Where a policy may speak of something, (table, name), the most exact first."""


def heard(
    policy: Mapping[str, Any], keys: Sequence[str], tables: Iterable[str], asked: Sequence[Places]
) -> Iterator[tuple[Path, str, Any, list[int]]]:
    """Each thing that a policy says: where, under which key, what, and for which of those asked it is what counts."""
    for path, part in policies.parts(policy, tables):
        for key in (key for key in keys if part.get(key)):
            yield path, key, part[key], [at for at, places in enumerate(asked) if _speaks(policy, key, places) == path]


def _speaks(policy: Mapping[str, Any], key: str, places: Places) -> Path:
    """The first place that says something under a key; () for the whole side."""
    return next((place for place in places if key in policy.get(place[0], {}).get(place[1], {})), ())
