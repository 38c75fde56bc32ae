"""The director's desk: the log with its journal, extended paper by paper.

A paper is checked against the book, then saved in the journal, then written. The desk signs no paper that an auditor
would refuse, and no number twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import elsewhere
from kursk_pbem.errors import UsageError, shell_word
from kursk_pbem.tournament import boards, private, reader
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.records import Book
from kursk_pbem.trust import keys
from kursk_pbem.trust.keys import Signer


@dataclass
class DirectorDesk:
    """The director's desk. ``done``: descriptions of the newly signed papers."""

    folder: Path
    home: Path
    record: Record
    book: Book
    done: list[str] = field(default_factory=list)

    @cached_property
    def signer(self) -> Signer:
        """The director's key. Raises UsageError if the key is not the key of paper 0."""
        signer = elsewhere.load_signer(self.home, Path(self.record.key))
        if signer.public != self.book.rules.key:
            raise UsageError(f"{self.record.key} is not the key that paper 0 names as the director's")
        return signer

    @property
    def games(self) -> Path:
        """The folder of the games."""
        return self.folder / store.GAMES

    def now(self) -> str:
        """Return the time of the next paper: now, but not before the newest paper."""
        return max(clock.now(), self.book.head.text("time"))

    def sign(self, kind: str, said: Mapping[str, Any], words: str = "", time: str = "") -> Paper:
        """Sign, check, save and write the next log paper. ``words``: the description for the director."""
        seq = len(self.book.log)
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
        path = store.log_path(self.folder, seq)
        paper = forms.sign_paper(content, self.signer, f"{store.LOG}/{path.name}")
        try:
            reading.check_link(self.book.rules.key, self.book.head, paper)
            reading.apply_paper(self.book, paper, reader.accept_logged)
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


def open_desk(folder: Path, home: Path) -> DirectorDesk:
    """Open the director's desk of a tournament's folder; write papers that were signed before a crash."""
    contents = store.load_papers(folder)
    record = private.need_record(home, contents.log[0].id, private.DIRECTOR)
    if resume_log(folder, record, len(contents.log)):
        contents = store.load_papers(folder)
    unknown = [paper for paper in contents.log if not record.entry(f"{paper.seq:04d}")]
    if unknown:
        raise UsageError(
            f"{unknown[-1].name} is not in your journal: the journal is older than the log. Two "
            f"papers under one number would convict you. If log paper {contents.log[-1].seq} is the newest that you "
            f"ever signed, type 'kursk tournament restore {shell_word(folder)} --confirm {contents.log[-1].seq}'"
        )
    book = reading.read_log(contents.log, contents.papers, reader.accept_logged)
    boards.mark_decided(book, home)
    return DirectorDesk(folder, home, record, book)


def resume_log(folder: Path, record: Record, length: int) -> int:
    """Write the log papers that a crash left only in the journal; return their number."""
    written = 0
    while text := record.entry(f"{length + written:04d}"):
        path = store.log_path(folder, length + written)
        store.write_paper(path, forms.read_paper(text.encode("ascii"), str(path)))
        written += 1
    return written


def confirm_log(folder: Path, home: Path, seq: int, key: Path | None) -> int:
    """Copy the log into the journal after the director confirms the newest number. ``key``: for a lost record."""
    contents = store.load_papers(folder)
    book = reading.read_log(contents.log, contents.papers)
    last = contents.log[-1].seq
    if seq != last:
        raise UsageError(f"the newest log paper here is {last}, not {seq}: find the missing papers first")
    if private.find_record(home, book.id) is None:
        _record_anew(folder, home, book, key)
    record = private.need_record(home, book.id, private.DIRECTOR)
    return sum(record.enter(f"{paper.seq:04d}", forms.emit_paper(paper)) != "" for paper in contents.log)


def _record_anew(folder: Path, home: Path, book: Book, key: Path | None) -> None:
    if key is None:
        raise UsageError("the private folder has no record of the tournament: name the director's key with --key")
    signer = keys.load_key(key)
    if signer.public != book.rules.key:
        raise UsageError(f"{key} is not the key that paper 0 names as the director's")
    begun = {"tournament": book.id, "role": private.DIRECTOR, "key": str(key), "folder": str(folder)}
    private.create_record(home, begun, private.derive_secret(signer, book.rules.paper.text("nonce")))
