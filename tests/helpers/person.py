"""A person at a desk: a place with a key, a private folder and the folders of games."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from helpers.commands import Terminal, commands_in
from helpers.registry import Content, Mind
from kursk_pbem.cli import run
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.game import entropy
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust import keys


class Person:
    """A person; ``place`` holds the key, the private folder, the inbox and the folders of games."""

    place: Path

    @property
    def home(self) -> Path:
        """The private folder."""
        return self.place / "private"

    @property
    def key(self) -> Path:
        """The file of the key."""
        return self.place / "me"

    @property
    def public(self) -> str:
        """The public half of the key."""
        return keys.read_public(self.place / "me.pub")

    @property
    def inbox(self) -> Path:
        """The folder of received mails."""
        path = self.place / "inbox"
        path.mkdir(exist_ok=True)
        return path

    def make_key(self) -> str:
        """Make the place and the key; return its public half."""
        self.place.mkdir(parents=True)
        keys.generate_key_pair(self.key, entropy.random_bytes())
        return self.public

    @contextmanager
    def sitting(self, **environment: str) -> Iterator[pytest.MonkeyPatch]:
        """Run commands as this person inside the block; yield the patch of the environment."""
        with pytest.MonkeyPatch.context() as patch:
            for name, value in {"KURSK_HOME": str(self.home), "KURSK_KEY": str(self.key), **environment}.items():
                patch.setenv(name, value)
            yield patch

    def kursk(self, *words: object, status: int | None = 0, told: str = "", answer: str = "") -> str:
        """Run a command, and answer its question at a terminal; return its output of both streams.

        Raises AssertionError for another status, and if ``told`` is not in the output as printed or as one line.
        """
        with self.sitting() as patch, listening() as said:
            if answer:
                patch.setattr(sys, "stdin", Terminal(answer))
            got = run([str(word) for word in words])
        text = said()
        assert status in (None, got), (self.place.name, words, got, text)
        assert told in text or told in " ".join(text.split()), text
        return text

    def does(self, said: str, beginning: str, *more: object, **filled: object) -> str:
        """Type the only command in a message with these first words, at the person's place; return its output."""
        (words,) = {tuple(words) for words in commands_in(said, beginning, **filled)}
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.place)
            return self.kursk(*words, *more)


@contextmanager
def listening() -> Iterator[Callable[[], str]]:
    """Keep what is printed inside the block; yield a function that returns it, of both streams."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        yield lambda: out.getvalue() + err.getvalue()
    sys.stdout.write(out.getvalue())
    sys.stderr.write(err.getvalue())


def choose(desk: Desk, mind: Mind) -> Content:
    """Return the choices of a random player for the due message, none if its dice end the game."""
    state = desks.preview_duties(desk, desk.record_of_writer()).middle
    return {} if state.stage == OVER else mind.content(state, desk.seq)
