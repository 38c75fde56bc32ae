"""Terms that run, as the papers in a game folder say, and what a referee's mailbox has put down about them.

``referee/`` in the post folder holds it: ``pass`` (the director lets a late message pass), ``over`` (when the mailbox
was first empty behind which last call), ``absent``, ``damaged`` (when a mail was read last that may be of a game and is
damaged, was refused, or says that a letter may not have arrived; and the highest number that its message may have), and
``pause`` (until when nothing is due anywhere).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.desk.referee import kept
from kursk_pbem.errors import DiskError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, receipts
from kursk_pbem.game.games import Game
from kursk_pbem.post import came, people, place, waiting
from kursk_pbem.post.letter import Item
from kursk_pbem.post.outbox import Box
from kursk_pbem.post.referee import timing
from kursk_pbem.post.referee.damage import Damage
from kursk_pbem.post.seat import Seat
from kursk_pbem.post.tournaments import events
from kursk_pbem.trust import referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, Paper

NOT_BEGUN = ""
"""Stands for the id of a game that has not begun here: of which it may be, nobody knows."""
HALF, DAY_BEFORE = "half", "day"
REMINDERS = (HALF, DAY_BEFORE)
WAITS = "something of this game has come and waits"
_HOUR = 3600
_DIGITS = 9


def _root(home: Path) -> Path:
    return place.root(home) / "referee"


@dataclass(frozen=True)
class Running:
    """The term of the answer to message ``seq``, by the receipt that counts and what extends it.

    ``first``: when it was due before anything extended it.
    """

    seq: int
    received: str
    due: str
    first: str = ""

    def reminder(self, now: str) -> str:
        """Which reminder is due: a day before the end, or at half of a term of more than two days; '' for none."""
        whole, left = times.between(self.received, self.due), times.between(now, self.due)
        if left <= 0:
            return ""
        if left <= times.DAY:
            return DAY_BEFORE
        return HALF if 2 * left <= whole and whole > 2 * times.DAY else ""

    def key(self, game: str, which: str) -> str:
        """What names a reminder."""
        return f"remind {game} {self.seq} {which}"


def running(seat: Seat) -> Running | None:
    """The term that runs in a game; None if the newest message has no receipt, or the game is over."""
    seq = seat.known.newest
    papers = _papers(seat, f"receipt-{seq:04d}*.yaml")
    if not papers or not seat.known.writer:
        return None
    counts = min(papers, key=lambda paper: (paper.text("received"), paper.text("due")))
    longer = _papers(seat, f"extension-{seq:04d}-*.yaml")
    due = max(paper.text("due") for paper in (counts, *longer))
    return Running(seq, counts.text("received"), due, counts.text("due"))


def received(seat: Seat, seq: int) -> str:
    """When a message came, by the receipt of it that counts; '' without one. TrustError."""
    return min((paper.text("received") for paper in _papers(seat, f"receipt-{seq:04d}*.yaml")), default="")


def _papers(seat: Seat, which: str) -> list[Paper]:
    """The papers of a game with such names. TrustError where one is not what its name says, or what was signed."""
    there = ((path, receipts.NAMES.fullmatch(path.name)) for path in sorted(seat.folder.glob(which)))
    papers = [receipts.read_named(path, said) for path, said in there if said is not None]
    for paper in papers:  # a spoilt digit may set a term that nobody lives to see, and nobody would be told
        referee.check_signature(paper, seat.keys.get(REFEREE, ""))
    return papers


def signed(game: Game, seq: int) -> Running | None:
    """The term of the answer to a message by the papers of a verified game; None without a receipt."""
    receipt = game.papers.receipts.get(seq)
    if receipt is None:
        return None
    return Running(seq, receipt.text("received"), game.papers.due(seq), receipt.text("due"))


def without_receipt(seat: Seat) -> list[int]:
    """The messages that are to have a receipt and have none, after the newest that has one.

    Where the referee rolls, that is their own newest message: a player answers it. Otherwise every message.
    """
    newest, held = seat.known.newest, seat.receipts
    if seat.rolled:
        own = newest >= 0 and seat.senders[newest] == REFEREE
        return [newest] if own and newest not in held else []
    return [seq for seq in range(max(held, default=-1) + 1, newest + 1) if held]


def answered(home: Path, game: str, owed: int, writer: str) -> bool:
    """Whether something waits that is the message that is owed, may show that it was written, or cannot be read.

    What the same side has signed with a later number shows nothing: it is signed at any time, upon nothing.
    """
    return waiting.any_there(home, game, lambda number, sender: sender != writer or number == owed)


def late(home: Path, seat: Seat) -> list[Message]:
    """The different messages that wait, of the side that owes it, with the number that is owed: each came late.

    Or it is not known when.
    """
    owed, writer = seat.known.newest + 1, seat.known.writer
    there = waiting.turns(home, seat.game, lambda number, sender: (number, sender) == (owed, writer))
    return [turn for turn in there if isinstance(turn, Message)]


def let_pass(home: Path, game: str, message: Message) -> bool:
    """Whether the director lets this message pass although it is late; former releases let all of its number pass."""
    number = f"{game[:16]}-{message.seq:04d}"
    return any((_root(home) / "pass" / name).exists() for name in (f"{number}-{message.id[:16]}", number))


def pass_(home: Path, game: str, there: Iterable[Message]) -> None:
    """Put down that they let these pass, which wait; what their writer signs instead of them is late. UsageError."""
    for message in there:
        name = f"{game[:16]}-{message.seq:04d}-{message.id[:16]}"
        place.once(_root(home) / "pass" / name, {"at": clock.now()})


def looked_again(home: Path, game: str, term: Running, now: str, *, look: bool) -> str:
    """Why a missed term does not count yet: the mailbox must have been empty twice, an hour apart; '' if it was.

    ``look``: it is now. A look after a term that was extended since does not count.
    """
    path = _root(home) / "over" / f"{game[:16]}-{term.seq:04d}"
    noted = place.load(path)
    first = str(noted.get("at", "")) if noted.get("due") == term.due else ""
    first = first if first <= now else ""  # the clock was ahead then
    if not first and look:
        place.put(path, {"at": now, "due": term.due})
    passed = times.between(first, now) if first else 0
    return "" if passed >= _HOUR else "the mailbox is looked through once more, an hour later"


def note_damage(home: Path, game: str, last: int) -> None:
    """Put down that a mail was read that may be of a game and is damaged, or was refused. UsageError.

    ``last``: the highest number that its message may have. Those before it may come later, and have later receipts.
    """
    path, noted = _damaged(home, game), dict[str, Any]()
    with suppress(DiskError):  # a damaged note is written anew
        noted = place.load(path)
    said = {"at": timing.latest(home), "last": str(max(last, _last(noted)))}
    if said != noted:  # a mail may hold a thousand messages that are refused (T49)
        place.put(path, said)


def _last(noted: Mapping[str, object]) -> int:
    """The highest number that a message may have that was damaged or refused; -1 if that is not known."""
    said = str(noted.get("last", ""))
    return int(said) if said.isdecimal() and len(said) <= _DIGITS else -1


def addresses(home: Path, seat: Seat) -> set[str]:
    """All addresses of those who play a game, in small letters, used or not. DiskError."""
    return set[str]().union(*(people.known(home, key).known_at for key in seat.keys.values()))


def senders(home: Path, seats: Callable[[], Iterable[Seat]]) -> set[str]:
    """The addresses of the ``players``, and those from which something waits: one of theirs may be new. DiskError."""
    return players(home, seats) | waiting.addresses(home)


def players(home: Path, seats: Callable[[], Iterable[Seat]]) -> set[str]:
    """The addresses of all who play the games, or take part in a tournament, or are known here otherwise. DiskError.

    Their game may not have begun, or its folder be away.
    """
    keys = {key for seat in seats() for key in seat.keys.values()}
    keys |= {key for event in events.directed(home) for key, _called in event.called()}
    there = [*(people.known(home, key) for key in sorted(keys)), *people.every(home, ())]
    return set[str]().union(*(person.known_at for person in there))


def damaged_at(home: Path, game: str) -> str:
    """When a mail was read last that may be of a game and is damaged, or was refused; '' if none was. UsageError."""
    path = _damaged(home, game)
    return place.time_in(path, place.load(path), "at")


def damaged(home: Path, seats: Iterable[Seat], mails: Collection[Damage]) -> None:
    """Put down in which games a mail that cannot be read may have been a turn. UsageError.

    It names the game, or says to be from somebody who plays it; any other could be of every game, and a stranger
    would hold all of them back. One that a server gives nothing of is of every game.
    """
    for seat in concerned(home, seats, mails):
        note_damage(home, seat.game, seat.known.newest + waiting.UNDER_WAY)


def concerned(home: Path, seats: Iterable[Seat], mails: Collection[Damage]) -> Iterator[Seat]:
    """The games that some mails which cannot be read may be of, those of a tournament that is named too. UsageError."""
    cups = set[str]().union(*(mail.games for mail in mails if not mail.words))
    for seat in seats:
        known, cup = addresses(home, seat), events.named(seat.known.head)[:8]
        if cup in cups or any(mail.concerns(seat.game, seat.known.newest, known) for mail in mails):
            yield seat


def doubts(home: Path, seat: Seat, since: str) -> Iterator[str]:
    """Why a missed term may be no fault of whoever missed it, by what came since a time, in words.

    What came and what was given may have gone with a folder, or a file of it, that was set back.
    """
    owed = seat.known.newest + 1
    if came.any_of(home, seat.game, owed) and not waiting.any_there(home, seat.game, lambda seq, _sender: seq == owed):
        yield f"a message {owed} has come before, and is not in {seat.folder} now"
    if told := set_back(home, seat):
        yield told
    noted = place.load(_damaged(home, seat.game))
    if damaged_at(home, seat.game) >= since or owed <= _last(noted):
        yield (
            "a mail was read that is damaged or refused, and may have held the message, or that says of a letter "
            "that it may not have arrived, or a file of this desk could not be read"
        )
    if told := evidence(seat.folder):
        yield told


def set_back(home: Path, seat: Seat) -> str:
    """What was mailed or signed from here and is not in the folder of its game now, in words; '' if all of it is.

    What is left there may say that a message is owed which has come, or that a game goes on which is over. What came
    by no mail, but by the director's hand, shows by its receipt alone. KurskError.
    """
    newest, here = seat.known.newest, {paper.id for paper in seat.own_papers()}
    for item in _mailed(home, seat.game):
        if item.seq > newest or (item.kind in (EXTENSION, FORFEIT) and item.id not in here):
            return _gone(item, seat.folder)
    signed = receipted(home, seat.game)
    signed -= {paper.text("id") for paper in _papers(seat, "receipt-*.yaml")}
    if signed and signed - {folders.read_message(path).id for path in folders.message_files(seat.folder)}:
        return f"a receipt was signed here of a message that is not in {seat.folder} now"
    return ""


def receipted(home: Path, game: str) -> set[str]:
    """The ids of the messages of a game whose receipts were signed here, whatever became of its folder. DiskError."""
    return {name.removesuffix(".json") for name in place.names(kept.folder(home, game))}


def _mailed(home: Path, game: str) -> Iterator[Item]:
    """What the letters of a game hold, those about the newest message first. DiskError."""
    box = Box(home, game)
    for name in box.written:
        yield from box.read(name).carried


def _gone(item: Item, folder: Path) -> str:
    """That something was mailed, and is not where it was, in words."""
    what = "an extension" if item.kind == EXTENSION else f"a {item.kind}"
    return f"{what} about message {item.seq} was mailed, and is not in {folder} now"


def time_gone(home: Path, game: str, folder: Path, about: Callable[[int], bool]) -> str:
    """Which extension ``about`` such a message was mailed, and is not in the folder of its game, in words; '' if none.

    A holiday in it holds for later terms, too. That costs a look at each letter, once for each term that begins.
    """
    there = _mailed(home, game)
    given = [item for item in there if item.kind == EXTENSION and about(item.seq)]
    here = {receipts.read_file(path).id for path in folder.glob("extension-*.yaml")} if given else set()
    return next((_gone(item, folder) for item in given if item.id not in here), "")


def need_whole(home: Path, seat: Seat) -> None:
    """KurskError where the folder of a game was set back, before a paper is signed that may have been signed before."""
    if lost := set_back(home, seat):
        raise UsageError(f"{lost}, so the term is not extended: put it back")


def evidence(folder: Path) -> str:
    """That somebody has signed two messages for one number, or two receipts, in words; '' if that is not known."""
    told = f"somebody has signed two things of which one must be false: 'kursk prove {shell_word(folder)}' says who"
    return told if any(folder.glob("evidence-*.yaml")) else ""


def _damaged(home: Path, game: str) -> Path:
    return _root(home) / "damaged" / f"{game[:16] or 'any'}.json"
