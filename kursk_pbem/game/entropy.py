"""Fresh random bytes. The demonstration may fix them, so that its files come out the same; real play never does."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_FIXED: ContextVar[Iterator[bytes] | None] = ContextVar("fixed", default=None)


def fresh() -> bytes:
    """32 bytes that nobody can foresee: a nonce, a first opening."""
    fixed = _FIXED.get()
    return os.urandom(32) if fixed is None else next(fixed)


@contextmanager
def fixed(seed: str) -> Iterator[None]:
    """Inside this context ``fresh`` gives bytes that follow from ``seed``. For demonstrations and tests only."""

    def stream() -> Iterator[bytes]:
        number = 0
        while True:
            text = f"kursk-pbem demonstration {seed} {number}"
            yield hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
            number += 1

    token = _FIXED.set(stream())
    try:
        yield
    finally:
        _FIXED.reset(token)
