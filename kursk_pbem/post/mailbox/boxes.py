"""Mails from files: a single one, an mbox, a Maildir, a folder of saved mails. Nothing in them is moved or changed.

What was looked through before is not opened again: of a Maildir the names that are known, of an mbox what lies before
the last mail of then. Only hashes and lengths are remembered (T59).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from kursk_pbem.desk.draft import editors
from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats import files
from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.mailbox.envelope import MAX_MAIL, Mail

_CHUNK = 1 << 20
_PROOF = 4096
"""Bytes behind the beginning of the last mail of an mbox, and before its end, that must be the same, or all is read."""
_MOST_FILES = 200_000
_OVERLAP = 2048
_BEGINS = re.compile(rb"\nFrom (?:(?<=\n\nFrom )|(?<=\n\r\nFrom ))[^\n]{0,998}\n[!-9;-~]{1,76}:")
"""Where one mail of an mbox ends and another begins: an empty line, ``From ``, and then a header field.

It begins with letters of its own, which are found many times faster than an empty line.
"""


@dataclass
class Source:
    """Mails from a place, one after the other; ``seen``: what to remember of it, once they are dealt with.

    ``anew``: also those that were looked through before.
    """

    path: Path
    home: Path
    anew: bool = False
    seen: dict[str, Any] = field(default_factory=dict)

    def mails(self) -> Iterator[Mail | FileError]:
        """Every mail that was not looked through before; a fault in the place of one that cannot be. UsageError."""
        if not self.path.exists():
            raise UsageError(f"{self.path}: there is no such file or folder")
        if self.path.is_dir():
            return self._maildir() if is_maildir(self.path) else self._folder()
        return self._mbox() if is_mbox(self.path) else iter((one(self.path),))

    def remember(self, held: Collection[str], again: Collection[str]) -> tuple[()]:  # noqa: ARG002  nothing is said of each
        """Put down that all of it is dealt with, unless something of it is to be looked at ``again``. UsageError."""
        if self.seen and not again:
            with store.writing(self.home) as rows:
                rows.execute("insert or replace into box values (?, ?)", (self._name, json.dumps(self.seen)))
        return ()

    @property
    def _name(self) -> str:
        return _hashed(str(self.path.resolve()))

    @property
    def _remembered(self) -> dict[str, Any]:
        """What is known of the place. Raises DiskError."""
        if self.anew:
            return {}
        with store.reading(self.home) as rows:
            row = rows.execute("select known from box where path = ?", (self._name,)).fetchone()
        return dict(json.loads(row[0])) if row else {}

    def _maildir(self) -> Iterator[Mail | FileError]:
        """A Maildir: names before ``:2,`` never change; those that are known are not opened, unless they grew."""
        known = set(self._remembered.get("names", ()))
        paths = [path for sub in ("new", "cur") for path in _listed(self.path / sub)]
        named = [(path, _hashed(f"{path.name.partition(':2,')[0]} {_length(path)}")) for path in paths]
        missed: set[str] = (
            set()
        )  # a mail program has moved it meanwhile, or it cannot be opened: the next run looks again
        for path, name in named:
            if name in known:
                continue
            try:
                yield _read(path)
            except FileNotFoundError:
                missed.add(name)
            except OSError as error:
                missed.add(name)
                yield _unreadable(path, error)
        self.seen = {"names": sorted({name for _path, name in named} - missed)}

    def _folder(self) -> Iterator[Mail | FileError]:
        """A folder of saved mails, not those below it. A game folder is none."""
        if folders.proposal_path(self.path).is_file() and self.path.name.startswith("game-"):
            raise UsageError(f"{self.path} is a game folder; name the folder in which your mails are saved")
        played_in = (self.path / editors.NAME).is_file()  # then drafts are the player's own: nobody has mailed them
        for path in _listed(self.path):
            if not (played_in and (path.name == editors.NAME or path.match("*.draft.yaml"))):
                yield one(path)

    def _mbox(self) -> Iterator[Mail | FileError]:
        """An mbox: what was added since the last time; its last mail of then again, which may have been unfinished."""
        memory = self._remembered
        with self.path.open("rb") as file:
            there = os.fstat(file.fileno())
            size = there.st_size
            old, last = _old_end(file, memory, size)
            if old == size:
                return
            begin = last
            for number, (start, raw) in enumerate(_split(file, last, size), 1):
                begin = start
                yield _mail(raw, f"{self.path}, mail {number}{' of the last ones' if last else ''}")
            proof, now = _proof(file, begin, size), os.fstat(file.fileno())
        if (there.st_mtime_ns, there.st_ctime_ns) == (now.st_mtime_ns, now.st_ctime_ns):  # nobody wrote it meanwhile
            self.seen = {"size": str(size), "last": str(begin), "proof": proof}


def is_mbox(path: Path) -> bool:
    """Whether a file is an mbox."""
    try:
        return files.read(path, 5).startswith(b"From ")
    except OSError:
        return False


def is_maildir(path: Path) -> bool:
    """Whether a folder is a Maildir."""
    return (path / "cur").is_dir() and (path / "new").is_dir()


def one(path: Path) -> Mail | FileError:
    """The mail of a file, or why it cannot be read."""
    try:
        return _read(path)
    except OSError as error:
        return _unreadable(path, error)


def _read(path: Path) -> Mail | FileError:
    try:
        folders.need_one_line(path)
        return _mail(files.read(path, MAX_MAIL), str(path))
    except FileError as error:
        return error


def _unreadable(path: Path, error: OSError) -> FileError:
    return FileError(f"cannot be read: {error.strerror}", Where(str(path)))


def _mail(raw: bytes, name: str) -> Mail:
    """A mail; of one that is too large its header, which says whose it is."""
    mail = Mail(raw, name)
    if len(raw) > MAX_MAIL:
        why = f"more than {MAX_MAIL // 1024 // 1024} MiB; save the attachment by itself"
        return replace(mail.without_body, fault=why)
    return mail


def _listed(folder: Path) -> list[Path]:
    """The ordinary files of a folder, in order of their names; not those that are hidden."""
    try:
        paths = [path for path in folder.iterdir() if not path.name.startswith(".") and _may_be_mail(path)]
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from None
    if len(paths) > _MOST_FILES:
        raise UsageError(f"{folder} holds more than {_MOST_FILES} files; name a smaller folder")
    return sorted(paths)


def _may_be_mail(path: Path) -> bool:
    """Whether it is an ordinary file, or cannot be looked at: then that is told of it, and the others are read."""
    try:
        return path.is_file()
    except OSError:
        return True


def _length(path: Path) -> int:
    """Bytes of a file, 0 of one that cannot be looked at. Somebody may still be copying a mail into its place."""
    with suppress(OSError):
        return path.stat().st_size
    return 0


def _hashed(name: str) -> str:
    return _sha256(name.encode("utf-8", "surrogateescape"))[:16]


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _old_end(file: IO[bytes], memory: Mapping[str, Any], size: int) -> tuple[int, int]:
    """Where an mbox ended, and where its last mail began, if it was only added to since; otherwise 0 and 0."""
    old, last = (int(memory.get(key, 0)) for key in ("size", "last"))
    if not last <= old <= size or _proof(file, last, old) != memory.get("proof"):
        return 0, 0
    return old, last


def _proof(file: IO[bytes], last: int, end: int) -> str:
    """What shows that an mbox still has its last mail in the same place, and ends there as it did.

    A stranger can make how their mail ends, with a page of empty lines say, but not how it begins: when it was
    delivered stands there, and what the servers of its reader put above it.
    """
    shown = hashlib.sha256()
    for begin, until in ((last, min(end, last + _PROOF)), (max(0, end - _PROOF), end)):
        file.seek(begin)
        shown.update(file.read(until - begin))
    return shown.hexdigest()


def _split(file: IO[bytes], begin: int, size: int) -> Iterator[tuple[int, bytes]]:
    """The mails of an mbox between two places: where each begins, and its bytes without the ``From`` line.

    Of one that is longer than a mail may be, as much as shows that.
    """
    file.seek(begin)
    held, start, searched, dropped = b"", begin, 0, 0
    while chunk := file.read(min(_CHUNK, size - file.tell())):
        held, first = held + chunk, 0
        for found in _BEGINS.finditer(held, searched):
            end = found.start() + 1
            yield start, _unfenced(held[first:end])
            start += end - first + dropped
            first, dropped = end, 0
        held = held[first:]  # once for all of them: a chunk may hold a hundred thousand (T49)
        if len(held) > MAX_MAIL + 2 * _CHUNK:  # the rest of it is read and let go
            dropped += len(held) - MAX_MAIL - _CHUNK - _OVERLAP
            held = held[: MAX_MAIL + _CHUNK] + held[-_OVERLAP:]
        searched = max(0, len(held) - _OVERLAP)
    if held.strip():
        yield start, _unfenced(held)


def _unfenced(raw: bytes) -> bytes:
    """A mail of an mbox without its ``From`` line."""
    raw = raw.lstrip(b"\r\n")
    return raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw
