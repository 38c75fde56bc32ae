"""Another private folder for some commands: of a player in a demonstration, or of the other seat."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def use_home(folder: Path) -> Iterator[None]:
    """Use another private folder and its keys inside the context: KURSK_HOME is set, KURSK_KEY is unset."""
    before = {name: os.environ.pop(name, None) for name in ("KURSK_HOME", "KURSK_KEY")}
    os.environ["KURSK_HOME"] = str(folder)
    try:
        yield
    finally:
        del os.environ["KURSK_HOME"]
        os.environ.update({name: value for name, value in before.items() if value is not None})
