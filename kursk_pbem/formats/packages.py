"""Rule systems of other packages: found by entry points, and identified by their files. Nothing is imported here.

A package brings schemas, scenarios, pages and words in the folder of its ruleset (docs/formats.md 5.6).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kursk_pbem.formats.canonical import canon, sha256_hex

GROUP = "kursk_pbem.rulesets"
"""The group of entry points: id of a ruleset -> the package with the constant ``RULESET``."""

_ID = re.compile("[a-z0-9][a-z0-9-]{0,31}")
_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_NAME = re.compile("[a-z0-9][a-z0-9-]{0,63}")
_RELEASE = re.compile("[A-Za-z0-9][A-Za-z0-9.!+_-]{0,63}")
_HYPHEN = re.compile("[-_.]+")
_CODE = (".py", ".json")


@dataclass(frozen=True)
class Package:
    """A ruleset of an installed distribution: ``name`` and ``release`` of the distribution, ``folder`` of the rules."""

    ruleset: str
    module: str
    folder: Path
    name: str
    release: str

    @property
    def pin(self) -> dict[str, str]:
        """The field ``package`` of message 0."""
        return {"name": self.name, "release": self.release, "sha256": hash_code(((self.folder, ""),))}

    def read_words(self) -> str:
        """Return the words of orders; '' without a list."""
        place = self.folder / "words.txt"
        return place.read_text("ascii", "replace") if place.is_file() else ""


def describe(pin: Mapping[str, str]) -> str:
    """Return a pin in words."""
    return f"{pin['name']} {pin['release']} ({pin['sha256'][:16]})"


def find_packages() -> Mapping[str, Package]:
    """Return the packages by the id of their ruleset."""
    return _scan(tuple(sys.path))[0]


def list_faults() -> tuple[str, ...]:
    """Return why entry points of installed packages are not used."""
    return _scan(tuple(sys.path))[1]


@lru_cache(maxsize=4)
def _scan(_path: tuple[str, ...]) -> tuple[dict[str, Package], tuple[str, ...]]:
    # costs 20 ms, needed only for ids that are not ours
    from importlib.metadata import entry_points  # noqa: PLC0415

    found: dict[str, list[Package]] = {}
    faults: list[str] = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        made = _make_package(point)
        if isinstance(made, Package):
            found.setdefault(made.ruleset, []).append(made)
        else:
            faults.append(made)
    for rid, rivals in found.items():
        if len(rivals) > 1:
            faults.append(f"{' and '.join(each.name for each in rivals)} both bring {rid}: uninstall one")
    return {rid: rivals[0] for rid, rivals in found.items() if len(rivals) == 1}, tuple(faults)


def _make_package(point: Any) -> Package | str:
    """Return the package of an entry point, or why the program cannot use the package."""
    name, release = _HYPHEN.sub("-", point.dist.name).lower(), point.dist.version
    if not (_NAME.fullmatch(name) and _RELEASE.fullmatch(release)):
        return f"{name!a} {release!a} has a name or release that message 0 cannot pin"
    if not _ID.fullmatch(point.name):
        return f"{name}: {point.name!a} is no id of a ruleset: small letters, digits and hyphens, at most 32"
    folder = _find_folder(point.value)
    if folder is None:
        return f"{name}: {point.value!a} names no installed package with an __init__.py"
    return Package(point.name, point.value, folder, name, release)


def _find_folder(module: str) -> Path | None:
    """Return the folder of a package by its full name. Only the topmost name is looked up, so nothing is imported."""
    if not _MODULE.fullmatch(module):
        return None
    top, *rest = module.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        return None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place, *rest)
        if (folder / "__init__.py").is_file():
            return folder.resolve()
    return None


@lru_cache(maxsize=16)
def hash_code(folders: Iterable[tuple[Path, str]]) -> str:
    """Return the hash of the files that decide: modules and schemas in (folder, prefix), except below ``seen/``."""
    files = {
        f"{prefix}{path.relative_to(folder).as_posix()}": sha256_hex(path.read_bytes())
        for folder, prefix in folders
        for path in folder.rglob("*")
        if path.suffix in _CODE and path.is_file() and path.relative_to(folder).parts[0] != "seen"
    }
    return sha256_hex(canon(files))
