"""The director's desk: the log with its journal, extended paper by paper.

A paper is checked against the book, then saved in the journal, then written. The desk signs no paper that an auditor
would refuse. Log papers that were signed elsewhere are taken before (:func:`take_log`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.tournament import boards, following, letters, private
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.director import asking
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.papers import fields, forms, lines, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.records import Book
from kursk_pbem.trust import keys
from kursk_pbem.trust.keys import Signer

_JUDGED = ("by", "winner", "margin")
MOST_VOID = 500
"""Maximum number of void papers, of other lines of the log, that one log paper names."""


@dataclass
class DirectorDesk:
    """A tournament as its director works on it: folder, log and record. ``done``: words about newly signed papers."""

    folder: Path
    home: Path
    record: Record
    book: Book
    done: list[str] = field(default_factory=list)

    @cached_property
    def signer(self) -> Signer:
        """The director's key that signs. Raises UsageError if paper 0 names another key."""
        signer = keys.load_key(Path(self.record.key))
        if signer.public != self.book.rules.key:
            raise UsageError(f"{self.record.key} is not the director's key in paper 0, the rules")
        return signer

    @property
    def games(self) -> Path:
        """The folder that contains the games of the tournament."""
        return self.folder / store.GAMES

    def now(self) -> str:
        """Return the time for the next log paper: now, but not before the newest log paper."""
        return max(clock.now(), self.book.head.text("time"))

    def sign(self, kind: str, said: Mapping[str, Any], words: str = "", time: str = "") -> Paper:
        """Sign, check and save the next log paper, and add it to the log. ``words``: a title for the director."""
        if why := asking.explain_wait(self.record, self.book):
            raise UsageError(f"not logged: {why}")
        seq = len(self.book.log)
        if (void := sorted({*self.book.others} - {*self.book.voided})) and not self.book.ended:
            said = {**said, fields.VOID: void[:MOST_VOID]}
        content: dict[str, Any] = {
            "kursk-tournament": fields.VERSION,
            "type": kind,
            "tournament": self.book.id,
            "seq": str(seq),
            "prev": self.book.head.id,
            "from": fields.DIRECTOR,
            "time": time or self.now(),
            **said,
        }
        if kind == fields.JUDGED and (other := _find_contrary(self.book, said)) is not None:
            why = f"your log paper {other.seq} ({other.id[:16]}), now void, judged {other.text('winner')}"
            raise UsageError(f"not logged: {why}: give the same judgement again, then type 'kursk tournament correct'")
        path = store.log_path(self.folder, seq)
        paper = forms.sign_paper(content, self.signer, f"{store.LOG}/{path.name}")
        try:
            reading.check_link(self.book.rules.key, self.book.head, paper)
            reading.apply_paper(self.book, paper, reading.accept_logged)
        except FalsePaperError as error:  # the paper is not in the journal: the director may ask for another
            raise UsageError(f"not logged: {error.message}") from None
        text = self.record.enter(f"{seq:04d}", forms.emit_paper(paper))
        if text != forms.emit_paper(paper):
            raise UsageError(f"your journal has a different log paper {seq}; repeat the command")
        store.write_paper(path, paper)
        if kind in (fields.RESULT, fields.JUDGED, fields.CORRECT):
            boards.mark_decided(self.book, self.home)
        self.done.append(words or kind)
        return paper


def _find_contrary(book: Book, said: Mapping[str, Any]) -> Paper | None:
    """Return a judgement of a board on another line that differs from a new one, if the log has none yet."""
    about = said["board"]
    if any(log.type == fields.JUDGED and log.text("board") == about for log in book.log):
        return None
    there = (paper for paper in book.others.values() if paper.type == fields.JUDGED and paper.text("board") == about)
    return next((paper for paper in there if any(paper.said(name) != said.get(name, "") for name in _JUDGED)), None)


def open_desk(folder: Path, home: Path) -> DirectorDesk:
    """Open a tournament's folder for its director. Steps that a crash interrupted are completed."""
    contents = store.load_papers(folder)
    record = private.need_record(home, contents.log[0].id, private.DIRECTOR)
    _write_journal(record, folder, contents.log)
    if resume_log(folder, record, contents.log):
        contents = store.load_papers(folder)
    book = reading.read_log(contents.log, contents.papers, reading.accept_logged, contents.others)
    desk = DirectorDesk(folder, home, record, book)
    take_log(desk, (), {})  # a line that was kept before a crash
    boards.mark_decided(desk.book, home)
    return desk


def take_log(desk: DirectorDesk, incoming: Iterable[Paper], players: Mapping[str, Paper]) -> list[str]:
    """Add log papers that the director signed on another machine; return sentences. ``players``: players' papers."""
    before, here = desk.book, desk.book.signed_log
    new = (paper for paper in incoming if paper.of_log and paper.id not in here)
    log = [paper for paper in new if reading.is_signed(before, paper)]
    try:
        desk.book = following.follow_line(desk.folder, before, log, players, reading.accept_logged)
    except KurskError as error:
        _ask_for(desk, log[-1] if log else before.head)
        return [str(error)]
    later = [paper for paper in lines.list_detached(desk.book.signed_log) if paper.seq > desk.book.head.seq]
    if later:
        _ask_for(desk, later[0])
    if told := following.describe_change(before, desk.book):
        letters.remove_later(desk.record.letters, lines.find_fork(before.log, desk.book.log))
        _write_journal(desk.record, desk.folder, desk.book.log)
    return told


def _ask_for(desk: DirectorDesk, paper: Paper) -> None:
    """Ask everybody for the papers before an own paper, once."""
    if asking.may_ask(desk.record, paper.id):
        asking.begin(desk.record, paper.id)


def _write_journal(record: Record, folder: Path, log: Sequence[Paper]) -> None:
    """Copy the log into the journal. A different paper there, of another line, is kept as evidence."""
    for paper in log:
        if (there := record.enter(f"{paper.seq:04d}", text := forms.emit_paper(paper))) != text:
            _put_aside(record, folder, paper.seq, there)
            record.enter(f"{paper.seq:04d}", text)


def _put_aside(record: Record, folder: Path, seq: int, text: str) -> None:
    """Move a paper of another line from the journal to the evidence."""
    path = str(store.log_path(folder, seq))
    store.keep_evidence(folder, forms.read_paper(text.encode("ascii"), path))
    record.remove(f"{seq:04d}")


def resume_log(folder: Path, record: Record, log: Sequence[Paper]) -> int:
    """Write into the log the papers that a crash left only in the journal. Return their number."""
    head, written = log[-1], 0
    while text := record.entry(f"{head.seq + 1:04d}"):
        path = store.log_path(folder, head.seq + 1)
        paper = forms.read_paper(text.encode("ascii"), str(path))
        if paper.said("prev") != head.id:
            _put_aside(record, folder, head.seq + 1, text)
            break
        store.write_paper(path, paper)
        head, written = paper, written + 1
    return written


def restore_desk(folder: Path, home: Path, key: Path | None) -> DirectorDesk:
    """Open a tournament's folder after a loss of data, and ask all people for their logs.

    ``key``: the director's key file, needed if the private record is lost.
    """
    book = reading.read_folder(folder)
    if private.find_record(home, book.id) is None:
        _record_anew(folder, home, book, key)
    desk = open_desk(folder, home)
    asking.begin(desk.record)
    return desk


def _record_anew(folder: Path, home: Path, book: Book, key: Path | None) -> None:
    if key is None:
        raise UsageError("the private folder has no record of the tournament: give the director's key with --key")
    signer = keys.load_key(key)
    if signer.public != book.rules.key:
        raise UsageError(f"{key} is not the director's key in paper 0, the rules")
    secret = private.derive_secret(signer, book.rules.paper.text("nonce"))
    private.create_record(home, book.id, private.DIRECTOR, key, folder, secret)
