"""A message as it came: a turn file, or whatever a mail program saved with a turn in it. So a referee's paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, TypeVar

from kursk_pbem.errors import FileError, SeveralError, Where
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import folders, receipts
from kursk_pbem.trust import messages, papers, sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.slip import Slip

_ALONE = re.compile(rb"(?:\xef\xbb\xbf)?+(?:(?:[ \t]*+(?:#[^\n]*+)?+|---[ \t]*+)\r?+\n)*+kursk-pbem:")
"""How a turn file begins that is no mail: nothing but comments before its first line."""

_SPOILT = re.compile(rb"""(?m)^[ \t>|{]*+['"]?kursk-pbem['"]?[ \t]*:""")
"""How a turn may have begun that is written otherwise, or was."""
_OF_A_GAME = re.compile(rb"(?m)^game:[ \t]*+'?[0-9a-f]{64}'?[ \t\r]*+$")
"""What stands below the first line of a turn, and in nothing else: somebody has copied it without that line."""

_WHOLE = re.compile(
    rb"""(?m)^[ \t]*+kursk-pbem:[ \t]*+(?:['"]|&#39;|&quot;)?1(?:['"]|&#39;|&quot;)?[ \t\r]*+(?:#.*|<.*)?$"""
)
"""How a turn begins that nobody has changed, in a page of HTML too."""

_BEGIN, _END = (mark.encode("ascii") for mark in (sshsig.BEGIN, sshsig.END))
_FIRST = "the line kursk-pbem: '1'"
_FILE = rb"name\*?[0-9]?\*?[ \t]?=[^\r\n]{1,120}"
"""The name of a file in a mail; what is merely spoken of is none."""
_UNREAD = (
    (re.compile(rb"\APK\x03\x04|%b\.zip\b" % _FILE), "a .zip is not opened: unpack it, and name the turn file"),
    (re.compile(rb"%b\.(?:7z|rar|t?gz)\b" % _FILE), "an archive is not opened: unpack it, and name the turn file"),
    (
        re.compile(rb"\A\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        "an Outlook .msg is not opened: in Outlook save the mail as text or .eml, or save the attachment alone",
    ),
    (
        re.compile(rb"\A\x78\x9f\x3e\x22|winmail\.dat|[/.]ms-tnef\b(?!-)"),
        "winmail.dat is not opened: ask for the turn as text, in the mail itself",
    ),
    (
        re.compile(rb"-----BEGIN PGP MESSAGE|pkcs7-mime|pgp-encrypted|%b\.(?:gpg|pgp|yaml\.asc|txt\.asc)\b" % _FILE),
        "what is encrypted is not opened: decrypt it first",
    ),
    (_OF_A_GAME, "what stands below it in a turn is there: ask for the whole turn, as an attachment"),
    (re.compile(rb"\A\{\\rtf"), "rich text is not read: save it as plain text"),
    (re.compile(rb"<html|<HTML|<br|<BR"), "nor in what its page of HTML shows: ask for the turn as an attachment"),
)
_WRONG = "is it the right file, or is the turn an attachment that was not saved?"
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
    return _no_slip(_advised(mail.read, turn.raw, turn.name))


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

        read = [_advised(mail.read, turn, name) for turn in mail.extract(raw, name)]
        every = [item for item in read if not isinstance(item, Slip)]
        chosen = [item for item in every if seq is None or item.seq == seq]
        games = {item.id if item.type == "propose" else str(item.content.get("game", "")) for item in chosen}
        if len(games) > 1 or len({(item.seq, isinstance(item, Paper)) for item in chosen}) < len(chosen):
            raise error from None
        return sorted(chosen, key=lambda item: (item.seq, isinstance(item, Paper)))


def _no_turn(raw: bytes, name: str, fault: FileError) -> FileError:
    """Why no turn was found in a mail; ``fault`` is what the reader of turn files says."""
    if _ALONE.match(raw, 0, MAX_BYTES) is not None or not raw.strip():
        return fault
    begins = _SPOILT.search(raw) if b"kursk-pbem" in raw else None
    if begins is None:
        what = next((words for mark, words in _UNREAD if mark.search(raw, 0, MAX_BYTES)), _WRONG)
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


def spoilt(raw: bytes) -> bool:
    """Whether something in it may have been the beginning of a turn, and was changed on its way."""
    return (b"kursk-pbem" in raw and _SPOILT.search(raw) is not None) or _headless(raw) > 0


def spoilt_beside(raw: bytes) -> bool:
    """The same of a mail with turns in it that are not: what is quoted does not count."""
    if b"kursk-pbem" not in raw:  # those lie in parts, where nothing else shows what was one
        return _headless(raw) > 0
    begun = sum(b">" not in line and b"|" not in line for line in _SPOILT.findall(raw))
    return max(begun, _headless(raw)) > len(_WHOLE.findall(raw))


def _headless(raw: bytes) -> int:
    """How many turns there are at most, their first lines left aside; papers of tournaments name games too."""
    return len(_OF_A_GAME.findall(raw)) if b"kursk-tournament" not in raw else 0


def unread(raw: bytes) -> bool:
    """Whether it holds something that may have a turn in it and is not opened: packed, encrypted."""
    return any(mark.search(raw, 0, MAX_BYTES) for mark, _words in _UNREAD[:5])


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
