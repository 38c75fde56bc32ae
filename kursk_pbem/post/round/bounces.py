"""Returned letters: each is reported, and the address stays unused until its owner confirms it or writes from it.

Anyone can write such a report, so it needs the Message-ID of a letter sent from here, or its thread and subject (T60).
If a mailbox is full, the letter is only postponed, and sent again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import outbox, people
from kursk_pbem.post.mailbox.outbox import BOUNCED, SENT
from kursk_pbem.post.wire.reported import Bounce


def record_bounce(home: Path, bounce: Bounce) -> Iterator[str]:
    """Record that a letter came back; yield a line for each reader without the letter. Raises DiskError."""
    why = show(bounce.why) if bounce.why else "no reason is given"
    found = outbox.find_letters(home, bounce.digest, bounce.edition)
    if not bounce.digest:
        found = outbox.find_by_subject(home, bounce.thread, bounce.subject)
    for box, letter in found:
        words, label = box.game == outbox.WORDS, f"{letter.game[:8]}/{letter.seq}"
        for reader in letter.to:
            said = box.delivery_of(letter, reader.mark)
            if not said.tries or said.end not in ("", SENT) or reader.address.lower() not in bounce.readers:
                continue
            if bounce.full and not words:
                what = f"the letter {label} to {reader.address} came back: {why}"
                yield f"{what}. The mailbox is full; 'kursk post' tries again"
                box.put_off(letter, reader.mark, reached=True, words=why)
                continue
            stopped = people.record_return(home, reader.address)  # after this line, a kill loses no bounce
            anew = [" and ".join(f"{person.command('add', reader.address)} uses it again" for person in stopped)]
            steps = ", then ".join(filter(None, [*anew, "" if words else f"'kursk outbox --again {label}'"]))
            what = "a letter in words" if words else f"the letter {label}"
            no_more = "No more letters go to the address. " if stopped else ""
            yield f"{what} to {reader.address} came back: {why}. {no_more}{steps}".rstrip()
            box.note(letter, reader.mark, BOUNCED, why)
