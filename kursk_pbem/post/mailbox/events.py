"""A tournament as the post sees it: who is written to, what waits to be mailed, where its games lie.

No paper of a tournament holds an address. Its people are those of the address book, known by their keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from kursk_pbem.desk.shelf import register
from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import place
from kursk_pbem.post.mailbox.letter import Letter
from kursk_pbem.tournament import boards, private, reader
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament.book.records import Book
from kursk_pbem.tournament.office import post
from kursk_pbem.tournament.papers import forms
from kursk_pbem.tournament.papers.store import GAMES, LOG, PAPERS
from kursk_pbem.tournament.private import Record
from kursk_pbem.trust import keys
from kursk_pbem.trust.keys import Signer

_TITLE = 40
_OF_LOG = re.compile(r"-log-([0-9]{5})$")


@dataclass(frozen=True)
class Event:
    """A tournament that is directed or played from here, as it was when it was opened."""

    record: Record

    @property
    def game(self) -> str:
        """Its id, which names its letters and their thread as the id of a game does."""
        return self.record.tournament

    @property
    def short(self) -> str:
        """The first digits of its id."""
        return self.game[:8]

    @property
    def directed(self) -> bool:
        """Whether it is directed from here."""
        return self.record.role == private.DIRECTOR

    @property
    def folder(self) -> Path:
        """Its folder: the director's, or an entrant's copy."""
        return Path(self.record.folder)

    @cached_property
    def book(self) -> Book:
        """What its papers say. Raises KurskError."""
        return _book(self.folder, tuple(len(place.names(self.folder / name)) for name in (LOG, PAPERS)))

    @cached_property
    def keys(self) -> dict[str, str]:
        """The keys that are written to, by what names them in names of files. Raises KurskError."""
        if self.directed:
            return post.readers_of(self.book)
        return {**post.readers_of(self.book), private.DIRECTOR: self.book.rules.key}

    @cached_property
    def own(self) -> str:
        """The key that signs here. Raises UsageError."""
        return self.book.rules.key if self.directed else keys.read_public(Path(f"{self.record.key}.pub"))

    def seq(self, draft: str) -> int:
        """Return the number of the newest log paper that a letter of this name is about."""
        said = _OF_LOG.search(draft)
        return int(said[1]) if said else self.book.head.seq

    def reader(self, draft: str) -> str:
        """Return the key of the reader of a letter of this name, '' if nobody here has it."""
        return self.keys.get(post.owner_of(Path(draft)), self.keys.get(private.DIRECTOR, ""))

    def called(self) -> Iterator[tuple[str, str]]:
        """Yield the key and the name of everybody who is written to."""
        if not self.directed:
            yield self.book.rules.key, f"director of {self.book.rules.title[:_TITLE]}"
        elif self.book.witness:
            yield self.book.rules.witness, f"witness of {self.book.rules.title[:_TITLE]}"
        all_ = self.directed or self.own == self.book.rules.witness or self.book.rules.bids
        for entrant in self.book.entrants.values() if all_ else ():
            if entrant.key not in (self.own, self.book.rules.key):
                yield entrant.key, entrant.name

    def files(self, letter: Letter) -> list[tuple[str, bytes]]:
        """Return the attachments of a letter. Raises UsageError if its draft has changed since."""
        (item,) = letter.items
        draft = drafts.read(self.record.letters, item.kind)
        if draft.sha256 != item.id:
            raise UsageError(f"{self.record.letters / item.kind}.eml is not what was written down of it: remove it")
        return list(draft.files)

    def signer(self) -> Signer:
        """Return the key that signs a card. Raises UsageError."""
        return keys.load_key(Path(self.record.key))

    def arrived(self, letter: Letter) -> bool:
        """Return whether a later paper, or an acknowledgement, shows that the reader has a letter."""
        name = letter.items[0].kind
        if self.directed:
            return post.newest_seen(self.book).get(self.reader(name), -1) >= letter.seq
        text = self.record.entry(name) or self.record.entry(name.partition("-")[2])  # one secret, a letter to each
        return bool(text) and forms.read(text.encode("ascii"), name).id in self.book.received


@lru_cache(maxsize=16)
def _book(folder: Path, _numbers: tuple[int, ...]) -> Book:
    """Return the book of a folder with so many log papers and players' papers, which never change."""
    return reader.book(folder)


def every(home: Path) -> list[Event]:
    """Return the tournaments of this private folder that can be read."""
    return _survey(home)[0]


def faults(home: Path) -> list[KurskError]:
    """Return what is wrong with the tournaments of this private folder that cannot be read."""
    return list(_survey(home)[1])


def _survey(home: Path) -> tuple[list[Event], list[DiskError]]:
    records, wrong = private.survey(home)
    readable, why = list[Event](), [str(error) for error in wrong]
    for event in map(Event, records):
        try:
            event.keys, event.own  # noqa: B018  reads the book, and the key
            readable.append(event)
        except KurskError as error:
            why.append(f"{event.folder}: {error}")
    waits = "nothing is done in its tournament, and what comes for it waits"
    return readable, [DiskError(f"{told}; {waits}") for told in why]


def people_of(event: Event) -> set[str]:
    """Return the keys of its director, and of all who have entered."""
    named = {event.book.rules.key, event.book.rules.witness} - {""}
    return {*named, *(entrant.key for entrant in event.book.entrants.values())}


def directed(home: Path) -> Iterator[Event]:
    """Yield the tournaments that are directed from here."""
    return (event for event in every(home) if event.directed)


def of_game(home: Path, game: str) -> Path | None:
    """Return the folder of a game in a tournament directed from here, None if there is none."""
    there = (event.folder / GAMES / folders.folder_name(game) for event in directed(home))
    return next((folder for folder in there if folders.game_in(folder) == game), None)


def of_head(home: Path, head: Mapping[str, Any]) -> Event | None:
    """Return the tournament directed from here that message 0 of a game names, None if there is none.

    Raises DiskError if it may be one that cannot be read.
    """
    event = timed(home, head)
    return event if event is not None and event.directed else None


def timed(home: Path, head: Mapping[str, Any]) -> Event | None:
    """Return the same if only a copy of its log is here, as an assistant has who keeps time. Raises DiskError."""
    said = head.get(boards.FIELD)
    id_ = said.get("id") if isinstance(said, Mapping) else ""
    if not id_ or not isinstance(id_, str):
        return None
    readable, wrong = _survey(home)
    event = next((event for event in readable if event.game == id_), None)
    if event is None and wrong:
        raise wrong[0]
    return event


def games(home: Path) -> Iterator[tuple[Known, str]]:
    """Yield every game in the folder of a tournament directed from here, and the director's key."""
    for event in directed(home):
        for folder in sorted((event.folder / GAMES).glob("game-*")):
            if register.is_game(folder) and (game := folders.game_in(folder)):
                yield Known(game, register.short(folder), None), event.book.rules.key
