"""The effective part of an answer for an attack: the most specific answer overrides the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.hexes import policies
from kursk_pbem.kernel.orders import Path

Places = Sequence[tuple[str, str]]
"""Places of a policy about one thing, (table, name), most specific first."""


def find_effective(
    policy: Mapping[str, Any], keys: Sequence[str], tables: Iterable[str], asked: Sequence[Places]
) -> Iterator[tuple[Path, str, Any, list[int]]]:
    """Yield (place, key, value, users) for every answer. Users: the positions in ``asked`` that it decides."""
    for path, part in policies.split_parts(policy, tables):
        for key in (key for key in keys if part.get(key)):
            counts = [at for at, places in enumerate(asked) if _find_speaker(policy, key, places) == path]
            yield path, key, part[key], counts


def _find_speaker(policy: Mapping[str, Any], key: str, places: Places) -> Path:
    """Return the first place with a value under a key; () for the entire side."""
    return next((place for place in places if key in policy.get(place[0], {}).get(place[1], {})), ())
