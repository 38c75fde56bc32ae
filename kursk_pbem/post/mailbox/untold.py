"""Results of rounds that are not printed yet: a process can die after it dealt with mails and before it said so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from kursk_pbem.post.mailbox import store

_MOST = 1000
"""Lines that are kept, so that a flood of mails fills no disk."""


def before(home: Path) -> list[str]:
    """Return the lines that an earlier round has left. Raises DiskError."""
    with store.reading(home) as rows:
        return [line for (line,) in rows.execute("select line from untold order by number")]


def status(home: Path) -> int:
    """Return the exit status of the worst of them: 2 if something was wrong."""
    with store.reading(home) as rows:
        return 2 if rows.execute("select 1 from untold where wrong").fetchone() else 0


def put(home: Path, lines: Iterable[str], *, wrong: bool = False) -> list[str]:
    """Save lines before they are printed, and return them; ``wrong``: whether a line is a fault. Raises DiskError."""
    told = list(lines)
    with store.writing(home) as rows:
        rows.executemany("insert or ignore into untold (line, wrong) values (?, ?)", [(line, wrong) for line in told])
        rows.execute("delete from untold where number <= (select max(number) from untold) - ?", (_MOST,))
    return told


def add(home: Path, line: str, *, wrong: bool = False) -> str:
    """Save one line, before what it tells counts as known; return the line. Raises DiskError."""
    return put(home, [line], wrong=wrong)[0]


def to_forget(home: Path) -> Callable[[], None]:
    """Return a function that deletes the lines saved so far. Lines that the next round saves stay."""
    with store.reading(home) as rows:
        (newest,) = rows.execute("select coalesce(max(number), 0) from untold").fetchone()

    def forget() -> None:
        with store.writing(home) as rows:
            rows.execute("delete from untold where number <= ?", (newest,))

    return forget if newest else lambda: None
