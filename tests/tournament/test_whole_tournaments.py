"""A whole tournament from entry to the end, by files: the director is killed, and nothing differs."""

from __future__ import annotations

import random
import sys

import pytest
from helpers.cup_by_mail import kill_command
from helpers.tourney import World

from kursk_pbem.game import disk
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.site import publication

pytestmark = pytest.mark.long


class Season(World):
    """A world with a director who types every command; ``kills``: the number of kills."""

    def __init__(self, root, kills):
        super().__init__(root)
        self.kills, self.killed = kills, 0
        self.deaths = random.Random(11)
        self.director.kursk = self._direct

    def _direct(self, *words, status=0):
        """Run a command of the director, killed several times before it succeeds."""
        if "new" not in words:
            for _attempt in range(6):
                self.killed += self.killed < self.kills and kill_command(self.director, words, self.deaths)
        return type(self.director).kursk(self.director, *words, status=status)

    def mark_sent(self, who):
        """Let the director type the command that reports letters as sent."""
        if who is not self.director:
            super().mark_sent(who)
        elif who.letters():
            who.kursk("tournament", "letters", "--sent", self.folder)


def read_files(folder):
    """Return all files below a folder, except unfinished files of a killed process (deleted an hour later)."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(disk.PREFIX))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def played(root, kills):
    world = Season(root, kills)
    world.new("--swiss", 2, "--system", "kursk-1971/july4", "--title", "Spring")
    world.enter([f"player-{number}" for number in range(1, 7)])
    world.begin()
    world.play_round()
    world.director.kursk("tournament", "grant", "all", 2, "flood", "--yes", "--in", world.folder)
    world.later(1)
    world.inbox()
    world.next_round()
    world.play_round()
    world.inbox()
    world.director.kursk("tournament", "end", world.folder)
    world.director.kursk("tournament", "publish", "--no-pictures", world.folder, "-o", root / "site")
    return world


@pytest.mark.long("test-all")
@pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")
def test_a_director_who_is_killed_fifty_times_leaves_the_same_tournament(tmp_path):
    """Log, papers, games and pages have the same bytes as without a kill."""
    undisturbed = played(tmp_path / "undisturbed", 0)
    killed = played(tmp_path / "killed", 50)
    assert killed.killed == 50
    for kind in ("log", "papers", "games"):
        assert read_files(undisturbed.folder / kind) == read_files(killed.folder / kind)
    assert read_files(tmp_path / "undisturbed" / "site") == read_files(tmp_path / "killed" / "site")
    proof = verify.verify_tournament(killed.folder)
    assert proof.status == 0
    assert publication.build_files(publication.load_view(killed.folder, proof)) == read_files(
        tmp_path / "killed" / "site"
    )
