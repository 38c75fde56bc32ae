"""A Swiss by mail: players lose, restore and exchange their private folders, and nobody is accused.

Mailbox and sent mails of a player outlive every machine.
"""

import shutil

import pytest
from helpers.cup_by_mail import Cup

from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score import table

PARTS = ("private", "game-*", "tournament-*")


def list_parts(machine):
    """Return the folders of a machine; the key is no part of the machine."""
    return [path for part in PARTS for path in machine.glob(part)]


def put(giver, taker):
    """Put a copy of a machine in place of another one."""
    for old in list_parts(taker):
        shutil.rmtree(old)
    for each in list_parts(giver):
        shutil.copytree(each, taker / each.name)


class RestoredCup(Cup):
    """A tournament of players with two machines each; ``chance``: of each mishap, at each visit of a player."""

    def __init__(self, root, time, *, chance=0.04, **more):
        super().__init__(root, time, **more)
        self.chance, self.kept = chance, {}

    def keep(self, name):
        """Keep a copy of the player's machine."""
        copies = self.kept.setdefault(name, [])
        copies.append(self.root / f"{name}-kept-{len(copies)}")
        copies[-1].mkdir()
        put(self.players[name].friend.place, copies[-1])

    def lose(self, name):
        """Lose the machine, and put an old copy in its place."""
        put(self.dice.choice(self.kept[name]), self.players[name].friend.place)

    def exchange(self, name):
        """Exchange the two machines; the first time the other machine is a copy."""
        here, away, aside = self.players[name].friend.place, self.root / f"{name}-away", self.root / f"{name}-aside"
        if not away.exists():
            away.mkdir()
            aside.mkdir()
            put(here, away)
        for giver, taker in ((here, aside), (away, here), (aside, away)):
            for path in list_parts(giver):
                path.rename(taker / path.name)

    def _visit(self, name, player):
        for mishap in (self.keep, self.lose, self.exchange):
            if name in self.kept and self.dice.random() < self.chance:
                self.figures[mishap.__name__] += 1
                mishap(name)
                player.sits()
        super()._visit(name, player)


@pytest.mark.long("test-all")
@pytest.mark.parametrize("seed", [1, 2])
def test_T37_a_swiss_with_restored_homes_places_everyone(time, tmp_path, seed):
    cup = RestoredCup(tmp_path, time, players=8, seed=seed)
    cup.new("--swiss", 3, "--system", "hex-toy/fords", "--roll")
    cup.enter()
    for name in cup.players:
        cup.keep(name)
    cup.over()
    for _round in (2, 3):
        cup.next_round()
        cup.over()
    cup.direct("tournament", "pair")
    cup.direct("tournament", "end")
    cup.days(3)
    proof = verify.verify_tournament(cup.folder)
    assert proof.status in (0, 1), proof
    assert len(table.compute_standings(proof.book).rows) == 8
    assert min(cup.figures[mishap] for mishap in ("keep", "lose", "exchange")) > 5
