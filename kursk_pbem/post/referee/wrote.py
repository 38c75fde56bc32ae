"""When somebody wrote to a referee's mailbox: then a person reads it before their game ends.

Whoever owes a message and writes has not fallen silent, and what they wrote may be their turn in a form that is not
known here (decision 73). ``referee/wrote`` in the post folder holds when that was, by address and by the mark of each
player who has it, for it may be forgotten; and by game where a mail names that, apart by whether the address is one of
its players. A question counts, too: more may stand beside it. What counts is no letter that a desk wrote and that is
whole, nothing that brought something new, no report of a letter, and no answer of a program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import DiskError, KurskError, SpoiltError
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import folders
from kursk_pbem.post import came, people, place, waiting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import deadlines, timing
from kursk_pbem.post.referee.damage import Damage
from kursk_pbem.post.referee.findings import ANYBODY
from kursk_pbem.post.seat import Seat

_ANYBODYS = "any"
_DIGITS = 4
"""Of the number of a message."""


def aside(mail: Mail, *, whole: bool) -> bool:
    """Whether a program wrote all of a mail, and nobody needs to read it; ``whole``: all that it wrote is in it.

    Whoever sends a letter of a desk on may have put words into it (RFC 5322, 3.6.6).
    """
    return (whole and mail.as_a_desk_wrote_it and not mail.resent) or mail.replied


def hear(home: Path, seats: Collection[Seat], mails: Collection[Damage]) -> None:
    """Put down that mails came which people wrote. UsageError."""
    known, owners, waits = deadlines.senders(home, lambda: seats), _owners(home, seats), waiting.games(home)
    besides = dict[str, Mapping[str, int]]()
    for mail in mails:
        here = dict(mail.besides)
        named = {short for short in waits if short[:8] in mail.games}  # nobody can tell yet who plays
        for name in _names(mail, seats, known, owners) | named:
            before = besides.get(name, here)
            besides[name] = {game: max(seq, before[game]) for game, seq in here.items() if game in before}
    note(home, besides)


def note(home: Path, names: Mapping[str, Mapping[str, int]]) -> None:
    """Put down that such mails were read, under the names of whose they may be; a game's are its first 16 digits.

    Behind each name: of which games, by their ids, the mails brought something new, and up to which number. For those
    counts what was read before: an opponent can mail what is new in a player's name, and hides nothing with it. What
    brought a number that is still to come counts until that is taken.
    """
    said = _now(home)
    for name, games in sorted(names.items()):
        path = _folder(home) / name
        place.put(path, {"at": said, "but": {game: _after(path, game, seq, said) for game, seq in games.items()}})


def unheard(home: Path) -> bool:
    """Put down that not all of what came could be put down, or kept: it may be anybody's; whether that could be."""
    with suppress(DiskError):
        place.put(_unheard(home), {"at": _now(home)})
        return True
    return False


def _now(home: Path) -> str:
    """When a mail is read: not before what was put down already, by a clock that was ahead by less than is doubted."""
    at = timing.noted(home)
    return at if at == timing.UNSURE else max(at, timing.latest(home))


def _after(path: Path, game: str, seq: int, said: str) -> dict[str, str]:
    """When mails were read that count for a game, by a number that they brought, '' without; after one more with that.

    Of several with numbers the last that has as high a one says all of the others before it.
    """
    try:
        there = _read(path, game)
    except DiskError:  # nobody knows
        there = {"": said}
    return {**{key: at for key, at in there.items() if not key or int(key) > seq}, str(seq): said}


def _read(path: Path, game: str) -> Mapping[str, str]:
    """When the last mails were read that count for a game, by the number that they brought, '' without. DiskError."""
    noted = place.load(path)
    but = noted.get("but", {})
    if isinstance(but, dict) and game not in but:
        return {"": at} if (at := place.time_in(path, noted, "at")) else {}
    there = but[game] if isinstance(but, dict) else None
    if not isinstance(there, dict) or not all(key.isdecimal() and len(key) <= _DIGITS for key in there if key):
        raise SpoiltError(f"{path} cannot be read: move it away")
    return {key: place.time_in(path, there, key) for key in there}


def _owners(home: Path, seats: Collection[Seat]) -> Mapping[str, set[str]]:
    """The addresses of all who play, in small letters, by their keys: looked for once, for a thousand mails (T49)."""
    keys = sorted({key for seat in seats for key in seat.keys.values()})
    return {key: people.known(home, key).known_at for key in keys}


def _names(mail: Damage, seats: Collection[Seat], known: Collection[str], owners: Mapping[str, set[str]]) -> set[str]:
    """Whose a mail may be: the names of what is put down of it."""
    if ANYBODY in known or mail.unseen:  # nobody can tell whose address it is
        return {_ANYBODYS}
    theirs = {_of(sender) for sender in mail.senders.intersection(known)}
    theirs |= {people.mark(key) for key, addresses in owners.items() if not mail.senders.isdisjoint(addresses)}
    named = (seat for seat in seats if seat.game[:8] in mail.games)
    players = ((seat, (owners[key] for key in seat.keys.values())) for seat in named)
    return theirs | {_about(seat, own=not all(map(mail.senders.isdisjoint, ours))) for seat, ours in players}


def doubts(home: Path, seat: Seat, received: str) -> Iterator[str]:
    """That whoever owes the next message has written since their last one, perhaps, in words. UsageError.

    ``received``: when what they answer came. They may have had it before this mailbox had.
    """
    side = seat.known.writer
    if (key := seat.keys.get(side)) is None:  # the game is over, or the referee owes it
        return
    since = min(received, _last(home, seat, side, received))
    told = dict[str, None]()  # a mark and an address say the same
    names = (*sorted(map(_of, people.known(home, key).known_at)), people.mark(key), _about(seat, own=False))
    theirs = [_folder(home) / name for name in names]
    for path in (*theirs, _folder(home) / _ANYBODYS, _unheard(home)):
        at = _newest(home, path, seat, since or received)
        if at and at >= since:
            whose = f"the {side} side, or somebody about this game, has" if path in theirs else "somebody has"
            line = f"{whose} written to this mailbox, and it was fetched by {at}: read that before you end the game"
            told[line] = None
    yield from told


def answers(home: Path, seat: Seat, since: str, before: str) -> Iterator[str]:
    """That a player wrote about a game since a last call of it, in words: the other one, too, may know better.

    ``before``: when one had, as it was begun, '' if nobody knows. Where that changes somebody has written, whatever a
    clock said.
    """
    at = about(home, seat, since)
    if at and (at >= since or (before and at != before)):
        yield f"a player has written about this game, and it was fetched by {at}: read that before you end the game"


def about(home: Path, seat: Seat, unknown: str) -> str:
    """When a player wrote about a game last, '' if none has; ``unknown`` if nobody knows."""
    return _newest(home, _folder(home) / _about(seat, own=True), seat, unknown)


def _newest(home: Path, path: Path, seat: Seat, unknown: str) -> str:
    """When the last mail was read that counts for a game as it is, '' if none was; ``unknown`` if nobody knows."""
    try:
        there = _read(path, seat.game)
    except SpoiltError:  # what it held is lost if it is removed
        deadlines.note_damage(home, seat.game, -1)
        return unknown
    return max((at for key, at in there.items() if not key or int(key) > seat.known.newest), default="")


def _last(home: Path, seat: Seat, side: str, received: str) -> str:
    """When the newest message of a side came, by the earlier of its receipt and what was put down as it was fetched.

    A receipt may hold a time that is still to come, by a clock that was ahead; and where the referee rolls a player's
    message has none. Where neither is known the receipt of a message before it counts, '' without any: it came later.
    """
    if (newest := seat.newest_of(side)) < 0:
        return received
    fetched = ""
    with suppress(KurskError):  # it has gone, or is damaged
        turn = folders.read_message(folders.message_path(seat.folder, newest)).id
        fetched = came.said(home, seat.game, newest, turn).get("fetched", "")
    known = [*filter(None, [deadlines.received(seat, newest)]), *filter(times.is_time, [fetched])]
    return min(known, default=max((deadlines.received(seat, seq) for seq in range(newest)), default=""))


def _about(seat: Seat, *, own: bool) -> str:
    """What is put down of a mail that names a game; ``own``: it is from an address of one of its players."""
    return f"{seat.game[:16]}-players" if own else seat.game[:16]


def _of(address: str) -> str:
    return f"from-{sha256_hex(address.encode('utf-8'))[:32]}"


def _unheard(home: Path) -> Path:
    return place.root(home) / "referee" / "unheard" / "any"


def _folder(home: Path) -> Path:
    return place.root(home) / "referee" / "wrote"
