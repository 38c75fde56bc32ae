"""The last call: no game ends by itself before everybody was told that it will, and why, and could answer.

What speaks against the end of a game are signs in mails that others write, change and carry: one may always be missed.
So whoever is late, whoever plays against them and the director have two days, in which one of them can say so
(decision 74). Two by the clock are one in truth, though somebody sets that by less than a day where nobody sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.formats import times
from kursk_pbem.post import place
from kursk_pbem.post.people import Person
from kursk_pbem.post.referee import deadlines, notes, reminders, wrote
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.referee.notes import Note
from kursk_pbem.post.seat import Seat

DAYS = 2


@dataclass(frozen=True)
class Call:
    """Who is told of which missed ``term``: the ``late`` player, the ``others``, and the director at an address, or ''.

    ``missed``: when it was due. ``term.due``: the same, or when a pause ended, if that is later.
    """

    seat: Seat
    missed: str
    term: Running
    late: Person
    others: tuple[Person, ...]
    director: str

    @property
    def readers(self) -> dict[tuple[str, str], str]:
        """What each is called, by the mark of their key and the address."""
        named = {(one.mark, one.reached): one.called for one in (self.late, *self.others)}
        return {**named, **({(notes.NOBODY, self.director): "the director"} if self.director else {})}

    @property
    def day(self) -> str:
        """The day of its letters."""
        return self.term.due[:10]

    def key(self, address: str) -> str:
        """What names the letter to one of them: who is reached elsewhere now is told anew."""
        return f"last call {self.seat.game} {self.term.seq} {self.term.due} {address}"


def write(home: Path, call: Call, desk: Desk, sender: str) -> Iterator[str]:
    """Write the letters that are not there yet; what was done. Whoever is late gets what they may lack. UsageError."""
    if not all(address for _mark, address in call.readers):
        return
    place.once(_begun(home, call), {"at": clock.now()})
    files, told = reminders.owed(desk, call.seat, call.term.seq), list[str]()
    for (mark, address), name in call.readers.items():
        mine = files if mark == call.late.mark else ()
        note = Note(mark, address, _subject(call), _body(call, desk.game.title, mark), game=call.seat.game, files=mine)
        if notes.write(home, note, sender, call.day, call.key(address)):
            told.append(name)
    if told:
        yield f"game {call.seat.game[:8]}: it ends by itself if nobody answers; that is written to {', '.join(told)}"


def held_back(home: Path, call: Call, *, look: bool) -> str:
    """Why nobody has kept silent after a last call yet, in words; '' if everybody has. UsageError.

    ``look``: the whole mailbox has just been looked through, which has to be twice, behind those days.
    """
    if answered := _answered(home, call):
        return answered
    sent = list[str]()
    if lacks := [name for (_mark, address), name in call.readers.items() if not address]:
        return f"nobody can tell {lacks[0]} first that it ends by itself: no letter reaches them"
    for (mark, address), name in call.readers.items():
        if not notes.known(home, call.day, mark, call.key(address)):
            return "the players are told first that it ends by itself"
        if not (at := notes.sent(home, call.day, mark, call.key(address), address)):
            return f"the letter to {name} that it ends by itself has not gone out, or a server has reported of it"
        sent.append(at)
    told, now = max(sent), clock.now()
    if times.between(told, now) < DAYS * times.DAY:
        return f"it ends by itself {times.after(told, DAYS)}, if nobody answers: that was written by {told}"
    return deadlines.looked_again(home, call.seat.game, replace(call.term, due=f"called {told}"), now, look=look)


def _answered(home: Path, call: Call) -> str:
    """That somebody has answered since the first letter was written, in words; '' if nobody has. UsageError."""
    begun = _begun(home, call)
    if not begun.exists():
        return ""
    return next(wrote.answers(home, call.seat, place.time_in(begun, place.load(begun), "at")), "")


def _begun(home: Path, call: Call) -> Path:
    """Where it stands when the first of the letters about a missed term was written, whoever is told anew since.

    From then on answers count, though nobody knows yet that a letter went out.
    """
    missed = "".join(filter(str.isdigit, call.missed))
    return place.root(home) / "referee" / "called" / f"{call.seat.game[:16]}-{call.term.seq:04d}-{missed}"


def _subject(call: Call) -> str:
    """It names the game, so that answers do."""
    return f"[kursk {call.seat.game[:8]}] a last call: message {call.term.seq + 1} was due {call.term.due[:10]}"


def _body(call: Call, title: str, mark: str) -> str:
    """What one of them reads."""
    side, seq, late = call.seat.known.writer, call.term.seq + 1, mark == call.late.mark
    whose = f"Your message {seq}" if late else f"Message {seq} of the {side} side"
    lines = [
        f"{title}, game {call.seat.game[:8]}",
        "",
        f"{whose} was due {call.term.due},",
        "and has not come here. So the game ends by itself, two days after",
        f"this letter was sent: it is lost for the {side} side.",
        "",
        "If that is wrong, answer this letter before that, with any words, and",
        "leave its subject as it is. Then the game does not end before the",
        "director has read what you wrote.",
    ]
    if late:
        lines += [
            "",
            "If you have mailed the message, mail it again, too: twice does no harm.",
            "What it answers is attached with its receipt, in case that was lost.",
        ]
    elif mark == notes.NOBODY:
        lines += ["", "'kursk referee' says whether anything else is against it."]
    return notes.listed(lines)
