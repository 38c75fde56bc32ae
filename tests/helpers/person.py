"""A person at a desk: a place with a key, a private folder and the folders of games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helpers.registry import Content, Mind
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


def choose(desk: Desk, mind: Mind) -> Content:
    """Return the choices of a random player for the due message, none if its dice end the game."""
    state = desks.preview_duties(desk, desk.record_of_writer()).middle
    return {} if state.stage == OVER else mind.content(state, desk.seq)
