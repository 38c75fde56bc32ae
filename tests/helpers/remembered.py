"""Caches for many desks in a process that read the same papers.

Equal bytes are read only once, equal signatures checked once, equal messages in equal positions adjudicated once; and
plans of the practice opponent and their worths are found once for equal positions.
Only for test folders with many desks (``MANY_DESKS`` in tests/conftest.py); other folders test reader, signatures and
rules without a cache. Refused files are not cached.
"""

from __future__ import annotations

import copy
import json
import marshal
from functools import lru_cache
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.game import games
from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.kernel.state import State
from kursk_pbem.practice.levels import Thoughts
from kursk_pbem.trust import ed25519

_build, _verify, _adjudicate = strictyaml._Builder.build, ed25519.verify, games.adjudicate
_propose, _look_ahead = Thoughts.propose, Thoughts.look_ahead
_MOST = 256


@lru_cache(maxsize=4096)
def _read_plain(raw: bytes, anywhere: bool, free: frozenset[str]) -> tuple[bytes, int, int]:
    builder = strictyaml._Builder("", "message")
    builder.anywhere, builder.free_keys = anywhere, free
    document = _build(builder, raw)
    return marshal.dumps(document.data), document.values, document.holders


def _build_document(builder: Any, raw: bytes) -> Document:
    """Return the document of some bytes, with a fresh copy of its data."""
    try:
        data, values, holders = _read_plain(raw, builder.anywhere, builder.free_keys)
    except FileError:
        return _build(builder, raw)
    said = marshal.loads(data)  # noqa: S302  our own bytes
    return Document(said, builder.name, raw, values=values, holders=holders)


_adjudicated: dict[Any, Any] = {}


def _by_the_rules(ruleset: Any, setting: Any, before: Any, filing: Any, dice: Any) -> Any:
    """Adjudicate a message, with a cache except for invented dice."""
    if not isinstance(dice, games.SeedDice | None):
        return _adjudicate(ruleset, setting, before, filing, dice)
    key, asked = (before.sha256(), filing.seq, filing.writer), (before, filing, dice)
    known = _adjudicated.get(key)
    if known is None or known[0] is not ruleset or known[1] is not setting or known[2] != asked:
        if len(_adjudicated) >= _MOST:
            _adjudicated.clear()
        known = _adjudicated[key] = ruleset, setting, asked, _adjudicate(ruleset, setting, before, filing, dice)
    return known[3]


_thoughts: dict[Any, Any] = {}


def _think_once(think: Any) -> Any:
    """Return a method of thoughts about a message with a cache for calm plans. Settings and ideas are kept, too."""

    def thought(mind: Any, *known: Any) -> Any:
        if any(callable(each) and each is not be_calm for each in known):
            return think(mind, *known)
        words = [
            each.sha256() if isinstance(each, State) else json.dumps(each, sort_keys=True, default=repr)
            for each in known
        ]
        key = think.__name__, mind.seed, id(mind.setting), id(mind.ideas), *words
        if key not in _thoughts:
            if len(_thoughts) >= _MOST:
                _thoughts.clear()
            _thoughts[key] = mind, think(mind, *known)
        return copy.deepcopy(_thoughts[key][1])

    return thought


def watch(patch: Any) -> None:
    """Cache reading, signatures, adjudication and calm plans from now on."""
    patch.setattr(Thoughts, "propose", _think_once(_propose))
    patch.setattr(Thoughts, "look_ahead", _think_once(_look_ahead))
    patch.setattr(strictyaml._Builder, "build", _build_document)
    patch.setattr(games, "adjudicate", _by_the_rules)
    patch.setattr(ed25519, "verify", lru_cache(maxsize=4096)(_verify))


def forget(patch: Any) -> None:
    """Stop caching, for measurements of the cost."""
    patch.setattr(Thoughts, "propose", _propose)
    patch.setattr(Thoughts, "look_ahead", _look_ahead)
    patch.setattr(strictyaml._Builder, "build", _build)
    patch.setattr(games, "adjudicate", _adjudicate)
    patch.setattr(ed25519, "verify", _verify)
