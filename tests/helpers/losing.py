"""A player without game folder, private folder or both; key and mails are left."""

import shutil

from helpers.commands import tree
from kursk_pbem.game import journal as private
from kursk_pbem.trust import messages

ALL = 8  # messages of the demonstration; 2 and 5 seal plans, 1 and 7 the Russian posture


def game_folder(place):
    (found,) = place.glob("game-*")
    return found


def letters(place, count=ALL):
    return [game_folder(place) / f"{seq:04d}.yaml" for seq in range(count)]


class Loser:
    """A player with only a key and mails; ``count`` messages have been mailed."""

    def __init__(self, demo, root, side="russian", count=ALL):
        self.side, self.place, self.before = side, root / side, demo / side
        (self.place / "mails").mkdir(parents=True)
        for name in ("me", "me.pub"):
            shutil.copy(self.before / name, self.place)
        for path in letters(self.before, count):
            shutil.copy(path, self.place / "mails")
        self.id = messages.read_message(letters(self.before)[0].read_bytes(), "0000.yaml").id
        self.folder = self.place / f"game-{self.id[:16]}"
        self.home = self.place / "private"

    def mail(self, seq):
        return self.place / "mails" / f"{seq:04d}.yaml"

    @property
    def mails(self):
        return sorted((self.place / "mails").iterdir())

    @property
    def own(self):
        return private.find(self.home, self.id)

    @property
    def journal(self):
        return self.home / "games" / self.id[:16] / "journal"

    def old_journal(self):
        """Return the lost journal."""
        return private.find(self.before / "private", self.id)

    def files(self):
        return tree(self.place)

    def backup(self, upto):
        """Restore private folder and game folder from a backup made after message ``upto``."""
        for name in ("private", self.folder.name):
            shutil.copytree(self.before / name, self.place / name, dirs_exist_ok=True)
        for path in (*self.journal.iterdir(), *self.folder.iterdir()):
            if "report" in path.name or "draft" in path.name or int(path.name[:4]) > upto:
                path.unlink()


def restored(kursk, player, *more):
    status, said = kursk(player, "restore", player.folder, *player.mails, "--key", player.place / "me", *more)
    assert status == 0, said
    return said


def draft_of(player):
    return next(player.folder.glob("*.draft.yaml"))
