"""Mails that were fetched and are not finished: each whole on the disk, with the times that a receipt rests on.

When a mail is dealt with, one line without content says so (for 400 days), and the mail goes away. Whatever dies in
between, the next run finds the mail here, or its turn in the game: nothing is lost, nothing counts twice.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError, FileError, UsageError, Where
from kursk_pbem.formats import files, times
from kursk_pbem.game import disk
from kursk_pbem.post import envelope, place
from kursk_pbem.post.envelope import MAX_HEADER, MAX_MAIL, Mail
from kursk_pbem.post.referee import timing

KEPT, AGAIN = 400, 60
"""Days for which it is known what was dealt with, and on which a mail is looked at that cannot be dealt with."""
RESERVE, FILES = MAX_MAIL, 1_000
"""Bytes and files for which a disk keeps room while a mail is here: what is taken has to be written down."""
LEAST, FEW = 1024 * 1024, 100
"""The same while none is here."""
_BLOCKS = 16 * 1024
"""Bytes that two files take beyond what they hold."""
_DIGITS = 20
"""Digits of a UID, and more: what is longer is none."""


def _folder(home: Path) -> Path:
    return place.root(home) / "in" / "spool"


def _done(home: Path, digest: str) -> Path:
    return place.root(home) / "in" / "done" / digest[:2] / digest


def put(home: Path, raw: bytes, **said: str) -> None:
    """Keep a mail that was fetched, with where it is from (``folder``, ``uid`` of which ``numbers``) and its times.

    What stands there already stays: the first times count. UsageError.
    """
    digest = envelope.digest_of(raw)
    if said.get("fetched") == timing.UNSURE:
        timing.unsettle(home)
    place.once(_folder(home) / f"{digest}.json", said)
    place.once(_folder(home) / f"{digest}.eml", raw)


class AlmostFullError(DiskError):
    """The disk has room for what a round writes, and not for more mails."""


def has_room(home: Path, held: int, sizes: Collection[int]) -> None:
    """AlmostFullError where mails of these sizes would leave too little room to take them and those that are here.

    ``held``: the bytes that the latter have. Taking a mail may write as much again before it is gone.
    """
    size, number = disk.room(place.root(home))
    size -= sum(sizes) + _BLOCKS * len(sizes)
    number -= 2 * len(sizes)
    if (size < RESERVE + held + sum(sizes) or number < FILES) if held else (size < LEAST or number < FEW):
        why = "this disk is almost full, and more mails wait at the server; make room"
        raise AlmostFullError(f"{_folder(home)}: {why}")


def held(home: Path) -> int:
    """How many bytes the mails have that are not dealt with. DiskError."""
    found = 0
    for name in place.names(_folder(home)):
        if name.endswith(".eml"):
            with suppress(OSError):
                found += (_folder(home) / name).stat().st_size
    return found


def knows(home: Path, head: bytes) -> bool:
    """Whether the mail with this header was dealt with before, or is here."""
    digest = envelope.digest_of(head)
    return _done(home, digest).exists() or (_folder(home) / f"{digest}.eml").exists()


def senders(home: Path) -> set[str]:
    """The addresses that the mails here say to be from, in small letters: a turn may lie among them. DiskError."""
    found = set[str]()
    for name in place.names(_folder(home)):
        if name.endswith(".eml"):
            with suppress(OSError), (_folder(home) / name).open("rb") as file:
                found |= Mail(file.read(MAX_HEADER), "").senders
    return found


def holds_any(home: Path) -> bool:
    """Whether a mail is here that is not dealt with. DiskError."""
    return any(name.endswith(".eml") for name in place.names(_folder(home)))


@dataclass
class Spool:
    """The mails that were fetched, as a box that is looked through. ``taken``: what to flag on the server.

    ``unread``: whether one of them waits that cannot be read now.
    """

    home: Path
    shown: list[str] = field(default_factory=list)
    taken: list[dict[str, str]] = field(default_factory=list)
    unread: bool = False

    def mails(self) -> Iterator[Mail | FileError]:
        """Every mail in the spool, in the order in which they came: of two copies of a turn the first one counts.

        Those of which nobody knows come last; of one second they come as their server has numbered them.
        """
        noted = list[tuple[bool, str, int, str, dict[str, str]]]()
        names = set(place.names(_folder(self.home)))
        for name in sorted(names):
            if not name.endswith(".eml"):
                if f"{name[:-5]}.eml" not in names and _done(self.home, name[:-5]).exists():
                    with suppress(OSError):  # a crash came while it was put away, or the disk is too full for that
                        (_folder(self.home) / name).unlink(missing_ok=True)
                continue
            try:
                said = {key: str(value) for key, value in place.load(self._said(name[:-4])).items()}
            except UsageError as error:
                self.unread = True
                yield FileError(f"{error}; its mail waits, and without it counts as come at no time")
                continue
            uid = said.get("uid", "")
            number = int(uid) if uid.isdecimal() and len(uid) < _DIGITS else 0
            noted.append((not (at := timing.of_mail(said)), at, number, name[:-4], said))
        for _unknown, _at, _number, digest, said in sorted(noted, key=itemgetter(0, 1, 2, 3)):
            try:
                raw = files.read(_folder(self.home) / f"{digest}.eml", MAX_MAIL)
            except OSError as error:
                self.unread = True
                why = f"cannot be read: {error.strerror}; the mail in it waits"
                yield FileError(why, Where(str(_folder(self.home) / f"{digest}.eml")))
                continue
            self.shown.append(digest)
            kept = {key: said[key] for key in ("arrived", "fetched") if said.get(key)}
            yield Mail(raw, said.get("folder", "the mailbox"), kept)

    def remember(self, held: Collection[str], again: Collection[str] = ()) -> Iterator[tuple[FileError, Mail]]:
        """Put down that all of them are dealt with; ``held``: those with something of ours. UsageError.

        ``again``: those that stay, but not for ever; each that does not any more is given before it is gone, with what
        is told of it.
        """
        for digest in self.shown:
            if digest in again:
                if self._stays(digest):
                    continue
                yield self._lost(digest)
            said = {key: str(value) for key, value in place.load(self._said(digest)).items()}
            became = "taken" if digest in held else "nothing of ours"
            place.once(_done(self.home, digest), {"became": became, "at": clock.now()})
            if digest in held:
                self.taken.append(said)
            for path in (_folder(self.home) / f"{digest}.eml", self._said(digest)):
                path.unlink(missing_ok=True)
        self.shown.clear()

    def _lost(self, digest: str) -> tuple[FileError, Mail]:
        """That a mail has waited long enough for files of this desk, and the mail."""
        said, raw = place.load(self._said(digest)), files.read(_folder(self.home) / f"{digest}.eml", MAX_MAIL)
        mail = Mail(raw, str(said.get("folder", "the mailbox")))
        why = f"could not be filed on {AGAIN} days, and is kept no longer: ask for it again once that is healed"
        return FileError(why, Where(mail.name)), mail

    def _stays(self, digest: str) -> bool:
        """Whether a mail that cannot be dealt with is looked at once more; a clock that jumps takes one day of it.

        So does one that begins with the same day whenever its machine is started.
        """
        said, day = place.load(self._said(digest)), clock.now()[:10]
        days = str(said.get("days", "")).split()
        if day in days:
            return True
        with suppress(DiskError):  # it may wait for a disk with room
            place.put(self._said(digest), {**said, "days": " ".join([*days, day])})
        return len(days) + 1 < AGAIN

    def _said(self, digest: str) -> Path:
        return _folder(self.home) / f"{digest}.json"


def tidy(home: Path) -> None:
    """Forget what was dealt with more than 400 days ago; once a day, for it is a look at perhaps 100,000 files.

    Nothing where the day before is far from today: the clock may have been set.
    """
    root, today, last = place.root(home) / "in", clock.now()[:10], ""
    with suppress(DiskError):
        last = str(place.load(root / "tidied.json").get("day", ""))
    if last == today:
        return
    before = f"{last}T00:00:00Z"
    far = times.is_time(before) and times.between(before, clock.now()) > AGAIN * times.DAY
    for short in place.names(root / "done") if not far else ():
        for name in place.names(root / "done" / short):
            path = root / "done" / short / name
            if times.between(clock.of_file(path), clock.now()) > KEPT * times.DAY:
                path.unlink(missing_ok=True)
    for name, _folders, _files in os.walk(place.root(home), topdown=False):
        folder = Path(name)
        disk.sweep(folder)  # where nothing is written any more nobody else does
        if folder.parent in (root / "waiting", place.root(home) / "came"):
            with suppress(OSError):  # most hold something; what was made just now is about to
                if times.between(clock.of_file(folder), clock.now()) > times.DAY:
                    folder.rmdir()
    with suppress(DiskError):
        place.put(root / "tidied.json", {"day": today})
