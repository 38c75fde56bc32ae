"""Letters on their way: which are tried now, which wait, which are stopped; what happened is put down step by step.

A try is counted before it is made. If the program, the server or the line dies in between, nobody knows whether the
letter arrived: it is sent again, the same bytes with the same Message-ID, which does no harm. Later letters of a game
wait behind one that is put off, so that each reader gets them in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import KurskError
from kursk_pbem.post import outbox, place
from kursk_pbem.post.letter import Reader
from kursk_pbem.post.office import LABEL, Office, Slate, deliverable, unreached
from kursk_pbem.post.outbox import LATER, STOPPED, Box, standing
from kursk_pbem.post.referee import timing
from kursk_pbem.post.servers import smtp
from kursk_pbem.post.servers.smtp import Answer, Transport, UnreachableError
from kursk_pbem.post.tournaments.events import Event

_BEGUN = "begun"


@dataclass(frozen=True)
class Step:
    """What happened to a letter for one reader: an answer of the server, or why it was not tried."""

    slate: Slate
    reader: Reader
    answer: Answer | None
    why: str = ""


_TOLD = {"later": "put off", "refused": "refused", "doubt": "nobody knows whether it arrived; it is sent again"}


def told(step: Step) -> tuple[str, bool]:
    """What happened to a letter in words, and whether its owner has to see to it."""
    if step.answer is None:
        return f"<{step.reader.address or '?'}>: not tried: {step.why}", step.why.endswith(STOPPED)
    if step.answer.state == smtp.SENT:
        return f"<{step.reader.address}>: sent", False
    code = f" ({step.answer.code})" if step.answer.code else ""
    why = f"<{step.reader.address}>: {_TOLD[step.answer.state]}{code}: {step.answer.words}"
    return why, step.answer.state == smtp.REFUSED


def send(office: Office, transport: Transport) -> Iterator[Step]:
    """Send every letter that may go out now, game by game and in order; what came of each. KurskError.

    What is not sent yet is written down first: letter, bytes, and each try, before anything goes over the wire. A
    letter of which that cannot be done stops none of another game.
    """
    held: set[tuple[str, str]] = set()
    for slate in office.slates():
        if not slate.written and not deliverable(slate):
            first = slate.letter.to[0]
            held.add((slate.about.game, first.mark))
            yield Step(slate, first, None, unreached(office, first))
            continue
        if (slate.about.game, slate.letter.to[0].mark) in held and not slate.written:
            continue
        try:
            yield from _written(office, slate, transport, held)
        except UnreachableError:
            raise
        except (KurskError, OSError) as error:
            office.faults.append(place.fault(error))
            held |= {(slate.about.game, reader.mark) for reader in slate.letter.to}
    try:
        office.settle()
    except (KurskError, OSError) as error:
        office.faults.append(place.fault(error))


def _written(office: Office, slate: Slate, transport: Transport, held: set[tuple[str, str]]) -> Iterator[Step]:
    """Write a letter down, and send it to each of its readers."""
    written = office.write_down(slate)
    raw = office.raw(written)
    for reader in filter(written.lacks, written.letter.to):
        step = _one(office, written, reader, raw, transport, held)
        if step is not None:
            yield step


def _one(
    office: Office, slate: Slate, reader: Reader, raw: bytes, transport: Transport, held: set[tuple[str, str]]
) -> Step | None:
    """A letter for one reader; None if there was nothing to do."""
    box, letter, line = slate.box, slate.letter, (slate.about.game, reader.mark)
    if box.ended(letter, reader.mark) == outbox.SENT:
        return None
    why = "waits behind an earlier letter" if line in held else standing(box, letter, reader, clock.now())
    if why:
        if why not in (outbox.REFUSED, outbox.BOUNCED):
            held.add(line)
            why = why if reader.address else unreached(office, reader)
        return Step(slate, reader, None, why)
    if not transport.ready():
        held.add(line)
        return Step(slate, reader, None, "the server has closed the line; again in the next round")
    number = box.count(letter, reader.mark, "try") + 1
    box.note(letter, reader.mark, f"try-{number}", at=clock.now())
    answer = transport.send(raw, letter.sender, reader.address)
    said = {"at": clock.now(), "code": str(answer.code), "words": answer.words}
    if answer.state == smtp.SENT:
        box.note(letter, reader.mark, outbox.SENT, **said | {"at": timing.noted(office.home, office.doubt)})
    elif answer.state == smtp.REFUSED:
        box.note(letter, reader.mark, outbox.REFUSED, **said)
    else:
        held.add(line)
        if answer.state == smtp.LATER:
            away = {} if answer.reached else {"away": True}
            box.note(letter, reader.mark, f"{LATER}-{number}", **said, **away)
    return Step(slate, reader, answer)


def begun(home: Path) -> bool:
    """Whether letters have been sent from here before: then what is due and in no letter was never sent."""
    return (place.root(home) / "out" / _BEGUN).exists()


def begin(office: Office, as_sent: Sequence[Slate]) -> None:
    """Put down that letters are sent from here from now on, and that these were mailed otherwise. KurskError."""
    boxes: dict[str, list[Slate]] = {}
    for slate in as_sent:
        if isinstance(slate.about, Event):
            office.sent_by_hand(slate)
        else:
            boxes.setdefault(slate.about.game, []).append(slate)
    for slates in boxes.values():
        slates[0].box.count_as_sent([slate.letter for slate in slates])
    place.once(place.root(office.home) / "out" / _BEGUN, b"")


def not_mailed(office: Office, label: str) -> list[Slate]:
    """The letters that a label names, and that counted as mailed: their owner takes that back, of the whole game.

    None where the label names no such letter, or what came since shows that it arrived. KurskError.
    """
    said, found = LABEL.fullmatch(label.strip()), list[Slate]()
    if said is None or not said[2]:
        return found
    for seat in office.seats:
        box = Box(office.home, seat.game)
        if not seat.game.startswith(said[1]) or int(said[2]) > box.as_sent:
            continue
        counted = [name for name in box.files if name.startswith(outbox.AS_SENT)]
        for name in counted:
            del box.files[name]
        slates = [slate for slate in office.of_game(seat, box) if office.named(slate, *said.groups())]
        try:
            for name in counted if slates else ():
                (box.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise place.fault(error) from None
        found += slates
    return found
