"""Folders of the program's data and pages: beside the package in a checkout, inside in a wheel; players' scenarios."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Literal

from kursk_pbem.errors import KurskError

SEARCH_PATH = "KURSK_SCENARIOS"

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def find_folder(kind: Literal["schemas", "scenarios", "rulings", "docs"]) -> Path:
    """Return the program's own folder of a kind. Raises KurskError if the installation lacks the folder."""
    for place in (_PACKAGE / "_data" / kind, _PACKAGE.parent / kind, _PACKAGE.parent / "docs" / kind):
        if place.is_dir():
            return place
    msg = f"the program's own folder {kind!r} is missing: the installation is incomplete, install it again"
    raise KurskError(msg)


MORE_SCHEMAS: list[Path] = []
"""Folders with schemas of other rule systems, searched after the program's own folder."""


def schema_file(name: str) -> Path:
    """Return the path of a schema by its file name; in the program's own folder if missing."""
    places = [root / name for root in (find_folder("schemas"), *MORE_SCHEMAS)]
    return next((place for place in places if place.is_file()), places[0])


def scenario_roots() -> list[Path]:
    """Return the folders with scenarios as ``ruleset/name``: the program's own, then the folders in KURSK_SCENARIOS."""
    named = os.environ.get(SEARCH_PATH, "").split(os.pathsep)
    return [find_folder("scenarios"), *(Path(path) for path in named if path)]
