"""A game with a relaying referee: folder and key of the referee, and the letters to the referee."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Self

from helpers.signed_play import Table
from kursk_pbem.game import entropy, folders
from kursk_pbem.trust import keys, papers


def day(number: int, hour: int = 3) -> str:
    return f"1943-07-{number:02d}T{hour:02d}:00:00Z"


class Relayed(Table):
    """Two players and a referee with a place, a key and a home."""

    def __init__(self, root: Path) -> None:
        self.place = root / "referee"
        self.place.mkdir(parents=True)
        self.home = self.place / "private"
        self.key = self.place / "me"
        keys.generate_key_pair(self.key, entropy.random_bytes())
        super().__init__(root, relay=keys.read_public(self.place / "me.pub"))

    @property
    def folder(self) -> Path:
        """The referee's folder of the game."""
        return self.place / folders.folder_name(self.german.desk.game.chain.game)

    def letter(self, seq: int) -> Path:
        """Return a message as mailed to the referee."""
        path = self.place / f"mail-{seq}.txt"
        return Path(shutil.copyfile(folders.message_path(self.german.folder, seq), path))

    def take_all(self, last: int) -> None:
        """Put all messages up to ``last`` into the referee's folder, as mailed."""
        for seq in range(last + 1):
            shutil.copy(folders.message_path(self.german.folder, seq), self.folder)

    def to(self, player: str, name: str) -> Path:
        """Mail a file of the referee to a player."""
        return self.mail(self.folder / name, player)

    def copy(self, root: Path) -> Self:
        """Copy the table with the referee's place."""
        table = super().copy(root)
        table.place = root / "referee"
        table.home, table.key = table.place / "private", table.place / "me"
        return table


# Output of commands, and the referee's papers


def well(got, *words):
    status, said = got
    assert status == 0, said
    for word in words:
        assert word in said
    return said


def no(got, status, *words):
    assert got[0] == status, got
    for word in words:
        assert word in got[1]


def read(path):
    return papers.read_paper(path.read_bytes(), path.name)


def issue(table, name, **changes):
    """Return a changed copy of a referee's paper, signed by the referee."""
    said = dict(read(table.folder / name).content) | changes
    return papers.sign_paper(said, keys.load_key(table.key))


def lay(table, side, made, name="letter.yaml"):
    path = table.players[side].place / name
    path.write_text(papers.emit_paper(made), encoding="ascii")
    return path
