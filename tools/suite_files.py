"""Read, compare and write the packed files of the conformance suite; shared by the tools that make cases."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

SUITE = Path(__file__).resolve().parent.parent / "conformance"
WORDING = ("id", "title", "rules", "since")
"""Fields of a case that ask nothing."""


def strip_case(case: Mapping[str, Any]) -> str:
    """Return a case without its position and wording; of cases from games with an equal rest only the first asks."""
    return json.dumps({key: case[key] for key in case if key not in (*WORDING, "position")}, sort_keys=True)


def drop_equal(cases: Iterable[dict[str, Any]], others: Iterable[Mapping[str, Any]] = ()) -> Iterator[dict[str, Any]]:
    """Yield the cases that are not equal to an earlier case, or one of ``others``, up to position and wording."""
    seen = {strip_case(case) for case in others}
    for case in cases:
        if (rest := strip_case(case)) not in seen:
            seen.add(rest)
            yield case


def read_cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of a file, such as ``kursk-1971/hand``."""
    return [json.loads(line) for line in gzip.decompress((SUITE / f"{name}.jsonl.gz").read_bytes()).splitlines()]


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
