"""Letters that came back: each is told, and the address is not used until its owner says it again.

Anybody can write such a report. It counts only with the Message-ID of a letter that was tried here (T60).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import outbox, people
from kursk_pbem.post.mailbox.letter import Letter
from kursk_pbem.post.mailbox.outbox import BOUNCED, SENT, Box
from kursk_pbem.post.round import notes
from kursk_pbem.post.wire.reported import Bounce


def take(home: Path, bounce: Bounce) -> Iterator[str]:
    """Note that a letter came back, and yield a line for each of its readers. Raises DiskError."""
    why = show(bounce.why) if bounce.why else "no reason is given"
    if bounce.edition is None:
        for name, to in notes.tried(home, bounce.digest):
            yield from _words_came_back(home, name, to, bounce.readers, why)
        return
    for letter in outbox.of_report(home, bounce.digest, bounce.edition):
        yield from _turn_came_back(home, letter, bounce.readers, why)


def _turn_came_back(home: Path, letter: Letter, failed: tuple[str, ...], why: str) -> Iterator[str]:
    box, name = Box(home, letter.game), f"{letter.game[:8]}/{letter.seq}"
    for reader in letter.to:
        tried = box.tries(letter, reader.mark) and box.ended(letter, reader.mark) in ("", SENT)
        if tried and _among(reader.address, failed):
            anew = _stop(home, reader.address)
            next_step = f"Nothing more goes to that address. {anew}, then " if anew else ""
            yield (f"the letter {name} to {reader.address} came back: {why}. {next_step}'kursk outbox --again {name}'")
            box.note(letter, reader.mark, BOUNCED, words=why)


def _words_came_back(home: Path, name: str, to: str, failed: tuple[str, ...], why: str) -> Iterator[str]:
    if not _among(to, failed):
        return
    anew = _stop(home, to)
    next_step = f". Nothing more goes to that address. {anew}" if anew else ""
    yield f"a letter in words to {to} came back: {why}{next_step}"
    notes.note_bounce(home, name, why)


def _among(address: str, failed: tuple[str, ...]) -> bool:
    return any(addresses.same(address, each) for each in failed)


def _stop(home: Path, address: str) -> str:
    """Stop an address for all who were reached there; return what to type to use it again, '' if nobody was.

    A crash may follow, so this is written before the bounce counts as known.
    """
    stopped = people.stop(home, address)
    return " and ".join(f"{person.command('add', address)} uses it again" for person in stopped)
