"""A message as it came: a turn file, or whatever a mail program saved with a turn in it. So a referee's paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from kursk_pbem.errors import FileError, SeveralError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import folders, receipts
from kursk_pbem.trust import messages, papers, sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.slip import Slip

if TYPE_CHECKING:
    from kursk_pbem.trust.mail import Turn

_ALONE = re.compile(rb"(?:\xef\xbb\xbf)?+(?:(?:[ \t]*+(?:#[^\n]*+)?+|---[ \t]*+)\r?+\n)*+kursk-pbem:")
"""How a turn file begins that is no mail: nothing but comments before its first line."""

_BEGIN, _END = (mark.encode("ascii") for mark in (sshsig.BEGIN, sshsig.END))
_FIRST = "the line kursk-pbem: '1'"
_WRONG = "is it the right file, or is the turn an attachment that was not saved?"
_LOOKED_AT = 8 * 1024 * 1024
"""Bytes of a saved mail that are looked at for why no turn is in it: as many as one has that is fetched (T27)."""
_SIGNED = "what is signed cannot be repaired by its receiver: ask its writer for it again, if need be as an attachment"


def read(raw: bytes, name: str, seq: int | None = None) -> Message:
    """The one signed message in ``raw``, or the one with the number ``seq``; ``name`` is the file. FileError.

    Nearly always it is a turn file alone, and costs no more than one.
    """
    item = read_any(raw, name, seq)
    if isinstance(item, Paper):
        why = f"this is a referee's {item.type}, no message of a game; 'kursk adjudicate' takes it"
        raise FileError(why, item.where("type"))
    return item


def read_any(raw: bytes, name: str, seq: int | None = None) -> Message | Paper:
    """As :func:`read`, but a paper of a referee is given too. FileError."""
    if papers.is_paper(raw):
        return _advised(papers.read, raw, name)
    message, fault = _turn_file(raw, name)
    item = message or _from_mail(raw, name, seq, fault)
    if seq is not None and item.seq != seq:
        raise FileError(f"this is message {item.seq}, not {seq}", item.where("seq"))
    return item


def _from_mail(raw: bytes, name: str, seq: int | None, fault: FileError) -> Message | Paper:
    """What a mail holds; ``fault`` is why it is no turn file, and stands where it is one after all, but damaged."""
    from kursk_pbem.trust import mail  # noqa: PLC0415  not needed for a turn file

    # A turn file that is damaged, or a draft: the reader has said what is wrong with it.
    alone = _ALONE.match(raw, 0, MAX_BYTES) is not None
    try:
        turn = mail.pick(raw, name, seq)
    except FileError:
        unfinished = _END not in raw and ("not signed" not in fault.message or mail.was_signed(raw))
        if alone and raw.count(b"kursk-pbem:") == 1 and not unfinished:
            raise fault from None
        raise
    if turn is None:
        raise _no_turn(raw, name, fault)
    if alone and not turn.fits:
        raise fault
    return _no_slip(_said(turn))


def _said(turn: Turn) -> Message | Paper | Slip:
    return _advised(lambda _raw, _name: turn.read(), turn.raw, turn.name)


def _no_slip(read: Message | Paper | Slip) -> Message | Paper:
    if isinstance(read, Slip):
        why = f"this is a {read.type}, which says where somebody is reached; 'kursk inbox' takes it"
        raise FileError(why, read.document.where(("type",)))
    return read


def read_each(raw: bytes, name: str, seq: int | None = None) -> list[Message | Paper]:
    """All that is in ``raw``, in the order in which a game takes it: a mailbox, or a mail with several turns in it.

    It must be of one game, and in one version each; otherwise FileError lists what there is. A number ``seq`` chooses
    one, or a message and the receipt for it.
    """
    try:
        return [read_any(raw, name, seq)]
    except SeveralError as error:
        from kursk_pbem.trust import mail  # noqa: PLC0415  not needed for a turn file

        read = [_said(turn) for turn in mail.extract(raw, name)]
        every = [item for item in read if not isinstance(item, Slip)]
        chosen = [item for item in every if seq is None or item.seq == seq]
        games = {item.id if item.type == "propose" else str(item.content.get("game", "")) for item in chosen}
        if len(games) > 1 or len({(item.seq, isinstance(item, Paper)) for item in chosen}) < len(chosen):
            raise error from None
        return sorted(chosen, key=lambda item: (item.seq, isinstance(item, Paper)))


def _no_turn(raw: bytes, name: str, fault: FileError) -> FileError:
    """Why no turn was found in a mail; ``fault`` is what the reader of turn files says."""
    from kursk_pbem.trust import leftover  # noqa: PLC0415  not needed for a turn file

    if _ALONE.match(raw, 0, MAX_BYTES) is not None or not raw.strip():
        return fault
    raw = raw[:_LOOKED_AT]
    begins = leftover.SPOILT.search(raw) if b"kursk-pbem" in raw else None
    if begins is None:
        what = leftover.told(raw, name) or _WRONG
        return FileError(f"no turn begins in any line of it, as one does with {_FIRST}; {what}", Where(name))
    if not raw[: begins.start()].strip():
        return fault
    why = "what begins here may have been a turn, and was changed on its way; ask for it again, as an attachment"
    return FileError(why, Where(name, raw.count(b"\n", 0, begins.start()) + 1))


def lacking(raw: bytes, name: str) -> FileError | None:
    """Why nothing is in a mail in which no turn was found; it is not looked through again (T27).

    None where it is a turn all the same, written as nobody looks for one.
    """
    message, fault = _turn_file(raw, name)
    return None if message is not None else _no_turn(raw, name, fault)


def _turn_file(raw: bytes, name: str) -> tuple[Message | None, FileError]:
    """The message of a file that is a turn file and no more, or None; and why it is none."""
    if len(raw) > MAX_BYTES:
        return None, _too_long(raw, name)
    try:
        message = _advised(messages.read, raw, name)
    except FileError as error:
        return None, error
    if sshsig.END not in (message.armour or ""):
        why = f"this turn is cut off: the end of its signature is missing; {_SIGNED}"
        return None, FileError(why, message.where("signature"))
    return message, FileError("")


_Read = TypeVar("_Read")


def _advised(reader: Callable[[bytes, str], _Read], raw: bytes, name: str) -> _Read:
    """What a reader makes of a file; where it refuses one that is signed, it is said too what to do about that."""
    try:
        return reader(raw, name)
    except FileError as error:
        if _BEGIN not in raw or re.search("[Aa]sk (for|its|the) ", error.message):
            raise
        if error.where is None:  # a list, each line with its place
            raise FileError(f"{error.message}\n{name}: {_SIGNED}") from None
        between = " " if error.message.endswith("?") else "; "
        advice = _SIGNED.capitalize() if between == " " else _SIGNED
        raise FileError(f"{error.message}{between}{advice}", error.where) from None


def _too_long(raw: bytes, name: str) -> FileError:
    from kursk_pbem.trust.mailtext import TOO_LONG  # noqa: PLC0415  not needed for a turn file

    begins = _ALONE.match(raw, 0, MAX_BYTES)
    if begins is None:
        why = f"more than {MAX_BYTES} bytes, and no turn begins in any line of it, as one does with {_FIRST}; {_WRONG}"
        return FileError(why, Where(name))
    line = begins[0].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    return FileError(TOO_LONG, Where(name, line))


def read_file(path: Path, seq: int | None = None) -> Message:
    """The one signed message of a file; ``.json`` is the archive form. FileError."""
    if path.suffix == ".json":
        return folders.read_message(path)
    return read(read_bytes(path), str(path), seq)


def read_any_file(path: Path, seq: int | None = None) -> Message | Paper:
    """A message or a paper from a file; ``.json`` is the archive form. FileError."""
    if path.suffix != ".json":
        return read_any(read_bytes(path), str(path), seq)
    return receipts.read_file(path) if receipts.NAMES.fullmatch(path.name) else folders.read_message(path)


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, at most as many as a mail may have and one more. FileError if it cannot be read."""
    raw = folders.read_bytes(path)
    if len(raw) <= MAX_BYTES:
        return raw
    with path.open("rb") as file:
        return read_stream(file)


def read_stream(stream: BinaryIO) -> bytes:
    """The bytes of an open stream, such as standard input, at most as many as a mail may have and one more."""
    return stream.read(_most() + 1)


def _most() -> int:
    from kursk_pbem.trust.mailtext import MAX_MAIL  # noqa: PLC0415  not needed for a turn file

    return MAX_MAIL


__all__ = ["Message", "Paper", "read", "read_any", "read_any_file", "read_bytes", "read_file", "read_stream"]
