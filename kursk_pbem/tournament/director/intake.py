"""Incoming papers and turns from files, mails, mailboxes and folders, in order of arrival.

A bad mail does not stop good mails. One ``received`` acknowledges the new papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.errors import DiskError, FileError, KurskError, UsageError
from kursk_pbem.game import things
from kursk_pbem.game.things import Thing
from kursk_pbem.kernel.words import plural, some
from kursk_pbem.tournament import open_papers
from kursk_pbem.tournament.book import people
from kursk_pbem.tournament.director import asking, games
from kursk_pbem.tournament.director.desk import DirectorDesk, take_log
from kursk_pbem.tournament.director.games import IntakeResult
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.papers import fields, forms, mails, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import papers as referees
from kursk_pbem.trust import reader
from kursk_pbem.trust.allowance import Allowance
from kursk_pbem.trust.messages import Message

MOST_PAPERS = 500
"""Maximum number of papers that one log paper ``received`` acknowledges."""


@dataclass
class FileContents:
    """The contents of files: papers of tournaments, messages, referees' papers, and errors."""

    papers: list[Paper] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    referees: list[referees.Paper] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def number(self) -> int:
        """The number of papers, turns and errors found."""
        return len([*self.papers, *self.messages, *self.referees, *self.refused])


def read_files(paths: Iterable[Path]) -> FileContents:
    """Return the contents of files, mailboxes, folders and archives. A file without contents gives an error."""
    contents = FileContents()
    for path in paths:
        before = contents.number
        for thing in things.list_things(path):
            if isinstance(thing, FileError):
                contents.refused.append(str(thing))
            else:
                read_thing(thing, contents, named=thing.name == str(path))
        if contents.number == before and not path.is_dir():
            contents.refused.append(f"{path}: no turn or paper is in it")
    return contents


def read_thing(thing: Thing, contents: FileContents, *, named: bool) -> None:
    """Add the contents of a file or mail, read with a limit of work (T27). ``named``: the user named the file."""
    try:
        allowance = Allowance.of_file(thing.raw, thing.name)
        reading = reader.read_thing(thing.raw, thing.name, allowance)
    except FileError as error:
        contents.refused.append(str(error))
        return
    papers, faults = mails.parse_papers(reading, allowance)
    contents.papers += papers
    contents.messages += [turn for turn in reading.turns if isinstance(turn, Message)]
    contents.referees += [turn for turn in reading.turns if isinstance(turn, referees.Paper)]
    idle = reading.reasons if named or reading.unread else ()
    faults += reading.faults if reading.anything or reading.faults else idle
    contents.refused += [str(fault) for fault in faults]


def accept_contents(desk: DirectorDesk, contents: FileContents, received: str = "") -> IntakeResult:
    """Acknowledge papers, continue games and sign receipts. ``received``: the time of arrival, if it is not now."""
    came = IntakeResult(refused=list(contents.refused))
    desk.done += take_log(desk, contents.papers, {paper.id: paper for paper in contents.papers if not paper.of_log})
    came.refused += [told for _key, told in asking.describe_unknown(desk.book, contents.papers)]
    kept = (paper for paper in store.read_evidence(desk.folder) if not paper.of_log)
    waiting = [paper for paper in (*desk.book.papers.values(), *kept) if _is_due(desk, paper)]
    came.papers = list(_find_new_papers(desk, [*contents.papers, *waiting], came))
    for at in range(0, len(came.papers), MOST_PAPERS):
        part = came.papers[at : at + MOST_PAPERS]
        whose = some([_describe_paper(desk, paper) for paper in part])
        words = f"{plural(len(part), 'paper')} acknowledged: {whose}"
        logged = desk.sign(fields.RECEIVED, {"papers": [paper.id for paper in part]}, words)
        desk.done += open_papers.describe_useless(desk.book, since=logged.seq)
    games.accept_messages(desk, contents.messages, came)
    games.accept_papers(desk, contents.referees, came)
    for place in sorted({*came.written}):
        games.sign_receipt(desk, place, received, came)
    games.log_games(desk)
    return came


def _describe_paper(desk: DirectorDesk, paper: Paper) -> str:
    entrant = desk.book.by_key(paper.sender)
    name = entrant.name if entrant is not None else paper.said("name")
    return f"{fields.NOUNS.get(paper.type, paper.type)} of {name}"


def _find_new_papers(desk: DirectorDesk, papers: Sequence[Paper], came: IntakeResult) -> Iterator[Paper]:
    """Yield the players' papers without an acknowledgment. Each is saved before its acknowledgment."""
    seen: set[str] = set(desk.book.received)
    for paper in papers:
        if not paper.of_log and paper.id not in seen:
            try:
                check_paper(desk, paper)
                store.write_paper(store.paper_path(desk.folder, paper), paper)
            except FalsePaperError as error:
                known = any(entrant.key == paper.sender for entrant in desk.book.entrants.values())
                kept = f"; it is {store.keep_evidence(desk.folder, paper)}" if known else ""
                came.refused.append(f"{error}{kept}")
            except DiskError:  # no fault of the paper, which must come again
                raise
            except KurskError as error:  # such as another paper whose id begins alike (T40)
                came.refused.append(str(error))
            else:
                seen.add(paper.id)  # not before: a forged copy must not shut out the genuine paper
                desk.book.papers[paper.id] = paper
                yield paper


def _is_due(desk: DirectorDesk, paper: Paper) -> bool:
    """Return whether a paper here, acknowledged on another line or kept, can be acknowledged now."""
    if paper.id in desk.book.received:  # most papers: the signature is not checked again
        return False
    try:
        check_paper(desk, paper)
    except KurskError:
        return False
    return True


def check_paper(desk: DirectorDesk, paper: Paper) -> None:
    """Check that a player's paper belongs to the tournament, is signed and fits the log."""
    if paper.text("tournament") != desk.book.id:
        raise UsageError(f"{paper.name}: the paper belongs to a different tournament, {paper.text('tournament')[:16]}")
    forms.check_signature(paper, paper.sender)
    if paper.said("seen")["id"] not in desk.book.others:  # the next log paper calls it void
        people.check_seen(desk.book, paper)
