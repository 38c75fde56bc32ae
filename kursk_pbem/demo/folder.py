"""The folder of a demonstration, with a list of the files, so that the next demonstration can replace the files.

Only unchanged files of a demonstration are removed. Links are not followed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import files
from kursk_pbem.game import disk

LIST = "made-by-kursk-demo.txt"
"""Lines in the form of ``sha256sum``: hash, two blanks, name below the folder."""

MAX_LIST = 1 << 20
MAX_FILE = 1 << 26
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def write_list(folder: Path) -> None:
    """Write the list of the files below ``folder``, which contains only the new demonstration."""
    made = {name: Path(entry.path) for name, entry in _walk_entries(folder) if entry.is_file(follow_symlinks=False)}
    lines = [f"{_hash(path)}  {name}\n" for name, path in sorted(made.items())]
    disk.replace(folder / LIST, "".join(lines).encode("utf-8"))


def clear(folder: Path) -> None:
    """Empty ``folder`` if every file comes from a demonstration. Otherwise raise UsageError and delete nothing."""
    if not any(folder.iterdir()):
        return
    made = _list(folder)
    if not made:
        raise UsageError(f"{folder} contains files that are not from a demonstration; choose another folder")
    places = {parent.as_posix() for name in made for parent in Path(name).parents}
    doomed: list[str] = []
    rooms: list[str] = []
    for name, entry in _walk_entries(folder):
        if entry.is_dir(follow_symlinks=False):
            known = name in places
            rooms.append(entry.path)
        else:
            known = name == LIST or _is_untouched(entry, made.get(name, ""))
            doomed.append(entry.path)
        if not known:
            raise UsageError(
                f"{entry.path} was changed since the demonstration, so nothing was removed: choose another folder, or "
                f"remove {folder} yourself"
            )
    own = os.fspath(folder / LIST)
    # delete the list last: an interrupted deletion can then continue
    for path in sorted(doomed, key=lambda path: path == own):
        os.unlink(path)  # noqa: PTH108  unlink removes the entry, even if the entry has become a link
    for path in sorted(rooms, key=len, reverse=True):
        os.rmdir(path)  # noqa: PTH106  fails if the folder has a new file


def _list(folder: Path) -> dict[str, str]:
    """Return name -> hash of the demonstration's files; empty without a demonstration."""
    path = folder / LIST
    if path.is_symlink() or not path.is_file():
        return {}
    matches = map(_LINE.fullmatch, files.read(path, MAX_LIST).decode("utf-8", "replace").split("\n"))
    return {line[2]: line[1] for line in matches if line is not None}


def _walk_entries(folder: Path, above: str = "") -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Yield each entry below a folder with its name, a folder before the content. Links are not followed."""
    with os.scandir(folder) as entries:
        here = sorted(entries, key=lambda entry: entry.name)
    for entry in here:
        name = above + entry.name
        yield name, entry
        if entry.is_dir(follow_symlinks=False):
            yield from _walk_entries(Path(entry.path), f"{name}/")


def _is_untouched(entry: os.DirEntry[str], digest: str) -> bool:
    """Check that an entry is a regular file with this hash."""
    return bool(digest) and entry.is_file(follow_symlinks=False) and _hash(Path(entry.path)) == digest


def _hash(path: Path) -> str:
    return hashlib.sha256(files.read(path, MAX_FILE)).hexdigest()
