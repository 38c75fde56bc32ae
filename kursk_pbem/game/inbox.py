"""Read arriving messages and papers: a turn file, or a mail or mailbox with turns."""

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
from kursk_pbem.trust.link import is_link
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

_PURE = re.compile(rb"(?:\xef\xbb\xbf)?+(?:(?:[ \t]*+(?:#[^\n]*+)?+|---[ \t]*+)\r?+\n)*+kursk-pbem:")
"""The beginning of a turn file that is no mail: only comments before the first line."""

_BEGIN = sshsig.BEGIN.encode("ascii")
_INVITATION = re.compile(rb"^kursk-invitation:", re.MULTILINE)
_MAX_LISTED = 12
_FIRST = "the line kursk-pbem: '1'"
_WRONG = "is the file wrong, or is the turn an unsaved attachment?"
_SIGNED = "a receiver cannot repair a signed turn: ask the writer to send the turn again, if need be as an attachment"


def read(raw: bytes, name: str, seq: int | None = None) -> Message:
    """Return the single signed message in ``raw``, or the message with number ``seq``. Raises FileError.

    ``name``: the name of the file.
    """
    item = read_any(raw, name, seq)
    if isinstance(item, Paper):
        why = f"this is a referee's {item.type}, no message of a game; 'kursk inbox' takes it"
        raise FileError(why, item.where("type"))
    return item


def read_any(raw: bytes, name: str, seq: int | None = None) -> Message | Paper:
    """Return the single message or referee's paper in ``raw``. Raises FileError."""
    if papers.is_paper(raw):
        return _read_with_advice(papers.read_paper, raw, name)
    message, fault = _read_turn_file(raw, name)
    item = message or _read_from_mail(raw, name, seq, fault)
    if seq is not None and item.seq != seq:
        raise FileError(f"the file is message {item.seq}, not {seq}", item.where("seq"))
    return item


def _read_from_mail(raw: bytes, name: str, seq: int | None, fault: FileError) -> Message | Paper:
    """Return the single turn of a mail. ``fault``: raised if the mail is in fact a damaged turn file."""
    found = _read_turns(raw, name, fault)
    chosen = [turn for turn in found if seq is None or turn.seq == seq]
    if len(chosen) == 1:
        return chosen[0]
    listed = ", ".join(map(_describe_turn, found[:_MAX_LISTED])) + (", and more" if len(found) > _MAX_LISTED else "")
    if not chosen:
        raise FileError(f"the file has no message {seq}, but {listed}", Where(name))
    if len({(turn.seq, turn.sender, turn.type) for turn in chosen}) < len(chosen):
        why = f"the file holds different signed versions of a message: {listed}; save the right version alone"
        raise SeveralError(why, Where(name))
    raise SeveralError(f"the file holds different turns: {listed}; choose a turn with --seq N", Where(name))


def _read_turns(raw: bytes, name: str, fault: FileError) -> list[Message | Paper]:
    """Return the turns of a mail, at least one. Raises FileError."""
    from kursk_pbem.trust import mail  # noqa: PLC0415  not needed for a turn file

    survey = mail.survey_mail(raw, name)
    turns = [turn for turn in survey.turns if not isinstance(turn, Card)]
    if turns:
        return turns
    if survey.turns:
        raise FileError("the file is an address card, not a turn; type 'kursk inbox FILE' to add the card", Where(name))
    alone = _PURE.match(raw, 0, MAX_BYTES) is not None or not raw.strip()
    # the reader of turn files knows the reason
    if alone and not any("cut off" in why.message for why in survey.faults):
        raise fault
    if survey.faults:
        raise FileError(survey.faults[0].message, fault.where) if alone else survey.faults[0]
    if _INVITATION.search(raw):
        raise FileError("an invitation to a game, or an answer; 'kursk inbox FILE' shows the content", Where(name))
    raise FileError(f"the file has no turn: a turn begins with {_FIRST}; {_WRONG}", Where(name))


def _describe_turn(turn: Message | Paper) -> str:
    about = f"{turn.type} about " if isinstance(turn, Paper) else ""
    return f"{about}message {turn.seq} of {turn.sender} of game {_game_id(turn)[:16]}"


def _game_id(turn: Message | Paper) -> str:
    return turn.id if turn.type == "propose" else str(turn.content.get("game", ""))


def read_each(raw: bytes, name: str, seq: int | None = None) -> list[Message | Paper]:
    """Return all turns in ``raw`` in playing order, from a mailbox or a mail with several turns.

    Raises FileError, with a list, if the turns belong to several games or have several versions. ``seq`` selects a
    message, or a message and its receipt.
    """
    try:
        return [read_any(raw, name, seq)]
    except SeveralError as error:
        chosen = [turn for turn in _read_turns(raw, name, error) if seq is None or turn.seq == seq]
        if len(set(map(_game_id, chosen))) > 1 or len({(one.seq, isinstance(one, Paper)) for one in chosen}) < len(
            chosen
        ):
            raise error from None
        return sorted(chosen, key=lambda turn: (turn.seq, isinstance(turn, Paper)))


def _read_turn_file(raw: bytes, name: str) -> tuple[Message | None, FileError]:
    """Return the message of a pure turn file and an empty error, or None and the reason."""
    if len(raw) > MAX_BYTES:
        return None, _make_length_error(raw, name)
    try:
        message = _read_with_advice(messages.read_message, raw, name)
    except FileError as error:
        return None, error
    if sshsig.END not in (message.armour or ""):
        why = f"the turn is cut off: the end of the signature is missing; {_SIGNED}"
        return None, FileError(why, message.where("signature"))
    return message, FileError("")


_Read = TypeVar("_Read")


def _read_with_advice(reader: Callable[[bytes, str], _Read], raw: bytes, name: str) -> _Read:
    """Call a reader. If a signed file is refused, add advice for the receiver to the error."""
    try:
        return reader(raw, name)
    except FileError as error:
        if _BEGIN not in raw or re.search("[Aa]sk (for|its|the) |release ", error.message):
            raise
        if error.where is None:  # a list of errors, each line with its place
            raise FileError(f"{error.message}\n{name}: {_SIGNED}") from None
        between = " " if error.message.endswith("?") else "; "
        advice = _SIGNED.capitalize() if between == " " else _SIGNED
        raise FileError(f"{error.message}{between}{advice}", error.where) from None


def _make_length_error(raw: bytes, name: str) -> FileError:
    from kursk_pbem.trust.mailtext import TOO_LONG  # noqa: PLC0415  not needed for a turn file

    begins = _PURE.match(raw, 0, MAX_BYTES)
    if begins is None:
        why = f"more than {MAX_BYTES} bytes, but no turn: a turn begins with {_FIRST}; {_WRONG}"
        return FileError(why, Where(name))
    line = begins[0].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
    return FileError(TOO_LONG, Where(name, line))


def read_file(path: Path, seq: int | None = None) -> Message:
    """Return the single signed message of a file; ``.json``: the archive form. Raises FileError."""
    if path.suffix == ".json":
        return folders.read_message(path)
    return read(read_bytes(path), str(path), seq)


def read_any_file(path: Path, seq: int | None = None) -> Message | Paper:
    """Return the message or paper of a file; ``.json``: the archive form. Raises FileError."""
    if path.suffix != ".json":
        return read_any(read_bytes(path), str(path), seq)
    return receipts.read_file(path) if receipts.NAMES.fullmatch(path.name) else folders.read_message(path)


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file, cut one byte above the limit of mails. Raises FileError if it is unreadable."""
    raw = folders.read_bytes(path)
    if len(raw) <= MAX_BYTES:
        return raw
    with path.open("rb") as file:
        return read_stream(file)


def read_stream(stream: BinaryIO) -> bytes:
    """Return the bytes of an open stream, cut one byte above the limit of mails."""
    return stream.read(_load_limit() + 1)


def _load_limit() -> int:
    from kursk_pbem.trust.mailtext import MAX_MAIL  # noqa: PLC0415  not needed for a turn file

    return MAX_MAIL


__all__ = ["Message", "Paper", "is_link", "read", "read_any", "read_any_file", "read_bytes", "read_file", "read_stream"]
