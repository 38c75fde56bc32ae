"""What came of mails and was perhaps told to nobody: a program may die between dealing with them and saying so.

It is put down before the mails count as dealt with, and goes once it was told; the next round tells what is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import DiskError
from kursk_pbem.post import place

_MOST = 1000
"""Lines that are kept (T49), the first and the last of them."""
_MORE = "and more than is kept of such a round"


def _path(home: Path) -> Path:
    return place.root(home) / "in" / "untold"


def before(home: Path) -> list[str]:
    """What an earlier round has left, in words; nothing where its file is damaged."""
    with suppress(DiskError):
        lines = place.load(_path(home)).get("lines")
        return [str(line) for line in lines] if isinstance(lines, list) else []
    return []


def status(home: Path) -> int:
    """The exit status of the worst of that: 2 where something was wrong."""
    with suppress(DiskError):
        return 2 if place.load(_path(home)).get("wrong") is True else 0
    return 0


def put(home: Path, lines: Iterable[str], *, wrong: bool) -> None:
    """Put down what is about to be told, in place of what was; ``wrong``: whether something of it is. UsageError."""
    kept = list(dict.fromkeys(lines))
    if len(kept) > _MOST:  # the last one says what this round was about to do
        kept = [line for line in kept if line != _MORE]
        kept = [*kept[: _MOST // 2], _MORE, *kept[-(_MOST // 2) :]]
    if kept:
        place.put(_path(home), {"lines": kept, "wrong": wrong})


def add(home: Path, line: str, *, wrong: bool = False) -> str:
    """Put down one more line, before that of which it tells counts as known; the line. UsageError."""
    put(home, [*before(home), line], wrong=wrong or status(home) > 0)
    return line


def noted(home: Path, lines: Iterable[str]) -> Iterator[str]:
    """Lines of what is done, each put down as it comes; while the disk is full they are told all the same."""
    for line in lines:
        with suppress(DiskError):
            add(home, line)
        yield line


def told(home: Path) -> None:
    """All of it was told."""
    _path(home).unlink(missing_ok=True)


def to_forget(home: Path) -> Callable[[], None]:
    """What forgets the lines that are there now, for when they are printed: the next round may have begun by then."""
    lines = set(before(home))

    def forgets() -> None:
        with suppress(DiskError, OSError):  # on a full disk it is told once more
            if left := [line for line in before(home) if line not in lines]:
                put(home, left, wrong=status(home) > 0)
            else:
                told(home)

    return forgets
