"""Mails from files: a single mail, an mbox, a Maildir, a folder of saved mails. Nothing in them is moved or changed.

Of a Maildir and an mbox the store remembers hashes of the mails that were looked through (T59).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from kursk_pbem.desk.draft import editors
from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats import files
from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.mailbox.envelope import MAX_MAIL, Mail

_MAX_FILES = 200_000
_MAX_LINE = 1 << 20
_FIELD = re.compile(rb"[!-9;-~]{1,76}:")
_LATELY = "lately"
"""The setting with the place in which mails were found last."""


@dataclass
class Source:
    """Mails from a place, one after the other; ``seen``: what to remember of it, once they are dealt with.

    ``anew``: also the mails that were looked through before.
    """

    path: Path
    home: Path
    anew: bool = False
    seen: set[str] = field(default_factory=set)

    def mails(self) -> Iterator[Mail | FileError]:
        """Yield every mail that was not looked through before; a fault for each unreadable one. Raises UsageError."""
        if not self.path.exists():
            raise UsageError(f"{self.path}: there is no such file or folder")
        if self.path.is_dir():
            return self._maildir() if is_maildir(self.path) else self._folder()
        return self._mbox() if is_mbox(self.path) else iter((one(self.path),))

    def remember(self, held: Collection[str], again: Collection[str]) -> tuple[()]:  # noqa: ARG002  nothing is said of each
        """Record that all mails are dealt with, unless some are to be looked at ``again``. Raises DiskError."""
        if self.seen and not again:
            with store.writing(self.home) as rows:
                rows.execute("insert or replace into box values (?, ?)", (self._name, json.dumps(sorted(self.seen))))
        return ()

    @property
    def _name(self) -> str:
        return _hash(str(self.path.resolve()).encode("utf-8", "surrogateescape"))

    def _known(self) -> set[str]:
        """Return what is remembered of the place. Raises DiskError."""
        with store.reading(self.home) as rows:
            row = rows.execute("select known from box where path = ?", (self._name,)).fetchone()
        return set(json.loads(row[0])) if row and not self.anew else set()

    def _maildir(self) -> Iterator[Mail | FileError]:
        """Yield the new mails of a Maildir. A name before ``:2,`` never changes, and the size shows a whole mail."""
        known = self._known()
        for path in (*_list_files(self.path / "new"), *_list_files(self.path / "cur")):
            try:
                name = f"{path.name.partition(':2,')[0]} {path.stat().st_size}"
            except OSError:  # a program has moved it: the next run looks again
                continue
            digest = _hash(name.encode("utf-8", "surrogateescape"))
            mail = one(path) if digest not in known else None
            if mail is not None:
                yield mail
            self.seen |= set() if isinstance(mail, FileError) else {digest}

    def _folder(self) -> Iterator[Mail | FileError]:
        """Yield the saved mails of a folder, not of folders in it. Raises UsageError for a game folder."""
        if folders.proposal_path(self.path).is_file() and self.path.name.startswith("game-"):
            raise UsageError(f"{self.path} is a game folder; name the folder in which your mails are saved")
        played_in = (self.path / editors.NAME).is_file()  # then drafts are the player's own: nobody has mailed them
        for path in _list_files(self.path):
            if not (played_in and (path.name == editors.NAME or path.match("*.draft.yaml"))):
                yield one(path)

    def _mbox(self) -> Iterator[Mail | FileError]:
        """Yield the new mails of an mbox; a mail that grew since is new."""
        known = self._known()
        for number, raw in enumerate(_split(self.path), 1):
            self.seen.add(digest := _hash(raw))
            if digest not in known:
                yield _as_mail(raw, f"{self.path}, mail {number}")


def is_mbox(path: Path) -> bool:
    """Return whether a file is an mbox."""
    try:
        return files.read(path, 5).startswith(b"From ")
    except OSError:
        return False


def is_maildir(path: Path) -> bool:
    """Return whether a folder is a Maildir."""
    return (path / "cur").is_dir() and (path / "new").is_dir()


def one(path: Path) -> Mail | FileError:
    """Return the mail of a file, or why it cannot be read."""
    try:
        folders.need_one_line(path)
        return _as_mail(files.read(path, MAX_MAIL), str(path))
    except FileError as error:
        return error
    except OSError as error:
        return FileError(f"cannot be read: {error.strerror}", Where(str(path)))


def _as_mail(raw: bytes, name: str) -> Mail:
    """Return a mail; of one that is too large its header, which says whose it is."""
    mail = Mail(raw, name)
    if len(raw) > MAX_MAIL:
        why = f"more than {MAX_MAIL // 1024 // 1024} MiB; save the attachment by itself"
        return replace(mail.without_body, fault=why)
    return mail


def _list_files(folder: Path) -> list[Path]:
    """Return the ordinary files of a folder by name, without hidden ones. Raises UsageError."""
    try:
        paths = sorted(path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from None
    if len(paths) > _MAX_FILES:
        raise UsageError(f"{folder} holds more than {_MAX_FILES} files; name a smaller folder")
    return paths


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _split(path: Path) -> Iterator[bytes]:
    """Yield the mails of an mbox without their ``From`` lines; of a long one as much as shows that it is too long.

    A mail begins after an empty line, ``From `` and a header field: not every program escapes ``From`` in a text.
    ``mailbox.mbox`` splits at each ``From``.
    """
    held, end, before, last = bytearray(), 0, b"", b"\n"
    with path.open("rb") as file:
        while line := file.readline(_MAX_LINE):
            if last.startswith(b"From ") and not before.strip() and _FIELD.match(line):
                if end:
                    yield bytes(held[:end])
                held.clear()
            if len(held) <= MAX_MAIL + _MAX_LINE:
                end = len(held)  # without the newest line, which may be the From line of the next mail
                held += line
            before, last = last, line
    if held:
        yield bytes(held)


def remember_place(home: Path, file: Path) -> None:
    """Store where a mail was taken from: its folder, or the mailbox that it is. Raises DiskError."""
    source = (file if file.is_dir() or (file.is_file() and is_mbox(file)) else file.parent).resolve()
    of_game = folders.proposal_path(source).is_file() and source.name.startswith("game-")
    if not of_game and last_place(home) != source:
        store.set_setting(home, _LATELY, os.path.relpath(source, home.resolve()))  # the folders may move together


def last_place(home: Path) -> Path | None:
    """Return the folder or mailbox in which mails were found last, None if none is known. Raises DiskError."""
    return (home / said).resolve() if (said := store.setting(home, _LATELY)) else None
