"""A game folder: ``game-<16 hex>`` with messages ``NNNN.yaml``, reports and the current draft.

For looking and verifying a folder may hold the archive form instead: ``NNNN.json`` and ``NNNN.json.sig``. File names
come from game id and number only (T30). Files are written whole: temporary file, fsync, rename; nothing that exists
and differs is overwritten unless asked.
"""

from __future__ import annotations

import errno
import re
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import BinaryIO

from kursk_pbem.errors import DiskError, FileError, KurskError, TrustError, UsageError, Where
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES, parse_canonical
from kursk_pbem.game import disk
from kursk_pbem.trust import messages
from kursk_pbem.trust.messages import Message

_MESSAGE = re.compile(r"[0-9]{4}\.yaml")
MOST_EVIDENCE = 8
"""Versions of one thing that are kept beside the one that counts: two convict, and thousands would fill the disk."""
_ARCHIVED = re.compile(r"[0-9]{4}\.json(\.sig)?")


def folder_name(game: str) -> str:
    """The folder of a game: ``game-`` and the first 16 hex digits of its id."""
    return f"game-{game[:16]}"


def near(place: Path | None, game: str) -> list[Path]:
    """Where the folder of a game may be for a file that lies in ``place`` (None: standard input), likeliest first."""
    return [(place or Path()) / folder_name(game), *([place] if place is not None else [])]


def message_path(folder: Path, seq: int) -> Path:
    """Where message ``seq`` of a game lies."""
    return folder / f"{seq:04d}.yaml"


def archive_path(folder: Path, seq: int) -> Path:
    """Where message ``seq`` lies in the archive form."""
    return folder / f"{seq:04d}.json"


def signature_path(archived: Path) -> Path:
    """Where the signature of an archived message lies."""
    return archived.with_name(f"{archived.name}.sig")


def position_path(archived: Path) -> Path:
    """Where the agreed position lies from which an archived game goes on that continues another."""
    return archived.with_name(f"state-{archived.name}")


def proposal_path(folder: Path) -> Path:
    """Where message 0 lies: ``0000.json`` if that and its signature are there alone, otherwise ``0000.yaml``."""
    mailed, archived = message_path(folder, 0), archive_path(folder, 0)
    is_archive = files.is_there(archived) and files.is_there(signature_path(archived)) and not files.is_there(mailed)
    return archived if is_archive else mailed


def draft_path(folder: Path, seq: int) -> Path:
    """Where the draft of message ``seq`` lies."""
    return folder / f"{seq:04d}.draft.yaml"


def report_path(folder: Path, seq: int, *, draft: bool = False) -> Path:
    """Where the report of message ``seq`` lies; ``draft``: what its writer's own opening resolves already."""
    return folder / f"report-{seq:04d}{'.draft' if draft else ''}.txt"


def need_one_line(path: Path) -> None:
    """FileError for a path with a line break in it: shown with a verdict it would print as a line of ours (T29)."""
    if "\n" in str(path):
        raise FileError("there is a line break in its name; give it another", Where(str(path)))


def read_bytes(path: Path) -> bytes:
    """The bytes of a file, at most as many as a turn file may have and one more. FileError if it cannot be read."""
    try:
        return files.read(path, MAX_BYTES)
    except (FileNotFoundError, NotADirectoryError):  # 'boris/3' beside a key that is called so
        raise FileError("there is no such file", Where(str(path))) from None
    except OSError as error:
        if error.errno == errno.EISDIR:
            raise FileError("this is a folder; name the file in it", Where(str(path))) from None
        raise FileError(f"cannot be read: {error.strerror}", Where(str(path))) from None


def read_stream(stream: BinaryIO) -> bytes:
    """The bytes of an open stream, such as standard input, at most as many as a turn file may have and one more."""
    return stream.read(MAX_BYTES + 1)


_read = files.cache_reader(messages.read_message)


def read_message(path: Path) -> Message:
    """A signed message from a file, as mailed or (``.json``, its signature beside it) in the archive form."""
    if path.suffix != ".json":
        return _read(read_bytes(path), str(path))
    armour = read_bytes(signature_path(path)).decode("ascii", "replace")
    message = messages.read_archive(read_bytes(path), armour, str(path))
    agreed = position_path(path)
    if "continues" not in message.content or not agreed.is_file():
        return message
    return replace(message, state=parse_canonical(read_bytes(agreed), str(agreed)))


def game_in(folder: Path) -> str:
    """The id of the game in a folder, by its message 0; '' if that is not there or cannot be read."""
    try:
        return read_message(proposal_path(folder)).id
    except KurskError:
        return ""


def read_numbered(path: Path, number: int) -> Message:
    """The message of a file ``NNNN.yaml``; TrustError if it is not the one its name says."""
    message = read_message(path)
    if message.seq != number:
        why = f"this file holds message {message.seq}, its name says {number}"
        raise TrustError("chain", why, message.where("seq"))
    return message


def message_files(folder: Path) -> list[Path]:
    """The message files of a game folder in order of their numbers; the archived ones if there are no others.

    UsageError if it is no game folder, TrustError if a number is missing before the last; FileError where all of every
    second writer are, because these are the mails that one side has received, and no broken game.
    """
    try:
        names = _names(folder)
    except OSError as error:
        raise DiskError(f"{folder} cannot be read: {error.strerror}") from None
    form, listed = "{:04d}.yaml", sorted(filter(_MESSAGE.fullmatch, names))
    archived = set(filter(_ARCHIVED.fullmatch, names))
    if not listed and any(name.endswith(".sig") for name in archived):  # without any it is a journal, or another thing
        form, listed = "{:04d}.json", sorted({name.removesuffix(".sig") for name in archived})
    if not listed:
        raise UsageError(f"{folder} is no game folder: it holds no 0000.yaml")
    for number, name in enumerate(listed):
        due = form.format(number)
        if name not in names or name != due:
            others = "its signature is" if name == due else "later ones are"
            why, where = f"message {number} is missing, and {others} there", Where(str(folder / due))
            if _of_one_side(listed):
                raise FileError(f"{why}; of saved mails 'kursk restore' makes a game folder", where)
            raise TrustError("chain", why, where)
    return [folder / name for name in listed]


def _of_one_side(names: list[str]) -> bool:
    """Whether message 0 is there, and all others have even numbers or all have odd ones: one side has written them."""
    numbers = [int(name[:4]) for name in names]
    return 0 in numbers and len({number % 2 for number in numbers if number}) == 1


def _names(folder: Path) -> set[str]:
    """What lies in a folder, by name; nothing if it is none. OSError."""
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


def need_one_form(folder: Path) -> None:
    """UsageError where mailed and archived messages lie together.

    A reader of one form and a reader of the other might see two games, and each is told that all holds.
    """
    names = _names(folder)
    mailed, archived = (set(filter(form.fullmatch, names)) for form in (_MESSAGE, _ARCHIVED))
    if mailed and any(name.endswith(".sig") for name in archived):
        raise UsageError(
            f"{folder} holds mailed and archived messages ({min(mailed)}, {min(archived)}), which could be two games: "
            "put one kind into a folder of its own"
        )


def evidence_wanted(path: Path) -> bool:
    """Whether a file is to be kept as evidence: one of few with a name ``evidence-WHAT-ID.yaml``, not there yet."""
    beside = path.parent.glob(f"{path.name.rpartition('-')[0]}-*.yaml")
    return not path.exists() and sum(True for _file in beside) < MOST_EVIDENCE


def keep_aside(path: Path) -> Path:
    """Copy a file that a person wrote beside it, as ``NAME.unsigned`` or with a number, and return the copy.

    Raises DiskError. No copy that differs is overwritten.
    """
    written = path.read_bytes()
    for number in count(1):
        copy = path.with_name(f"{path.name}.unsigned{f'-{number}' if number > 1 else ''}")
        try:
            if disk.create(copy, written) or copy.read_bytes() == written:
                return copy
        except OSError as error:
            raise DiskError(f"{copy} cannot be written: {error.strerror}") from None
    raise AssertionError("numbers do not end")


def remove_drafts(folder: Path, seq: int) -> None:
    """Remove the draft of message ``seq``, which is signed, and keep one of its writer's message before aside.

    That one is there if its offer was declined and it could not be renumbered. Raises OSError, DiskError.
    """
    former = draft_path(folder, max(seq - 2, 0))
    if former.is_file():
        keep_aside(former)
    for path in (former, draft_path(folder, seq)):
        path.unlink(missing_ok=True)


def make(folder: Path) -> None:
    """Make a folder to write into, with those above it, if it is not there. UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiskError(f"{folder} cannot be made: {error.strerror}") from None


def write(path: Path, text: str, *, force: bool = False, private: bool = False) -> bool:
    """Write a file whole; False if it is there with these very bytes. UsageError if it differs and not ``force``.

    Without ``force`` nothing is ever lost: of two processes that write one file at once, one gets the name (T9). What
    is ``private`` is for its owner alone from the first byte on, and so is a draft: it holds hidden choices (T23).
    """
    data = text.encode("utf-8")
    try:
        mode = 0o600 if private or ".draft." in path.name else 0o644
        if not path.exists() and not force and disk.create(path, data, mode):
            return True
        if path.exists() and files.read(path, len(data)) == data:
            return False
        if not force:
            raise DiskError(f"{path} is already there and differs; move it away")
        disk.replace(path, data, mode)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
    return True
