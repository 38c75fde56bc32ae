"""What happens in a walk: steps that are drawn at random, each with what is true of it (helpers/walk_world.py)."""

import random
import re
import shutil
from datetime import timedelta
from functools import partial

from helpers import postal, returned
from helpers.mailbags import MACHINES, foreign, letter, turn
from helpers.postmen import BEGIN, MX, text
from helpers.walk_world import BOSS, Sent, World, attached, dated, fields, header
from kursk_pbem.desk.referee import grants
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.errors import UsageError
from kursk_pbem.post.office import hindrance
from kursk_pbem.post.referee import deadlines
from kursk_pbem.trust.papers import HOLIDAY

HOUR = timedelta(hours=1)
WAYS = ("attached", "quoted", "html", "base64", "8bit", "quoted-printable")
EVE = "eve@evil.test"
MILD = ("passes", "plays", "plays", "stranger", "shop", "machine", "killed", "again", "doubled")
"""What makes no game doubtful."""
WILD = (
    "late",
    "lost",
    "forged_received",
    "elsewhere",
    "forwarded",
    "spoilt",
    "spoilt_by_hand",
    "by_hand",
    "question",
    "many_questions",
    "chat",
    "opponent_writes",
    "stranger_names",
    "odd_header",
    "bounce",
    "forged_bounce",
    "gives_time",
    "pauses",
    "said_anew",
    "clock_set",
    "clock_right",
    "folder_away",
    "folder_back",
    "set_back",
    "put_forward",
    "server_away",
    "proposal",
    "away_long",
    "lets_pass",
    "moves",
    "seen_before",
)
"""What may."""
_ATTACHED = re.compile(rb"(?s)Content-Type: application/yaml.*?\r\n\r\n.*?\r\n--")
_MORE = {"spoilt": 4, "elsewhere": 2, "forwarded": 2, "bounce": 2, "spoilt_by_hand": 2}


def cut(raw):
    """The last turn of a letter is lost, and so is the end."""
    return raw[: raw.rindex(b"Content-Type: application/yaml") + 300]


def shortened(raw):
    """Of the first turn the end is lost."""
    at = raw.index(b"\r\n\r\n", raw.index(b"Content-Type: application/yaml")) + 400
    return raw[:at] + b"\r\n" + raw[raw.index(b"--=_", at) :]


def emptied(raw):
    """A server has taken the attachments away, and says so."""
    return _ATTACHED.sub(b"Content-Type: text/plain\r\n\r\nThe attachment was removed.\r\n--", raw)


def changed(raw, number=1):
    """A line of a turn is another."""
    return re.sub(rb"\n(state-out):", rb"\nnote: a%d\n\1:" % number, raw)


def beheaded(raw):
    """The first line of a turn is another."""
    return raw.replace(b"kursk-pbem: '1'", b"kursk-pbem: x'1'", 1)


def halved(raw):
    """The end of a turn is lost, in its signature."""
    return raw[: raw.index(b"SIGNATURE") + 150]


class Walk(World):
    """A world and what may happen in it: ``may`` holds the names of the steps."""

    def __init__(self, root, time, dice, may, **said):
        self.may, self.fates, self.limit = may, may, dice.randrange(4, 8)
        self.eve = None
        super().__init__(root, time, dice, **said)

    # time and rounds

    def rests(self, **said):
        self.time.now += timedelta(**said)

    def step(self):
        """One thing happens, and perhaps a round; its name."""
        name = self.dice.choice([each for each in self.may if each not in ("late", "lost", "doubled", "spoilt")])
        getattr(self, f"_{name}")()
        self.figures[f"step {name}"] += 1

    def looks(self):
        """The next round: now and then the program dies in it."""
        kill = self.dice.randrange(1, 60) if "killed" in self.may and self.dice.random() < 0.04 else 0
        return self.round(kill=kill)

    def _passes(self):
        self.rests(minutes=self.dice.choice((1, 5, 40, 180, 400, 700, 1200)))

    def _away_long(self):
        """Nobody looks for days."""
        self.rests(hours=self.dice.choice((26, 50, 100)))

    def _killed(self):
        self.round(kill=self.dice.randrange(1, 60))

    def _server_away(self):
        for _try in range(self.dice.randrange(1, 4)):
            self.rests(hours=self.dice.randrange(1, 8))
            self.round(look=False)

    def put_right(self):
        """Everything is where it belongs, and nothing more happens to letters on their way."""
        self._put_forward()
        self._folder_back()
        if self.time.offset:
            self.right_again()
        self.fates = MILD

    # players

    def _plays(self):
        self.reads(self.dice.choice(self.players), plays=True)

    def reads(self, player, *, plays):
        """A player reads what has come, and answers in one game."""
        self._post(player)
        tables = [table for table in self.tables if player in table.players]
        if not plays or not tables:
            return
        table = self.dice.choice(tables)
        desk = player.friend.desk(table.game)
        if desk.game.over or desk.seq > self.limit or not desk.mine:
            return
        if player.friend.sign(table.game, random.Random(f"{table.game}{desk.seq}")) is not None:
            self.figures["signed"] += 1
            self.rests(minutes=self.dice.randrange(1, 20))
            self._post(player)

    def _post(self, player):
        try:
            player.post()
        except UsageError:
            pass  # something of theirs is not there yet

    def due(self):
        """A player, a game and the newest message there of theirs; None without one."""
        player = self.dice.choice(self.players)
        tables = [table for table in self.tables if player in table.players]
        for table in self.dice.sample(tables, len(tables)):
            desk = player.friend.desk(table.game)
            own = [step.message.seq for step in desk.history.steps if step.message.sender == desk.own_side]
            if own:
                return player, table, own[-1]
        return None

    def fate(self, raw, sender):
        """What becomes of a letter of a player's desk to the referee."""
        games = self._named(raw)
        held = tuple((each["game"], int(each["seq"])) for each in self.held(raw) if "game" in each)
        sent = Sent(raw, sender, self.time.now + timedelta(minutes=self.dice.randrange(1, 30)), desk=True, turns=held)
        sent.sender = header(raw, "From").rpartition("<")[2].rstrip(">")
        sent.names = games
        fates = [name for name in ("late", "doubled", "lost", "spoilt") if name in self.fates]
        fate = self.dice.choice(fates) if fates and self.dice.random() < 0.25 else ""
        if self.dice.random() < 0.1 and "forged_received" in self.fates:
            self._put_oddly(sent)
            return
        if fate == "lost":
            self.figures["lost"] += 1
            return
        if fate == "late":
            sent.at += self.dice.randrange(3, 40) * HOUR
        if fate == "doubled":
            self.put(Sent(raw, sent.sender, sent.at + self.dice.randrange(1, 30) * HOUR, desk=True, turns=held))
            self.mails[-1].names = games
        if fate == "spoilt" and held:
            change = self.dice.choice((cut, shortened, emptied))
            sent.raw, sent.spoilt, sent.desk, sent.turns = change(raw), True, False, ()
            sent.told = (sent.sender,) if change is not emptied else ()
            sent.person = change is emptied  # nothing of ours is in it
            sent.turns = tuple((each["game"], int(each["seq"])) for each in self.held(sent.raw) if "game" in each)
            self.tainted(sent, f"a letter was {change.__name__}")
        self.put(sent)

    @staticmethod
    def held(raw):
        """The turns in a letter of a desk that are whole."""
        there = [content for content in attached(raw) if b"END SSH SIGNATURE" in content]
        return [fields(content.decode("ascii")) for content in there]

    def _named(self, raw):
        short = re.findall(r"\[kursk ([0-9a-f]{8})\]", header(raw, "Subject"))
        return tuple(table.game for table in map(self.table, short) if table is not None)

    def tainted(self, sent, why, *, lasting=False):
        """A mail makes the games doubtful that it names, and those of whoever seems to write it."""
        for table in {*map(self.table, sent.names), *self.at(sent.sender)}:
            table.taint(why, lasting=lasting)

    def _mails(self, player, table, seq, sender="", how="", change=None, subject="my turn"):
        """A turn is mailed by hand."""
        sender, how = sender or player.address, how or self.dice.choice(WAYS)
        raw = turn(player.friend, table.game, seq)
        self.number += 1
        subject = f"{subject} {self.number}"
        sent = Sent(letter(change(raw) if change else raw, sender, subject, how), sender, self.time.now)
        sent.at += timedelta(minutes=self.dice.randrange(1, 90))
        sent.names, sent.about = (table.game,) if seq else (), False
        if change is None:
            sent.turns = ((table.game, seq),)
        else:
            sent.spoilt, sent.told = True, (subject,)
        self.tainted(sent, f"{subject} came by hand")
        return sent

    def _by_hand(self):
        if found := self.due():
            self.put(self._mails(*found))

    def _again(self):
        """Somebody's server delivers a letter of their desk once more."""
        desks = [sent for sent in self.mails if sent.desk and sent.turns]
        if desks:
            one = self.dice.choice(desks)
            raw = one.raw.partition(b"\r\n")[2] if one.raw.startswith(b"Received") else one.raw
            self.put(Sent(raw, one.sender, self.time.now, desk=True, turns=one.turns, names=one.names))

    def _elsewhere(self):
        """A turn comes from an address that nobody has said."""
        if found := self.due():
            player, table, _seq = found
            sent = self._mails(*found, sender=f"other-{player.friend.name}@home.test")
            table.taint("a turn came from elsewhere", lasting=True)
            for other in self.tables:
                if player in other.players:
                    other.taint("a turn came from elsewhere", lasting=True)
            self.put(sent)

    def _forwarded(self):
        """The opponent sends on a turn."""
        if found := self.due():
            player, table, seq = found
            if player.friend.desk(table.game).seq > seq:
                self.put(self._mails(*found, sender=table.other(player).address, subject="Fwd: see below"))

    def _spoilt_by_hand(self):
        if found := self.due():
            change = self.dice.choice((partial(changed, number=self.number), beheaded, halved))
            sender = self.dice.choice(("", "", found[1].other(found[0]).address, "someone@else.test"))
            self.put(self._mails(*found, sender=sender, how=self.dice.choice(WAYS[:2]), change=change))

    def _forged_received(self):
        if found := self.due():
            self._put_oddly(self._mails(*found))

    def _put_oddly(self, sent):
        """A mail with Received lines of its sender, or by a way that is not usual."""
        at, old = sent.at, BEGIN - 3 * 24 * HOUR if self.dice.random() < 0.5 else sent.at - self.dice.randrange(1, 90) * HOUR
        mx, other = f"Received: from a by {MX}; ", "Received: from a by in.other.test; "
        way = self.dice.choice(("below", "unlisted", "blank", "slow", "nowhere", "ahead"))
        self.figures[f"received {way}"] += 1
        sent.said = at
        if way == "below":
            lines = f"{mx}{dated(at)}\r\n{mx}{dated(old)}\r\n"
        elif way == "unlisted":
            lines = f"{other}{dated(at)}\r\n{mx}{dated(old)}\r\n"
        elif way == "blank":
            lines = f"{mx}{dated(at)}\r\n ; {dated(old)}\r\n"
        elif way == "slow":
            sent.at += timedelta(minutes=10)
            lines = f"{other}{dated(sent.at)}\r\n{mx}{dated(at)}\r\n"
        elif way == "nowhere":
            sent.said, lines = None, f"{other}{dated(at)}\r\n"
        else:
            sent.said = at + timedelta(minutes=50)
            lines = f"{mx}{dated(sent.said)}\r\n"
        self.put(sent, lines)

    # words

    def _words(self, sender, body="STATUS", subject="hello", names=(), head="", *, taints=True, **said):
        self.number += 1
        lines = [f"From: {sender}", "To: ref@example.test", f"Message-ID: <w{self.number}@example.test>"]
        raw = "\r\n".join([*lines, f"Subject: {subject}{head}", "", body, ""]).encode()
        sent = Sent(raw, sender, self.time.now + timedelta(minutes=self.dice.randrange(1, 60)), names=names, **said)
        if taints:
            self.tainted(sent, f"{sender} wrote")
        self.put(sent)
        return sent

    def _question(self):
        asked = self.dice.choice(("STATUS", "REPORT", "MAP", "HELP", "RULE hex-toy 1", "ABSENT 2026-12-24 2027-01-02"))
        self._words(self.dice.choice(self.players).on_file, asked)

    def _many_questions(self):
        player = self.dice.choice(self.players)
        for number in range(14):
            self._words(player.on_file, f"RULE hex-toy {number}\r\nSTATUS\r\n")

    def _chat(self):
        player = self.dice.choice(self.players)
        self._words(self.dice.choice([*player.boxes]), "I am ill, please wait.\r\n")

    def _opponent_writes(self):
        table = self.dice.choice(self.tables)
        player = self.dice.choice(table.players)
        self._words(player.on_file, "Is he late?", f"Re: [kursk {table.game[:8]}] my turn", (table.game,))

    def _stranger(self):
        self._words(EVE, "STATUS\r\nHELP", taints=False)

    def _stranger_names(self):
        table = self.dice.choice(self.tables)
        self._words("me@new.test", "It does not work here", f"Re: [kursk {table.game[:8]}] message 2", (table.game,))

    def _shop(self):
        self.number += 1
        self.put(Sent(foreign(self.number), "news@shop.example", self.time.now))

    def _machine(self):
        """The program of a player answers by itself."""
        head = "\r\nAuto-Submitted: auto-replied"
        player = self.dice.choice(self.players)
        self._words(player.on_file, "STATUS\r\n", "Re: away", (), head, taints=False, machine=True, answers=True)

    def _odd_header(self):
        """Any header that a program writes, or one that tries to slip in another."""
        said = self.dice.choice([one for one in MACHINES if "Subject" not in one])
        head = "".join(f"\r\n{name.replace('_', '-')}: {value}" for name, value in said.items())
        self._words(self.dice.choice(self.players).on_file, "STATUS", "x", (), head, machine=True)

    # servers

    def leaves(self, one):
        """Now and then a letter of the referee's comes back, later."""
        if "bounce" in self.may and self.dice.random() < 0.04 and one.reader != BOSS:
            self.returns.append(one)

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
