"""Private folders copied by tests. The program asks after each copy; most tests copy to save time, and mean no copy."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import newest

copy_elsewhere = shutil.copytree
"""Copy a folder as a person does: the program notices the copy of a private folder, and asks."""


def copy_here(source: Any, place: Any, *given: Any, **more: Any) -> Any:
    """Copy a folder as if the copy were the first: answers that hold in the source hold in the copy."""
    copied = copy_elsewhere(source, place, *given, **more)
    if sys._getframe(1).f_globals["__name__"].partition(".")[0] not in ("kursk_pbem", "shutil"):  # they call themselves
        for note in Path(place).rglob(newest.NOTE):
            before = Path(source) / note.parent.relative_to(place)
            if before.is_dir():
                newest.keep_answer(before, note.parent)
    return copied


def watch(patch: Any) -> None:
    """Let ``shutil.copytree`` keep the answers of players from now on."""
    patch.setattr(shutil, "copytree", copy_here)
