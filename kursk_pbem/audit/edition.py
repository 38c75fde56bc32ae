"""The exact identity of this program: verdicts of a different program are never reused."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from kursk_pbem import __version__
from kursk_pbem.formats import data


@cache
def identify_program() -> str:
    """Return the version and a digest of the program's modules, schemas and scenarios, equal on every machine."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parents[1]
    for kind, top in (("", package), *((kind, data.find_folder(kind)) for kind in ("schemas", "scenarios"))):
        for path in sorted(top.rglob("*")):
            name = path.relative_to(top).as_posix()
            if path.suffix in {".py", ".yaml", ".json"} and not name.startswith("_data/"):
                digest.update(f"{kind}/{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return f"{__version__} ({digest.hexdigest()[:16]})"
