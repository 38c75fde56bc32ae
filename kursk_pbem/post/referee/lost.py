"""What may be lost of games that this mailbox does not see: they have not begun yet, or their folder is away.

``referee/seen.json`` in the post folder holds the games that are not over and were seen here, by the first 16 digits,
each with its newest message, and if its folder was deleted by the director's word; ``referee/damaged/any.json`` when a
mail was read last that may be of a game which has not begun. So the next messages of such a game cost nobody the game
before the director has looked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.desk.shelf import register
from kursk_pbem.errors import DiskError, KurskError, SpoiltError
from kursk_pbem.formats import times
from kursk_pbem.game import folders, journal
from kursk_pbem.post import place, waiting
from kursk_pbem.post.referee import deadlines, lastcall, notes, wrote
from kursk_pbem.post.referee.damage import Concern, Damage
from kursk_pbem.post.seat import Seat
from kursk_pbem.post.tournaments import events
from kursk_pbem.tournament.papers.store import GAMES

_DELETED = " deleted"


def concern(home: Path, seats: Callable[[], Collection[Seat]]) -> Concern:
    """Whose a damaged mail may be of those who play the games of a mailbox that referees; it is put down."""
    return Concern(
        games=partial(_named, home, seats),
        hear=partial(hear, home, seats),
        senders=partial(deadlines.senders, home, seats),
        players=partial(deadlines.players, home, seats),
        holds=partial(_holds, home, seats),
        own=partial(notes.own, home),
    )


def _named(home: Path, seats: Callable[[], Collection[Seat]]) -> set[str]:
    """How the games and tournaments here are named, and the games of which something waits."""
    ids = (*(seat.game for seat in seats()), *waiting.games(home), *(event.game for event in events.directed(home)))
    return {id_[:8] for id_ in ids}


def _holds(home: Path, seats: Callable[[], Collection[Seat]], mail: Damage) -> bool:
    """Whether a mail that cannot be read keeps a game from ending: one that is here, that waits, or that is away."""
    here = seats()
    away = _noted(home).keys() - {seat.game[:16] for seat in here}
    held = (seat.known.writer for seat in deadlines.concerned(home, here, [mail]))
    return bool(away or waiting.games(home)) or any(held)


def hear(home: Path, seats: Callable[[], Collection[Seat]], mails: Collection[Damage]) -> None:
    """Put down of what games some mails that cannot be read may be. UsageError."""
    if not mails:
        return
    noted = _noted(home)
    here = [seat for seat in seats() if not _saved(seat, noted)]
    there = {seat.game[:16] for seat in here if seat.known.here}
    away = {short: _newest(noted, short) for short in noted if short not in there}  # nobody can tell who plays
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


def watched(home: Path, seat: Seat, work: Callable[[], Iterable[str]]) -> Iterator[str]:
    """What some work in a game tells; no term of it ends that game where a file of this desk cannot be read.

    What that held, an answer say, is lost once it is moved away, as is told.
    """
    try:
        yield from work()
    except SpoiltError:
        deadlines.note_damage(home, seat.game, -1)
        raise


def unheard(home: Path) -> list[str]:
    """In a round without terms nobody hears answers to a last call: no game ends by it, which is told. UsageError."""
    going = _whole(home)
    games = [short for short in lastcall.games(home) if going is None or short in going]
    for short in games:
        deadlines.note_damage(home, short, -1)
    why = f"{place.root(home) / 'referee.toml'} is not there: answers to a last call are not heard"
    return [f"{why}, and game {short[:8]} does not end by it" for short in games]


def look(home: Path, seats: Iterable[Seat]) -> None:
    """Put down which games are here; in one that is new anything may be lost that was, of late. UsageError.

    A proposal that has waited for longer makes room for others.
    """
    before, now = _whole(home), dict[str, str]()
    if before is None:  # of a game that is away nobody knows any more
        if not wrote.unheard(home):
            raise DiskError(f"{_path(home)} cannot be read: move it away")
        before = {}
    try:
        lost = deadlines.damaged_at(home, deadlines.NOT_BEGUN) >= times.after(clock.now(), -waiting.MOST_DAYS)
    except DiskError:  # nobody can tell
        lost = True
        deadlines.note_damage(home, deadlines.NOT_BEGUN, -1)
    over = set[str]()
    for seat in seats:
        short, newest = seat.game[:16], seat.known.newest
        if not _here(seat, before):
            continue
        if _over(home, seat):
            over.add(short)
            continue
        proposed = seat.rolled and newest == 0  # by the referee here: nobody could write for that game before
        if lost and short not in before and not proposed:
            deadlines.note_damage(home, seat.game, newest + waiting.UNDER_WAY)
        now[short] = str(max(newest, _newest(before, short)))  # its folder may have been set back
    away = {short: said for short, said in before.items() if short not in over}
    if {**away, **now} != before:
        place.put(_path(home), {**away, **now})


def _here(seat: Seat, noted: Mapping[str, str]) -> bool:
    """Whether the folder of a game is here."""
    return seat.known.here and not _saved(seat, noted)


def _saved(seat: Seat, noted: Mapping[str, str]) -> bool:
    """Whether it is no folder of a game, but a mail of its proposal that is saved among the games."""
    if seat.known.newest >= _newest(noted, seat.game[:16]):
        return False
    return seat.folder.resolve().name != folders.folder_name(seat.game)


def _newest(noted: Mapping[str, str], short: str) -> int:
    """The newest message of a game that was seen here, -1 without one."""
    return int(noted.get(short, "-1").removesuffix(_DELETED))


def _over(home: Path, seat: Seat) -> bool:
    """Whether nobody owes a message in a game that is here any more: the log of its tournament may say so, too."""
    with suppress(KurskError):  # a tournament that cannot be read is told of elsewhere
        return not seat.known.writer or bool(events.closed(home, seat.known.head, seat.game))
    return False


def gone(home: Path, here: Path, seats: Iterable[Seat]) -> Iterator[str]:
    """The games that are not over and whose folder is gone, a line each: no term of theirs ends, nobody is reminded.

    Not those whose folder cannot be read, which is told as a fault; ``here``: where games lie. UsageError.
    """
    noted = _noted(home)
    known = {seat.game[:16] for seat in seats if _here(seat, noted)}
    away = (short for short, said in noted.items() if short not in known and not said.endswith(_DELETED))
    for short in _gone(home, here, away):
        way = f"put it back, or, if you have deleted it, 'kursk status --forget {short}'"
        yield f"game {short[:8]} is not over, and its folder is gone from {here}: {way}"


def _gone(home: Path, here: Path, shorts: Iterable[str]) -> Iterator[str]:
    """Those of some games, by their first digits, of which no folder lies in its place under its name. UsageError."""
    if events.unknown(home):  # it may lie in a tournament of which nothing is known, which is told as a fault
        return
    places = (here, *(folder / GAMES for folder in events.placed(home)))
    records = journal.every(home)[0]
    for short in shorts:
        named = [folder / folders.folder_name(short) for folder in places]
        named += [Path(own.folder) for own in records if own.game.startswith(short)]
        if not any(register.closed(folder) or any(folder.glob("*.yaml")) for folder in named):
            yield short


def called(home: Path, here: Path, typed: str) -> str:
    """The first 16 digits of the one game whose folder is gone and that is meant; '' if there is none, or several."""
    digits = typed.removeprefix("game-")[:16]
    found = [short for short in _gone(home, here, _noted(home)) if len(digits) >= 4 and short.startswith(digits)]
    return found[0] if len(found) == 1 else ""


def forget(home: Path, short: str) -> None:
    """The director has deleted the folder of a game: it is gone, and not told any more until it is there again."""
    noted = _noted(home)
    place.put(_path(home), {**noted, short: noted[short].removesuffix(_DELETED) + _DELETED})


def _path(home: Path) -> Path:
    return place.root(home) / "referee" / "seen.json"


def _noted(home: Path) -> dict[str, str]:
    """What is put down of each game that was seen here; nothing if the file is damaged: all are new then."""
    return _whole(home) or {}


def _whole(home: Path) -> dict[str, str] | None:
    """The same; None if the file is damaged."""
    with suppress(DiskError, ValueError):
        noted = {short: str(said) for short, said in place.load(_path(home)).items()}
        for said in noted.values():  # -1 where no message could be read
            int(said.removesuffix(_DELETED))
        return noted
    return None
