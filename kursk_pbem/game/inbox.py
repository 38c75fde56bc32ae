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
from kursk_pbem.trust.card import Card
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

_ALONE = re.compile(rb"(?:\xef\xbb\xbf)?+(?:(?:[ \t]*+(?:#[^\n]*+)?+|---[ \t]*+)\r?+\n)*+kursk-pbem:")
"""How a turn file begins that is no mail: nothing but comments before its first line."""

_BEGIN = sshsig.BEGIN.encode("ascii")
_INVITATION = re.compile(rb"^kursk-invitation:", re.MULTILINE)
_SHOWN = 12
_FIRST = "the line kursk-pbem: '1'"
_WRONG = "is it the right file, or is the turn an attachment that was not saved?"
_SIGNED = "what is signed cannot be repaired by its receiver: ask its writer for it again, if need be as an attachment"


def read(raw: bytes, name: str, seq: int | None = None) -> Message:
    """The one signed message in ``raw``, or the one with the number ``seq``; ``name`` is the file. FileError.

    Nearly always it is a turn file alone, and costs no more than one.
    """
    item = read_any(raw, name, seq)
    if isinstance(item, Paper):
        why = f"this is a referee's {item.type}, no message of a game; 'kursk inbox' takes it"
        raise FileError(why, item.where("type"))
    return item


def read_any(raw: bytes, name: str, seq: int | None = None) -> Message | Paper:
    """As :func:`read`, but a paper of a referee is given too. FileError."""
    if papers.is_paper(raw):
        return _advised(papers.read_paper, raw, name)
    message, fault = _turn_file(raw, name)
    item = message or _from_mail(raw, name, seq, fault)
    if seq is not None and item.seq != seq:
        raise FileError(f"this is message {item.seq}, not {seq}", item.where("seq"))
    return item


def _from_mail(raw: bytes, name: str, seq: int | None, fault: FileError) -> Message | Paper:
    """Return the one turn of a mail. ``fault``: why it is no turn file; if it is one, but damaged, it is raised."""
    found = _in_mail(raw, name, fault)
    chosen = [turn for turn in found if seq is None or turn.seq == seq]
    if len(chosen) == 1:
        return chosen[0]
    listed = ", ".join(map(_listed, found[:_SHOWN])) + (", and more" if len(found) > _SHOWN else "")
    if not chosen:
        raise FileError(f"no message {seq} is in it; it holds {listed}", Where(name))
    if len({(turn.seq, turn.sender, turn.type) for turn in chosen}) < len(chosen):
        why = f"it holds one message in different versions, each signed: {listed}; save the right one by itself"
        raise SeveralError(why, Where(name))
    raise SeveralError(f"it holds different turns: {listed}; choose one with --seq N", Where(name))


def _in_mail(raw: bytes, name: str, fault: FileError) -> list[Message | Paper]:
    """Return the turns of a mail, at least one. FileError."""
    from kursk_pbem.trust import mail  # noqa: PLC0415  not needed for a turn file

    survey = mail.survey_mail(raw, name)
    turns = [turn for turn in survey.turns if not isinstance(turn, Card)]
    if turns:
        return turns
    if survey.turns:
        raise FileError("this is a card, which says where somebody is reached; 'kursk inbox' takes it", Where(name))
    alone = _ALONE.match(raw, 0, MAX_BYTES) is not None or not raw.strip()
    if alone and not any("cut off" in why.message for why in survey.faults):  # the reader of turn files knows why
        raise fault
    if survey.faults:
        raise FileError(survey.faults[0].message, fault.where) if alone else survey.faults[0]
    if _INVITATION.search(raw):
        raise FileError("this is an invitation to a game or its answer, which release 0.3 or newer reads", Where(name))
    raise FileError(f"no turn begins in any line of it, as one does with {_FIRST}; {_WRONG}", Where(name))


def _listed(turn: Message | Paper) -> str:
    about = f"{turn.type} about " if isinstance(turn, Paper) else ""
    return f"{about}message {turn.seq} of {turn.sender} of game {_game(turn)[:16]}"


def _game(turn: Message | Paper) -> str:
    return turn.id if turn.type == "propose" else str(turn.content.get("game", ""))


def read_each(raw: bytes, name: str, seq: int | None = None) -> list[Message | Paper]:
    """Return all turns in ``raw``, in the order in which a game takes them: of a mailbox, or of a mail with several.

    They must be of one game, and in one version each; otherwise FileError lists them. A number ``seq`` chooses one, or
    a message and the receipt for it.
    """
    try:
        return [read_any(raw, name, seq)]
    except SeveralError as error:
        chosen = [turn for turn in _in_mail(raw, name, error) if seq is None or turn.seq == seq]
        if len(set(map(_game, chosen))) > 1 or len({(one.seq, isinstance(one, Paper)) for one in chosen}) < len(chosen):
            raise error from None
        return sorted(chosen, key=lambda turn: (turn.seq, isinstance(turn, Paper)))


def _turn_file(raw: bytes, name: str) -> tuple[Message | None, FileError]:
    """The message of a file that is a turn file and no more, or None; and why it is none."""
    if len(raw) > MAX_BYTES:
        return None, _too_long(raw, name)
    try:
        message = _advised(messages.read_message, raw, name)
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
        if _BEGIN not in raw or re.search("[Aa]sk (for|its|the) |release ", error.message):
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
