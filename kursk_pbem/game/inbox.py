"""Read arriving messages and papers: a turn file, or a mail or mailbox with turns."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kursk_pbem.errors import FileError, SeveralError, Where
from kursk_pbem.game import folders, receipts
from kursk_pbem.trust import reader
from kursk_pbem.trust.link import is_link
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper
from kursk_pbem.trust.reader import MAX_THING
from kursk_pbem.trust.turns import Reading

_MAX_LISTED = 12


def read(raw: bytes, name: str, seq: int | None = None) -> Message:
    """Return the only signed message in ``raw``, or the message with number ``seq``. Raises FileError.

    ``name``: the name of the file.
    """
    item = read_any(raw, name, seq)
    if isinstance(item, Paper):
        why = f"this is a referee's {item.type}, no message of a game; 'kursk inbox' takes it"
        raise FileError(why, item.where("type"))
    return item


def read_any(raw: bytes, name: str, seq: int | None = None) -> Message | Paper:
    """Return the only message or referee's paper in ``raw``. ``seq``: a message number. Raises FileError."""
    chosen = read_each(raw, name, seq)
    if len(chosen) > 1:
        listed = _list_in_words(chosen)
        raise SeveralError(f"the file holds different turns: {listed}; choose a turn with --seq N", Where(name))
    return chosen[0]


def read_each(raw: bytes, name: str, seq: int | None = None) -> list[Message | Paper]:
    """Return all turns in ``raw`` in playing order, from a mailbox or a mail with several turns.

    ``seq`` selects a message, with its receipt if any. Raises FileError with a list of the turns if they belong to
    several games, or if two messages have one number.
    """
    found = list_turns(reader.read_thing(raw, name))
    chosen = [turn for turn in found if seq is None or turn.seq == seq]
    if len(chosen) == 1:
        chosen[0].check_position()
    listed = _list_in_words(found)
    if not chosen and len(found) == 1:
        raise FileError(f"the file is message {found[0].seq}, not {seq}", found[0].where("seq"))
    if not chosen:
        raise FileError(f"the file has no message {seq}, but {listed}", Where(name))
    if len({turn.game for turn in chosen}) > 1:
        why = f"the file holds different turns, of several games: {listed}; 'kursk inbox FILE' takes them"
        raise SeveralError(why, Where(name))
    if len({(turn.seq, isinstance(turn, Paper) and turn.type) for turn in chosen}) < len(chosen):
        why = f"the file holds different signed versions of a message: {listed}; save the right version alone"
        raise SeveralError(why, Where(name))
    return chosen


def list_turns(reading: Reading) -> list[Message | Paper]:
    """Return the turns of a file or mail in playing order. Raises FileError if none is readable."""
    if reading.turns:
        return sorted(reading.turns, key=lambda turn: (turn.game, turn.seq, isinstance(turn, Paper)))
    name = reading.name
    if reading.cards:
        raise FileError("the file is an address card, not a turn; type 'kursk inbox FILE' to add the card", Where(name))
    if reading.invitations:
        raise FileError("the file is an invitation or an answer, not a turn; 'kursk inbox FILE' shows it", Where(name))
    if reading.papers:
        raise FileError("the file is a tournament's paper, not a turn; type 'kursk inbox FILE' to take it", Where(name))
    raise reading.reasons[0]


def _list_in_words(turns: Sequence[Message | Paper]) -> str:
    return ", ".join(map(_describe_turn, turns[:_MAX_LISTED])) + (", and more" if len(turns) > _MAX_LISTED else "")


def _describe_turn(turn: Message | Paper) -> str:
    about = f"{turn.type} about " if isinstance(turn, Paper) else ""
    return f"{about}message {turn.seq} of {turn.sender} of game {turn.game[:16]}"


def read_file(path: Path, seq: int | None = None) -> Message:
    """Return the single signed message of a file (``.json``: from an archive). Raises FileError."""
    if _is_archived(path):
        return folders.read_message(path)
    return read(read_bytes(path), str(path), seq)


def read_any_file(path: Path, seq: int | None = None) -> Message | Paper:
    """Return the message or paper of a file (``.json``: from an archive). Raises FileError."""
    if not _is_archived(path):
        return read_any(read_bytes(path), str(path), seq)
    return receipts.read_file(path) if receipts.NAMES.fullmatch(path.name) else folders.read_message(path)


def _is_archived(path: Path) -> bool:
    """Return whether a file is in the archive form. Other JSON may be the export of a chat."""
    named = receipts.NAMES.fullmatch(path.name) is not None
    return path.suffix == ".json" and (named or folders.signature_path(path).exists())


def read_bytes(path: Path) -> bytes:
    """Return a file's bytes, at most one more than a mail may have. Raises FileError for an unreadable file."""
    return folders.read_bytes(path, MAX_THING)


__all__ = ["MAX_THING", "Message", "Paper", "is_link", "read", "read_any", "read_any_file", "read_bytes", "read_file"]
