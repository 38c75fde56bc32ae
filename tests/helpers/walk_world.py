"""A world of mails and time around a referee's mailbox: people, games, a post office, two clocks; what truly happened.

Nothing here judges (helpers/walk_oracle.py does) or chooses (helpers/walk_steps.py does). Every mail to the referee is
put down with what is true of it, so that nobody need ask the program what it was.
"""

import shutil
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta

from helpers import postal
from helpers.mailbags import turn
from helpers.postmen import MX, Faults, Member, PostOffice, Time, text
from helpers.walk_mails import Letter, attached, dated, fields, header
from kursk_pbem.desk.referee import director, timekeeper
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.post import arrival, card, place, spool
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import timing
from kursk_pbem.post.told import untold

BOSS = "boss@example.test"


class Clock(Time):
    """The right time, ``now``, and what the referee's machine says it is: ``offset`` later."""

    def __init__(self):
        super().__init__()
        self.offset = timedelta()

    @property
    def own(self):
        return self.now + self.offset

    def set(self, patch):
        super().set(patch)
        patch.setattr("kursk_pbem.desk.clock.now", lambda: text(self.own))
        patch.setattr("kursk_pbem.desk.clock.of_file", lambda _path: text(self.own))
        return self


class Office(PostOffice):
    """The post office of a walk: ``fate`` decides what becomes of the letters of players to the referee."""

    def __init__(self, root, time, world):
        super().__init__(root, time, Faults())
        self.world, self.letters = world, []

    def post(self, raw, sender, reader):
        self.carried += 1
        if sender == self.world.ref.address:
            carried = [fields(content.decode("ascii")) for content in attached(raw)]
            found = Letter(self.time.own, reader, raw, header(raw, "Message-ID"), header(raw, "Subject"), carried)
            self.letters.append(found)
            self.world.leaves(found)
            self._into(raw, reader, timedelta(minutes=5))
        elif reader == self.world.ref.address:
            self.world.fate(raw, sender)
        else:
            self._into(raw, reader, timedelta(minutes=5))

    def _into(self, raw, reader, later):
        line = f"Received: from a by {MX}; {dated(self.time.now + later)}\r\n".encode()
        self.boxes.setdefault(reader, []).append((self.time.now + later, line + raw))


class Player(Member):
    """Somebody who plays: ``on_file`` is the address the director has said last, and since which round.

    ``used``: all that they have written from, and from which round each is known at the referee's.
    """

    def __init__(self, friend, office):
        super().__init__(friend, office)
        self.on_file, self.said_in = self.address, 0
        self.said, self.seen, self.stopped = {self.address}, {}, None
        self.boxes = [self.address]

    def fetch(self):
        here = self.address
        for box in self.boxes:
            self.address = box
            super().fetch()
        self.address = here

    def moves(self, address):
        """They write from another address."""
        self.address = address
        self.boxes.append(address)
        card.say(self.friend.home, address, cards=False)


class Table:
    """A game: who plays which side, whether the referee rolls.

    ``granted``: the terms given, by the number of the message whose answer has them. ``kept``: where the folder lies
    while it is away, or set back. ``two``: somebody has signed two messages for one number.
    """

    def __init__(self, game, sides, world, *, rolled):
        self.game, self.sides, self.world, self.rolled = game, sides, world, rolled
        self.granted, self.tainted, self.passed = {}, [], set()
        self.away = self.set_back = None
        self.snapshot, self.two = None, False

    @property
    def folder(self):
        return self.world.ref.friend.folder(self.game)

    @property
    def players(self):
        return list(self.sides.values())

    def other(self, player):
        return next(who for who in self.players if who is not player)

    def newest(self):
        """The number of the newest message in the referee's folder; -1 without a folder."""
        return len(list(self.folder.glob("[0-9][0-9][0-9][0-9].yaml"))) - 1 if self.folder.is_dir() else -1

    def said(self, seq):
        """What message ``seq`` says in the lines that matter here."""
        return fields((self.folder / f"{seq:04d}.yaml").read_text(encoding="ascii"))

    def owes(self):
        """Who owes the next message by the newest one; None where that is the referee, or nobody."""
        newest = self.newest()
        if newest < 0:
            return None
        said = self.said(newest)
        if self.rolled:
            return self.sides.get(said.get("next", "")) if said["from"] == "referee" else None
        return next(player for side, player in self.sides.items() if side != said["from"])

    def taint(self, why, *, lasting=False):
        """Something happened after which nobody promises that it ends by itself."""
        self.tainted.append((why, len(self.world.rounds), self.newest(), lasting))


class Referee(Member):
    """The referee's mailbox: it is fetched as a server's is, with the time that the Received lines say."""

    world_ = None

    def sits(self):
        self.world_.fresh = True
        return super().sits()

    def fetch(self):
        errand = self.errand or self.sits()
        for _arrives, raw in self.office.take(self.address):
            came = arrival.of(Mail(raw, ""), errand.account.arrival)
            doubt = bool(errand.intake.doubt())
            fetched = timing.UNSURE if doubt else text(self.office.time.own)
            spool.put(self.friend.home, raw, folder="INBOX", uid="1", fetched=fetched, arrived=came)


@dataclass
class Round:
    """A round of the referee's: its times by both clocks, whether all was fetched, and what was told.

    ``fresh``: its program had just been started. ``killed``: it died; None if it was to die, and did not.
    """

    number: int
    own: object
    right: object
    whole: bool
    fresh: bool
    removed: bool
    killed: object = False
    lines: list = field(default_factory=list)
    letters: list = field(default_factory=list)
    mails: list = field(default_factory=list)


class World:
    """People, their games, and a referee; ``rounds``, ``mails`` and the office's ``letters`` tell what happened.

    ``judge`` is called after each round.
    """

    def __init__(self, root, time, dice, *, games, people, days, grace, automatic):
        self.time, self.dice, self.days, self.grace = time, dice, days, timedelta(hours=grace)
        self.automatic, self.root = automatic, root
        self.office = Office(root, time, self)
        self.rounds, self.mails, self.figures, self.faults = [], [], Counter(), []
        self.fresh = self.removed = self.jumped = False
        self.paused = None
        self.number, self.returns, self.judge = 0, [], lambda _round: None
        self.ref = Referee(postal.friends(root, "ref")[0], self.office, director=True)
        self.ref.world_ = self
        self.players = [Player(one, self.office) for one in postal.friends(root, *(f"p{n}" for n in range(people)))]
        self.ref.terms(days, forfeit="automatic" if automatic else "ask", director=BOSS, grace=grace)
        self.ref.knows(*self.players)
        for one in self.players:
            one.knows(self.ref, *(other for other in self.players if other is not one))
        self.tables = [self._begin(rolled=dice.random() < 0.4) for _game in range(games)]
        self.round()

    def fate(self, raw, sender):
        """What becomes of a letter of a player's desk: whoever walks says so."""
        raise NotImplementedError

    def leaves(self, letter):
        """A letter of the referee's has gone."""

    def _begin(self, *, rolled):
        one, two = self.dice.sample(self.players, 2)
        sides = postal.registry.kit("hex-toy").sides
        ref = self.ref.friend
        if rolled:
            keys = dict(zip(sides, (one.friend.public, two.friend.public), strict=True))
            desk = director.propose(director.Match("hex-toy/fords", keys, {}, {}), ref.key, ref.place, ref.home)
            game = desk.game.chain.game
            for player in (one, two):
                player.friend.accept(turn(ref, game, 0))
            return Table(game, dict(zip(sides, (one, two), strict=True)), self, rolled=True)
        game = postal.began(one.friend, two.friend, relay=ref.public)
        proposal = ref.place / "proposal.yaml"
        proposal.write_bytes(turn(one.friend, game, 0))
        opened = timekeeper.open_folder(proposal, ref.home, Term(days=self.days))
        timekeeper.receipt(opened, ref.key, Term(days=self.days))
        proposal.unlink()
        first = opened.history.steps[0].message.sender
        return Table(game, {side: one if side == first else two for side in sides}, self, rolled=False)

    def table(self, game):
        return next((table for table in self.tables if table.game.startswith(game)), None)

    def at(self, address):
        """The games of whoever is or was reached at an address, as far as the director has said it."""
        return [table for table in self.tables if any(address in player.said for player in table.players)]

    def put(self, sent, lines=None):
        """A mail lies in the referee's mailbox from ``sent.at`` on, with these Received lines above it."""
        if lines is None:
            lines = f"Received: from a by {MX}; {dated(sent.at)}\r\n"
            sent.said = sent.at
        sent.raw = lines.encode() + sent.raw
        sent.mid = header(sent.raw, "Message-ID")
        self.mails.append(sent)
        self.figures["mails"] += 1
        self.office.boxes.setdefault(self.ref.address, []).append((sent.at, sent.raw))

    def round(self, *, kill=0, look=True):
        """A round of the referee's mailbox; it dies at its ``kill``-th write, or cannot look at the server."""
        errand = self.ref.errand or self.ref.sits()
        found = Round(len(self.rounds) + 1, self.time.own, self.time.now, look, self.fresh or bool(kill), self.removed)
        self.fresh = self.removed = False
        self.rounds.append(found)
        before = len(self.office.letters)
        for sent in self.mails if look else ():
            if sent.round is None and sent.at <= self.time.now:
                sent.round = found.number
                sent.away = tuple(table.game for table in self.tables if table.away is not None)
                sent.newest = {table.game: table.newest() for table in self.tables}
                found.mails.append(sent)
        if kill:
            found.killed = self.ref.dies(lambda: kill) or None
            self.figures["killed"] += bool(found.killed)
        else:
            errand.complete, errand.act = look, None
            if look:
                self.ref.fetch()
            day = errand.take()
            errand.send()
            found.lines = [*day.before, *day.words]
            untold.told(errand.home)
            self.office.collect()
        found.letters = self.office.letters[before:]
        self.figures["rounds"] += 1
        self.judge(found)
        return found

    def right_again(self):
        """The clock is set right, and the director says so."""
        self.time.offset = timedelta()
        (place.root(self.ref.friend.home) / "clock.json").unlink(missing_ok=True)
        self.removed = True
        self.ref.sits()

    def say(self, player, address=""):
        """The director says where somebody is reached."""
        new = address or player.on_file
        held, player.address = player.address, new
        self.ref.knows(player)
        player.address = held
        player.on_file, player.said_in, player.stopped = new, len(self.rounds), None
        player.said.add(new)
        player.seen.pop(new, None)
        self.ref.sits()

    def take_away(self, table):
        """A game's folder is not there for a while."""
        table.away = self.root / f"away-{table.game[:8]}"
        table.folder.rename(table.away)
        self.ref.sits()

    def bring_back(self, table):
        """It is there again."""
        if table.away is not None:
            if table.folder.exists():
                shutil.rmtree(table.folder)
            table.away.rename(table.folder)
            table.away = None
            self.ref.sits()

    def set_back(self, table):
        """A game's folder is as it was once."""
        table.set_back = self.root / f"newer-{table.game[:8]}"
        shutil.copytree(table.folder, table.set_back)
        shutil.rmtree(table.folder)
        shutil.copytree(table.snapshot, table.folder)
        self.ref.sits()

    def put_forward(self, table):
        """What it has lacked since is in it again."""
        if table.set_back is not None:
            for path in table.set_back.iterdir():
                if not (table.folder / path.name).exists():
                    shutil.copy2(path, table.folder / path.name)
            shutil.rmtree(table.set_back)
            table.set_back = None
            self.ref.sits()
