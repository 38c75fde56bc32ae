"""The folder of sent mails as a journal of tournaments: before signing, a desk reads its owner's papers that it lacks.

A director who continues from a backup finds the log there, and no number is signed twice. An entrant, an assistant and
the witness find what they have signed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.errors import KurskError
from kursk_pbem.post.mailbox import events, outbox, store
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.round import fetch, own_copies, reading
from kursk_pbem.post.wire import fetching
from kursk_pbem.post.wire.account import Account
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.tournament.director import desk as director_desks
from kursk_pbem.tournament.director import games
from kursk_pbem.tournament.entrant import desk as entrant_desks
from kursk_pbem.tournament.papers.forms import Paper

_SENT = "sent papers"


def take_copies(home: Path, account: Account, mailbox: Mailbox) -> Iterator[str | KurskError]:
    """Accept the owner's tournament papers that exist only in the folder of sent mails. Raises UnreachableError."""
    there = events.list_tournaments(home)
    if not there:
        return
    folder = mailbox.find_sent()
    if (said := folder or "none") != store.load_setting(home, _SENT):
        store.save_setting(home, _SENT, said)
    if not folder:
        return
    validity, end = mailbox.select(folder)
    scope = fetch.uid_scope(account, validity, folder)
    for event in there:
        marks = own_copies.load_marks(home, event.game, _measure(event))
        begin = marks.get(scope, 1)
        papers = [] if end and begin >= end else _read_papers(home, mailbox, folder, event, begin, end, back=not marks)
        if papers:
            try:
                yield from _take(home, event, papers)
            except KurskError as error:
                yield error
                continue
        own_copies.save_marks(home, event.game, {scope: end or 1}, _measure(event))


def keeps_copies(home: Path) -> bool:
    """Return whether the account has a readable folder of sent mails."""
    return store.load_setting(home, _SENT) not in ("", "none")


def _read_papers(
    home: Path, mailbox: Mailbox, folder: str, event: Event, begin: int, end: int, *, back: bool
) -> list[Paper]:
    """Return the papers in the sent letters of a tournament that this desk has not written, or all after a return."""
    papers = dict[str, Paper]()
    for entry in fetching.find_entries(mailbox, event.game, begin, end):
        head = Mail(entry.head, folder)
        if not back and outbox.find_letters(home, *head.letter_id):
            continue
        mail = fetching.fetch_mail(mailbox, entry)
        if not mail.why:
            papers |= {paper.id: paper for paper in reading.read_contents(Mail(mail.raw, folder), events=True).papers}
    return list(papers.values())


def _take(home: Path, event: Event, papers: list[Paper]) -> Iterator[str]:
    """Take own papers at a desk; yield what came back."""
    if event.directed:
        desk = director_desks.open_desk(event.folder, home)
        told = director_desks.take_log(desk, papers, {paper.id: paper for paper in papers if not paper.of_log})
        games.propose_missing(desk)
    else:
        told = entrant_desks.take_own(entrant_desks.open_desk(event.folder, home), papers)
    yield from (f"{event.book.rules.title}: {line}" for line in told)


def _measure(event: Event) -> int:
    """Return the number of signed papers: smaller after a return to a backup."""
    return len(event.record.entries())
