"""The outbox: the state of each written letter: a letter with turns, or in words alone.

The bytes of a letter are in ``out/GAME/NAME.eml``, written before its row in the store. Another row has the result
for one reader. An attempt is recorded before sending (decision 80).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import files, times
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.words import plural
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import post_folder, store
from kursk_pbem.post.mailbox.letter import Item, Letter

SENT, LATER, REFUSED, BOUNCED = "sent", "later", "refused", "bounced"
WORDS = "words"
"""The name of the box with letters in words, which contain no turns."""
COPY = "copy"
"""The mark, in place of a reader's mark, of the sender's own copy of a letter."""
_MOST = 64 * 1024 * 1024
"""Maximum bytes of a letter, enough for a whole tournament."""
WAITS = (5 * 60, 15 * 60, 60 * 60, 4 * 3600)
"""Seconds to wait after the first, second and later attempts to send a letter."""
GIVEN_UP, LEAST_TRIES, MOST_DOUBTS = 3 * times.DAY, 5, 8
"""A postponed letter is given up after this time and number of attempts; and the maximum of attempts in doubt."""


@frozen
class Delivery:
    """The result of sending a letter to one reader. ``state``: '' without an answer; ``at``, ``words``: the server's.

    ``doubts``: attempts with unknown result. ``first``: time of the first postponement by a server.
    """

    state: str = ""
    at: str = ""
    words: str = ""
    tries: int = 0
    doubts: int = 0
    first: str = ""

    @property
    def end(self) -> str:
        """The final state of the delivery, or '' if the letter must still be sent."""
        return "" if self.state == LATER else self.state

    def waiting_reason(self, now: str) -> tuple[str, bool]:
        """Return why the letter waits ('' if it can be sent at time ``now``), and whether the owner must act first."""
        if self.doubts >= MOST_DOUBTS:
            return f"{self.doubts} attempts with unknown result", True
        if not self.tries:
            return "", False
        if self.state == LATER:
            if self.tries >= LEAST_TRIES and self.first and times.seconds_between(self.first, self.at) > GIVEN_UP:
                return "given up after three days", True
            why = f"the mailbox is full: {self.words}" if self.words else "postponed by the server"
            wait = WAITS[min(self.tries - self.doubts, len(WAITS)) - 1]
        else:  # at once after the first one
            why, wait = "delivery unknown", (0, *WAITS)[min(self.doubts, len(WAITS) + 1) - 1]
        passed = times.seconds_between(self.at, now)
        return (f"{why}; again in {times.in_words(wait - passed)}" if 0 <= passed < wait else ""), False


@frozen
class Box:
    """The outbox of one game or tournament: its letters. The game '' has the letters without attachments."""

    home: Path
    game: str

    def _select(self, query: str, *values: object) -> list[Any]:
        with store.open_reading(self.home) as rows:
            return rows.execute(query, (self.game, *values)).fetchall()

    def _path(self, letter: Letter) -> Path:
        return post_folder.locate(self.home) / "out" / self.game[:16] / f"{letter.name}.eml"

    def raw(self, letter: Letter) -> bytes:
        """Return the bytes of a saved letter. Raises OSError."""
        return files.read(self._path(letter), _MOST)

    def letters(self, where: str = "", *values: object) -> list[Letter]:
        """Return the saved letters, the newest message first. ``where``: an SQL condition with these ``values``."""
        query = f"select data from letter where game = ? {where} order by name desc"  # noqa: S608
        return [letters.from_plain(json.loads(data)) for (data,) in self._select(query, *values)]

    def list_open(self) -> list[Letter]:
        """Return the letters that are not sent yet or that came back, the oldest message first."""
        return self.letters("and not over")[::-1]

    def is_newest(self, letter: Letter) -> bool:
        """Return whether the outbox has no newer edition of a letter."""
        query = "select max(edition) from letter where game = ? and digest = ?"
        return self._select(query, letter.digest) == [(letter.edition,)]

    def holds(self, digest: str) -> bool:
        """Return whether the outbox has a letter with this digest."""
        return bool(self._select("select 1 from letter where game = ? and digest = ?", digest))

    def carries(self, item: Item, mark: str) -> bool:
        """Return whether a saved letter to a reader contains an item. ``mark``: the reader's mark."""
        there = (letter for letter in self.letters("and seq >= ?", item.seq) if item in letter.carried)
        return any(reader.mark == mark for letter in there for reader in letter.to)

    def delivery_of(self, letter: Letter, mark: str) -> Delivery:
        """Return the state of the delivery of a letter to one reader."""
        query = "select state, at, words, tries, doubts, first from delivery where game = ? and name = ? and mark = ?"
        return next((Delivery(*row) for row in self._select(query, letter.name, mark)), Delivery())

    def is_through(self, letter: Letter) -> bool:
        """Return whether a letter was sent to all readers."""
        return all(self.delivery_of(letter, reader.mark).state == SENT for reader in letter.to)

    def is_copied(self, letter: Letter) -> bool:
        """Return whether the owner has got a copy of a letter: in the folder of sent mails, or by mail."""
        return self.delivery_of(letter, COPY).state == SENT

    def _save(self, letter: Letter, mark: str, said: Delivery, *, over: bool | None = None) -> None:
        with store.open_writing(self.home) as rows:
            values = (said.state, said.at, said.words, said.tries, said.doubts, said.first)
            row = (self.game, letter.name, mark, *values)
            rows.execute("insert or replace into delivery values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            over = self.is_through(letter) if over is None else over
            rows.execute("update letter set over = ? where game = ? and name = ?", (over, *row[:2]))

    def begin(self, letter: Letter, mark: str) -> None:
        """Record that an attempt to send a letter begins."""
        said = self.delivery_of(letter, mark)
        tried = replace(said, state="", at=clock.now(), tries=said.tries + 1, doubts=said.doubts + 1)
        self._save(letter, mark, tried)

    def put_off(self, letter: Letter, mark: str, *, reached: bool, words: str = "") -> None:
        """Record a postponed attempt. ``reached``: whether a server answered. ``words``: its words for a full box."""
        said, now = self.delivery_of(letter, mark), clock.now()
        first, doubts = said.first or (now if reached else ""), max(said.doubts - 1, 0)
        self._save(letter, mark, replace(said, state=LATER, at=now, doubts=doubts, first=first, words=words))

    def note(self, letter: Letter, mark: str, what: str, words: str = "") -> None:
        """Record the final delivery of a letter to one reader. A letter without attachments is then deleted."""
        ended = replace(self.delivery_of(letter, mark), state=what, at=clock.now(), words=words, doubts=0)
        self._save(letter, mark, ended, over=True if self.game == WORDS else None)
        if self.game == WORDS:
            self._path(letter).unlink(missing_ok=True)

    def write(self, letter: Letter, render: Callable[[Letter], bytes]) -> Letter:
        """Save a letter's file, then the letter's row in the store. Return the saved letter or a later edition.

        A saved file stays, because the bytes may have been sent. With other addresses the letter becomes a new edition.
        """
        if written := self.letters("and name = ?", letter.name):
            return written[0]
        raw = render(letter)
        while (path := self._path(letter)).exists() and _addressed(path.read_bytes()) != _addressed(raw):
            letter = replace(letter, edition=letter.edition + 1)
            raw = render(letter)
        if not path.exists():
            post_folder.write_file(path, raw)
        row = (self.game, letter.name, letter.digest, letter.edition, letter.seq, 0, json.dumps(asdict(letter)))
        with store.open_writing(self.home) as rows:
            rows.execute("insert into letter values (?, ?, ?, ?, ?, ?, ?)", row)
        return letter


def _addressed(raw: bytes) -> tuple[object, object]:
    headers = BytesHeaderParser().parsebytes(raw)
    return headers["To"], headers["Cc"]


def find_letters(home: Path, digest: str, edition: int) -> list[tuple[Box, Letter]]:
    """Return the letters with this digest and edition. A server's report quotes both in the Message-ID of a letter."""
    with store.open_reading(home) as rows:
        found = rows.execute("select game, data from letter where digest = ? and edition = ?", (digest, edition))
        return [(Box(home, game), letters.from_plain(json.loads(data))) for game, data in found]


def find_by_subject(home: Path, thread: str, subject: str) -> list[tuple[Box, Letter]]:
    """Return the newest letter with this thread and subject, and its outbox, as a list of at most 1 pair."""
    with store.open_reading(home) as rows:
        games = rows.execute("select distinct game from letter where substr(game, 1, 32) = ?", (thread,)).fetchall()
    there = [(box, letter) for box in (Box(home, game) for (game,) in games) for letter in box.letters()]
    return [(box, letter) for box, letter in there if letter.subject == subject][:1]


def reopen(home: Path, mark: str) -> None:
    """Let the next round send again all returned and postponed letters to a person. Raises DiskError."""
    with store.open_writing(home) as rows:
        said = "update delivery set state = '', tries = 0, doubts = 0, first = '', words = ''"
        asked = f"{said} where mark = ? and game <> ? and state in (?, ?)"
        rows.execute(asked, (mark, WORDS, BOUNCED, LATER))


def describe_put_off(home: Path) -> str:
    """Return a line about the letters that a server postponed, or ''. Raises DiskError."""
    query = "select count(*) from delivery where game <> ? and state = ?"
    with store.open_reading(home) as rows:
        number = int(rows.execute(query, (WORDS, LATER)).fetchone()[0])
    return f"{plural(number, 'letter')} postponed by a server: 'kursk outbox' gives the reason" if number else ""


def has_trouble(home: Path, mark: str, since: str) -> bool:
    """Return whether, since a time, a letter to a person came back, was refused or postponed. Raises DiskError."""
    query = "select 1 from delivery where mark = ? and at >= ? and state in (?, ?, ?)"
    with store.open_reading(home) as rows:
        return rows.execute(query, (mark, since, REFUSED, BOUNCED, LATER)).fetchone() is not None
