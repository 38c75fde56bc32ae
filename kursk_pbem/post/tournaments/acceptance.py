"""Mailed papers of tournaments, accepted at the director's or at an entrant's desk.

A director's desk acknowledges papers of known people, continues games and signs receipts; a stranger's entry waits. An
entrant's desk computes the log again, and signs the papers without a choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from kursk_pbem.desk.own import desks
from kursk_pbem.errors import DiskError, FileError, KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.words import plural
from kursk_pbem.post.mailbox import arrival, events, people, quotas, store
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.round import deadlines, own_papers, server_clock
from kursk_pbem.post.tournaments import directing, entries
from kursk_pbem.tournament import entrant_steps
from kursk_pbem.tournament.director import asking, games, intake, mailing
from kursk_pbem.tournament.director import desk as director_desks
from kursk_pbem.tournament.director.desk import DirectorDesk, take_log
from kursk_pbem.tournament.director.games import IntakeResult
from kursk_pbem.tournament.entrant import automatic
from kursk_pbem.tournament.entrant import desk as entrant_desks
from kursk_pbem.tournament.faults import FalsePaperError, IncompleteError
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust.messages import Message

Came = tuple[Paper, Mail]


@frozen
class Accepter:
    """Accepts tournament papers for a private folder. ``open``: verified games by id. ``admit``: accept entries now."""

    home: Path
    open: dict[str, History]
    admit: bool = False


def follow(accepter: Accepter, arrived: Sequence[Came]) -> Iterator[str | KurskError]:
    """Accept log papers of tournaments with other directors, before reading proposals: the log has the pairings."""
    for event in events.list_tournaments(accepter.home):
        if not event.directed:
            yield from _each(accepter, event, arrived)


def direct(accepter: Accepter, arrived: Sequence[Came]) -> Iterator[str | KurskError]:
    """Accept papers for tournaments that the owner directs, after the games' turns. Report unknown tournaments."""
    for event in events.list_directed(accepter.home):
        yield from _each(accepter, event, arrived)
    here, unread = {event.game for event in events.list_tournaments(accepter.home)}, events.list_faults(accepter.home)
    for id_ in sorted({entries.tournament_of(paper) for paper, _mail in arrived} - here):
        why = f"papers of tournament {id_[:16]} came, but you are no entrant: type 'kursk tournament enter'"
        yield unread[0] if unread else why  # the papers may belong to an unreadable tournament


def _each(accepter: Accepter, event: Event, arrived: Sequence[Came]) -> Iterator[str | KurskError]:
    """Accept the papers of one tournament; an error stops no other tournament."""
    ours = [one for one in arrived if entries.tournament_of(one[0]) == event.game]
    if not (ours or event.directed or store.load_setting(accepter.home, _unsigned(event.game))):
        return
    try:
        if event.directed:
            yield from _direct(accepter, director_desks.open_desk(event.folder, accepter.home), ours)
        else:
            yield from _follow(accepter, entrant_desks.open_desk(event.folder, accepter.home), ours)
    except (FileError, UsageError, OSError) as error:  # a file of the desk: the mails are looked at again
        yield DiskError(str(error))
    except KurskError as error:
        yield error


def _direct(accepter: Accepter, event_desk: DirectorDesk, ours: list[Came]) -> Iterator[str | KurskError]:
    """Accept papers at the director's desk."""
    title, taken = event_desk.book.rules.title, list[Paper]()
    yield from (f"{title}: {line}" for line in _complete_log(accepter, event_desk, ours))
    book = event_desk.book
    void = {id_ for log in book.others.values() if log.type == fields.RECEIVED for id_ in log.texts("papers")}
    ours = [one for one in ours if one[0].id not in book.received and not one[0].of_log]
    if book.ended:  # its log takes corrections alone
        late = [*entries.list_papers(accepter.home, book.id), *(paper for paper, _mail in ours)]
        entries.put_away(accepter.home, late, book.received)
        if late:
            yield UsageError(f"{title} has ended; not taken: {plural(len(late), 'paper')}")
        ours = []
    for paper, mail in ours:
        part = book.by_key(paper.sender) is not None or paper.sender in (*book.rules.assistants, book.rules.witness)
        try:
            intake.check_paper(event_desk, paper)
        except KurskError as error:
            if not (part and isinstance(error, FalsePaperError)):  # a paper about a second log is evidence
                yield error
                continue
        if paper.id in void or (part and paper.type not in fields.STRANGERS):
            taken.append(paper)
            arrival.save_arrival(accepter.home, book.id, 0, paper.id, **mail.said)
        elif paper.type not in fields.STRANGERS:
            yield UsageError(f"{mail.name}: a {paper.type} from a person who takes no part in {title}")
        elif not entries.keep_paper(accepter.home, paper, mail):
            yield UsageError(f"{mail.name}: too many papers wait already; ask for the paper again later")
        else:
            waits = "" if accepter.admit else ": type 'kursk tournament inbox' to acknowledge"
            wish = "enters" if paper.type == fields.ENTRY else f"offers to replace number {paper.text('number')}"
            yield f"{title}: {show(paper.text('name'))} {wish}{waits}; it came from {mail.writer or 'no address'}"
    yield from _acknowledge(accepter, event_desk, [*_admitted(accepter, event_desk), *taken])
    yield from _receipts(accepter, event_desk)
    mailing.write_letters(event_desk)


def _complete_log(accepter: Accepter, event_desk: DirectorDesk, ours: list[Came]) -> Iterator[str]:
    """Take own log papers signed elsewhere, and ask for papers seen by other desks.

    Raises UsageError while the desk waits for answers: the mails are looked at again.
    """
    papers, home, record = [paper for paper, _mail in ours], accepter.home, event_desk.record
    yield from take_log(event_desk, papers, {paper.id: paper for paper in papers if not paper.of_log})
    since = asking.find_since(record)  # an older letter is no answer
    answers = (mail for paper, mail in ours if paper.of_log and (mail.times.get("arrived") or since) >= since)
    writers = {mail.writer.lower() for mail in answers}
    asking.hear(record, (one.key for one in people.load_people(home) if one.known_at & writers))
    asked = dict[str, str]()
    for key, told in asking.describe_unknown(event_desk.book, papers):
        asked[key] = told
        if not own_papers.keeps_copies(home) and asking.may_ask(record, key):
            asking.begin(record, key)
        yield told
    silent = asking.list_silent(record, event_desk.book)
    for key in sorted({*asked, *silent}):
        directing.ask_for_log(home, event_desk.book, key)
    games.propose_missing(event_desk)
    if why := asking.explain_wait(record, event_desk.book):
        raise UsageError(f"{event_desk.book.rules.title}: {why}")


def _admitted(accepter: Accepter, event_desk: DirectorDesk) -> list[Paper]:
    """Return the entries to accept at once, within the quota."""
    room = quotas.ADMITTED.number - len(event_desk.book.entrants) if accepter.admit else 0
    waiting = (paper for paper in entries.list_papers(accepter.home, event_desk.book.id) if paper.type == fields.ENTRY)
    return list(waiting)[: max(room, 0)]


def _acknowledge(accepter: Accepter, event_desk: DirectorDesk, papers: list[Paper]) -> Iterator[str | KurskError]:
    """Acknowledge papers, and log the begun games.

    All letters repeat the newest papers, so a quota limits the bytes from one key.
    """
    before, book = len(event_desk.done), event_desk.book
    lately = [id_ for log in book.log[-mailing.OVERLAP :] if log.type == fields.RECEIVED for id_ in log.texts("papers")]
    used, fitting = Counter[str](), list[Paper]()
    for paper in (*(book.papers[id_] for id_ in dict.fromkeys(lately)), *papers):
        used[paper.sender] += 0 if paper.of_log else len(paper.signed)
        if paper.id in book.received:
            continue
        if quotas.LOGGED.is_full(0, used[paper.sender]):
            used[paper.sender] -= len(paper.signed)
            why = f"a {paper.type} from a player with too many recent papers: type 'kursk tournament inbox FILE'"
            yield UsageError(f"{book.rules.title}: {why}")
        else:
            fitting.append(paper)
    taken = intake.accept_contents(event_desk, intake.FileContents(papers=fitting))
    entries.put_away(accepter.home, papers, book.received)
    yield from (f"{book.rules.title}: {told}" for told in event_desk.done[before:])
    yield from map(UsageError, taken.refused)


def release(home: Path, event_desk: DirectorDesk, called: Sequence[str] = ()) -> IntakeResult:
    """Accept the waiting tournament papers, or only the papers ``called``. Raises KurskError."""
    waiting = list(entries.list_papers(home, event_desk.book.id))
    papers = [entries.find_paper(waiting, name) for name in called] if called else waiting
    taken = intake.accept_contents(event_desk, intake.FileContents(papers=papers))
    entries.put_away(home, papers, event_desk.book.received)
    return taken


def put_received_away(home: Path, event_desk: DirectorDesk) -> None:
    """Delete waiting papers that the log acknowledges: another copy of each has come in another way."""
    there = [paper for paper in entries.list_papers(home, event_desk.book.id) if paper.id in event_desk.book.received]
    entries.put_away(home, there, event_desk.book.received)


def catch_up(home: Path, event_desk: DirectorDesk) -> None:
    """Sign missing receipts of ended games, because later steps skip a game whose result is in the log."""
    if not event_desk.book.ended:
        list(_receipts(Accepter(home, {}), event_desk))


def begin(home: Path, event: Event, message: Message) -> Path:
    """Accept a proposal in a tournament that the owner directs; return the game's folder.

    Raises KurskError if the proposal differs from the pairing.
    """
    if not event.record.entry(f"{len(event.book.log):04d}"):  # no log paper is signed but unwritten
        # a stranger's proposal must not cost the reading of the whole log (T49)
        games.find_wanted_board(event.book, message)
    event_desk, taken = director_desks.open_desk(event.folder, home), IntakeResult()
    games.accept_proposal(event_desk, message, taken)
    return games.game_folder(event_desk, message.id)


def _receipts(accepter: Accepter, event_desk: DirectorDesk) -> Iterator[str | KurskError]:
    """Sign the receipt of each game's newest message, with the time of arrival by protocol 2.12."""
    for board in (board for board in event_desk.book.going() if board.game):
        folder, taken = games.game_folder(event_desk, board.game), IntakeResult()
        try:
            if not folders.proposal_path(folder).is_file():
                continue
            last = folders.read_message(folders.message_files(folder)[-1])
            if any(folder.glob(f"receipt-{last.seq:04d}*.yaml")):
                continue
            desk = desks.open_desk(folder, accepter.home, accepter.open.get(board.game))
            accepter.open[board.game] = desk.history
            received = deadlines.arrival_time(accepter.home, desk, last.seq, last.id) if last.sender != REFEREE else ""
            games.sign_receipt(event_desk, folder, received, taken, desk.history)
        except KurskError as error:  # other games still get their receipts
            yield error
        for path in (path for paths in taken.written.values() for path in paths):
            yield f"{event_desk.book.rules.title}: board {board.name}: signed {path.name}"


def _unsigned(tournament: str) -> str:
    """Return the setting of a tournament whose automatic papers wait for the right clock."""
    return f"unsigned {tournament}"


def list_late_entries(home: Path) -> Iterator[tuple[entrant_desks.EntrantDesk, Paper]]:
    """Yield the tournaments whose draw came before the owner's entry, each with the entry paper."""
    for event in events.list_tournaments(home):
        if not event.directed and (entry := entrant_desks.find_late_entry(event.book, event.record, event.own)):
            yield entrant_desks.open_desk(event.folder, home), entry


def _follow(accepter: Accepter, desk: entrant_desks.EntrantDesk, ours: list[Came]) -> Iterator[str | KurskError]:
    """Accept papers at an entrant's desk."""
    title = desk.book.rules.title
    new = list[str]()
    try:
        new = entrant_desks.accept_papers(desk, [paper for paper, _mail in ours])
    except IncompleteError as error:
        yield error
    yield from desk.refused
    newest = max((paper for paper, _mail in ours if paper.of_log), key=lambda paper: paper.seq, default=None)
    if newest is not None and not desk.book.ended and not (new and newest.id == desk.book.head.id):
        entrant_desks.return_log(desk)
    if new:
        head = desk.book.head
        sender = next((mail.writer for paper, mail in ours if (paper.id, paper.armour) == (head.id, head.armour)), "")
        people.add_seen_address(accepter.home, desk.book.rules.key, sender, "sender of the director's papers")
        yield f"{title}: {plural(len(new), 'log paper')} from the director"
        if desk.me is None:
            yield f"{title}: {' '.join(entrant_steps.list_facts(desk.book, None, desk.signer.public))}"
    yield from (f"{title}: {warning}" for warning in desk.warnings)
    wrong_clock = store.load_setting(accepter.home, server_clock.FAULT)  # papers with a time wait
    if not wrong_clock:
        automatic.sign_automatic(desk)
    store.save_setting(accepter.home, _unsigned(desk.book.id), "yes" if wrong_clock else "")
    yield from (f"{title}: signed automatically: {path.stem}" for path in desk.written)
