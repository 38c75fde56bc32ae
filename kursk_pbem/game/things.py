"""The things of a path: a file, the mails of an mbox or a Maildir, the files of a folder, the members of an archive.

Nothing is changed or followed: links, pipes and devices are named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, TypeAlias

from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats import files
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, receipts
from kursk_pbem.trust import link, messages, packed, papers
from kursk_pbem.trust.decoding import PACKED, Budget, name_kind
from kursk_pbem.trust.reader import MAX_THING

MAX_FILES, MAX_BYTES, MAX_DEPTH = 200_000, 256 << 20, 6
"""Limits: files of a folder or an archive, unpacked bytes of an archive, depth of nested archives."""
NOT_FOLLOWED = "is a link, a pipe or a device, and is not read: name the file itself"
_MAX_LINE = 1 << 20
_FIELD = re.compile(rb"[!-9;-~]{1,76}:")
_PRIVATE = re.compile(
    r"(?:.*/)?(?:[.](?!.*[.]icloud\Z).*|__MACOSX/.*|dovecot[.-].*|[^/]*[.]draft[.]yaml(?:[.]unsigned[^/]*)?"
    r"|draft[.]schema[.]json)"
)
"""Hidden files, the index of a mail server, and drafts: they hold choices that nobody else may know."""
_DRAFT = re.compile(r"[.]draft[.]yaml\Z")
Skip: TypeAlias = Callable[[Path], bool]
"""A function that returns whether to leave out a file of a folder."""


@frozen
class Thing:
    """Something to read: a mail, a turn file, or a text. ``name``: words for messages that say where it comes from."""

    raw: bytes = field(repr=False)
    name: str


def list_things(path: Path, skip: Skip | None = None) -> Iterator[Thing | FileError]:
    """Yield the files and mails at a path, and an error for every unreadable file. ``skip``: files to leave out."""
    if link.is_link(str(path)):
        yield Thing(str(path).encode(), "the link")
        return
    waiting = [path]
    while waiting:
        here = waiting.pop()
        if here != path and (here.is_symlink() or not (here.is_dir() or here.is_file())):
            yield FileError(NOT_FOLLOWED, Where(str(here)))
        elif not here.is_dir():
            yield from _open_file(here)
        else:
            try:
                listed = list_files(here, every=True)
            except UsageError as error:
                yield FileError(error.message)
                continue
            waiting += [each for each in reversed(listed) if not _is_left_out(each, skip)]


def _is_left_out(path: Path, skip: Skip | None) -> bool:
    """Return whether to leave out an entry of a folder: half a mail, or the signature of an archived message there."""
    if path.is_dir():
        return path.name == "tmp" and is_maildir(path.parent)
    of_message = path.suffix == ".sig" and path.with_suffix("").is_file()
    return of_message or (skip is not None and path.is_file() and skip(path))


def list_files(folder: Path, *, every: bool = False) -> list[Path]:
    """Return the ordinary files of a folder, sorted by name, without hidden files and drafts. Raises UsageError.

    ``every``: also subfolders, links and devices, and the hidden subfolders of a Maildir.
    """
    try:
        shown = (path for path in folder.iterdir() if not _PRIVATE.fullmatch(path.name) or _is_below(path))
        paths = sorted(path for path in shown if every or path.is_file())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from None
    if len(paths) > MAX_FILES:
        raise UsageError(f"{folder} contains more than {MAX_FILES} files; choose a smaller folder")
    return paths


def _open_file(path: Path) -> Iterator[Thing | FileError]:
    """Yield the things of a file."""
    name = str(path)
    try:
        folders.need_one_line(path)
        if is_mbox(path):
            with path.open("rb") as file:
                yield from _list_mails(file, name)
        elif path.suffix == ".json" and folders.signature_path(path).is_file():
            yield Thing(_join_archived(path), name)
        elif path.match("*.json.sig") and path.with_suffix("").is_file():
            return  # the signature belongs to the archived message before
        else:
            raw = folders.read_bytes(path, MAX_THING)
            raw = folders.read_bytes(path, MAX_BYTES) if len(raw) > MAX_THING and name_kind(raw) in PACKED else raw
            yield from _open(raw, name, Budget(MAX_BYTES, MAX_FILES, depth=MAX_DEPTH))
    except FileError as error:
        yield error
    except OSError as error:
        yield FileError(f"cannot be read: {error.strerror}", Where(name))


def _join_archived(path: Path) -> bytes:
    """Return an archived message or paper as a turn file. Raises FileError."""
    if receipts.NAMES.fullmatch(path.name):
        return papers.emit_paper(receipts.read_file(path)).encode("utf-8")
    message = folders.read_message(path)
    return messages.emit_for_mail(message.content, message.armour, message.state).encode("utf-8")


def _open(raw: bytes, name: str, budget: Budget, depth: int = 0) -> Iterator[Thing | FileError]:
    """Yield the things of a file, or of a file in an archive."""
    if depth and raw.startswith(b"From "):
        yield from _list_mails(BytesIO(raw), name)
    elif name_kind(raw) not in PACKED:
        yield Thing(raw, name)
    elif depth == budget.depth:
        yield FileError("archives in one another, too many: unpack the file", Where(name))
    else:
        for member, data in packed.unpack(raw, name, budget):
            if isinstance(data, str):
                yield FileError(data, Where(member))
            elif _DRAFT.search(member):
                yield FileError("is a draft, and not signed: 'kursk check' checks your own draft", Where(member))
            elif not _PRIVATE.fullmatch(member.removeprefix(f"{name}: ")):
                yield from _open(data, member, budget, depth + 1)


def is_mbox(path: Path) -> bool:
    """Return whether a file is a mailbox in mbox format."""
    try:
        return files.read(path, 5).startswith(b"From ")
    except OSError:
        return False


def is_packed(path: Path) -> bool:
    """Return whether a file is an archive or a packed file."""
    try:
        return name_kind(files.read(path, 600)) in PACKED
    except OSError:
        return False


def is_maildir(path: Path) -> bool:
    """Return whether a folder is a mailbox in Maildir format."""
    return (path / "cur").is_dir() and (path / "new").is_dir()


def list_maildirs(folder: Path) -> Iterator[Path]:
    """Yield a Maildir and the Maildirs inside, such as ``.Archive``. Raises UsageError."""
    waiting = [folder]
    while waiting:
        yield (here := waiting.pop())
        waiting += [path for path in reversed(list_files(here, every=True)) if _is_below(path)]


def _is_below(path: Path) -> bool:
    return is_maildir(path) and not path.is_symlink()


def _list_mails(file: BinaryIO, name: str) -> Iterator[Thing]:
    return (Thing(raw, f"{name}, mail {number}") for number, raw in enumerate(split_mbox(file), 1))


def split_mbox(file: BinaryIO) -> Iterator[bytes]:
    """Yield the mails of an mbox file without their ``From`` lines. Cut off overlong mails.

    A mail begins after an empty line with ``From `` and a header field, because some programs do not escape ``From`` in
    a text. ``mailbox.mbox`` would split at each ``From``.
    """
    held, end, before, last = bytearray(), 0, b"", b"\n"
    while line := file.readline(_MAX_LINE):
        if last.startswith(b"From ") and not before.strip() and _FIELD.match(line):
            if end:
                yield bytes(held[:end])
            held.clear()
        if len(held) <= MAX_THING + _MAX_LINE:
            end = len(held)  # without the newest line, possibly the next mail's From line
            held += line
        before, last = last, line
    if held:
        yield bytes(held)
