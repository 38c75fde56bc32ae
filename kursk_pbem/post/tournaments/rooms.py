"""What room papers of a tournament have: where they wait for the director's word, and in everybody's letters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import quotas
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.tournaments import held
from kursk_pbem.tournament.office import intake, post
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper


def takes_part(office: Office, paper: Paper) -> bool:
    """Whether whoever signed a paper takes part in a tournament, or helps to direct it."""
    return office.book.by_key(paper.sender) is not None or paper.sender in office.book.rules.assistants


def keep(home: Path, office: Office, paper: Paper, mail: Mail, *, admit: bool) -> Iterator[str | KurskError]:
    """Let a paper wait that holds by itself."""
    if paper.id in office.book.received:
        return
    try:
        intake.check(office, paper)
    except KurskError as error:
        yield error
        return
    ours, asks = takes_part(office, paper), paper.type in fields.STRANGERS
    follows = not (ours or asks) and held.enters(home, office.book.id, paper.sender)
    if not (ours or asks or follows):
        yield UsageError(f"{mail.name}: a {paper.type} of somebody who takes no part in {office.book.rules.title}")
        return
    if not held.keep(home, paper, stranger=not ours):
        many = "papers of theirs" if ours else "such papers"
        yield UsageError(f"{mail.name}: {many} wait already; once they are taken ask for this one again")
        return
    held.note(home, paper, mail)
    if follows:
        yield f"{office.book.rules.title}: a {paper.type} of somebody whose entry waits waits behind that"
    if asks:
        what = held.wish(paper, [entrant.number for entrant in office.book.entrants.values()])
        yield f"{office.book.rules.title}: {show(paper.text('name'))} {what}{_till(office, paper, mail, admit=admit)}"


def _till(office: Office, paper: Paper, mail: Mail, *, admit: bool) -> str:
    """What an entry waits for, '' if for nothing but the clock."""
    if admit and paper.type == fields.ENTRY and not quotas.full(quotas.ADMITTED, len(office.book.entrants) + 1):
        return ""
    return f": 'kursk tournament inbox' acknowledges it; it came from {mail.writer or 'no address'}"


def fitting(office: Office, papers: list[Paper]) -> Iterator[Paper]:
    """Papers that may stand in everybody's letters; of one key so many bytes in as much of the log as a letter repeats.

    What is not signed by its sender takes no room of theirs: it is refused later.
    """
    book = office.book
    lately = [id_ for log in book.log[-post.OVERLAP :] if log.type == fields.RECEIVED for id_ in log.texts("papers")]
    counted = {id_: book.papers[id_] for id_ in lately}
    used = Counter[str]()
    for paper in counted.values():
        used[paper.sender] += len(paper.signed)
    for paper in papers:
        if paper.of_log:
            yield paper
            continue
        with suppress(KurskError):
            intake.check(office, paper)
            if paper.id not in book.received and paper.id not in counted:
                if quotas.full(quotas.LOGGED, 0, used[paper.sender] + len(paper.signed)):
                    continue
                counted[paper.id] = paper
                used[paper.sender] += len(paper.signed)
        yield paper
