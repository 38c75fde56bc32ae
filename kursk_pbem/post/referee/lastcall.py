"""The last call: no game ends by itself before everybody was told that it will, and why, and could answer.

What speaks against the end of a game are signs in mails that others write, change and carry: one may always be missed.
So whoever is late, whoever plays against them and the director have two days, in which one of them can say so
(decision 74). Two by the clock are one in truth, though somebody sets that by less than a day where nobody sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.desks import Desk
from kursk_pbem.errors import SpoiltError
from kursk_pbem.formats import times
from kursk_pbem.post import place
from kursk_pbem.post.people import Person
from kursk_pbem.post.referee import deadlines, notes, reminders, timing, wrote
from kursk_pbem.post.referee.deadlines import Running
from kursk_pbem.post.referee.notes import Note
from kursk_pbem.post.seat import Seat

DAYS = 2
_NEVER = "never"


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

    def key(self, begun: Begun, mark: str, address: str) -> str:
        """What names the letter to one of them: who is reached elsewhere now is told anew, there and back again."""
        moved = len(begun.places.get(mark, ())[1:])
        return f"last call {self.seat.game} {self.term.seq} {self.term.due} {address} {moved} {begun.at}"


def about(seat: Seat, running: Running, paused: str, found: Mapping[str, Person], director: str) -> Call:
    """The last call of a missed term. ``paused``: when a pause ends, or ended; ``found``: who plays, by their sides."""
    named = {side: replace(one, name=one.name or f"the {side} side") for side, one in found.items()}
    late, term = named.pop(seat.known.writer), replace(running, due=max(running.due, paused))
    return Call(seat, running.due, term, late, tuple(named.values()), director)


@dataclass(frozen=True)
class Begun:
    """When the first of the letters about a missed term was written, whoever is told anew since; '' if none was.

    From then on answers count, though nobody knows yet that a letter went out. ``places``: where each was reached,
    one after the other, by the marks of their keys. ``before``: when a player had written about the game last.
    """

    at: str
    places: Mapping[str, list[str]]
    before: str


def write(home: Path, call: Call, desk: Desk, sender: str) -> Iterator[str]:
    """Write the letters that are not there yet; what was done. Whoever is late gets what they may lack. UsageError."""
    if not all(address for _mark, address in call.readers) or _answered(home, call):
        return
    begun = _begin(home, call)
    files, told = reminders.owed(desk, call.seat, call.term.seq), list[str]()
    for (mark, address), name in call.readers.items():
        mine = files if mark == call.late.mark else ()
        note = Note(mark, address, _subject(call), _body(call, desk.game.title, mark), game=call.seat.game, files=mine)
        if notes.write(home, note, sender, call.day, call.key(begun, mark, address)):
            told.append(name)
    if told:
        yield f"game {call.seat.game[:8]}: it ends by itself if nobody answers; that is written to {', '.join(told)}"


def held_back(home: Path, call: Call, *, look: bool) -> str:
    """Why nobody has kept silent after a last call yet, in words; '' if everybody has. UsageError.

    ``look``: the whole mailbox has just been looked through, which has to be twice, behind those days.
    """
    if answered := _answered(home, call):
        return answered
    begun, sent = _begun(home, call), list[str]()
    if lacks := [name for (_mark, address), name in call.readers.items() if not address]:
        return f"nobody can tell {lacks[0]} first that it ends by itself: no letter reaches them"
    for (mark, address), name in call.readers.items():
        key = call.key(begun, mark, address)
        if not notes.known(home, call.day, mark, key):
            return "the players are told first that it ends by itself"
        if not (at := notes.sent(home, call.day, mark, key, address)):
            return f"the letter to {name} that it ends by itself has not gone out, or a server has reported of it"
        sent.append(at)
    told, now = max(*sent, timing.back(home)), clock.now()  # what a clock said before it was set is no time
    if times.between(told, now) < DAYS * times.DAY:
        return f"it ends by itself {times.after(told, DAYS)}, if nobody answers: that was written by {told}"
    return deadlines.looked_again(home, call.seat.game, replace(call.term, due=f"called {told}"), now, look=look)


def games(home: Path) -> list[str]:
    """The first 16 digits of the games about which such letters were ever written."""
    return list(dict.fromkeys(name[:16] for name in place.names(_folder(home))))


def _answered(home: Path, call: Call) -> str:
    """That somebody has answered since the first of the letters was written, in words; '' if nobody has. UsageError."""
    begun = _begun(home, call)
    return next(wrote.answers(home, call.seat, begun.at, begun.before), "") if begun.at else ""


def _begin(home: Path, call: Call) -> Begun:
    """Put down that the letters are written now, where that is not, and who is reached elsewhere. UsageError."""
    before = _begun(home, call)
    now = {**dict.fromkeys(before.places, ""), **dict(iter(call.readers))}  # the terms may name no director any more
    there = {mark: before.places.get(mark, []) for mark in now}
    there = {mark: told if told[-1:] == [now[mark]] else [*told, now[mark]] for mark, told in there.items()}
    if not before.at:
        before = Begun(timing.looked(home), {}, wrote.about(home, call.seat, "") or _NEVER)
    begun = replace(before, places=there)
    if begun != before:
        place.put(_path(home, call), {name: said for name, said in asdict(begun).items() if said})
    return begun


def _begun(home: Path, call: Call) -> Begun:
    """What is put down of that. UsageError."""
    path = _path(home, call)
    noted = place.load(path)
    there = noted.get("places", {})
    if not isinstance(there, dict) or not all(isinstance(one, list) for one in there.values()):
        raise SpoiltError(f"{path} cannot be read: move it away")
    return Begun(place.time_in(path, noted, "at"), there, str(noted.get("before", "")))


def _folder(home: Path) -> Path:
    return place.root(home) / "referee" / "called"


def _path(home: Path, call: Call) -> Path:
    """Where it stands. Whoever moves it away has everybody told anew."""
    missed = "".join(filter(str.isdigit, call.missed))
    return _folder(home) / f"{call.seat.game[:16]}-{call.term.seq:04d}-{missed}"


def _subject(call: Call) -> str:
    """It names the game, so that answers do."""
    return f"[kursk {call.seat.game[:8]}] a last call: message {call.term.seq + 1} was due {times.said(call.term.due)}"


def _body(call: Call, title: str, mark: str) -> str:
    """What one of them reads."""
    side, seq, late = call.seat.known.writer, call.term.seq + 1, mark == call.late.mark
    whose = f"Your message {seq}" if late else f"Message {seq} of the {side} side"
    lines = [
        f"{title}, game {call.seat.game[:8]}",
        "",
        f"{whose} was due {times.said(call.term.due)},",
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
