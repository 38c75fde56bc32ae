"""Sending of letters: the letters due now, and their results.

An attempt is recorded before sending. If the program, the server or the connection fails, the result is unknown, and
the next round sends the same bytes again. Letters need no order, because each contains the whole game or log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.post.mailbox import store, task_guard
from kursk_pbem.post.mailbox.letter import REPLIED, Letter, Reader
from kursk_pbem.post.mailbox.outbox import COPY, SENT, Box
from kursk_pbem.post.round.outgoing import Outbox, OutgoingLetter
from kursk_pbem.post.wire import smtp
from kursk_pbem.post.wire.smtp import Answer, Transport, UnreachableError

_BEGUN = "begun"
NOT_TRIED, _GIVEN_UP = "not tried", "given up"
_TOLD = {"later": "put off", "refused": "refused", "doubt": "delivery unknown; sending again"}


@frozen
class Step:
    """The result of sending a letter to one reader: the server's ``state`` or ``NOT_TRIED``, and ``words``.

    ``bad``: the owner must act.
    """

    entry: OutgoingLetter
    reader: Reader
    state: str
    words: str
    bad: bool = False


def _not_tried(entry: OutgoingLetter, reader: Reader, why: str, *, stopped: bool = False) -> Step:
    """Return a step for a letter not sent to a reader. ``stopped``: the letter waits for its owner."""
    more = f"; 'kursk outbox --sent {entry.label}' marks the letter as sent, '--again {entry.label}' sends again"
    words = f"<{reader.address or '?'}>: not tried: {why}{more if stopped else ''}"
    return Step(entry, reader, NOT_TRIED, words, stopped)


def _attempt_sending(box: Box, letter: Letter, reader: Reader, transport: Transport) -> Answer:
    """Send a letter to one reader, and record the result."""
    raw = box.raw(letter)
    box.begin(letter, reader.mark)
    answer = transport.send(raw, letter.sender, reader.address)
    if answer.state in (smtp.SENT, smtp.REFUSED):
        box.note(letter, reader.mark, answer.state, answer.words)
    elif answer.state == smtp.LATER:
        box.put_off(letter, reader.mark, reached=answer.code >= 400)
    return answer


def send_letters(outbox: Outbox, transport: Transport) -> Iterator[Step]:
    """Send each due letter, by game and in order; yield the results. Raises KurskError."""
    had = set[str]()
    for entry in outbox.list_letters():
        if not entry.written and not any(reader.address for reader in entry.letter.to):
            first = entry.letter.to[-1 if getattr(entry.about, "relayed", False) else 0]
            yield _not_tried(entry, first, outbox.describe_unreached(first))
            continue
        with task_guard.guard_task(outbox.home, entry.label, b"", outbox.faults.append, but=UnreachableError):
            for step in _send_one(outbox, entry, transport):
                had |= set() if step.state == NOT_TRIED else {step.reader.mark}
                yield step
    with task_guard.guard_task(outbox.home, "letters in words", b"", outbox.faults.append):
        outbox.faults += _send_words(outbox, transport, had)
    with task_guard.guard_task(outbox.home, "tournaments", b"", outbox.faults.append):
        outbox.settle()


def _send_one(outbox: Outbox, entry: OutgoingLetter, way: Transport) -> Iterator[Step]:
    """Save a letter, and send it to each reader without proof of receipt."""
    entry = outbox.write_down(entry)
    box, letter = entry.box, entry.letter
    for reader in sorted(letter.to, key=lambda one: not one.address) if entry.relayed else letter.to:
        if entry.relayed and not reader.address:
            if box.delivery_of(letter, letter.to[-1].mark).state == SENT:
                box.note(letter, reader.mark, SENT, "by the director")
            continue
        if not entry.is_open(reader):
            continue
        said = box.delivery_of(letter, reader.mark)
        ended = "" if reader.mark in entry.again else said.end
        why, stopped = (ended, False) if said.end else said.waiting_reason(clock.now())
        if not reader.address:
            why, stopped = outbox.describe_unreached(reader), False
        elif not why and not way.ready():
            why = "the server has closed the connection; the next round tries again"
        if why:
            yield _not_tried(entry, reader, why, stopped=stopped)
            continue
        if not box.is_copied(letter) and way.send(box.raw(letter), letter.sender, letter.sender).state == smtp.SENT:
            box.note(letter, COPY, SENT, letter.sender)
        answer = _attempt_sending(box, letter, reader, way)
        code = f" ({answer.code})" if answer.code else ""
        told = "sent" if answer.state == smtp.SENT else f"{_TOLD[answer.state]}{code}: {answer.words}"
        yield Step(entry, reader, answer.state, f"<{reader.address}>: {told}", answer.state == smtp.REFUSED)


def _send_words(outbox: Outbox, transport: Transport, had: set[str]) -> Iterator[UsageError]:
    """Send the letters in words, answers first, one to a reader; yield faults. ``had``: readers already served."""
    for letter in sorted(outbox.words.list_open(), key=lambda one: (one.items[0].kind != REPLIED, one.date)):
        (reader,) = letter.to
        why, stopped = outbox.words.delivery_of(letter, reader.mark).waiting_reason(clock.now())
        if reader.mark in had or (why and not stopped):
            continue
        if not transport.ready():
            return
        if why:
            outbox.words.note(letter, reader.mark, _GIVEN_UP, why)
        elif (answer := _attempt_sending(outbox.words, letter, reader, transport)).state == smtp.REFUSED:
            why = answer.words
        had.add(reader.mark)
        if why:
            yield UsageError(f"a letter in words to {reader.address} did not go out: {why}")


def has_begun(home: Path) -> bool:
    """Return whether this private folder has sent letters before. If so, messages without a letter are unsent."""
    return store.load_setting(home, _BEGUN) != ""


def begin_sending(outbox: Outbox, as_sent: Sequence[OutgoingLetter]) -> None:
    """Record that sending begins. The letters ``as_sent`` were mailed by hand and count as sent. Raises KurskError."""
    for entry in as_sent:
        outbox.mark_sent_by_hand(replace(entry, letter=replace(entry.letter, cards=())))
    store.save_setting(outbox.home, _BEGUN, clock.now())
