"""Reminders of whoever owes a message: at half of its term, and a day before its end, once each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.formats import times
from kursk_pbem.post.mailbox.people import Person
from kursk_pbem.post.referee import answers
from kursk_pbem.post.referee.answers import File
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.round import notes
from kursk_pbem.post.round.notes import Note
from kursk_pbem.post.round.seat import Seat


def write(
    home: Path,
    sender: str,
    seat: Seat,
    running: Running,
    person: Person,
    desk: Callable[[], Desk],
    more: Callable[[], File] | None,
) -> Iterator[str]:
    """Write the reminder that is due now, and yield that. ``more``: another file to attach. Raises KurskError.

    What the reader may lack is attached: the messages since their own newest, and the papers about the last one.
    """
    which = running.reminder(clock.now())
    key = running.key(seat.game, which)
    if not which or not person.reached or notes.known(home, running.due[:10], person.mark, key):
        return
    held, owed = desk(), running.seq + 1
    lines = [
        f"{held.game.title}, game {seat.game[:8]}",
        "",
        f"Your message {owed} is due {clock.term(running.due)}.",
        "",
        "If you have mailed it, mail it again: twice does no harm. What it",
        "answers is attached with its receipt, in case that was lost.",
        "HELP in a mail to this address says what you can ask for.",
    ]
    subject = f"[kursk {seat.game[:8]}] a reminder: message {owed} is due {times.said(running.due)}"
    lost = range(seat.newest_of(seat.known.writer) + 1, held.seq)
    files = (*answers.files(held, seat, lost, running.seq), *([more()] if more is not None else ()))
    note = Note(person.mark, person.reached, subject, lines, game=seat.game, files=files)
    notes.write(home, note, sender, running.due[:10], key)
    yield f"game {seat.game[:8]}: reminded {person.name or seat.known.writer}"
