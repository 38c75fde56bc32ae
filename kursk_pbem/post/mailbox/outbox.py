"""The outbox: what happened to each letter that is written, with turns or in words.

The bytes of a letter are a file, ``out/GAME/NAME.eml``, written once. Its row comes after the file. Another row says
what became of it for one reader. An attempt is counted before it is made (decision 80).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.formats import files, times
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import place, store
from kursk_pbem.post.mailbox.letter import Item, Letter

SENT, LATER, REFUSED, BOUNCED = "sent", "later", "refused", "bounced"
WORDS = "words"
"""The name of the box with the letters in words."""
_MOST = 64 * 1024 * 1024
"""Bytes of a letter, which may hold a whole tournament."""
WAITS = (5 * 60, 15 * 60, 60 * 60, 4 * 3600)
"""Seconds from one attempt to the next."""
GIVEN_UP, LEAST_TRIES, MOST_DOUBTS = 3 * times.DAY, 5, 8
"""How long a server puts a letter off before it is given up, after how many attempts; how many may be in doubt."""


@dataclass(frozen=True)
class Delivery:
    """What became of a letter for one reader: its ``state`` ('' without an answer), since when, and in which words.

    ``doubts``: attempts whose answer is unknown. ``first``: when a server has put it off first.
    """

    state: str = ""
    at: str = ""
    words: str = ""
    tries: int = 0
    doubts: int = 0
    first: str = ""

    @property
    def end(self) -> str:
        """How it ended; '' while it has not."""
        return "" if self.state == LATER else self.state

    def hold(self, now: str) -> tuple[str, bool]:
        """Return why it is not tried now, '' if it is; and whether it is not tried before its owner says so."""
        if self.doubts >= MOST_DOUBTS:
            return f"{self.doubts} times nobody knows whether it arrived", True
        if not self.tries:
            return "", False
        if self.state == LATER:
            if self.tries >= LEAST_TRIES and self.first and times.between(self.first, self.at) > GIVEN_UP:
                return "given up after three days", True
            why, wait = "put off by the server", WAITS[min(self.tries - self.doubts, len(WAITS)) - 1]
        else:  # after the first one at once
            why, wait = "nobody knows whether it arrived", (0, *WAITS)[min(self.doubts, len(WAITS) + 1) - 1]
        passed = times.between(self.at, now)
        return (f"{why}; again in {times.in_words(wait - passed)}" if 0 <= passed < wait else ""), False


@dataclass(frozen=True)
class Box:
    """The letters of one game, or tournament, or those in words."""

    home: Path
    game: str

    def _select(self, query: str, *values: object) -> list[Any]:
        with store.reading(self.home) as rows:
            return rows.execute(query, (self.game, *values)).fetchall()

    def _path(self, letter: Letter) -> Path:
        return place.root(self.home) / "out" / self.game[:16] / f"{letter.name}.eml"

    def raw(self, letter: Letter) -> bytes:
        """Return the bytes of a letter that is written. OSError."""
        return files.read(self._path(letter), _MOST)

    def letters(self, where: str = "", *values: object) -> list[Letter]:
        """Return the letters that are written, those about the newest message first."""
        query = f"select data from letter where game = ? {where} order by name desc"  # noqa: S608
        return [letters.from_plain(json.loads(data)) for (data,) in self._select(query, *values)]

    def undone(self) -> list[Letter]:
        """Return the letters that some reader was not sent, and those that came back, the oldest message first."""
        return self.letters("and not over")[::-1]

    def newest(self, letter: Letter) -> bool:
        """Return whether no newer edition of a letter is written."""
        query = "select max(edition) from letter where game = ? and digest = ?"
        return self._select(query, letter.digest) == [(letter.edition,)]

    def holds(self, digest: str) -> bool:
        """Return whether a letter with this digest is written."""
        return bool(self._select("select 1 from letter where game = ? and digest = ?", digest))

    def carries(self, item: Item, mark: str) -> bool:
        """Return whether a letter to somebody holds an item."""
        there = (letter for letter in self.letters("and seq >= ?", item.seq) if item in letter.carried)
        return any(reader.mark == mark for letter in there for reader in letter.to)

    def of(self, letter: Letter, mark: str) -> Delivery:
        """Return what became of a letter for one reader."""
        query = "select state, at, words, tries, doubts, first from delivery where game = ? and name = ? and mark = ?"
        return next((Delivery(*row) for row in self._select(query, letter.name, mark)), Delivery())

    def through(self, letter: Letter) -> bool:
        """Return whether a letter was sent to all of its readers."""
        return all(self.of(letter, reader.mark).state == SENT for reader in letter.to)

    def _save(self, letter: Letter, mark: str, said: Delivery, *, over: bool | None = None) -> None:
        with store.writing(self.home) as rows:
            values = (said.state, said.at, said.words, said.tries, said.doubts, said.first)
            row = (self.game, letter.name, mark, *values)
            rows.execute("insert or replace into delivery values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            over = self.through(letter) if over is None else over
            rows.execute("update letter set over = ? where game = ? and name = ?", (over, *row[:2]))

    def begin(self, letter: Letter, mark: str) -> None:
        """Record an attempt, before it is made."""
        said = self.of(letter, mark)
        tried = replace(said, state="", at=clock.now(), tries=said.tries + 1, doubts=said.doubts + 1)
        self._save(letter, mark, tried)

    def put_off(self, letter: Letter, mark: str, *, reached: bool) -> None:
        """Record that the server put the newest attempt off, or that no server was ``reached``."""
        said, now = self.of(letter, mark), clock.now()
        first = said.first or (now if reached else "")
        self._save(letter, mark, replace(said, state=LATER, at=now, doubts=said.doubts - 1, first=first))

    def note(self, letter: Letter, mark: str, what: str, words: str = "") -> None:
        """Record how a letter ended for one reader. One in words is tried no more, and its file goes."""
        ended = replace(self.of(letter, mark), state=what, at=clock.now(), words=words)
        self._save(letter, mark, ended, over=True if self.game == WORDS else None)
        if self.game == WORDS:
            self._path(letter).unlink(missing_ok=True)

    def write(self, letter: Letter, render: Callable[[Letter], bytes]) -> Letter:
        """Write a letter for good: its file, then its row. Return it, or a later edition.

        Bytes that are there already may have been sent, so they stay; a letter to other addresses is a new edition.
        """
        if written := self.letters("and name = ?", letter.name):
            return written[0]
        raw = render(letter)
        while (path := self._path(letter)).exists() and _addressed(path.read_bytes()) != _addressed(raw):
            letter = replace(letter, edition=letter.edition + 1)
            raw = render(letter)
        if not path.exists():
            place.put(path, raw)
        row = (self.game, letter.name, letter.digest, letter.edition, letter.seq, 0, json.dumps(asdict(letter)))
        with store.writing(self.home) as rows:
            rows.execute("insert into letter values (?, ?, ?, ?, ?, ?, ?)", row)
        return letter


def _addressed(raw: bytes) -> tuple[object, object]:
    headers = BytesHeaderParser().parsebytes(raw)
    return headers["To"], headers["Cc"]


def of_report(home: Path, digest: str, edition: int) -> list[tuple[Box, Letter]]:
    """Return the letters that a report names, by what their Message-IDs hold."""
    with store.reading(home) as rows:
        found = rows.execute("select game, data from letter where digest = ? and edition = ?", (digest, edition))
        return [(Box(home, game), letters.from_plain(json.loads(data))) for game, data in found]


def troubled(home: Path, mark: str, since: str) -> bool:
    """Return whether a letter to somebody came back, or was refused, since a time. Raises DiskError."""
    query = "select 1 from delivery where mark = ? and at >= ? and state in (?, ?)"
    with store.reading(home) as rows:
        return rows.execute(query, (mark, since, REFUSED, BOUNCED)).fetchone() is not None
