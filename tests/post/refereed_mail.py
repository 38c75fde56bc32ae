"""A relayed game between two players, refereed by a mailbox in a simulated world (helpers/postmen.py)."""

from datetime import timedelta

from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import Faults, Member, PostOffice

from kursk_pbem.post.round import deadlines

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class World:
    """A relayed game between Anna and Boris, started by the director; Boris writes message 1."""

    def __init__(self, root, time, **said):
        self.time = time
        self.office = PostOffice(root, time, Faults())
        self.anna, self.boris, self.ref = postal.make_friends(root, "anna", "boris", "ref")
        self.game = postal.began(self.anna, self.boris, relay=self.ref.public)
        self.member = {
            who.name: Member(who, self.office, director=who is self.ref) for who in (self.anna, self.boris, self.ref)
        }
        self.director = self.member["ref"]
        for one in self.member.values():
            one.knows(*(other for other in self.member.values() if other is not one))
        self.director.terms(7, **said)
        postal.give_receipt(self.ref, self.anna, self.game)
        self.director.post()
        self.office.mails.clear()

    @classmethod
    def with_director(cls, root, time):
        """Return the game with a list of decisions mailed to the director."""
        return cls(root, time, director="boss@example.test")

    @property
    def folder(self):
        return self.ref.folder(self.game)

    def papers(self):
        return sorted(path.name for path in self.folder.glob("*.yaml") if path.name[0].isalpha())

    def asks(self, words, who="anna", **headers):
        lines = [f"From: {who}@example.test", "To: ref@example.test", "Message-ID: <q1@example.test>"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in {"Subject": "question", **headers}.items()]
        self.office.put("\r\n".join([*lines, "", words, ""]).encode(), self.ref.address)
        return self.director.post()

    def words(self):
        """Return the mailed texts: (reader, text)."""
        return [(reader, raw.decode()) for _at, _sender, reader, raw in self.office.mails if b"k1.words." in raw]


def begin_game(world, proposer, acceptor):
    """Start another game as director; return its id."""
    game = postal.began(proposer, acceptor, relay=world.ref.public)
    postal.give_receipt(world.ref, proposer, game)
    return game


def played_on(world):
    """Play messages 1 and 2: the game binds, and Boris must write message 3 within seven days."""
    for who, other, seq in ((world.boris, world.anna, 1), (world.anna, world.boris, 2)):
        deliver_message(world, who, seq)
        postal.carried(world.game, seq, who, other)
        world.time.passes(60)


def owes_in_two(world):
    """Play to message 3 of two games; Boris has signed but not mailed. Return the second game's id."""
    played_on(world)
    world.boris.sign(world.game)
    other = begin_game(world, world.anna, world.boris)
    for who, to, seq in ((world.boris, world.anna, 1), (world.anna, world.boris, 2)):
        deliver_message(world, who, seq, other)
        postal.carried(other, seq, who, to)
    world.boris.sign(other)
    return other


def ahead_of_referee(world):
    """Exchange messages 3 and 4 between the players, without a mail to the referee."""
    for who, other, seq in ((world.boris, world.anna, 3), (world.anna, world.boris, 4)):
        who.sign(world.game)
        postal.carried(world.game, seq, who, other)


def pass_hours(world, number, step=1):
    """Let hours pass; run the mailbox every ``step`` hours."""
    for _hour in range(0, number, step):
        world.time.passes(3600 * step)
        world.director.post()


def lets_pass(world):
    """Let the next waiting message pass as director."""
    (seat,) = (seat for seat in world.director.session.referee.refereed_games() if seat.game == world.game)
    deadlines.pass_messages(world.ref.home, world.game, deadlines.list_late(world.ref.home, seat))


def deliver_message(world, who, seq, game=None):
    """Sign the due message as a player and mail it to the referee; return the digest."""
    who.sign(game or world.game)
    world.office.put(letter(turn(who, game or world.game, seq), who.address), world.ref.address)
    return world.director.post()
