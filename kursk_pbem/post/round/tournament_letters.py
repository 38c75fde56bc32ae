"""The letters of a tournament in the outbox: each waiting draft becomes one letter, sent once to each reader.

The signing desk writes drafts; this module adds address, Message-ID and thread. A sent letter is also marked at the
desk. Papers without the director's acknowledgment are sent again after some days, unchanged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.mailbox.letter import Item, Letter, Reader
from kursk_pbem.post.mailbox.outbox import BOUNCED, REFUSED, SENT, Box
from kursk_pbem.post.round.writing import Writer
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament.entrant.desk import LOG_LETTER

_AGAIN_AFTER = 3 * times.DAY
_MOST_EDITIONS = 5


def list_pending(event: Event, box: Box, writer: Writer) -> Iterator[tuple[Letter, bool]]:
    """Yield every due letter of a tournament, and whether the letter is saved already. Raises KurskError."""
    waiting = {path.stem for path in drafts.list_unsent(event.record.letters)}
    yield from ((letter, True) for letter in box.list_open() if not _is_moot(event, box, letter, waiting))
    for name in sorted(waiting):
        letter = compose_letter(event, name, writer)
        if letter is not None and not box.holds(letter.digest) and not event.has_arrived(letter):
            yield letter, False
    if not event.directed and not event.book.ended:
        yield from ((letter, False) for letter in _list_unanswered(event, box, writer))


def _is_moot(event: Event, box: Box, letter: Letter, waiting: set[str]) -> bool:
    """Return whether a letter was mailed otherwise, replaced, or proved as received.

    After the first edition is sent, its draft no longer waits; later editions replace a lost letter.
    """
    if event.has_arrived(letter) or not box.is_newest(letter):
        return True
    (reader,) = letter.to
    mailed = letter.edition == 0 and letter.items[0].kind not in waiting
    return mailed and box.delivery_of(letter, reader.mark).state not in (BOUNCED, REFUSED)


def _list_unanswered(event: Event, box: Box, writer: Writer) -> Iterator[Letter]:
    """Yield new editions of letters sent days ago without acknowledgment."""
    for letter in filter(box.is_newest, box.letters()):
        (reader,) = letter.to
        said = box.delivery_of(letter, reader.mark)
        if letter.items[0].kind.startswith(LOG_LETTER):
            continue  # nothing acknowledges a log
        if said.state != SENT or letter.edition + 1 >= _MOST_EDITIONS or event.has_arrived(letter):
            continue
        if not 0 <= times.seconds_between(said.at, clock.now()) < _AGAIN_AFTER:
            address = writer.person(event.reader(letter.items[0].kind)).reached
            yield writer.edition(letter, (replace(reader, address=address),))


def compose_letter(event: Event, name: str, writer: Writer) -> Letter | None:
    """Return a tournament's draft as a letter, or None if its reader is not in the tournament. Raises KurskError."""
    key = event.reader(name)
    if not key:
        return None
    draft, person = drafts.read_letter(event.record.letters, name), writer.person(key)
    return Letter(
        game=event.game,
        items=(Item(name, event.seq(name), draft.sha256),),
        others=(),
        to=(Reader(person.mark, person.reached),),
        sender=writer.own.address,
        date=clock.now(),
        subject=draft.subject,
        body="\n".join([draft.body.rstrip("\n"), ""]),
        auto=event.directed,
        cards=writer.cards([person]),
    )


def mark_sent(event: Event, box: Box, writer: Writer) -> None:
    """Record in the tournament's own record that letters were sent. Raises KurskError."""
    waiting = list(drafts.list_unsent(event.record.letters))
    through = {letter.digest for letter in (box.letters() if waiting else ()) if box.is_through(letter)}
    for path in waiting:
        letter = compose_letter(event, path.stem, writer)
        if letter is not None and letter.digest in through:
            drafts.mark_sent(event.record.letters, path.stem)
