"""What may be lost of games that this mailbox does not see: they have not begun yet, or their folder is away.

``referee/seen.json`` in the post folder holds the games that are not over and were seen here, by the first 16 digits,
each with its newest message; ``referee/damaged/any.json`` when a mail was read last that may be of a game which has not
begun. So the next messages of such a game cost nobody the game before the director has looked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError
from kursk_pbem.formats import times
from kursk_pbem.post import place, waiting
from kursk_pbem.post.referee import deadlines, wrote
from kursk_pbem.post.referee.damage import Concern, Damage
from kursk_pbem.post.seat import Seat


def concern(home: Path, seats: Callable[[], Collection[Seat]]) -> Concern:
    """Whose a damaged mail may be of those who play the games of a mailbox that referees; it is put down."""
    return Concern(
        games=lambda: {seat.game[:8] for seat in seats()},
        hear=partial(hear, home, seats),
        senders=partial(deadlines.senders, home, seats),
        holds=lambda mail: any(seat.known.writer for seat in deadlines.concerned(home, seats(), [mail])),
    )


def hear(home: Path, seats: Callable[[], Collection[Seat]], mails: Collection[Damage]) -> None:
    """Put down of what games some mails that cannot be read may be. UsageError."""
    if not mails:
        return
    here = seats()
    there = {seat.game[:16] for seat in here}
    away = {short: newest for short, newest in _seen(home).items() if short not in there}  # nobody can tell who plays
    if words := [mail for mail in mails if mail.words]:  # nor are they looked through for its number
        wrote.hear(home, here, words)
        wrote.note(home, {short: {} for short in away})
    mails = [mail for mail in mails if not mail.words]
    if not mails:
        return
    deadlines.damaged(home, here, mails)
    deadlines.note_damage(home, deadlines.NOT_BEGUN, -1)  # beside what is new of another game, too
    for short, newest in away.items():
        deadlines.note_damage(home, short, newest + waiting.UNDER_WAY)


def look(home: Path, seats: Iterable[Seat]) -> None:
    """Put down which games are here; in one that is new anything may be lost that was, of late. UsageError.

    A proposal that has waited for longer makes room for others.
    """
    before, now = _seen(home), dict[str, int]()
    try:
        lost = deadlines.damaged_at(home, deadlines.NOT_BEGUN) >= times.after(clock.now(), -waiting.MOST_DAYS)
    except DiskError:  # nobody can tell
        lost = True
        deadlines.note_damage(home, deadlines.NOT_BEGUN, -1)
    over = set[str]()
    for seat in seats:
        short, newest = seat.game[:16], seat.known.newest
        if not seat.known.writer:
            over.add(short)
            continue
        proposed = seat.rolled and newest == 0  # by the referee here: nobody could write for that game before
        if lost and short not in before and not proposed:
            deadlines.note_damage(home, seat.game, newest + waiting.UNDER_WAY)
        now[short] = newest
    away = {short: newest for short, newest in before.items() if short not in over}
    if {**away, **now} != before:
        place.put(_path(home), {short: str(newest) for short, newest in {**away, **now}.items()})


def _path(home: Path) -> Path:
    return place.root(home) / "referee" / "seen.json"


def _seen(home: Path) -> dict[str, int]:
    """The games that were seen here, and the newest message of each; none if the file is damaged: all are new then."""
    with suppress(DiskError, ValueError):
        return {short: int(str(newest)) for short, newest in place.load(_path(home)).items()}
    return {}
