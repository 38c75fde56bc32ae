"""Which program this is, to the byte: verdicts of another one are not taken for its own."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from kursk_pbem import __version__
from kursk_pbem.formats import data


@cache
def own() -> str:
    """The version of this program, and a digest of its modules, schemas and scenarios: the same on every machine."""
    digest = hashlib.sha256()
    package = Path(__file__).resolve().parents[1]
    for kind, top in (("", package), *((kind, data.find_folder(kind)) for kind in ("schemas", "scenarios"))):
        for path in sorted(top.rglob("*")):
            name = path.relative_to(top).as_posix()
            if path.suffix in {".py", ".yaml", ".json"} and not name.startswith("_data/"):
                digest.update(f"{kind}/{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return f"{__version__} ({digest.hexdigest()[:16]})"
