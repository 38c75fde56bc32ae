"""Many desks in one process read the same papers: of equal bytes each is read, and each signature checked, once.

For folders of tests with many desks alone (``MANY_DESKS`` in tests/conftest.py). Reader and signatures have tests of
their own, in which nothing is remembered. What is refused is not remembered: it is read anew, and refused in its own
words.
"""

from __future__ import annotations

import marshal
from functools import lru_cache, partial
from types import SimpleNamespace
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.trust import sshsig

_build, _verifier = strictyaml._Builder.build, sshsig._verifier


@lru_cache(maxsize=4096)
def _plain(raw: bytes, anywhere: bool, free: frozenset[str]) -> bytes:
    builder = strictyaml._Builder("", "message")
    builder.anywhere, builder.free_keys = anywhere, free
    return marshal.dumps(_build(builder, raw).data)


def _built(builder: Any, raw: bytes) -> Document:
    """The document of these bytes, its data in a copy of its own."""
    try:
        data = _plain(raw, builder.anywhere, builder.free_keys)
    except FileError:
        return _build(builder, raw)
    return Document(marshal.loads(data), builder.name, raw)  # noqa: S302  bytes of our own


@lru_cache(maxsize=4096)
def _fits(key: bytes, signature: bytes, signed: bytes) -> None:
    _verifier(key).verify(signature, signed)


def watch(patch: Any) -> None:
    """From here on nothing is read or checked twice."""
    patch.setattr(strictyaml._Builder, "build", _built)
    patch.setattr(sshsig, "_verifier", lambda key: SimpleNamespace(verify=partial(_fits, key)))
