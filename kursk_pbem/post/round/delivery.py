"""Letters on their way: which are tried now, and what comes of it.

The row of an attempt is written before the attempt is made. If the program, the server or the line dies in between,
nobody knows whether the letter arrived, and the same bytes are sent again. Later letters of a game wait behind one that
is put off, so that each reader gets them in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import UsageError
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import outbox, shunt, store
from kursk_pbem.post.mailbox.letter import REPLIED, Letter, Reader
from kursk_pbem.post.mailbox.outbox import Box
from kursk_pbem.post.round.office import Office, Slate
from kursk_pbem.post.wire import smtp
from kursk_pbem.post.wire.smtp import Answer, Transport, UnreachableError

_BEGUN = "begun"
NOT_TRIED, _MOVED = "not tried", "moved"
_TOLD = {"later": "put off", "refused": "refused", "doubt": "nobody knows whether it arrived; it is sent again"}


@dataclass(frozen=True)
class Step:
    """What happened to a letter for one reader: the ``state`` that the server answered or ``NOT_TRIED``, in ``words``.

    ``bad``: its owner has to see to it.
    """

    slate: Slate
    reader: Reader
    state: str
    words: str
    bad: bool = False


def _held(slate: Slate, reader: Reader, why: str, *, stopped: bool = False) -> Step:
    """Return that a letter is not tried for a reader. ``stopped``: before its owner says so."""
    more = f"; 'kursk outbox --sent {slate.label}' says that it did, '--again {slate.label}' tries anew"
    words = f"<{reader.address or '?'}>: not tried: {why}{more if stopped else ''}"
    return Step(slate, reader, NOT_TRIED, words, stopped)


def _attempt(box: Box, letter: Letter, reader: Reader, transport: Transport) -> Answer:
    """Send a letter to one reader, and record what came of it."""
    raw = box.raw(letter)
    box.begin(letter, reader.mark)
    answer = transport.send(raw, letter.sender, reader.address)
    if answer.state in (smtp.SENT, smtp.REFUSED):
        box.note(letter, reader.mark, answer.state, answer.words)
    elif answer.state == smtp.LATER:
        box.put_off(letter, reader.mark, reached=answer.reached)
    return answer


def send(office: Office, transport: Transport) -> Iterator[Step]:
    """Send each letter that may go out now, game by game and in order; yield what came of each. Raises KurskError."""
    held, had = set[tuple[str, str]](), set[str]()
    for slate in office.slates():
        game, first = slate.about.game, slate.letter.to[0]
        if not slate.written and not any(reader.address for reader in slate.letter.to):
            held.add((game, first.mark))
            yield _held(slate, first, office.unreached(first))
        elif slate.written or (game, first.mark) not in held:
            faults = len(office.faults)
            with shunt.guard_task(office.home, slate.label, b"", office.faults.append, but=UnreachableError):
                for step in _written(office, slate, transport, held):
                    had |= set() if step.state == NOT_TRIED else {step.reader.mark}
                    yield step
            if len(office.faults) > faults:
                held |= {(game, reader.mark) for reader in slate.letter.to}
    with shunt.guard_task(office.home, "letters in words", b"", office.faults.append):
        office.faults += _words(office, transport, had)
    with shunt.guard_task(office.home, "tournaments", b"", office.faults.append):
        office.settle()


def _written(office: Office, slate: Slate, transport: Transport, held: set[tuple[str, str]]) -> Iterator[Step]:
    """Write a letter, and send it to each of its readers who may not have it."""
    slate = office.write_down(slate)
    box, letter = slate.box, slate.letter
    for reader in letter.to:
        said, line = box.delivery_of(letter, reader.mark), (slate.about.game, reader.mark)
        if said.end == outbox.SENT or slate.has(reader):
            continue
        why, stopped = (said.end, False) if said.end else said.waiting_reason(clock.now())
        if not reader.address:
            why, stopped = office.unreached(reader), False
        elif not said.end and line in held:
            why, stopped = "waits behind an earlier letter", False
        elif not why and not transport.ready():
            why = "the server has closed the line; again in the next round"
        if why:
            held |= set() if said.end else {line}
            yield _held(slate, reader, why, stopped=stopped)
            continue
        answer = _attempt(box, letter, reader, transport)
        held |= set() if answer.state in (smtp.SENT, smtp.REFUSED) else {line}
        code = f" ({answer.code})" if answer.code else ""
        told = "sent" if answer.state == smtp.SENT else f"{_TOLD[answer.state]}{code}: {answer.words}"
        yield Step(slate, reader, answer.state, f"<{reader.address}>: {told}", answer.state == smtp.REFUSED)


def _words(office: Office, transport: Transport, had: set[str]) -> Iterator[UsageError]:
    """Send the letters in words, answers first, one to a reader; ``had``: who got a letter in this round. Yield faults.

    An address that is not its reader's any more gets nothing.
    """
    for letter in sorted(office.words.list_open(), key=lambda one: (one.items[0].kind != REPLIED, one.date)):
        (reader,) = letter.to
        person = office.by_mark.get(reader.mark)
        why, stopped = office.words.delivery_of(letter, reader.mark).waiting_reason(clock.now())
        if reader.mark in had or (why and not stopped):
            continue
        if not transport.ready():
            return
        if person is not None and not addresses.is_same(person.reached, reader.address):
            why = "its reader is not reached there any more"
        if why:
            office.words.note(letter, reader.mark, _MOVED, why)
        elif (answer := _attempt(office.words, letter, reader, transport)).state == smtp.REFUSED:
            why = answer.words
        had.add(reader.mark)
        if why:
            yield UsageError(f"a letter in words to {reader.address} did not go out: {why}")


def begun(home: Path) -> bool:
    """Return whether letters have been sent from here before: then what is in no letter was never sent."""
    return store.load_setting(home, _BEGUN) != ""


def begin(office: Office, as_sent: Sequence[Slate]) -> None:
    """Record that letters are sent from here from now on, and that these were mailed otherwise, without cards.

    Raises KurskError.
    """
    for slate in as_sent:
        office.sent_by_hand(replace(slate, letter=replace(slate.letter, cards=())))
    store.save_setting(office.home, _BEGUN, clock.now())
