"""A whole tournament at its desks. Mail goes through the director's mailbox; tests may kill the director."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable
from email.message import EmailMessage
from pathlib import Path

from helpers import crash_play
from helpers.cup_by_mail import DEATHS
from helpers.postmen import run_in_child
from helpers.tourney import World

from kursk_pbem.cli import run
from kursk_pbem.game import disk

POSTMARK = "From player Fri Jan  1 12:00:00 2027\n"


class Season(World):
    """A world with a director who reads one mailbox and types every command; ``kills``: the number of kills."""

    def __init__(self, root: Path, kills: int = 0) -> None:
        super().__init__(root)
        self.kills, self.killed = kills, 0
        self.deaths = random.Random(11)
        self.director.kursk = self._direct  # type: ignore[method-assign]

    def _direct(self, *words: object, status: int | None = 0) -> str:
        """Run a command of the director, killed several times before it succeeds."""
        if "new" not in words:
            for _attempt in range(6):
                self.killed += self.killed < self.kills and self._dies(words)
        return type(self.director).kursk(self.director, *words, status=status)

    def _dies(self, words: Iterable[object]) -> bool:
        """Run a command in a child process that dies at a system call; return whether the child died."""
        at = self.deaths.choice(DEATHS)

        def work() -> None:
            with self.director.sitting():
                crash_play.kill(at)
                run([str(word) for word in words])

        return run_in_child(work) == crash_play.KILLED

    def post(self) -> int:
        """Deliver the letters; then the director reports them as sent."""
        waiting = self.director.letters()
        copies = {path: path.read_bytes() for path in waiting}
        number = super().post()
        for path, raw in copies.items():
            path.write_bytes(raw)
            (path.parent / "sent" / path.name).unlink()
        if copies:
            self.mark_sent()
        return number

    def mark_sent(self) -> None:
        """Report all letters of the director as sent."""
        self.director.kursk("tournament", "letters", "--sent", self.folder)

    def inbox(self, status: int = 0) -> str:
        """Give all received files to the director as one mailbox."""
        found = sorted(self.director.inbox.iterdir())
        if not found:
            return ""
        box = self.director.place / "mail.mbox"
        box.write_bytes(b"\n".join(POSTMARK.encode() + _make_mail(path) for path in found))
        said = self.director.kursk("tournament", "inbox", box, "--in", self.folder, status=status)
        shutil.rmtree(self.director.inbox)
        return said

    def next_round(self) -> None:
        """Record the results a day later; then begin the next round."""
        self.later(1)
        self.inbox()
        super().next_round()


def _make_mail(path: Path) -> bytes:
    """Return a file as a mail; a mail stays unchanged."""
    if path.suffix == ".eml":
        return path.read_bytes()
    mail = EmailMessage()
    mail["Subject"] = path.name
    mail.set_content("see the attachment")
    mail.add_attachment(path.read_bytes(), maintype="application", subtype="yaml", filename=path.name)
    return mail.as_bytes()


def read_files(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder, except unfinished files of a killed process (deleted an hour later)."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(disk.PREFIX))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
