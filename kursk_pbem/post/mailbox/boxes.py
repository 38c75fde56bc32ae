"""Mails in files: a single mail, an mbox, a Maildir, a folder of saved mails. The files are never changed.

The store remembers hashes of the mails read from a Maildir or an mbox (T59).
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import folders, things
from kursk_pbem.game.things import Thing
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.mailbox.envelope import FILE, MAX_MAIL, PLACE, Mail
from kursk_pbem.trust import link

_LATELY = "lately"
"""Setting with the last places of mails."""


@dataclass
class Source:
    """A file or folder with mails. ``seen``: hashes of the mails read, to save after processing.

    ``anew``: also read mails that were read earlier. ``named``: the owner named the place in this command.
    """

    path: Path
    home: Path
    anew: bool = False
    named: bool = True
    seen: set[str] = field(default_factory=set)

    def mails(self) -> Iterator[Mail | FileError]:
        """Yield every new mail, or an error for each unreadable mail. Raises UsageError."""
        if link.is_link(str(self.path)):
            return iter((Mail(str(self.path).encode(), "the link", asked=FILE),))
        if not self.path.exists():
            raise UsageError(f"no file or folder {self.path}")
        if self.path.is_dir():
            return self._mark(PLACE, self._read_maildir() if things.is_maildir(self.path) else self._read_folder())
        if things.is_mbox(self.path):
            return self._mark(PLACE, self._read_mbox())
        if things.is_packed(self.path):
            there = things.list_things(self.path)
            mails = (_make_mail(one.raw, one.name) if isinstance(one, Thing) else one for one in there)
            return self._mark(PLACE, mails)
        return self._mark(FILE, (read_mail(self.path),))

    def _mark(self, asked: str, there: Iterable[Mail | FileError]) -> Iterator[Mail | FileError]:
        asked = asked if self.named else ""
        return (replace(mail, asked=asked) if isinstance(mail, Mail) else mail for mail in there)

    def remember(self, again: Collection[str]) -> None:
        """Record all mails as processed, or none if some mails must be read again (``again``). Raises DiskError."""
        if self.seen and not again:
            with store.open_writing(self.home) as rows:
                rows.execute("insert or replace into box values (?, ?)", (self._name, json.dumps(sorted(self.seen))))

    @property
    def _name(self) -> str:
        return sha256_hex(str(self.path.resolve()).encode("utf-8", "surrogateescape"))[:16]

    def _load_known(self) -> set[str]:
        """Return the remembered hashes of the place. Raises DiskError."""
        with store.open_reading(self.home) as rows:
            row = rows.execute("select known from box where path = ?", (self._name,)).fetchone()
        return set(json.loads(row[0])) if row and not self.anew else set()

    def _read_maildir(self) -> Iterator[Mail | FileError]:
        """Yield the new mails of a Maildir and its subfolders.

        A name before ``:2,`` never changes, and the size detects partial mails.
        """
        known = self._load_known()
        boxes = [here / part for here in things.list_maildirs(self.path) for part in ("new", "cur")]
        for path in (path for box in boxes for path in things.list_files(box)):
            try:
                name = f"{path.name.partition(':2,')[0]} {path.stat().st_size}"
            except OSError:  # moved by another program: the next run reads again
                continue
            digest = sha256_hex(name.encode("utf-8", "surrogateescape"))[:16]
            mail = read_mail(path) if digest not in known else None
            if mail is not None:
                yield mail
            self.seen |= set() if isinstance(mail, FileError) else {digest}

    def _read_folder(self) -> Iterator[Mail | FileError]:
        """Yield the saved mails in and below a folder, without game folders. Raises UsageError for a game folder."""
        if _is_of_game(self.path):
            raise UsageError(f"{self.path} is a game folder; choose the folder of your saved mails")
        waiting = [self.path]
        while waiting:
            here = waiting.pop()
            entries = things.list_files(here, every=True)
            for path in entries:
                if path.is_file() and (things.is_mbox(path) or things.is_packed(path)):
                    yield from map(_make_thing, things.list_things(path))
                elif path.is_file():
                    yield read_mail(path)
                elif path.is_symlink() or not path.is_dir():
                    yield _make_thing(FileError(things.NOT_FOLLOWED, Where(str(path))))
            below = [path for path in entries if path.is_dir() and not (path.is_symlink() or _is_left_out(path))]
            waiting += [path for path in reversed(below) if path.resolve() != self.home.resolve()]

    def _read_mbox(self) -> Iterator[Mail | FileError]:
        """Yield the new mails of an mbox. A longer mail is new."""
        known = self._load_known()
        for thing in things.list_things(self.path):
            if isinstance(thing, FileError):
                yield thing
                continue
            self.seen.add(digest := sha256_hex(thing.raw)[:16])
            if digest not in known:
                yield _make_mail(thing.raw, thing.name)


def _is_of_game(folder: Path) -> bool:
    """Return whether a folder is the folder of a game, where a desk keeps turns that were taken."""
    return folder.name.startswith("game-") and folders.proposal_path(folder).is_file()


def _is_left_out(folder: Path) -> bool:
    """Return whether a subfolder has no mails: the folder or the archive of a game."""
    return _is_of_game(folder) or folders.proposal_path(folder).suffix == ".json"


def read_mail(path: Path) -> Mail | FileError:
    """Return the mail of a file, or an error if the file is unreadable."""
    try:
        folders.need_one_line(path)
        return _make_mail(folders.read_bytes(path, MAX_MAIL), str(path))
    except FileError as error:
        return error


def _make_thing(thing: Thing | FileError) -> Mail:
    """Return a file of a folder as a mail. The mail of an unreadable file has only the fault."""
    if isinstance(thing, Thing):
        return _make_mail(thing.raw, thing.name)
    return Mail(b"", thing.where.file if thing.where else "a file", fault=thing.message)


def _make_mail(raw: bytes, name: str) -> Mail:
    """Return a mail; if too large, only its header for identification."""
    mail = Mail(raw, name)
    if len(raw) > MAX_MAIL:
        why = f"more than {MAX_MAIL // 1024 // 1024} MiB; save the attachment by itself"
        return replace(mail.without_body, fault=why)
    return mail


def remember_places(home: Path, named: Iterable[Path], *, taken: bool) -> None:
    """Save the folders and mailboxes of a command, for the next command without a place. Raises DiskError.

    ``taken``: True if the command accepted a turn. Then the folder of a named file is saved, too.
    """
    sources = list[Path]()
    for file in (file for file in named if not link.is_link(str(file))):
        box = file.is_dir() or (file.is_file() and things.is_mbox(file))
        source = (file if box else file.parent).resolve()
        if (box or taken) and not _is_of_game(source) and source not in sources:
            sources.append(source)
    if sources and sources != last_places(home):
        there = (os.path.relpath(source, home.resolve()) for source in sources)  # the folders may move
        store.save_setting(home, _LATELY, "\0".join(there))


def last_places(home: Path) -> list[Path]:
    """Return the folders and mailboxes that the last command named. Raises DiskError."""
    return [(home / said).resolve() for said in store.load_setting(home, _LATELY).split("\0") if said]
