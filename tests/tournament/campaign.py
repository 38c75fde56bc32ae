"""A whole tournament at its desks. Mail goes through the director's mailbox; tests may kill the director.

The players make mistakes: late or missing turns, withdrawals, late entries, stand-ins.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from helpers import crash_play
from helpers.tourney import Playing, World

from kursk_pbem.cli import run
from kursk_pbem.game import disk
from kursk_pbem.tournament import letters, private

POSTMARK = "From player Fri Jan  1 12:00:00 2027\n"


class Season(World):
    """A world with a director who reads one mailbox and types every command; ``kills``: the number of kills."""

    def __init__(self, root: Path, kills: int = 0) -> None:
        super().__init__(root)
        self.kills, self.killed = kills, 0
        self.deaths = random.Random(11)
        self.typed = 0
        self.director.kursk = self._direct  # type: ignore[method-assign]

    def _direct(self, *words: object, status: int | None = 0) -> str:
        """Run a command of the director, killed several times before it succeeds."""
        self.typed += 1
        if "new" not in words:
            for _attempt in range(6):
                self.killed += self.killed < self.kills and self._dies(words)
        return type(self.director).kursk(self.director, *words, status=status)

    def _dies(self, words: Iterable[object]) -> bool:
        """Run a command in a child process that dies at a system call; return whether the child died."""
        at = self.deaths.choice((1, 2, 3, 5, 8, 13, 21, 34, 55, 89))
        child = os.fork()
        if not child:
            with self.director.sitting():
                crash_play.kill(at)
                run([str(word) for word in words])
            os._exit(0)
        _pid, ended = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(ended) == crash_play.KILLED

    def post(self) -> int:
        """Deliver the letters; then the director reports them as sent."""
        waiting = self.director.letters()
        copies = {path: path.read_bytes() for path in waiting}
        number = super().post()
        if copies:
            call_each(lambda path: path.write_bytes(copies[path]), copies)
            call_each(lambda path: (path.parent / "sent" / path.name).unlink(), copies)
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

    def next_round(self, decide: Callable[[], object] = lambda: None) -> None:
        """Record results and papers, let the director decide, announce standings, close the draw, pair the round."""
        self.later(1)
        self.players_post()
        self.inbox()
        decide()
        self.pair()
        self.exchange()
        self.pair()
        self.post()
        self.take()

    def players_post(self) -> None:
        """Mail the waiting letters of the entrants; the director's letters stay."""
        for who in self.entrants.values():
            for path in who.letters():
                shutil.copyfile(path, self.director.inbox / f"{who.name}-{path.name}")
            call_each(lambda own: letters.mark_sent(own.letters), private.list_records(who.home))

    def falls_silent(self, name: str) -> None:
        """Play a board until a player stops answering; the director forfeits the board after the deadline."""
        board = self.book().boards[name]
        playing = Playing(self, board).go(3)
        assert not next(iter(playing.desks.values())).game.over
        self.inbox()
        self.later(self.book().rules.terms.days + 1)
        self.director.kursk("tournament", "forfeit", name, "--yes", "--in", self.folder)

    def stands_in(self, name: str, number: str) -> None:
        """Let a new entrant replace a number."""
        who = self.entrants[name] = self.person(name)
        papers = who.inbox / "papers"
        for kind in ("log", "papers"):
            shutil.copytree(self.folder / kind, papers / kind)
        who.kursk("tournament", "stand-in", papers, number, name, "--dir", who.place)
        (who.tournament,) = who.place.glob("tournament-*")


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


def call_each(call: Callable[..., Any], found: Iterable[Any]) -> None:
    """Call a function with each item."""
    for each in found:
        call(each)
