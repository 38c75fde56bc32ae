"""Reminders of whoever owes a message: at half of its term, and a day before its end, once each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.formats import times
from kursk_pbem.post.people import Person
from kursk_pbem.post.referee import answers, deadlines, notes
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.referee.notes import Note
from kursk_pbem.post.seat import Seat

MOST_MISSED = notes.KEPT - 2
"""Days after which a missed term ends no game any more: nothing is forgotten yet of the letters that this rests on."""
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


def sent(home: Path, game: str, running: Running, person: Person) -> list[str]:
    """When each went out to where they are reached now, '' if it did not, or a server reported of it. UsageError."""
    return [
        notes.sent(home, running.due[:10], person.mark, running.key(game, which), person.reached)
        for which in deadlines.REMINDERS
    ]


def lacking(running: Running, person: Person, there: Iterable[str]) -> str:
    """Why a missed term ends no game for want of a reminder, in words; '' if one went out. ``there``: what was sent."""
    now = clock.now()
    if times.between(running.due, now) > MOST_MISSED * times.DAY:
        return f"it was missed more than {MOST_MISSED} days ago, and what became of letters is not kept much longer"
    if not person.reached or not any(at and times.between(at, now) >= times.DAY for at in there):
        return "no reminder has gone out a day before, or a server has reported trouble with it"
    return ""
