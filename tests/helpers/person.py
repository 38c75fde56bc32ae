"""A person with a key, a private folder and an inbox."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from kursk_pbem.cli import run
from kursk_pbem.desk.ground import clock
from kursk_pbem.tournament import letters, private
from kursk_pbem.trust import keys

if TYPE_CHECKING:
    from helpers.tourney import World


@dataclass
class Person:
    """A person of a tournament, with a key, a private folder and an inbox."""

    name: str
    place: Path
    world: World = field(repr=False)
    tournament: Path = Path()

    @property
    def home(self) -> Path:
        return self.place / "private"

    @property
    def key(self) -> Path:
        return self.place / "me"

    @property
    def public(self) -> str:
        return keys.read_public(self.place / "me.pub")

    @property
    def inbox(self) -> Path:
        path = self.place / "inbox"
        path.mkdir(exist_ok=True)
        return path

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """Run commands as this person inside the block, at the world's time."""
        before = {name: os.environ.get(name) for name in ("KURSK_HOME", "KURSK_KEY")}
        os.environ.update(KURSK_HOME=str(self.home), KURSK_KEY=str(self.key))
        try:
            with clock.fix_time(self.world.time):
                yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value

    def kursk(self, *words: object, status: int | None = 0) -> str:
        """Run a command; return its output of both streams. Raises AssertionError for another status."""
        self.world.commands.setdefault(self.name, []).append(" ".join(map(str, words)))
        with self.at_home(), self.world.listening() as said:
            got = run([str(word) for word in words])
        text = said()
        assert status is None or got == status, (self.name, words, got, text)
        return text

    def letters(self) -> list[Path]:
        """Return the person's unsent letters."""
        found = []
        for own in private.list_records(self.home):
            found += letters.list_unsent(own.letters)
        return found
