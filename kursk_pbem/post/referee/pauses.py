"""A pause: nothing is due in any game before a time, as the director said once (docs/auditors.md 2.10, ``pause``)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.desk.referee import grants
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import reports
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.referee import deadlines
from kursk_pbem.post.round.seat import Seat
from kursk_pbem.trust.papers import PAUSE


def begin(home: Path, until: str) -> None:
    """Put down that nothing is due in any game before a time. UsageError if that was said of a later one."""
    if until < (before := said(home)):
        raise UsageError(f"nothing is due before {before}, as you have said; a pause can only be made longer")
    store.set_setting(home, "pause", until)


def said(home: Path) -> str:
    """Until when nothing is due in any game, by the last pause, over or not; '' without one. DiskError."""
    return store.setting(home, "pause")


def extend(key: Path, seat: Seat, until: str, since: str = "") -> Iterator[str]:
    """Extend the term that runs in a game to the end of a pause, unless it was over before ``since``. KurskError.

    Each round does: a receipt may say what was kept before the pause, and a program may die behind it.
    """
    running = deadlines.running(seat)
    if running is None or seat.known.writer == REFEREE or not since <= running.due < until:
        return
    issued = grants.extend(seat.folder, key, Grant(until=until, cause=PAUSE))
    yield f"game {seat.game[:8]}: {reports.of_paper(issued.game.chain, issued.paper)}"
