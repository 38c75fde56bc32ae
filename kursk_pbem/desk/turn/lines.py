"""Two messages with one number: the longer line counts (protocol 2.6).

A line is a message with all messages before it. Each step needs the other side's signature, so nobody lengthens a line
alone. Of equal lines, the first one counts. Messages that do not count stay beside the game as ``NNNN-ID.void.yaml``.
Nobody is accused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import NoReturn

from kursk_pbem.desk.ground import locks
from kursk_pbem.desk.own import desks, seals
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import FileError, KurskError, VoidError
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, games, receipts, reports
from kursk_pbem.game.histories import History, Step
from kursk_pbem.game.journal import RECEIVED, RESTORED, Record, Slot
from kursk_pbem.trust import earlier, messages, referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

Turns = Iterable[Message | Paper]


@frozen
class Followed:
    """The result of choosing a chain of messages: the desk, the ``last`` message of the chain, and a report."""

    desk: Desk
    last: Message
    told: str


def follow(desk: Desk, message: Message, beside: Turns) -> Followed:
    """Choose the longest chain of messages with ``message``; return the desk. Raises VoidError if another chain wins.

    ``beside``: the other turns of the same mail, which may have the messages before ``message``. Raises TrustError or
    RulesError if the message is not valid.
    """
    there = [*(turn for turn in beside if isinstance(turn, Message)), *_read_void(desk.folder)]
    line = _find_line(desk, message, there)
    steps = list[Step]()
    before = desk.history.step(line[0].seq - 1).after
    for each in _lengthen(line, there):
        try:
            after, result = games.extend(before, each)
        except KurskError:
            if each.seq <= message.seq:
                raise
            break
        steps.append(Step(each, before, after, result))
        before = after
    if not _counts(desk, steps, beside):
        if message.seq > desk.last.seq:
            _keep_void(desk.folder, message)
            raise VoidError(f"message {message.seq} does not count: the game is over", message.where("seq"))
        refuse_void(desk.folder, message, desk.game.chain.ids[message.seq])
    return _take_line(desk, steps)


def _read_void(folder: Path) -> Iterator[Message]:
    for path in sorted(folder.glob("*.void.yaml")):
        with suppress(FileError):
            yield folders.read_message(path)


def _find_line(desk: Desk, message: Message, there: Sequence[Message]) -> list[Message]:
    """Return the messages from the first missing message up to ``message``.

    Raises TrustError for a gap, and VoidError if the message follows unknown messages of another line.
    """
    chain, line = desk.game.chain, [message]
    while not (0 < line[0].seq <= chain.next_seq and chain.ids[line[0].seq - 1] == line[0].content.get("prev")):
        prev = line[0].content.get("prev")
        before = next((each for each in there if each.id == prev and 0 < each.seq == line[0].seq - 1), None)
        if before is None and (message.seq > chain.next_seq or prev is None or prev in chain.ids):
            chain.extend(message)  # raises the reason: a gap, or another number
        if before is None:
            _keep_void(desk.folder, message)
            seq = line[0].seq - 1
            why = f"message {message.seq} follows a message {seq} that differs from yours, and does not count here"
            how = f"this is no fraud: mail {desk.newest.name} to {message.sender} again"
            raise VoidError(f"{why}; {how}", message.where("prev"))
        line.insert(0, before)
    return line


def _lengthen(line: list[Message], there: Sequence[Message]) -> Iterator[Message]:
    """Yield a line, and then the messages that follow it."""
    yield from line
    last: Message | None = line[-1]
    while last is not None:
        seq, prev = last.seq + 1, last.id
        last = next((each for each in there if each.seq == seq and each.content.get("prev") == prev), None)
        if last is not None:
            yield last


def _counts(desk: Desk, steps: Sequence[Step], beside: Turns) -> bool:
    """Return whether a line counts instead of the line here.

    The longer line counts. Of equal lines, the first one counts, with two exceptions: an own message that nobody has
    answered gives way to another own message that comes back, and of two ends, the end that the referee names counts.
    """
    last = steps[-1].message
    if steps[0].message.seq == desk.seq or last.seq != desk.last.seq:
        return last.seq >= desk.seq
    ends = desk.game.played_out and steps[-1].after.played_out
    named = _list_named(desk, beside) if ends else ()
    if last.id in named or desk.last.id in named:
        return desk.last.id not in named
    return desk.own is not None and last.sender == desk.last.sender == desk.own_side


def _list_named(desk: Desk, beside: Turns) -> set[str]:
    """Return the ids of the messages that the referee's papers name."""
    others = (*receipts.list_evidence(desk.folder), *(turn for turn in beside if isinstance(turn, Paper)))
    papers = (*desk.game.papers.all, *others)
    return {paper.text("id") for paper in papers if referee.is_signed(desk.game.chain, paper)}


def refuse_void(folder: Path, message: Message, first: str) -> NoReturn:
    """Save a message as void, because the message with the id ``first`` has the same number; raise VoidError."""
    _keep_void(folder, message)
    two = ", now ".join(shorten(first, message.id))
    why = f"another message {message.seq} came first ({two}), and counts"
    raise VoidError(f"{why}; this one is void, and no fraud", message.where("seq"))


def refuse_late(folder: Path, message: Message) -> NoReturn:
    """Save a message as void, because it arrived after the game was forfeited, and raise VoidError."""
    _keep_void(folder, message)
    why = f"message {message.seq} came too late: the referee has declared the game lost"
    raise VoidError(f"{why}; the message is kept beside the game", message.where("seq"))


def give_way(desk: Desk, forfeit: Paper) -> Desk:
    """Take back a player's newest message, because a forfeit calls it late; return that player's desk.

    Raises VoidError at the opponent's desk, or if the message has an answer. Raises TrustError for a bad paper.
    """
    last, side = desk.last, forfeit.text("side")
    if (last.seq, last.sender, desk.own_side) != (forfeit.seq + 1, side, side):
        receipts.keep_evidence(desk.folder, forfeit)
        why = f"the forfeit does not count here: message {forfeit.seq + 1} is here"
        raise VoidError(f"{why}; answer it, and mail {desk.newest.name} to the referee", forfeit.where("seq"))
    before = desk.history.step(last.seq).before
    referee.weigh_papers(before.chain, (forfeit,), over=before.played_out, known=desk.game.papers)
    with locks.hold_lock(desk.own.path) if desk.own is not None else nullcontext():
        _put_aside(desk.folder, desk.own, last.seq, {last.seq: ""})
    return desks.reopen(desk)


def _take_line(desk: Desk, steps: Sequence[Step]) -> Followed:
    """Put the messages of the other line aside, and enter the messages of this line."""
    first, last, mine = steps[0].message.seq, steps[-1].message, desk.own_side
    with locks.hold_lock(desk.own.path) if desk.own is not None else nullcontext():
        line = {step.message.seq: step.message.id for step in steps}
        gone = _put_aside(desk.folder, desk.own, first, line)
        for step in steps if last.sender == mine else steps[:-1]:
            enter_step(desk, step)
        receipts.drop_papers(desk.folder, steps[-1].after.chain)
    told = f"a longer line of messages counts now, from message {first} on" if gone and last.seq > desk.last.seq else ""
    own = [step.message.seq for step in steps if step.message.sender == mine]
    told += f"{'; ' * bool(told)}your message {own[-1]}, signed elsewhere, is here" if own else ""
    told += f"; {', '.join(path.name for path in gone)} beside the game: void, and no fraud" if gone else ""
    return Followed(desks.reopen(desk), last, told)


def settle(folder: Path, line: History, own: Record) -> None:
    """Make folder and journal contain one chain of messages; move the messages of other chains aside."""
    ids = {step.message.seq: step.message.id for step in line.steps}
    for seq, mid in ids.items():
        slot, path = own.read_slot(seq), folders.message_path(folder, seq)
        here = folders.read_message(path).id if path.exists() else mid
        if (here, slot.id if slot is not None else mid) != (mid, mid):
            with locks.hold_lock(own.path):
                _put_aside(folder, own, seq, ids)
                receipts.drop_papers(folder, line.game.chain)
            return


def _put_aside(folder: Path, own: Record | None, first: int, line: Mapping[int, str]) -> list[Path]:
    """Move messages from number ``first`` on aside, the newest first, and drafts of signed messages.

    ``line``: number -> id of the messages that count.
    """
    gone = list[Path]()
    numbers = [int(path.stem) for path in folder.glob("[0-9][0-9][0-9][0-9].yaml")]
    numbers += own.seqs if own is not None else ()
    for seq in range(max(numbers, default=-1), first - 1, -1):
        path, slot = folders.message_path(folder, seq), own.read_slot(seq) if own is not None else None
        if path.exists() and (message := folders.read_message(path)).id != line.get(seq):
            gone.insert(0, _keep_void(folder, message))
            path.unlink()
            folders.report_path(folder, seq).unlink(missing_ok=True)
        if own is not None and slot is not None and slot.id != line.get(seq):
            if slot.text:
                _keep_void(folder, messages.read_message(slot.text.encode("ascii"), f"your journal, message {seq}"))
            own.drop(seq, void=True)
    for seq in range(first, max(*line, max(numbers) + 1 if gone else 0) + 1):
        if (draft := folders.draft_path(folder, seq)).exists():
            folders.keep_aside(draft)
            draft.unlink()
    return gone


def _keep_void(folder: Path, message: Message) -> Path:
    """Keep a message that does not count, if not too many are here."""
    path = folder / f"{message.seq:04d}-{message.id[:16]}.void.yaml"
    if not path.exists() and sum(True for _each in folder.glob(f"{path.name[:4]}-*.void.yaml")) < folders.MAX_EVIDENCE:
        folders.write(path, messages.emit_message(message.content, message.armour))
    return path


def enter_step(desk: Desk, step: Step) -> list[Path]:
    """Write one message of the valid chain to the journal, then to the folder; return the new files."""
    message, path = step.message, folders.message_path(desk.folder, step.message.seq)
    text = messages.emit_for_mail(message.content, message.armour or "", message.state or step.after.state.to_plain())
    text = earlier.attach(text, folders.read_before(desk.folder, message.seq), step.before.papers.all)
    if desk.own is not None:
        mine = message.sender == desk.own.side
        known = seals.read_kept(step.before.chain, message, desk.own.secret) if mine else {}
        slot = Slot(message.seq, RESTORED if mine else RECEIVED, message.id, text * mine, known)
        text = desks.record_slot(desk, slot, at="") or text
    written = [path] if not path.exists() and folders.write(path, text) else []
    report = folders.report_path(desk.folder, message.seq)
    return written + [report] * (message.seq > 0 and folders.write(report, reports.report_step(step), force=True))
