"""What happens in a walk: steps that are drawn at random, each with what is true of it (helpers/walk_world.py)."""

import random
import re
from contextlib import suppress
from datetime import timedelta
from functools import partial

from helpers.mailbags import MACHINES, cut, emptied, foreign, letter, shortened, turn
from helpers.postmen import BEGIN, MX
from helpers.walk_events import EVE, HOUR, Events
from helpers.walk_facts import moment
from helpers.walk_mails import Sent, attached, dated, fields, header
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust import keys, messages, sshsig

WAYS = ("attached", "quoted", "html", "base64", "8bit", "quoted-printable")
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
    "at_the_last",
    "signed_twice",
    "grey",
)
"""What may."""
_MORE = {"spoilt": 4, "elsewhere": 2, "forwarded": 2, "bounce": 2, "spoilt_by_hand": 2}


def changed(raw, number=1):
    """A line of a turn is another."""
    return re.sub(rb"\n(state-out):", rb"\nnote: a%d\n\1:" % number, raw)


def beheaded(raw):
    """The first line of a turn is another."""
    return raw.replace(b"kursk-pbem: '1'", b"kursk-pbem: x'1'", 1)


def halved(raw):
    """The end of a turn is lost, in its signature."""
    return raw[: raw.index(b"SIGNATURE") + 150]


class Walk(Events):
    """A world and what may happen in it: ``may`` holds the names of the steps."""

    def __init__(self, root, time, dice, may, **said):
        self.limit, self.lasts = dice.randrange(4, 8), None
        super().__init__(root, time, dice, may, **said)
        self.fates = may

    # time and rounds

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

    def _at_the_last(self):
        """Whoever owes a message writes it as the term ends, or when it is over."""
        table = self.dice.choice(self.tables)
        player = table.owes() if table.newest() >= 0 else None
        if player is not None:
            ends = self.time.now + self.days * 24 * HOUR
            receipt = table.folder / f"receipt-{table.newest():04d}.yaml"
            if receipt.exists():
                ends = moment(fields(receipt.read_text(encoding="ascii"))["due"])
            self.lasts = max(self.time.now, ends + self.grace + self.dice.randrange(-8, 9) * HOUR)
            held, self.limit = self.limit, 99
            table.taint("written at the last")
            self.reads(player, plays=True)
            self.limit, self.lasts = held, None

    def _post(self, player):
        with suppress(UsageError):  # something of theirs is not there yet
            player.post()

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
        fates = [name for name in ("late", "doubled", "lost", "spoilt", "forged_received") if name in self.fates]
        fate = self.dice.choice(fates) if fates and self.dice.random() < 0.4 else ""
        if self.lasts is not None:
            sent.at = self.lasts
        if fate == "forged_received":
            self._put_oddly(sent)
            return
        if fate == "lost":
            self.figures["lost"] += 1
            return
        if fate == "late":
            sent.at += self.dice.choice((self.dice.randrange(3, 40), self.dice.randrange(self.days * 36))) * HOUR
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

    def _signed_twice(self):
        """Somebody signs another message for a number, and mails that, too."""
        if found := self.due():
            player, table, seq = found
            content = {**messages.read(turn(player.friend, table.game, seq), "").content, "note": "another"}
            armour = keys.load(player.friend.key).sign(sshsig.NAMESPACE, canon(content))
            raw = messages.mailed(content, armour, None).encode("ascii")
            self.number += 1
            sent = Sent(letter(raw, player.address, f"another {self.number}"), player.address, self.time.now)
            sent.names, sent.about, table.two = (table.game,) if seq else (), False, True
            self.tainted(sent, "two were signed", lasting=True)
            self.put(sent)

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
        at, old = sent.at, max(BEGIN, sent.at - self.dice.randrange(1, 9) * HOUR)
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
