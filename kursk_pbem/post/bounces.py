"""Letters that came back: each is told, and the address is not used until its owner says it again.

Anybody can write such a report. It counts only with the Message-ID of a letter that was tried here (T60).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.formats.text import show
from kursk_pbem.post import address as addresses
from kursk_pbem.post import outbox, people, place
from kursk_pbem.post.letter import Letter
from kursk_pbem.post.outbox import BOUNCED, SENT, Box
from kursk_pbem.post.referee import notes
from kursk_pbem.post.servers.reported import Bounce
from kursk_pbem.post.told import untold


@dataclass
class Letters:
    """The letters that went out from here, looked through once for all bounces of a round."""

    home: Path

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """The names of the letters in words that were tried, by digest. Raises DiskError."""
        return notes.tried(self.home)


def take(there: Letters, bounce: Bounce) -> Iterator[str]:
    """Note that a letter came back, and yield a line for each of its readers. Raises DiskError."""
    why = show(bounce.why) if bounce.why else "no reason is given"
    if bounce.edition is None:
        for name in there.words.get(bounce.digest, ()):
            yield from _words_came_back(there.home, name, bounce.readers, why)
        return
    for letter in outbox.of_report(there.home, bounce.digest, bounce.edition):
        yield from _turn_came_back(there.home, letter, bounce.readers, why)


def _turn_came_back(home: Path, letter: Letter, failed: tuple[str, ...], why: str) -> Iterator[str]:
    box, name = Box(home, letter.game), f"{letter.game[:8]}/{letter.seq}"
    for reader in letter.to:
        tried = box.tries(letter, reader.mark) and box.ended(letter, reader.mark) in ("", SENT)
        if tried and _among(reader.address, failed):
            anew = _stop(home, reader.address)
            next_step = f"Nothing more goes to that address. {anew}, then " if anew else ""
            yield untold.add(
                home,
                f"the letter {name} to {reader.address} came back: {why}. {next_step}'kursk outbox --again {name}'",
            )
            box.note(letter, reader.mark, BOUNCED, words=why)


def _words_came_back(home: Path, name: str, failed: tuple[str, ...], why: str) -> Iterator[str]:
    path, to = notes.came_back(home, name)
    if path.exists() or not _among(to, failed):
        return
    anew = _stop(home, to)
    next_step = f". Nothing more goes to that address. {anew}" if anew else ""
    yield untold.add(home, f"a letter in words to {to} came back: {why}{next_step}")
    place.once(path, {"why": why, "at": clock.now()})


def _among(address: str, failed: tuple[str, ...]) -> bool:
    return any(addresses.same(address, each) for each in failed)


def _stop(home: Path, address: str) -> str:
    """Stop an address for all who were reached there; return what to type to use it again, '' if nobody was.

    A crash may follow, so this is written before the bounce counts as known.
    """
    stopped = people.stop(home, address)
    return " and ".join(f"{person.command('add', address)} uses it again" for person in stopped)
