"""A game that a referee's mailbox rolls, in a world of its own (helpers/postmen.py), and how it goes on as another."""

import shutil

from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import Faults, Member, PostOffice
from kursk_pbem.desk import offers, play
from kursk_pbem.desk.referee import director
from kursk_pbem.errors import KurskError
from kursk_pbem.game import folders
from kursk_pbem.game.successor import Terms


class Rolled:
    """A game between Anna and Boris that the mailbox of a referee rolls."""

    def __init__(self, friends, root, time):
        self.time, self.office = time, PostOffice(root, time, Faults())
        *self.players, self.ref = friends("anna", "boris", "ref")
        members = [Member(who, self.office, director=who is self.ref) for who in (*self.players, self.ref)]
        for one in members:
            one.knows(*(other for other in members if other is not one))
        self.director = members[-1]
        self.director.terms(7, director="boss@example.test")
        sides = dict(zip(postal.registry.kit("hex-toy").sides, self.players, strict=True))
        match = director.Match("hex-toy/fords", {side: who.public for side, who in sides.items()}, {}, {})
        self.game = director.propose(match, self.ref.key, self.ref.place, self.ref.home).game.chain.game
        self.director.post()
        for who in self.players:
            who.accept(turn(self.ref, self.game, 0))

    def due(self, game=""):
        """Who owes the next message, and the other player."""
        first = next(who for who in self.players if who.desk(game or self.game).mine)
        return first, next(who for who in self.players if who is not first)

    def goes(self, who, seq, game=""):
        """A message is mailed to the referee; it and the answer are handed on."""
        game = game or self.game
        self.office.put(letter(turn(who, game, seq), who.address), self.ref.address)
        self.time.passes(600)
        self.director.post()
        if folders.message_path(self.ref.folder(game), seq + 1).exists():
            postal.carried(game, seq, who, next(other for other in self.players if other is not who))
            postal.carried(game, seq + 1, self.ref, *self.players)

    def passes(self, days, hours=6):
        """Days go by, with a round every few ``hours``."""
        for _round in range(days * 24 // hours):
            self.time.passes(hours * 3600)
            self.director.post()


def proposed(world):
    """The path of message 0 with which the referee proposes that the game goes on anew."""
    while True:
        due, _other = world.due()
        if due.desk(world.game).seq >= 5:
            try:
                return offers.propose(world.ref.desk(world.game), Terms({}, {}, None), None, world.ref.place)
            except KurskError:
                pass  # something is hidden or owed in this position
        seq = due.desk(world.game).seq
        due.sign(world.game)
        world.goes(due, seq)


def says(world, way, *, accept=False):
    """Whoever is due offers to go on so, or accepts it."""
    who, _other = world.due()
    path = shutil.copyfile(way, who.place / "way.yaml")
    desk = who.desk(world.game)
    play.sign(desk, (offers.accept if accept else offers.offer)(desk, path, None)[0], None)
    world.goes(who, desk.seq)
