"""Many desks in one process read the same papers.

Of equal bytes each is read, each signature checked, and each message in an equal position adjudicated, once. For
folders of tests with many desks alone (``MANY_DESKS`` in tests/conftest.py); reader, signatures and rules are tested in
others, where nothing is remembered. What is refused is not remembered: it is read anew, and refused in its own words.
"""

from __future__ import annotations

import marshal
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.game import games
from kursk_pbem.trust import sshsig

_build, _verifier, _adjudicate = strictyaml._Builder.build, sshsig._load_verifier, games.adjudicate
_MOST = 256


@lru_cache(maxsize=4096)
def _plain(raw: bytes, anywhere: bool, free: frozenset[str]) -> tuple[bytes, int, int]:
    builder = strictyaml._Builder("", "message")
    builder.anywhere, builder.free_keys = anywhere, free
    document = _build(builder, raw)
    return marshal.dumps(document.data), document.values, document.holders


def _built(builder: Any, raw: bytes) -> Document:
    """The document of these bytes, its data in a copy of its own."""
    try:
        data, values, holders = _plain(raw, builder.anywhere, builder.free_keys)
    except FileError:
        return _build(builder, raw)
    said = marshal.loads(data)  # noqa: S302  bytes of our own
    return Document(said, builder.name, raw, values=values, holders=holders)


@lru_cache(maxsize=4096)
def _fits(key: bytes, signature: bytes, signed: bytes) -> None:
    _verifier(key).verify(signature, signed)


_adjudicated: dict[Any, Any] = {}


def _by_the_rules(ruleset: Any, setting: Any, before: Any, filing: Any, dice: Any) -> Any:
    """What the rules make of a message; of dice that somebody has made up nothing is remembered."""
    if not isinstance(dice, games.SeedDice | None):
        return _adjudicate(ruleset, setting, before, filing, dice)
    key, asked = (before.sha256(), filing.seq, filing.writer), (before, filing, dice)
    known = _adjudicated.get(key)
    if known is None or known[0] is not ruleset or known[1] is not setting or known[2] != asked:
        if len(_adjudicated) >= _MOST:
            _adjudicated.clear()
        known = _adjudicated[key] = ruleset, setting, asked, _adjudicate(ruleset, setting, before, filing, dice)
    return known[3]


def watch(patch: Any) -> None:
    """From here on nothing is read or checked twice."""
    patch.setattr(strictyaml._Builder, "build", _built)
    patch.setattr(games, "adjudicate", _by_the_rules)
    patch.setattr(sshsig, "_load_verifier", lambda key: SimpleNamespace(verify=partial(_fits, key)))


def forget(patch: Any) -> None:
    """From here on everything is read, checked and adjudicated anew: where it is measured what that costs."""
    patch.setattr(strictyaml._Builder, "build", _build)
    patch.setattr(games, "adjudicate", _adjudicate)
    patch.setattr(sshsig, "_load_verifier", _verifier)
