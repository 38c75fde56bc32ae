"""What happens in a walk that no player does: servers report, the director acts, clocks jump, folders go away."""

import shutil
from datetime import timedelta

from helpers import postal, returned
from helpers.mailbags import letter
from helpers.postmen import text
from helpers.walk_mails import Sent
from helpers.walk_world import BOSS, World
from kursk_pbem.desk.referee import grants
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.errors import UsageError
from kursk_pbem.post.office import hindrance
from kursk_pbem.post.referee import deadlines
from kursk_pbem.trust.papers import HOLIDAY

HOUR = timedelta(hours=1)
EVE = "eve@evil.test"
MILD = ("passes", "plays", "plays", "stranger", "shop", "machine", "killed", "again", "doubled")
"""What makes no game doubtful."""


class Events(World):
    """A world with what befalls it; ``may`` holds the names of the steps, ``fates`` what letters may meet with."""

    def __init__(self, root, time, dice, may, **said):
        self.may, self.fates, self.eve = may, MILD, None
        super().__init__(root, time, dice, **said)

    def rests(self, **said):
        self.time.now += timedelta(**said)

    def put_right(self):
        """Everything is where it belongs, and nothing more happens to letters on their way."""
        self._put_forward()
        self._folder_back()
        if self.time.offset:
            self.right_again()
        self.fates = MILD
        self.office.faults.grey = self.office.faults.doubt = 0

    def leaves(self, one):
        """Now and then a letter of the referee's comes back, later."""
        if "bounce" in self.may and self.dice.random() < 0.04 and one.reader != BOSS:
            self.returns.append(one)

    def _grey(self):
        """A server takes the referee's letters later, or breaks off as it does."""
        self.office.faults.grey, self.office.faults.doubt = self.dice.choice(((0, 0), (40, 0), (0, 40), (30, 30)))
        for table in self.tables:
            table.taint("letters went out later", lasting=True)

    def _report(self, mid, reader):
        self.number += 1
        head = f"Return-Path: <>\r\nMessage-ID: <{self.number}@mail.example.test>\r\nSubject: "
        raw = returned.report(mid, reader).replace(b"Subject: ", head.encode(), 1)
        sent = Sent(raw, "mailer-daemon@example.test", self.time.now + HOUR, person=False, machine=True)
        self.put(sent)
        return sent

    def _bounce(self):
        if not self.returns:
            return
        one = self.returns.pop()
        self._comes_back(one)

    def _comes_back(self, one):
        """A report about a letter of ours: it stops an address, or a reminder counts for nothing."""
        sent = self._report(one.mid, one.reader)
        sent.reports = one
        for player in self.players:
            if one.reader in player.said:
                for table in self.tables:
                    if player in table.players:
                        table.taint("a letter came back", lasting=True)

    def _forged_bounce(self):
        """A report that names no letter, or one that somebody has seen."""
        table = self.dice.choice(self.tables)
        seen = [one for one in self.office.letters if one.reader != BOSS]
        if seen and self.dice.random() < 0.3:
            self._comes_back(self.dice.choice(seen))
            return
        for each in self.tables:
            each.taint("a forged report")
        mid = self.dice.choice(("<k1.00112233445566778899aabbccddeeff.0@example.test>", "<nobody@example.test>", ""))
        self._report(mid, table.players[0].on_file)

    # the director

    def _gives_time(self):
        table = self.dice.choice(self.tables)
        day = text(self.time.own + timedelta(days=self.dice.randrange(1, 9)))[:10]
        more = self.dice.choice((Grant(days=1), Grant(until=f"{day}T00:00:00Z", cause=HOLIDAY)))
        try:
            issued = grants.extend(table.folder, self.ref.friend.key, more)
        except (UsageError, FileNotFoundError):
            return
        table.granted.setdefault(issued.paper.seq, []).append(issued.paper.text("due"))
        self.ref.sits()
        self.figures["given"] += 1

    def _pauses(self):
        until = text(self.time.own + self.dice.randrange(20, 90) * HOUR)
        try:
            list(self.ref.errand.chair.pause(until))
        except UsageError:
            return
        self.paused = until
        for table in self.tables:
            table.taint("a pause")
        self.ref.sits()

    def _said_anew(self):
        """The director says an address, anew or another; what waited for it is sent."""
        player = self.dice.choice(self.players)
        self.say(player, player.address)
        for table in self.tables:
            if player in table.players:
                table.taint("an address was said")
        office = self.ref.errand.office()
        for slate in list(office.slates()):
            if "could not deliver" in hindrance(office, slate):
                office.again(slate)

    def _moves(self):
        """A player writes from another address from now on."""
        player = self.dice.choice(self.players)
        if len(player.boxes) > 2:
            return
        player.moves(f"{player.friend.name}-{len(player.boxes)}@moved.test")
        for table in self.tables:
            if player in table.players:
                table.taint("somebody moved", lasting=True)

    def _lets_pass(self):
        """The director lets what came late pass."""
        table = self.dice.choice(self.tables)
        seat = next((seat for seat in self.ref.errand.chair.seats() if seat.game == table.game), None)
        if seat is not None and (late := deadlines.late(self.ref.friend.home, seat)):
            deadlines.pass_(self.ref.friend.home, table.game, late)
            table.passed.add(seat.known.newest + 1)
            table.taint("the director let something pass")
            self.figures["let pass"] += 1

    def _clock_set(self):
        """The referee's clock jumps."""
        jump = self.dice.choice((-90, -3, -0.2, 0.2, 3, 30, 24 * 20, 24 * 800))
        self.time.offset += jump * HOUR
        self.jumped = True
        for table in self.tables:
            table.taint("the clock was set", lasting=True)

    def _clock_right(self):
        if self.time.offset:
            self.right_again()

    def _seen_before(self):
        for table in self.tables:
            if table.snapshot is None and table.set_back is None and table.away is None and table.newest() > 1:
                table.snapshot = self.root / f"snapshot-{table.game[:8]}"
                shutil.copytree(table.folder, table.snapshot)

    def _set_back(self):
        table = self.dice.choice(self.tables)
        if table.snapshot is not None and table.set_back is None and table.away is None:
            self.set_back(table)
            table.taint("the folder was set back", lasting=True)

    def _put_forward(self):
        for table in self.tables:
            self.put_forward(table)

    def _folder_away(self):
        table = self.dice.choice(self.tables)
        if table.away is None and table.set_back is None:
            self.take_away(table)
            table.taint("the folder was away", lasting=True)

    def _folder_back(self):
        for table in self.tables:
            self.bring_back(table)

    def _proposal(self):
        """A stranger proposes a game to a player, with our referee."""
        if self.eve is None:
            (self.eve,) = postal.friends(self.root, "eve")
        raw, _game = postal.proposed(self.eve, self.dice.choice(self.players).friend, relay=self.ref.friend.public)
        self.number += 1
        self.put(Sent(letter(raw, EVE, f"let us play {self.number}"), EVE, self.time.now))
