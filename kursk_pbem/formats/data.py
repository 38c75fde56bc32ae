"""Where schemas and scenarios lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from kursk_pbem.errors import KurskError

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def folder(kind: Literal["schemas", "scenarios"]) -> Path:
    """Return the folder of our own data files of that kind. Raises KurskError if the installation lacks it."""
    for place in (_PACKAGE / "_data" / kind, _PACKAGE.parent / kind):
        if place.is_dir():
            return place
    msg = f"the program's own folder {kind!r} is missing: the installation is incomplete, install it again"
    raise KurskError(msg)
