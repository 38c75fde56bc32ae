"""docs/directors.md 1: the printed recipe, played to its end by practice players who answer after half their term."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from helpers.campaign import Season
from helpers.tourney import Playing

from kursk_pbem.game import entropy, folders
from kursk_pbem.practice import opponent
from kursk_pbem.tournament.proof import verify

pytestmark = pytest.mark.long
PAGE = (Path(__file__).parents[2] / "docs" / "directors.md").read_text(encoding="utf-8")
FORMER = re.compile(r"\bdraws?\b|\bopenings?\b", re.IGNORECASE)
"""Words for lots and reveals that letters no longer use; no game of this seed is a tie by agreement."""
PLAYERS = 4


class Club(Season):
    """A tournament of the recipe; ``sent`` has the text of every letter."""

    sent: str = ""

    def post(self) -> int:
        people = (self.director, *self.entrants.values())
        self.sent += "".join(path.read_text(encoding="utf-8") for who in people for path in who.letters())
        return super().post()

    def begin_recipe(self) -> None:
        """Type the two lines of the page that begin a tournament."""
        written, signed = re.findall(r"^\$ kursk (tournament new spring.*?)(?:  +#.*)?$", PAGE, re.MULTILINE)
        self.director.tournament = self.root / "spring"
        said = [[self.folder if word == "spring" else word for word in shlex.split(each)] for each in (written, signed)]
        self.director.kursk(*said[0])
        self.director.kursk(*said[1], "--yes")

    def play_with_clock(self) -> None:
        """Play all boards of the round at once: a message each, then half a term passes."""
        book = self.book()
        games = [Playing(self, board).begin() for board in book.of_round(book.round) if not board.decided]
        while going := [each for each in games if not next(iter(each.desks.values())).game.over]:
            self.later(book.rules.terms.days // 2)
            for playing in going:
                self._answer(playing)
            self.inbox()

    @staticmethod
    def _answer(playing: Playing) -> None:
        """Let the program of level 1 write the due message of a game."""
        desk = max(playing.desks.values(), key=lambda each: each.seq)
        side = desk.game.chain.writer(desk.seq)
        with entropy.fix_random_bytes(f"{playing.board.name} {side} {desk.seq}"), playing.people[side].at_home():
            written = opponent.write_due(playing.desks[side], 1)
        playing.desks[side] = written
        (other,) = set(playing.people) - {side}
        for path in folders.message_files(written.folder)[desk.seq :]:
            playing._take(other, path)
            shutil.copyfile(path, playing.world.director.inbox / f"{written.folder.name}-{path.name}")


@pytest.mark.parametrize("seed", ["20270101", "20270102"])
def test_the_recipe_ends_by_play_within_the_days_of_its_rounds(tmp_path, seed):
    """The seeds were written down before the first run. Each round ends in less than 90 days."""
    world = Club(tmp_path)
    world.begin_recipe()
    rules = world.book().rules
    assert rules.terms.round <= 90
    world.enter([f"player-{number}-{seed}" for number in range(1, PLAYERS + 1)])
    world.begin()
    for number in range(1, rules.rounds + 1):
        if number > 1:
            world.next_round()
        world.play_with_clock()
    world.later(1)
    world.inbox()
    world.pair()
    world.director.kursk("tournament", "end", world.folder)
    world.director.kursk("tournament", "publish", "--no-pictures", world.folder, "-o", tmp_path / "site")
    book = world.book()
    assert book.ended
    assert len(book.boards) == PLAYERS * rules.rounds  # two games for each meeting
    assert {board.outcome.by for board in book.boards.values()} == {""}  # nobody judged a board
    assert not {board.outcome.how for board in book.boards.values()} & {"forfeit", "resignation"}
    proof = verify.verify_tournament(world.folder)
    assert (proof.status, proof.missing) == (0, ()), proof.text
    assert {found[0] for found in FORMER.finditer(world.sent)} == set()
