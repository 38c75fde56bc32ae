"""A tournament as seen by the mail: recipients, waiting letters, folders of games.

A tournament's papers contain no addresses. The address book contains the entrants' keys and addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from kursk_pbem.desk.own import register
from kursk_pbem.desk.own.register import Known
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import post_folder
from kursk_pbem.post.mailbox.letter import Letter
from kursk_pbem.tournament import boards, open_papers, private
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament.book import clocks, reading
from kursk_pbem.tournament.director import mailing
from kursk_pbem.tournament.papers import forms
from kursk_pbem.tournament.papers.store import EVIDENCE, GAMES, LOG, PAPERS
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.score import stages
from kursk_pbem.trust import keys
from kursk_pbem.trust.keys import Signer

_TITLE = 40
_OF_LOG = re.compile(r"-log-([0-9]{5})$")


@frozen
class Event:
    """A tournament that the owner of this private folder directs or plays. Its papers are read on first use."""

    record: Record

    @property
    def game(self) -> str:
        """The tournament's id. Letters and mail threads use this id in place of a game's id."""
        return self.record.tournament

    @property
    def short(self) -> str:
        """The first digits of the tournament's id."""
        return self.game[:8]

    @property
    def directed(self) -> bool:
        """True if the owner of this private folder directs the tournament."""
        return self.record.role == private.DIRECTOR

    @property
    def folder(self) -> Path:
        """The tournament's folder: the director's folder, or an entrant's copy."""
        return Path(self.record.folder)

    @cached_property
    def book(self) -> Book:
        """The verified papers of the tournament as one object. Raises KurskError."""
        names = [post_folder.list_names(self.folder / name) for name in (LOG, PAPERS, EVIDENCE)]
        newest = (self.folder / LOG / max(names[0], key=lambda name: (len(name), name), default="")).stat().st_mtime_ns
        return _load_book(self.folder, (*map(len, names), newest))

    @cached_property
    def keys(self) -> dict[str, str]:
        """The public keys of letters' recipients, by the first part of the letters' file names. Raises KurskError."""
        if self.directed:
            return drafts.reader_keys(self.book)
        return {**drafts.reader_keys(self.book), private.DIRECTOR: self.book.rules.key}

    @cached_property
    def own(self) -> str:
        """The public key of this private folder's owner in the tournament. Raises UsageError."""
        return self.book.rules.key if self.directed else keys.read_public(Path(f"{self.record.key}.pub"))

    def seq(self, draft: str) -> int:
        """Return the number of the newest log paper in a letter. ``draft``: the letter's name."""
        said = _OF_LOG.search(draft)
        return int(said[1]) if said else self.book.head.seq

    def reader(self, draft: str) -> str:
        """Return the key of the recipient of a letter, or '' if unknown here. ``draft``: the letter's name."""
        return self.keys.get(drafts.letter_digits(Path(draft)), self.keys.get(private.DIRECTOR, ""))

    def list_recipients(self) -> Iterator[tuple[str, str]]:
        """Yield the key and the name of every recipient."""
        if not self.directed:
            yield self.book.rules.key, f"director of {self.book.rules.title[:_TITLE]}"
        elif self.book.witness:
            yield self.book.rules.witness, f"witness of {self.book.rules.title[:_TITLE]}"
        all_ = self.directed or self.own == self.book.rules.witness or self.book.rules.bids
        for entrant in self.book.entrants.values() if all_ else ():
            if entrant.key not in (self.own, self.book.rules.key):
                yield entrant.key, entrant.name
        for key, paper in open_papers.list_outsiders(self.book).items() if self.directed else ():
            yield key, paper.text("name")

    def list_correspondents(self, key: str) -> list[str]:
        """Return the keys of the entrants to whom an entrant or the witness (``key``) sends copies of letters."""
        if key == self.book.rules.witness:
            return [entrant.key for entrant in self.book.entrants.values() if not entrant.out]
        reader, open_ = self.book.by_key(key), (board for board in self.book.going() if not board.sides_known)
        number = reader.number if reader is not None else ""
        return [self.book.entrant(board.against(number)).key for board in open_ if number in board.numbers]

    def files(self, letter: Letter) -> list[tuple[str, bytes]]:
        """Return the attachments of a letter. Raises UsageError if the letter's draft has changed."""
        (item,) = letter.items
        draft = drafts.read_letter(self.record.letters, item.kind)
        if draft.sha256 != item.id:
            raise UsageError(f"{self.record.letters / item.kind}.eml differs from its record: remove the file")
        return list(draft.files)

    def bundle_log(self, key: str) -> tuple[str, bytes]:
        """Return a file (name, bytes) with the log papers that the owner of ``key`` has not acknowledged yet."""
        name, text = mailing.bundle_news(self.book, mailing.newest_seen(self.book).get(key, -1) + 1)
        return name, text.encode("ascii")

    def signer(self) -> Signer:
        """Return the key that signs address cards. Raises UsageError."""
        return keys.load_key(Path(self.record.key))

    def has_arrived(self, letter: Letter) -> bool:
        """Return whether the recipient surely has a letter: a later paper or an acknowledgement proves it."""
        name = letter.items[0].kind
        if self.directed:
            return mailing.newest_seen(self.book).get(self.reader(name), -1) >= letter.seq
        text = self.record.entry(name) or self.record.entry(name.partition("-")[2])  # one letter per assistant
        return bool(text) and forms.read_paper(text.encode("ascii"), name).id in self.book.received


@lru_cache(maxsize=16)
def _load_book(folder: Path, _numbers: tuple[int, ...]) -> Book:
    """Return the book of a folder, cached by its numbers of papers and the time of its newest log paper."""
    return reading.read_folder(folder)


def list_tournaments(home: Path) -> list[Event]:
    """Return the readable tournaments of this private folder."""
    return _survey_tournaments(home)[0]


def list_faults(home: Path) -> list[KurskError]:
    """Return the errors of unreadable tournaments in this private folder."""
    return list(_survey_tournaments(home)[1])


def _survey_tournaments(home: Path) -> tuple[list[Event], list[DiskError]]:
    records, wrong = private.survey_records(home)
    readable, why = list[Event](), [str(error) for error in wrong]
    for event in map(Event, records):
        try:
            event.keys, event.own  # noqa: B018  reads the book, and the key
            readable.append(event)
        except KurskError as error:
            why.append(f"{event.folder}: {error}")
    waits = "the tournament is stopped, and new papers wait"
    return readable, [DiskError(f"{told}; {waits}") for told in why]


def member_keys(event: Event) -> set[str]:
    """Return the keys of the director and all entrants."""
    named = {event.book.rules.key, event.book.rules.witness} - {""}
    return {*named, *(entrant.key for entrant in event.book.entrants.values())}


def list_directed(home: Path) -> Iterator[Event]:
    """Yield the tournaments directed by the owner of the private folder."""
    return (event for event in list_tournaments(home) if event.directed)


def find_directed(home: Path, head: Mapping[str, Any]) -> Event | None:
    """Return the tournament named in message 0 of a game if the folder's owner directs the tournament, or None.

    Raises DiskError if an unreadable tournament may be the named tournament.
    """
    event = find_tournament(home, head)
    return event if event is not None and event.directed else None


def find_tournament(home: Path, head: Mapping[str, Any]) -> Event | None:
    """Return the tournament of a game. An assistant's copy of the log is enough. Raises DiskError."""
    said = head.get(boards.FIELD)
    id_ = said.get("id") if isinstance(said, Mapping) else ""
    if not id_ or not isinstance(id_, str):
        return None
    readable, wrong = _survey_tournaments(home)
    event = next((event for event in readable if event.game == id_), None)
    if event is None and wrong:
        raise wrong[0]
    return event


def describe_board(home: Path, head: Mapping[str, Any]) -> tuple[str, str, str, tuple[str, ...]]:
    """Return board and tournament of a game, 'the final' of a cup, the end of the time, and what loss and win mean."""
    with suppress(DiskError):
        if (event := find_tournament(home, head)) is not None:
            book, called = event.book, str(head[boards.FIELD]["board"])
            about = f"board {called} of {book.rules.title}"
            if (board := book.boards.get(called)) is None:
                return about, "", "", ()
            ends = f" The game must end by {times.tell(clocks.round_due(book, board.round))}."
            return about, stages.name_stage(book, board.round), ends, stages.name_fates(book, board.round)
    return "", "", "", ()


def list_games(home: Path) -> Iterator[tuple[Known, str]]:
    """Yield every game in tournaments directed here (by this private folder's owner), with the director's key."""
    for event in list_directed(home):
        for folder in sorted((event.folder / GAMES).glob("game-*")):
            if folders.is_game_folder(folder) and (game := folders.read_game_id(folder)):
                yield Known(game, register.shorten_path(folder), None), event.book.rules.key
