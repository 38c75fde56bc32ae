"""Papers of tournaments that came by mail, taken at the desk they are for: the director's, or an entrant's.

At a director's desk what known people sign is acknowledged, games go on and get their receipts; a stranger's entry
waits. At an entrant's the log is computed again, and what follows by itself is signed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kursk_pbem.desk import desks
from kursk_pbem.errors import DiskError, FileError, KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.words import plural
from kursk_pbem.post.mailbox import came, events, people, quotas
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.tournaments import held, presiding, rooms
from kursk_pbem.tournament.entrant import seat as seats
from kursk_pbem.tournament.office import games, intake, post
from kursk_pbem.tournament.office import office as offices
from kursk_pbem.tournament.office.games import Taken
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust.messages import Message

Came = tuple[Paper, Mail]
Desk = TypeVar("Desk", Office, seats.Seat)
ROUND = 100
"""Things that are told of one tournament in one round of post, and as many refusals."""


@dataclass(frozen=True)
class Hand:
    """Who takes: the private folder, the open games by id, and whether ``admit`` takes entries as they come."""

    home: Path
    open: dict[str, History]
    admit: bool = False


def follow(hand: Hand, papers: Iterable[Came]) -> Iterator[str | KurskError]:
    """Take the log papers of directors elsewhere, before proposals are looked at: they say who plays whom."""
    arrived = list(papers)
    for event in events.every(hand.home):
        if not event.directed:
            yield from _each(hand, event, arrived)


def direct(hand: Hand, papers: Iterable[Came]) -> Iterator[str | KurskError]:
    """Take what came for tournaments that are directed here, after their games went on; and name those of others."""
    arrived = list(papers)
    known = events.every(hand.home)
    for event in known:
        if event.directed:
            yield from _each(hand, event, arrived)
    ids = {event.game: event for event in known}
    yield from held.idle(hand.home, ids)
    for id_ in sorted({held.tournament(paper) for paper, _mail in arrived} - ids.keys()):
        if why := events.missed(hand.home, id_):
            yield DiskError(f"{why}; papers of tournaments that came wait")
        else:
            yield f"papers of tournament {id_[:16]} came, in which you take no part: 'kursk tournament enter' does"


def _each(hand: Hand, event: Event, arrived: Iterable[Came]) -> Iterator[str | KurskError]:
    """Take what came for one tournament; what is wrong with it stops no other."""
    ours = [(paper, mail) for paper, mail in arrived if held.tournament(paper) == event.game]
    try:
        told = _direct(hand, event, ours) if event.directed else _follow(hand, event, held.once(ours))
        yield from _few(event, told)
    except (FileError, UsageError, OSError) as error:  # a file of the desk: the mails of the papers stay
        yield _ours_fails(error)
    except KurskError as error:
        yield error


def _at(sit: Callable[[Path, Path], Desk], hand: Hand, event: Event) -> Desk:
    """A desk of a tournament. DiskError for whatever is wrong with its files, signatures, too: no mail is at fault."""
    try:
        return sit(event.folder, hand.home)
    except KurskError as error:
        raise DiskError(str(error)) from None


def _ours_fails(error: Exception) -> DiskError:
    """What is wrong with the desk, or with a folder that may not be entered: no other tournament and no game waits."""
    return DiskError(f"{error.filename} cannot be read: {error.strerror}" if isinstance(error, OSError) else str(error))


def _few(event: Event, told: Iterable[str | KurskError]) -> Iterator[str | KurskError]:
    """What is told of one tournament: of things in words, and of refusals, no more than can be read (T49)."""
    numbers = Counter[bool]()
    for line in told:
        numbers[isinstance(line, str)] += 1
        if numbers[isinstance(line, str)] <= ROUND:
            yield line
    if (more := numbers[True] - ROUND) > 0:
        yield f"{event.book.rules.title}: and {more} more things like these"
    if (more := numbers[False] - ROUND) > 0:
        yield UsageError(f"{event.book.rules.title}: and {more} more papers were refused")


def _direct(hand: Hand, event: Event, ours: list[Came]) -> Iterator[str | KurskError]:
    """At the director's desk."""
    office = _at(offices.sit, hand, event)
    if office.book.ended:  # its log takes corrections alone
        yield from _too_late(hand, office, ours)
        ours = [(paper, mail) for paper, mail in ours if paper.of_log]
    ours, told = held.few(ours, office.book.received)
    ours = held.once(ours)
    yield from told
    taken = [paper for paper, _mail in ours if _known(office, paper)]
    for paper, mail in sorted(ours, key=lambda one: one[0].type not in fields.STRANGERS):  # entries first
        if not _known(office, paper):
            yield from rooms.keep(hand.home, office, paper, mail, admit=hand.admit)
    yield from _acknowledge(hand, office, [*_admitted(office, hand), *taken], ours)
    yield from _receipts(hand, office)
    post.write(office, patient=True)


def _too_late(hand: Hand, office: Office, ours: list[Came]) -> Iterator[KurskError]:
    """Of players' papers nothing waits any longer."""
    came_now = (paper for paper, _mail in ours if not paper.of_log and paper.id not in office.book.received)
    papers = [*held.every(hand.home, office.book.id), *came_now]
    held.put_away(hand.home, papers, office.book.received)
    if papers:
        yield UsageError(f"{office.book.rules.title}: it has ended; not taken: {plural(len(papers), 'paper')}")


def _known(office: Office, paper: Paper) -> bool:
    """Whether a paper is acknowledged at once: one of somebody who takes part, and any log paper, which proves two."""
    if paper.of_log:
        return True
    return paper.type not in fields.STRANGERS and rooms.takes_part(office, paper)


def _admitted(office: Office, hand: Hand) -> Iterator[Paper]:
    """What has waited and need not wait any longer: entries, if they are taken as they come, while there is room."""
    room = quotas.TABLE[quotas.ADMITTED].number - len(office.book.entrants) if hand.admit else 0
    for paper in held.every(hand.home, office.book.id):
        if paper.type == fields.ENTRY and room > 0:
            room -= 1
            yield paper
        elif _known(office, paper):
            yield paper


def _acknowledge(hand: Hand, office: Office, papers: list[Paper], ours: list[Came]) -> Iterator[str | KurskError]:
    """Acknowledge papers, and log the games that have begun."""
    before = len(office.done)
    fitting = list(rooms.fitting(office, papers))
    taken = intake.take(office, intake.Sorted(papers=fitting))
    mails = _mails(ours)
    for paper in papers:  # those of a round that was killed behind its signature, too
        known = office.book.papers.get(paper.id)
        if known is not None and (mail := mails.get((paper.id, known.armour))) is not None:
            held.note(hand.home, paper, mail)
    held.put_away(hand.home, papers, office.book.received)
    yield from (f"{office.book.rules.title}: {told}" for told in office.done[before:])
    yield from (UsageError(why) for why in taken.refused)
    kept = set(map(id, fitting))
    left = [paper for paper in papers if id(paper) not in kept]
    if left:
        why = f"{plural(len(left), 'paper')} of people who have signed too much of late: 'kursk tournament inbox FILE'"
        yield UsageError(f"{office.book.rules.title}: {why} takes it")


def release(home: Path, office: Office, called: Sequence[str] = ()) -> intake.Came:
    """The director's word: acknowledge what has waited, or of it only what is ``called`` so. KurskError."""
    held_back = sorted(held.every(home, office.book.id), key=lambda paper: paper.type not in fields.STRANGERS)
    papers = [held.meant(held_back, name) for name in called] if called else held_back
    taken = intake.take(office, intake.Sorted(papers=papers))
    held.put_away(home, papers, office.book.received)
    return taken


def catch_up(home: Path, office: Office) -> None:
    """Acknowledge what has waited of people who take part, before a draw or a round is closed. KurskError.

    And sign the receipts of games that have ended: nothing asks for them once the log says how a board ended.
    """
    if not office.book.ended:
        hand = Hand(home, {})
        list(_acknowledge(hand, office, list(_admitted(office, hand)), []))
        list(_receipts(hand, office))


def begin(home: Path, message: Message) -> Path | None:
    """Take a proposal that is for a board of a tournament directed from here: the folder of its game.

    None for any other. KurskError for one that is not as it was paired.
    """
    event = events.of_head(home, message.content)
    if event is None:
        return None
    if not event.record.entry(f"{len(event.book.log):04d}"):  # none was signed and not written
        games.wanted(event.book, message)  # to open the desk reads the whole log: strangers propose, too (T49)
    office, taken = offices.sit(event.folder, home), Taken()
    games.take_proposal(office, message, taken)
    return games.folder_of(office, message.id)


def _receipts(hand: Hand, office: Office) -> Iterator[str | KurskError]:
    """Sign the receipt of each game's newest message that has none, with the time it came by the rule of 2.12.

    Of a board that goes on as another game both count. A game that cannot be read keeps none of the others from theirs.
    """
    going = [(board, game) for board in office.book.going() for game, _seq in board.games]
    for board, game in going:
        try:
            for path in _receipt(hand, office, game):
                yield f"{office.book.rules.title}: board {board.name}: signed {path.name}"
        except KurskError as error:
            yield error


def _receipt(hand: Hand, office: Office, game: str) -> Iterator[Path]:
    place = games.folder_of(office, game)
    if not folders.proposal_path(place).is_file():
        return
    last = folders.read_message(folders.message_files(place)[-1])
    if any(place.glob(f"receipt-{last.seq:04d}*.yaml")):
        return
    desk = desks.sit(place, hand.home, hand.open.get(game))
    hand.open[game] = desk.history
    received = presiding.received(hand.home, desk, last.seq, last.id) if last.sender != REFEREE else ""
    taken = Taken()
    games.receive(office, place, received, taken, desk.history)
    for paths in taken.written.values():
        yield from paths


def _follow(hand: Hand, event: Event, ours: list[Came]) -> Iterator[str | KurskError]:
    """At an entrant's desk."""
    if not ours:
        return
    seat = _at(seats.sit, hand, event)
    title, known = seat.book.rules.title, len(seat.book.log)
    new = seats.take(seat, [paper for paper, _mail in ours])
    yield from seat.refused
    mails = _mails(ours)
    for paper in seat.book.log[known:]:
        mail = mails[paper.id, paper.armour]
        came.note(hand.home, event.game, paper.seq, paper.id, message=mail.message_id, **mail.times)
    if new:
        _from_director(hand.home, seat.book.rules.key, mails[seat.book.head.id, seat.book.head.armour])
        yield f"{title}: {plural(len(new), 'log paper')} from the director"
    seats.follow(seat)
    yield from (f"{title}: signed what follows by itself: {path.stem}" for path in seat.written)


def _mails(ours: list[Came]) -> dict[tuple[str, str], Mail]:
    """Id and signature of a paper -> the mail by which it came first: copies under other signatures are forged."""
    return {(paper.id, paper.armour): mail for paper, mail in reversed(ours)}


def _from_director(home: Path, key: str, mail: Mail) -> None:
    people.noticed(home, key, mail.writer, "the director's papers came from there")
