"""Where our data and pages lie: beside the package in a checkout, in it in a wheel; and a player's own scenarios."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Literal

from kursk_pbem.errors import KurskError

SEARCH_PATH = "KURSK_SCENARIOS"

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def folder(kind: Literal["schemas", "scenarios", "rulings", "docs"]) -> Path:
    """Return the folder of our own data files of that kind. Raises KurskError if the installation lacks it."""
    for place in (_PACKAGE / "_data" / kind, _PACKAGE.parent / kind, _PACKAGE.parent / "docs" / kind):
        if place.is_dir():
            return place
    msg = f"the program's own folder {kind!r} is missing: the installation is incomplete, install it again"
    raise KurskError(msg)


MORE_SCHEMAS: list[Path] = []
"""Folders with the schemas of rule systems that do not come with the program, looked through after our own."""


def schema_file(name: str) -> Path:
    """Where a schema lies, by its file name; in our own folder if it lies nowhere."""
    places = [root / name for root in (folder("schemas"), *MORE_SCHEMAS)]
    return next((place for place in places if place.is_file()), places[0])


def scenario_roots() -> list[Path]:
    """Folders in which scenarios lie as ``ruleset/name``: our own, then those that KURSK_SCENARIOS names."""
    named = os.environ.get(SEARCH_PATH, "").split(os.pathsep)
    return [folder("scenarios"), *(Path(path) for path in named if path)]
