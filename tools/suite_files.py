"""Read and write the packed files of the conformance suite; shared by the tools that make cases."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parent.parent / "conformance"


def save_cases(name: str, cases: Sequence[dict[str, Any]], *, check: bool) -> bool:
    """Write the cases of a file, such as ``kursk-1971/games``; with ``check`` only compare.

    Return whether the file was up to date. The unpacked lines count, because packing may differ between machines.
    """
    path = SUITE / f"{name}.jsonl.gz"
    text = "".join(json.dumps(case, sort_keys=True, separators=(",", ":")) + "\n" for case in cases).encode("ascii")
    same = path.exists() and gzip.decompress(path.read_bytes()) == text
    if not same and not check:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(gzip.compress(text, mtime=0))
    return same
