"""The readings of mutants that no case and no test finds: ``tests/audit/survivors/SYSTEM.txt``.

A line at the margin is the name of a mutant (``mutants.Mutant.name``). An indented line is the reading of all names
above it, up to the reading before. It begins with a word of ``KINDS``. Lines with ``#`` are notes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from helpers import mutants

FOLDER = mutants.ROOT / "tests" / "audit" / "survivors"
KINDS = {
    "equal": "no position shows a difference",
    "words": "only sentences, numbers on a screen or the order of a list differ",
    "missing": "a case is missing",
}


def read_readings(path: Path) -> dict[str, str]:
    """Return the reading of each mutant. Raises ValueError at a line that is neither name nor reading."""
    found: dict[str, str] = {}
    waiting: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if line != line.lstrip():
            if not waiting or text.partition(":")[0] not in KINDS:
                raise ValueError(f"{path.name}:{number}: no reading of a mutant: {text}")
            found |= dict.fromkeys(waiting, text)
            waiting = []
        elif text in found or text in waiting:
            raise ValueError(f"{path.name}:{number}: this mutant has a reading: {text}")
        else:
            waiting.append(text)
    if waiting:
        raise ValueError(f"{path.name}: without a reading: {waiting[0]}")
    return found


def compare_readings(survivors: Collection[str], readings: Collection[str]) -> Iterator[str]:
    """Yield the survivors without a reading, then the readings without a survivor."""
    for name in survivors:
        if name not in readings:
            yield f"without a reading: {name}"
    for name in readings:
        if name not in survivors:
            yield f"no survivor any more: {name}"
