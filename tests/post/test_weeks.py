"""A season by mail in a simulated world: no loss, no duplicates, every game verifies.

``make season`` plays 50 games of 60 people for eight weeks, with a hundred kills; the quick test plays a few games.

The clock is simulated, the desks are real. Everything depends on the seed; ``figures`` counts the events.
"""

import os
import random
import re
from collections import Counter
from datetime import timedelta

import pytest
from helpers import postal
from helpers.mailbags import foreign, letter, turn
from helpers.postmen import Faults, Member, PostOffice, Time, text

from kursk_pbem.desk.own import desks

TICK = timedelta(hours=3)
_ID = re.compile(rb"Message-ID: (\S+)")
QUESTIONS = ("STATUS", "REPORT", "MAP", "RULE hex-toy 1", "ABSENT 2026-12-24 2027-01-02", "HELP", "orders: retreat!")


class Table:
    """A game: player of each side, and the silent side, or ''."""

    def __init__(self, game, sides, *, rolled, silent=""):
        self.game, self.sides, self.rolled, self.silent = game, sides, rolled, silent
        self.fell_silent = False

    def other(self, player):
        return next(who for who in self.sides.values() if who is not player)


class Season:
    """A season of ``games`` between ``number`` people, refereed by a mailbox; ``silent`` people stop writing."""

    def __init__(self, root, time, *, games, number, seed, silent=1, faults=None):
        self.time, self.dice = time, random.Random(seed)
        self.office = PostOffice(root, time, faults or Faults(seed=seed, late=5, doubled=5, lost=2, grey=8, doubt=3))
        friends = postal.make_friends(root, *(f"p{n}" for n in range(number)))
        everybody = [Member(friend, self.office) for friend in friends]
        self.players = everybody
        self.ref = Member(postal.make_friends(root, "ref")[0], self.office, director=True)
        self.ref.terms(7, director="boss@example.test")
        self.ref.knows(*everybody)
        self.figures, self.told, self.bad = Counter(), Counter(), []
        self.tables = {}
        for index in range(games):
            self._begin(index, silent=index < silent)
        self.due = {player: set(self.of(player)) for player in self.players}
        self.played_till = ""

    def of(self, player):
        """Return the games of a player."""
        return [table.game for table in self.tables.values() if player in table.sides.values()]

    def _begin(self, index, *, silent):
        one, two = self.dice.sample(self.players, 2)
        sides = postal.registry.kit("hex-toy").sides
        one.knows(two, self.ref)
        two.knows(one, self.ref)
        if index % 2:
            game = postal.begin_rolled(self.ref.friend, one.friend, two.friend)
            seats = dict(zip(sides, (one, two), strict=True))
        else:
            game = postal.began(one.friend, two.friend, relay=self.ref.friend.public)
            postal.give_receipt(self.ref.friend, one.friend, game)
            first = one.friend.desk(game).own_side
            seats = {side: one if side == first else two for side in sides}
        silenced = self.dice.choice(sides) if silent else ""
        self.tables[game] = Table(game, seats, rolled=bool(index % 2), silent=silenced)

    def runs(self, days, kills=0, *, playing=True):
        """Let days pass; the referee is killed ``kills`` times."""
        ticks = days * 8
        killed = set(self.dice.sample(range(ticks), min(kills, ticks)))
        for tick in range(ticks):
            self.time.now += TICK
            self._mischief(tick)
            for player in self.players:
                if self.dice.random() < 0.25:
                    self._visit(player, playing=playing)
            if tick in killed:
                self._killed()
            self._note(self.ref.post())
            self._ends_silent()
        if playing:
            self.played_till = text(self.time.now)

    def _mischief(self, tick):
        if tick % 8 == 0:
            self.office.put(foreign(tick), self.ref.address)
        if self.dice.random() < 0.02:
            stranger = b"From: eve@evil.test\r\nSubject: STATUS\r\nMessage-ID: <e%d@evil.test>\r\n\r\nSTATUS\r\n" % tick
            self.office.put(stranger, self.ref.address)

    def _visit(self, player, *, playing):
        """Read the mail as a player, answer some games, and mail the answers."""
        reminded = [raw for when, raw in self.office.boxes.get(player.address, ()) if when <= self.time.now]
        reminded = [raw for raw in reminded if b"Reminder: your message" in raw]
        if self.office.boxes.get(player.address) or self.due[player]:
            day = player.post()
            self._note(day)
            self.due[player] |= {game.game for game in day.games}
        for raw in reminded:
            short, seq = re.search(rb"\[kursk ([0-9a-f]{8})\] .*Reminder: your message ([0-9]+)", raw).groups()
            self._again(player, short.decode(), int(seq))
        signed = False
        for game in sorted(self.due[player]):
            if playing and self.dice.random() < 0.85:
                self.due[player].discard(game)
                signed |= self._turn(player, self.tables[game])
        if signed:
            player.post()
        if playing and self.dice.random() < 0.01:
            asked = self.dice.choice(QUESTIONS)
            head = f"From: {player.address}\r\nMessage-ID: <q{self.figures['asked']}@example.test>\r\nSubject: Hello"
            self.office.put(f"{head}\r\n\r\n{asked}\r\n".encode(), self.ref.address)
            self.figures["asked"] += 1

    def _turn(self, player, table):
        """Sign the due message, except for a silent side."""
        side = next(side for side, who in table.sides.items() if who is player)
        own = [slot.seq for slot in self._record(player, table.game)]
        if side == table.silent and len(own) > 5:
            table.fell_silent = player.friend.desk(table.game).mine or table.fell_silent
            return False
        if player.friend.sign(table.game, random.Random(f"{table.game}{len(own)}")) is None:
            return False
        self.figures["signed"] += 1
        if self.dice.random() < 0.2:  # sometimes by hand, with the whole thread quoted below
            self._again(player, table.game[:8])
        return True

    @staticmethod
    def _record(player, game):
        record = next(record for record in player.friend.records() if record.game == game)
        return [record.read_slot(seq) for seq in record.seqs]

    def _again(self, player, short, seq=-1):
        """Mail a message again by another mail program; the newest message by default."""
        table = next(table for table in self.tables.values() if table.game.startswith(short))
        desk = player.friend.desk(table.game)
        side = desk.own_side
        own = [step.message.seq for step in desk.history.steps if step.message.sender == side]
        if not own:
            return
        own = own[: own.index(seq) + 1] if seq in own else own
        raw = turn(player.friend, table.game, own[-1])
        how = self.dice.choice(("attached", "quoted", "html", "base64", "8bit"))
        made = letter(raw, player.address, f"Re: [kursk {short}]", how)
        quoted = b"".join(
            b"> " + line + b"\n" for seq in own[:-1][-2:] for line in turn(player.friend, table.game, seq).split(b"\n")
        )
        if how in ("8bit", "quoted") and b"base64" not in made:
            made += b"\nYou wrote:\n" + quoted
        for reader in (self.ref, *(() if table.rolled else (table.other(player),))):
            self.office.put(made, reader.address, self.time.now + timedelta(minutes=self.dice.randrange(5, 90)))
        self.figures["by hand"] += 1

    def _killed(self):
        """Kill the referee's program somewhere in its round."""
        number = self.dice.randrange(1, 13)
        self.figures["killed"] += self.ref.dies(lambda: number)

    def _ends_silent(self):
        """Forfeit the games of silent players as director, once a day."""
        for missed in list(self.ref.session.referee.list_overdue()) if self.time.now.hour == 12 else ():
            if self.tables[missed.seat.game].fell_silent:
                self.ref.session.referee.forfeit(missed)
                self.ref.sits()

    def _note(self, day):
        for game in day.games:
            for outcome in game.outcomes:
                self.told[outcome.state] += 1
                if outcome.error is not None:
                    self.bad.append(str(outcome.error))
        self.bad += [str(fault) for fault in day.faults]
        self.figures["reminders"] += sum("reminded" in line for line in day.done)

    def asks_all(self):
        """Ask for the newest report of every unfinished game as its players, because letters may be lost."""
        for player in self.players:
            for number, game in enumerate(self.of(player)):
                if not player.friend.desk(game).game.over:
                    head = f"From: {player.address}\r\nMessage-ID: <r{number}{player.address}>\r\nSubject: lost?"
                    self.office.put(f"{head}\r\n\r\nREPORT {game[:8]}\r\n".encode(), self.ref.address)

    def faultless(self):
        """Make the post office faultless from now on."""
        for what in ("late", "doubled", "lost", "grey", "doubt"):
            setattr(self.office.faults, what, 0)

    def check(self):
        """Check that no message is lost or doubled, every game verifies, and only silent players forfeited."""
        assert self.bad == [], self.bad[:3]
        for table in self.tables.values():
            held, terms = {}, set()
            over = self.ref.friend.desk(table.game).game.over
            for who in (*table.sides.values(), self.ref):
                folder = who.friend.folder(table.game)
                desk = desks.open_desk(folder, who.friend.home)
                held[who.address] = postal.read_signed_parts(folder)
                assert len(held[who.address]) == desk.seq
                forfeited = desk.game.papers.forfeit is not None
                pending = [line for line in self.ref.session.referee.list_pending() if table.game[:8] in line]
                newest = desk.game.papers.receipts.get(desk.seq - 1)
                silent = table.fell_silent or (newest is not None and newest.text("received") > self.played_till)
                assert forfeited <= silent, (table.game[:8], who.address, desk.seq, pending)
                assert forfeited >= table.fell_silent, (table.game[:8], who.address, forfeited, desk.seq, pending)
                assert desk.game.papers.receipts.keys() <= set(range(desk.seq))
                assert not over or desk.game.over
                terms.add("" if desk.game.over else desk.game.papers.due(desk.seq - 1))
            assert len(terms) == 1, (table.game[:8], terms)
            assert len({tuple(found) for found in held.values()}) == 1, {who: len(found) for who, found in held.items()}
            self.figures["messages"] += len(next(iter(held.values())))
            self.figures["receipts"] += len(desk.game.papers.receipts)
            self.figures["forfeits"] += desk.game.papers.forfeit is not None
        found = {}
        for _at, sender, reader, raw in self.office.mails:
            assert raw.count(b"\r\nMessage-ID: ") == 1
            found.setdefault((_ID.search(raw)[1], reader), set()).add(raw)
            assert reader not in (self.ref.address, "eve@evil.test") or sender != self.ref.address
        assert [key for key, bytes_ in found.items() if len(bytes_) != 1] == []
        self.figures["mails"] = self.office.carried
        self.figures["letters"] = len(found)
        self.figures.update(self.office.faults.counts)
        return dict(sorted(self.figures.items()))


WHOLE = os.environ.get("KURSK_SEASON") == "1"


@pytest.mark.long("test-all")
@pytest.mark.skipif(os.name == "nt", reason="it forks")
def test_a_season_by_mail_loses_nothing_and_doubles_nothing(friends, tmp_path):
    assert friends
    games, number, days, kills = (50, 60, 56, 160) if WHOLE else (4, 6, 16, 16)
    with Time().rules() as time:
        played = Season(tmp_path, time, games=games, number=number, seed=7, silent=3 if WHOLE else 1)
        played.runs(days, kills)
        played.faultless()
        played.runs(12, playing=False)  # terms may be longer by nine days, and have a day of grace
        played.asks_all()
        played.runs(2, playing=False)
        figures = played.check()
    print(f"\nseason: {figures}; outcomes: {dict(played.told)}")
    assert figures["killed"] >= (80 if WHOLE else 5)  # a round with little to write is not hit
    assert figures["lost"] > 0
    assert figures["doubled"] > 0
