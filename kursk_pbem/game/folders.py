"""A game folder: ``game-<16 hex>`` with messages ``NNNN.yaml``, reports and the current draft.

For reading and verifying, a folder may contain the archive form instead: ``NNNN.json`` and ``NNNN.json.sig``. File
names contain only the game id and a number (T30). Files are written completely: temporary file, fsync, rename. A
different existing file is overwritten only on request.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

from kursk_pbem.errors import DiskError, FileError, KurskError, TrustError, UsageError, Where
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import MAX_BYTES, parse_canonical
from kursk_pbem.game import disk
from kursk_pbem.trust import earlier, messages, reader
from kursk_pbem.trust.messages import Message

_MESSAGE = re.compile(r"[0-9]{4}\.yaml")
MAX_EVIDENCE = 8
"""Maximum number of conflicting messages kept as evidence. Two prove a fault, and thousands would fill the disk."""
_TOURNAMENT = b"kursk-tournament:"
_ARCHIVED = re.compile(r"[0-9]{4}\.json(\.sig)?")


def folder_name(game: str) -> str:
    """Return the folder name of a game: ``game-`` and the first 16 hex digits of its id."""
    return f"game-{game[:16]}"


def find_candidates(place: Path | None, game: str) -> list[Path]:
    """Return the folders that could contain a game, the likeliest first.

    ``place``: the folder of the input file, ``None`` for stdin. A tournament's folder is no game folder.
    """
    return [(place or Path()) / folder_name(game), *([place] if place is not None and is_game_folder(place) else [])]


def is_game_folder(place: Path) -> bool:
    """Return whether a folder contains a game and not a tournament. A file 0000.yaml is in both."""
    with suppress(OSError, ValueError):
        first = proposal_path(place)
        if first.is_file():
            with first.open("rb") as file:
                return file.read(len(_TOURNAMENT)) != _TOURNAMENT
    return False


def message_path(folder: Path, seq: int) -> Path:
    """Return the path of message ``seq``."""
    return folder / f"{seq:04d}.yaml"


def archive_path(folder: Path, seq: int) -> Path:
    """Return the path of message ``seq`` in the archive form."""
    return folder / f"{seq:04d}.json"


def signature_path(archived: Path) -> Path:
    """Return the path of an archived message's signature."""
    return archived.with_name(f"{archived.name}.sig")


def position_path(archived: Path) -> Path:
    """Return the path of an archived successor game's first position, on which the players agreed."""
    return archived.with_name(f"state-{archived.name}")


def proposal_path(folder: Path) -> Path:
    """Return the path of message 0: ``0000.json`` in an archive, otherwise ``0000.yaml``."""
    mailed, archived = message_path(folder, 0), archive_path(folder, 0)
    is_archive = files.is_there(archived) and files.is_there(signature_path(archived)) and not files.is_there(mailed)
    return archived if is_archive else mailed


def find_games(path: Path) -> Iterator[Path]:
    """Yield every folder at or below ``path`` with a 0000.yaml or 0000.json, in order of names.

    A folder with a 0000.yaml may be a player's mail folder, so the search continues in the folders below.
    """
    waiting = [path]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as entries:
                below = [here / entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
            if proposal_path(here).is_file():
                yield here
        except OSError:
            yield here  # verification reports the unreadable folder
            continue
        waiting += sorted(below, reverse=True)


def draft_path(folder: Path, seq: int) -> Path:
    """Return the path of the draft of message ``seq``."""
    return folder / f"{seq:04d}.draft.yaml"


def is_draft(path: Path) -> bool:
    """Return whether a file has the name of a draft."""
    return path.name.endswith(".draft.yaml")


def report_path(folder: Path, seq: int, *, draft: bool = False) -> Path:
    """Return the path of the report on message ``seq``. ``draft``: the report on dice rolled before the orders."""
    return folder / f"report-{seq:04d}{'.draft' if draft else ''}.txt"


def need_one_line(path: Path) -> None:
    """Raise FileError if a path contains a line break, because the text after it could imitate a verdict (T29)."""
    if "\n" in str(path):
        raise FileError("the name contains a line break; choose another name", Where(str(path)))


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """Return at most ``most`` + 1 bytes of a file, so the caller notices a longer file. Raises FileError."""
    try:
        return files.read(path, most)
    except (FileNotFoundError, NotADirectoryError):  # for example 'boris/3', where boris is a file
        raise FileError("there is no such file", Where(str(path))) from None
    except OSError as error:
        if error.errno == errno.EISDIR:
            raise FileError("the path is a folder; choose a file in the folder", Where(str(path))) from None
        raise FileError(f"cannot be read: {error.strerror}", Where(str(path))) from None


_read = files.cache_reader(messages.read_message)


def read_message(path: Path) -> Message:
    """Return the signed message in a file. A ``.json`` file is from an archive, with the signature in a second file."""
    raw = read_bytes(path)
    if path.suffix != ".json":
        try:
            return _read(raw, str(path))
        except FileError as error:
            return _find_turn(raw, str(path), error)
    if not signature_path(path).is_file() and not raw.startswith(b'{"commit":'):
        reading = reader.read_thing(raw, str(path))  # perhaps the export of a chat
        if len(reading.turns) == 1 and isinstance(reading.turns[0], Message):
            return reading.turns[0]
        raise reading.reasons[0]
    armour = read_bytes(signature_path(path)).decode("ascii", "replace")
    message = messages.read_archive(raw, armour, str(path))
    agreed = position_path(path)
    if "continues" not in message.content or not agreed.is_file():
        return message
    return replace(message, state=parse_canonical(read_bytes(agreed), str(agreed)))


def _find_turn(raw: bytes, name: str, error: FileError) -> Message:
    """Return the single turn of a mail that was saved under the name of a turn file.

    Raises FileError for a draft, a text with a turn, and a turn that was cut off: YAML knows no end of a file;
    otherwise raises ``error``.
    """
    from kursk_pbem.trust import mailtext  # noqa: PLC0415  not needed for a turn file

    reading = reader.read_thing(raw, name, check=False)
    cut = any(cut for *_which, cut in reading.claims)
    whole = mailtext.MAIL.match(raw, 0, mailtext.MAX_HEADER) is not None and not cut
    if whole and len(reading.turns) == 1 and isinstance(reading.turns[0], Message):
        return reading.turns[0]
    if reading.turns and not raw.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"kursk-pbem:"):
        why = "this is a mail or text with a turn: 'kursk inbox FILE' takes it; then move this file out of the folder"
        raise FileError(why, Where(name))
    raise (reading.faults[0] if (is_draft(Path(name)) or cut) and reading.faults else error) from None


def has_message(path: Path, message: str) -> bool:
    """Return whether a file is readable and contains the message with the id ``message``."""
    with suppress(KurskError, OSError):
        return read_message(path).id == message
    return False


def read_game_id(folder: Path, damaged: str = "") -> str:
    """Return the id of the game in a folder, as message 0 says; if message 0 is unreadable, return ``damaged``.

    Return '' if message 0 is missing. The file name 0000.yaml proves nothing, because a player can save any turn so.
    """
    first = proposal_path(folder)
    try:
        message = read_message(first)
    except KurskError:
        return damaged if first.is_file() else ""
    return message.id if message.seq == 0 else ""


def read_numbered(path: Path, number: int) -> Message:
    """Return the message in a file ``NNNN.yaml``. Raises TrustError if its number differs from the name."""
    message = read_message(path)
    if message.seq != number:
        why = f"the file holds message {message.seq}, but the name says {number}"
        raise TrustError("chain", why, message.where("seq"))
    return message


def read_before(folder: Path, seq: int) -> list[Message]:
    """Return the messages before number ``seq``: the newest from files, the rest from a block of earlier messages.

    Raises FileError.
    """
    there: list[Message] = []
    for number in reversed(range(seq)):
        there.insert(0, read_message(message_path(folder, number)))
        if found := [turn for turn in earlier.open_block(there[0]) if isinstance(turn, Message)]:
            return [*found, *there]
    return there


def message_files(folder: Path) -> list[Path]:
    """Return the message files of a game folder in order; if the folder has none, the files of an archived game.

    Raises UsageError if the folder has no messages, TrustError if a number is missing. Raises FileError if the folder
    has one side's messages only, because these are received mails and no damaged game.
    """
    names = _list_names(folder)
    form, listed = "{:04d}.yaml", sorted(filter(_MESSAGE.fullmatch, names))
    archived = set(filter(_ARCHIVED.fullmatch, names))
    # files without signatures belong to a journal or something else
    if not listed and any(name.endswith(".sig") for name in archived):
        form, listed = "{:04d}.json", sorted({name.removesuffix(".sig") for name in archived})
    if not listed:
        raise UsageError(f"{folder} is no game folder: 0000.yaml is missing")
    for number, name in enumerate(listed):
        due = form.format(number)
        if name not in names or name != due:
            others = "the signature is" if name == due else "later messages are"
            why, where = f"message {number} is missing, and {others} there", Where(str(folder / due))
            if _has_one_writer(listed):
                raise FileError(f"{why}; look for the other side's messages in the mails, also in sent mails", where)
            raise TrustError("chain", why, where)
    return [folder / name for name in listed]


def _has_one_writer(names: list[str]) -> bool:
    """Return whether one side wrote the messages after message 0: the numbers are all even or all odd."""
    numbers = [int(name[:4]) for name in names]
    return 0 in numbers and len({number % 2 for number in numbers if number}) == 1


def _list_names(folder: Path) -> set[str]:
    """Return the names in a folder; an empty set if the folder is missing. Raises DiskError."""
    return {path.name for path in disk.list_folder(folder)}


def need_one_form(folder: Path) -> None:
    """Raise UsageError if a folder contains both mailed and archived messages.

    Otherwise readers of the two forms could see two different valid games.
    """
    names = _list_names(folder)
    mailed, archived = (set(filter(form.fullmatch, names)) for form in (_MESSAGE, _ARCHIVED))
    if mailed and any(name.endswith(".sig") for name in archived):
        raise UsageError(
            f"{folder} contains mailed and archived messages ({min(mailed)}, {min(archived)}), perhaps of two games: "
            "put the archived messages into another folder"
        )


def evidence_wanted(path: Path) -> bool:
    """Return whether to write ``evidence-WHAT-ID.yaml``: not if the file exists or the folder has too many."""
    beside = path.parent.glob(f"{path.name.rpartition('-')[0]}-*.yaml")
    return not path.exists() and sum(True for _file in beside) < MAX_EVIDENCE


def keep_aside(path: Path) -> Path:
    """Copy a player's file to ``NAME.unsigned``, with a number if the name is taken; return the copy's path.

    A different existing copy is never overwritten. Raises DiskError.
    """
    written = path.read_bytes()
    for number in count(1):
        copy = path.with_name(f"{path.name}.unsigned{f'-{number}' if number > 1 else ''}")
        if disk.create(copy, written) or read_bytes(copy, len(written)) == written:
            return copy
    raise AssertionError("numbers do not end")


def remove_drafts(folder: Path, seq: int) -> None:
    """Remove the draft of message ``seq``, now signed. A draft of the writer's previous message is copied aside.

    Such a draft remains after a declined offer if the draft could not get a new number. Raises OSError, DiskError.
    """
    former = draft_path(folder, max(seq - 2, 0))
    if former.is_file():
        keep_aside(former)
    for path in (former, draft_path(folder, seq)):
        path.unlink(missing_ok=True)


def remove_old_drafts(folder: Path, seq: int) -> None:
    """Remove the drafts of messages before ``seq``, which are signed. Ignore disk errors."""
    with suppress(OSError):
        for number in range(seq):
            draft_path(folder, number).unlink(missing_ok=True)


def make(folder: Path) -> None:
    """Create a folder and its parents if they do not exist. Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiskError(f"{folder} cannot be made: {error.strerror}") from None


def write(path: Path, content: str | bytes, *, force: bool = False, private: bool = False) -> bool:
    """Write a file completely; return False if the file exists with equal bytes.

    Raises UsageError if the file exists with other bytes, unless ``force`` is set. Without ``force``, only one of two
    processes can create the file (T9). Only the owner can ever read drafts and ``private`` files, because
    they contain hidden choices (T23).
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        mode = 0o600 if private or ".draft." in path.name else 0o644
        if not path.exists() and not force and disk.create(path, data, mode):
            return True
        if path.exists() and files.read(path, len(data)) == data:
            return False
        if not force:
            raise DiskError(f"{path} exists already and differs; move the file away")
        disk.replace(path, data, mode)
    except OSError as error:
        raise DiskError(f"{path} cannot be written: {error.strerror}") from None
    return True
