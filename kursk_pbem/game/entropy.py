"""Random bytes. The demonstration may fix the bytes to make its files reproducible; real play never does."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_FIXED: ContextVar[Iterator[bytes] | None] = ContextVar("fixed", default=None)


def random_bytes() -> bytes:
    """Return 32 unpredictable bytes, for a nonce or a first opening."""
    fixed = _FIXED.get()
    return os.urandom(32) if fixed is None else next(fixed)


@contextmanager
def fix_random_bytes(seed: str) -> Iterator[None]:
    """Derive all random bytes from ``seed`` during a 'with' block. Only for demonstrations and tests."""

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
