"""Letters on their way: which are tried now, and what comes of it.

The row of an attempt is written before the attempt is made. If the program, the server or the line dies in between,
nobody knows whether the letter arrived, and the same bytes are sent again. Later letters of a game wait behind one that
is put off, so that each reader gets them in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.post.mailbox import outbox, shunt, store
from kursk_pbem.post.mailbox.events import Event
from kursk_pbem.post.mailbox.letter import Reader
from kursk_pbem.post.mailbox.outbox import Hold, standing
from kursk_pbem.post.round.office import Office, Slate, unreached
from kursk_pbem.post.wire import smtp
from kursk_pbem.post.wire.smtp import Answer, Transport, UnreachableError

_BEGUN = "begun"


@dataclass(frozen=True)
class Step:
    """What happened to a letter for one reader: an answer of the server, or why it was not tried."""

    slate: Slate
    reader: Reader
    answer: Answer | None
    hold: Hold | None = None


_TOLD = {"later": "put off", "refused": "refused", "doubt": "nobody knows whether it arrived; it is sent again"}


def told(step: Step) -> tuple[str, bool]:
    """Return what happened to a letter in words, and whether its owner has to see to it."""
    to = f"<{step.reader.address or '?'}>"
    if step.hold is not None:
        label = step.slate.label
        more = f"; 'kursk outbox --sent {label}' says that it did, '--again {label}' tries anew"
        return f"{to}: not tried: {step.hold.why}{more if step.hold.stopped else ''}", step.hold.stopped
    if step.answer is None or step.answer.state == smtp.SENT:
        return f"{to}: sent", False
    code = f" ({step.answer.code})" if step.answer.code else ""
    return f"{to}: {_TOLD[step.answer.state]}{code}: {step.answer.words}", step.answer.state == smtp.REFUSED


def send(office: Office, transport: Transport) -> Iterator[Step]:
    """Send each letter that may go out now, game by game and in order; yield what came of each. Raises KurskError."""
    held: set[tuple[str, str]] = set()
    for slate in office.slates():
        game, first = slate.about.game, slate.letter.to[0]
        if not slate.written and not any(reader.address for reader in slate.letter.to):
            held.add((game, first.mark))
            yield Step(slate, first, None, Hold(unreached(office, first)))
        elif slate.written or (game, first.mark) not in held:
            faults = len(office.faults)
            with shunt.guarded(office.home, slate.label, b"", office.faults.append, but=UnreachableError):
                yield from _written(office, slate, transport, held)
            if len(office.faults) > faults:
                held |= {(game, reader.mark) for reader in slate.letter.to}
    with shunt.guarded(office.home, "tournaments", b"", office.faults.append):
        office.settle()


def _written(office: Office, slate: Slate, transport: Transport, held: set[tuple[str, str]]) -> Iterator[Step]:
    """Write a letter, and send it to each of its readers who may not have it."""
    slate = office.write_down(slate)
    box, letter = slate.box, slate.letter
    raw = slate.raw
    for reader in filter(slate.lacks, letter.to):
        end, line = box.ended(letter, reader.mark), (slate.about.game, reader.mark)
        if end == outbox.SENT:
            continue
        hold = Hold(end) if end else standing(box, letter, reader, clock.now())
        if not end and line in held:
            hold = Hold("waits behind an earlier letter")
        elif hold is None and not transport.ready():
            hold = Hold("the server has closed the line; again in the next round")
        if hold is not None:
            held |= set() if end else {line}
            yield Step(slate, reader, None, hold if reader.address else Hold(unreached(office, reader)))
            continue
        box.begin(letter, reader.mark)
        answer = transport.send(raw, letter.sender, reader.address)
        if answer.state in (smtp.SENT, smtp.REFUSED):
            box.note(letter, reader.mark, answer.state, answer.words)
        else:
            held.add(line)
            if answer.state == smtp.LATER:
                box.put_off(letter, reader.mark, reached=answer.reached)
        yield Step(slate, reader, answer)


def begun(home: Path) -> bool:
    """Return whether letters have been sent from here before: then what is in no letter was never sent."""
    return store.setting(home, _BEGUN) != ""


def begin(office: Office, as_sent: Sequence[Slate]) -> None:
    """Record that letters are sent from here from now on, and that these were mailed otherwise. Raises KurskError."""
    boxes: dict[str, list[Slate]] = {}
    for slate in as_sent:
        if isinstance(slate.about, Event):
            office.sent_by_hand(slate)
        else:
            boxes.setdefault(slate.about.game, []).append(slate)
    with store.writing(office.home):
        for slates in boxes.values():
            slates[0].box.count_as_sent([slate.letter for slate in slates])
        store.set_setting(office.home, _BEGUN, clock.now())
