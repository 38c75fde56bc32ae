"""Folders of the program's data and pages: beside the package in a checkout, inside in a wheel; players' scenarios."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Literal

from kursk_pbem.errors import KurskError
from kursk_pbem.formats import packages

SEARCH_PATH = "KURSK_SCENARIOS"

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def find_folder(kind: Literal["schemas", "scenarios", "rulings", "docs"]) -> Path:
    """Return the program's own folder of this ``kind``, such as scenarios. Raises KurskError if it is missing."""
    for place in (_PACKAGE / "_data" / kind, _PACKAGE.parent / kind, _PACKAGE.parent / "docs" / kind):
        if place.is_dir():
            return place
    raise KurskError(f"the program's own folder {kind!r} is missing: the installation is incomplete, install it again")


MORE_SCHEMAS: list[Path] = []
"""More folders with schemas, for other rule systems. They are searched after the program's own folder."""


def schema_file(name: str) -> Path:
    """Return the path of the schema with this file name. If no such schema exists, the path is in the program's folder.

    A package's schema has the name of the package's ruleset, so two packages never use the same name.
    """
    places = [root / name for root in (find_folder("schemas"), *MORE_SCHEMAS)]
    own = next((place for place in places if place.is_file()), None)
    rid = name.removesuffix(".schema.json")
    return own or find_brought(rid.removesuffix("-scenario"), f"schemas/{name}") or places[0]


def find_brought(rid: str, name: str) -> Path | None:
    """Return the file ``name`` from the folder of a ruleset that another package brings; None if missing."""
    package = packages.find_packages().get(rid)
    place = package.folder / name if package else None
    return place if place is not None and place.is_file() else None


def scenario_roots() -> Iterator[Path]:
    """Yield the folders of scenarios ``ruleset/name``: the program's, the packages', and those in KURSK_SCENARIOS."""
    yield find_folder("scenarios")
    yield from (package.folder / "scenarios" for package in packages.find_packages().values())
    yield from (Path(path) for path in os.environ.get(SEARCH_PATH, "").split(os.pathsep) if path)
