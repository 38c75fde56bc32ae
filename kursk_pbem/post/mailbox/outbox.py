"""Letters with turns: what happened to each letter that is written.

The bytes of a letter are a file, ``out/GAME/NAME.eml``, written
once. Its row comes after the file, the row of an attempt before that attempt, the row of an ending after the answer of
the server (decision 80).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.formats import times
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import place, store
from kursk_pbem.post.mailbox.letter import Item, Letter, Reader

SENT, REFUSED, BOUNCED = "sent", "refused", "bounced"
WAITS = (5 * 60, 15 * 60, 60 * 60, 4 * 3600)
"""Seconds from one attempt to the next."""
GIVEN_UP, LEAST_TRIES, MOST_DOUBTS = 3 * times.DAY, 5, 8
"""How long a server puts a letter off before it is given up, after how many attempts; how many may be in doubt."""


@dataclass(frozen=True)
class Attempt:
    """An attempt to send: ``put_off`` is when a server put the letter off, '' if its answer is unknown."""

    at: str
    put_off: str
    reached: bool


@dataclass(frozen=True)
class Hold:
    """Why a letter is not tried now. ``stopped``: it is not tried again before its owner says so."""

    why: str
    stopped: bool = False


class Box:
    """The letters of one game, or tournament, as they were when this was made, and what it wrote since."""

    def __init__(self, home: Path, game: str) -> None:
        self.home, self.game = home, game
        self.folder = place.root(home) / "out" / game[:16]
        self._load()

    def _load(self) -> None:
        with store.reading(self.home) as rows:

            def select(query: str) -> list[Any]:
                return rows.execute(f"{query} where game = ?", (self.game,)).fetchall()

            self._data: dict[str, str] = dict(select("select name, data from letter"))
            tried = sorted(select("select number, name, mark, at, put_off, reached from attempt"))
            ends = select("select name, mark, what, at, words from ending")
            said = select("select seq, papers from mailed") or [(-1, "")]
        self.as_sent = int(said[0][0])
        self._papers = set(said[0][1].split())
        self._tries: dict[tuple[str, str], list[Attempt]] = {}
        for _number, name, mark, *attempt in tried:
            self._tries.setdefault((name, mark), []).append(Attempt(*attempt))
        self._ends = {(name, mark, what): (at, words) for name, mark, what, at, words in ends}

    def _change(self, *statements: tuple[str, Sequence[object]]) -> None:
        with store.writing(self.home) as rows:
            for statement, values in statements:
                rows.execute(statement, values)
            self._load()

    @property
    def written(self) -> list[str]:
        """The names of the letters, those about the newest message first."""
        return sorted(self._data, reverse=True)

    def newest(self, letter: Letter) -> bool:
        """Return whether no newer edition of a letter is written."""
        stem = f"{letter.name.rpartition('-')[0]}-"
        return letter.edition == max(int(name.removeprefix(stem)) for name in self._data if name.startswith(stem))

    def read(self, name: str) -> Letter:
        """Return a letter by its name."""
        return letters.from_plain(json.loads(self._data[name]))

    def count_as_sent(self, mailed: Sequence[Letter]) -> None:
        """Record that these letters, and all about earlier messages, were mailed otherwise; nothing of none."""
        papers = {item.id for letter in mailed for item in letter.carried if item.kind != letters.MESSAGE}
        row = (self.game, max((letter.seq for letter in mailed), default=-1), " ".join(sorted(papers)))
        self._change(("insert or replace into mailed values (?, ?, ?)", row))

    def mailed(self, item: Item) -> bool:
        """Return whether an item counts as mailed; of the newest message's papers only those signed before."""
        if item.seq != self.as_sent or item.kind == letters.MESSAGE:
            return item.seq <= self.as_sent
        return item.id in self._papers

    def carries(self, item: Item, mark: str) -> bool:
        """Return whether a letter to somebody holds an item, or the item counts as mailed."""
        names = (name for name in self.written if int(name[:4]) >= item.seq)
        there = (letter for letter in map(self.read, names) if item in letter.carried)
        return self.mailed(item) or any(reader.mark == mark for letter in there for reader in letter.to)

    def holds(self, digest: str) -> bool:
        """Return whether a letter with this digest is written."""
        return any(f"-{digest}-" in name for name in self._data)

    def through(self, letter: Letter) -> bool:
        """Return whether a letter was sent to all of its readers."""
        return all(self.ended(letter, reader.mark) == SENT for reader in letter.to)

    def tries(self, letter: Letter, mark: str) -> list[Attempt]:
        """Return the attempts to send a letter to one reader."""
        return self._tries.get((letter.name, mark), [])

    def noted(self, letter: Letter, mark: str, what: str) -> tuple[str, str]:
        """Return when a letter ended so for one reader, and in which words."""
        return self._ends[letter.name, mark, what]

    def ended(self, letter: Letter, mark: str) -> str:
        """Return how it ended for one reader: bounced, refused, sent; '' while it has not."""
        return next((end for end in (BOUNCED, REFUSED, SENT) if (letter.name, mark, end) in self._ends), "")

    def begin(self, letter: Letter, mark: str) -> None:
        """Record an attempt, before it is made."""
        row = (self.game, letter.name, mark, len(self.tries(letter, mark)) + 1, clock.now())
        self._change(("insert into attempt (game, name, mark, number, at) values (?, ?, ?, ?, ?)", row))

    def put_off(self, letter: Letter, mark: str, *, reached: bool) -> None:
        """Record that the server put the newest attempt off, or that no server was ``reached``."""
        which = (self.game, letter.name, mark, len(self.tries(letter, mark)))
        query = "update attempt set put_off = ?, reached = ? where game = ? and name = ? and mark = ? and number = ?"
        self._change((query, (clock.now(), reached, *which)))

    def note(self, letter: Letter, mark: str, what: str, words: str = "") -> None:
        """Record how a letter ended for one reader."""
        row = (self.game, letter.name, mark, what, clock.now(), words)
        over = all(reader.mark == mark or self.ended(letter, reader.mark) == SENT for reader in letter.to)
        self._change(
            ("insert or ignore into ending values (?, ?, ?, ?, ?, ?)", row),
            ("update letter set over = ? where game = ? and name = ?", (what == SENT and over, *row[:2])),
        )

    def write(self, letter: Letter, render: Callable[[Letter], bytes]) -> Letter:
        """Write a letter for good: its file, then its row. Return it, or a later edition.

        Bytes that are there already may have been sent, so they stay; a letter to other addresses is a new edition.
        """
        if letter.name in self._data:
            return self.read(letter.name)
        raw, path = render(letter), self.folder / f"{letter.name}.eml"
        while path.exists() and _addressed(path.read_bytes()) != _addressed(raw):
            letter = replace(letter, edition=letter.edition + 1)
            raw, path = render(letter), self.folder / f"{letter.name}.eml"
        place.once(path, raw)
        row = (self.game, letter.name, letter.digest, letter.edition, letter.seq, 0, json.dumps(letter.to_plain()))
        self._change(("insert into letter values (?, ?, ?, ?, ?, ?, ?)", row))
        return letter

    def undone(self) -> Iterator[Letter]:
        """Return the letters that some reader was not sent, and those that came back, the oldest message first."""
        with store.reading(self.home) as rows:
            names = rows.execute("select name from letter where game = ? and not over order by name", (self.game,))
            undone = names.fetchall()
        return (self.read(name) for (name,) in undone)


def _addressed(raw: bytes) -> tuple[object, object]:
    headers = BytesHeaderParser().parsebytes(raw)
    return headers["To"], headers["Cc"]


def of_report(home: Path, digest: str, edition: int) -> list[Letter]:
    """Return the letters that a report names, by what their Message-IDs hold."""
    with store.reading(home) as rows:
        found = rows.execute("select data from letter where digest = ? and edition = ?", (digest, edition))
        return [letters.from_plain(json.loads(data)) for (data,) in found]


def standing(box: Box, letter: Letter, reader: Reader, now: str) -> Hold | None:
    """Return why a letter that has not ended is not tried for a reader now; None if it is tried."""
    tries = box.tries(letter, reader.mark)
    if not reader.address or not tries:
        return None if reader.address else Hold("no address")
    put_off, last = [each for each in tries if each.put_off], tries[-1]
    doubts, reached = len(tries) - len(put_off), [each.at for each in put_off if each.reached]
    if doubts >= MOST_DOUBTS:
        return Hold(f"{doubts} times nobody knows whether it arrived", stopped=True)
    if last.put_off:
        if len(tries) >= LEAST_TRIES and reached and times.between(reached[0], last.put_off) > GIVEN_UP:
            return Hold("given up after three days", stopped=True)
        why, wait = "put off by the server", WAITS[min(len(put_off), len(WAITS)) - 1]
    else:  # after the first one at once
        why, wait = "nobody knows whether it arrived", (0, *WAITS)[min(doubts, len(WAITS) + 1) - 1]
    passed = times.between(last.put_off or last.at, now)
    return Hold(f"{why}; again in {times.in_words(wait - passed)}") if 0 <= passed < wait else None
