"""Reminders of whoever owes a message: at half of its term, and a day before its end, once each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.formats import times
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.referee import answers
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.round import notes
from kursk_pbem.post.round.notes import Note
from kursk_pbem.post.round.seat import Seat

File: TypeAlias = tuple[str, str, bytes]
"""Its name, its type, its content."""


def owed(desk: Desk, seat: Seat, seq: int) -> tuple[File, ...]:
    """What whoever owes the answer to message ``seq`` may lack: the turns since their newest, and the papers."""
    lost = range(seat.newest_of(seat.known.writer) + 1, desk.seq)
    return (*answers.turns(desk, seat, lost), *answers.papers(desk, seat, seq))


def write(
    home: Path,
    sender: str,
    seat: Seat,
    running: Running,
    person: Person,
    desk: Callable[[], Desk],
    more: Callable[[], File] | None,
) -> Iterator[str]:
    """Write the one that is due now; what was done. ``more``: a file besides what is owed. UsageError."""
    which = running.reminder(clock.now())
    key = running.key(seat.game, which)
    if not which or not person.reached or notes.known(home, running.due[:10], person.mark, key):
        return
    held = desk()
    lines = [
        f"{held.game.title}, game {seat.game[:8]}",
        "",
        f"Your message {running.seq + 1} is due {clock.term(running.due)}.",
        "",
        "If you have mailed it, mail it again: twice does no harm. What it",
        "answers is attached with its receipt, in case that was lost.",
        "HELP in a mail to this address says what you can ask for.",
    ]
    subject = f"[kursk {seat.game[:8]}] a reminder: message {running.seq + 1} is due {times.said(running.due)}"
    files = (*owed(held, seat, running.seq), *([more()] if more is not None else ()))
    note = Note(person.mark, person.reached, subject, notes.listed(lines), game=seat.game, files=files)
    notes.write(home, note, sender, running.due[:10], key)
    yield f"game {seat.game[:8]}: reminded {person.name or seat.known.writer}"
