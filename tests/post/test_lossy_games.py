"""Games by mail end at all desks with one result, although a third of all letters is lost.

The post office also loses ten letters in a row to one reader. The players sign turns and type nothing else; every desk
runs its rounds of post. A referee relays or rolls, or nobody does.
"""

from __future__ import annotations

import os
import random
from datetime import timedelta

import pytest
from helpers import postal, sweeps
from helpers.postmen import Faults, Member, PostOffice, Time, text

from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.turn import play

HALF_DAY = timedelta(hours=12)
RELAYS, ROLLS, NOBODY = "relays", "rolls", ""
IN_A_ROW = 10


class LossyOffice(PostOffice):
    """A post office that also loses ten letters in a row to one reader, after the first ``since`` letters."""

    def __init__(self, root, time, faults, reader, since):
        super().__init__(root, time, faults)
        self.reader, self.since, self.left, self.lost = reader, since, IN_A_ROW, 0

    def post(self, raw, sender, reader):
        self.since -= reader == self.reader
        if reader == self.reader and self.since < 0 and self.left:
            self.left, self.lost = self.left - 1, self.lost + 1
            self.carried += 1
            self.mails.append((text(self.time.now), sender, reader, raw))
            return
        super().post(raw, sender, reader)


class LossyGame:
    """A game of Anna and Boris; ``referee``: relays, rolls, or ''."""

    def __init__(self, root, time, number, referee, *, days=90, lost=33):
        root.mkdir()
        self.time, self.referee, self.terms, self.dice = time, referee, days, random.Random(number)
        names = ("anna", "boris", *(["ref"] if referee else []))
        friends = postal.make_friends(root, *names)
        reader = self.dice.choice(friends).address
        self.office = LossyOffice(root, time, Faults(seed=number, lost=lost), reader, self.dice.randrange(6))
        self.members = [Member(who, self.office, director=who.name == "ref") for who in friends]
        for one in self.members:
            one.knows(*(other for other in self.members if other is not one))
        self.players = self.members[:2]
        self.ref = self.members[2] if referee else None
        if self.ref is not None:
            self.ref.terms(days)
        self.game = self._begin(*friends)
        self.days = 0

    def _begin(self, anna, boris, ref=None):
        """Begin a game at all desks."""
        if self.referee != ROLLS:
            game = postal.began(anna, boris, relay=ref.public if ref else "")
            if ref is not None:
                postal.give_receipt(ref, anna, game, self.terms)
            return game
        return postal.begin_rolled(ref, anna, boris)

    def run(self, most=400):
        """Play to the end at all desks; return the number of days."""
        while not self.is_over():
            assert self.days < most, self.describe()
            self.half_a_day()
        return self.days

    def half_a_day(self, *, silent=False):
        """Let half a day pass; ``silent``: nobody signs a turn."""
        self.time.now += HALF_DAY
        self.days += 0.5
        for member in self.members:
            self._visit(member, silent=silent)
        self._check_forfeits()

    def _visit(self, member, *, silent):
        digest = member.post()
        bad = [str(outcome.error) for game in digest.games for outcome in game.outcomes if outcome.error is not None]
        assert [*bad, *map(str, digest.faults)] == [], self.describe()
        moves = member in self.players and not silent and self.dice.random() < 0.7
        if moves and member.friend.sign(self.game, random.Random(f"{self.game}{self._desk(member).seq}")) is not None:
            member.post()

    def resigns(self):
        """Let the player who writes message 5 or a later one resign, and mail it; return the address, or ''."""
        for member in self.players:
            if self._desk(member).mine and self._desk(member).seq > 4:
                play.sign_message(self._desk(member), drafts.make_resignation(self._desk(member)), None)
                member.post()
                return member.address
        return ""

    def is_over(self):
        return all(self._desk(member).game.over for member in self.members)

    def _desk(self, member):
        return member.friend.desk(self.game)

    def _check_forfeits(self):
        """No forfeit is proposed against a player whose turn has reached another player."""
        for missed in self.ref.session.referee.list_overdue() if self.ref is not None else ():
            owed = missed.seat.known.newest + 1
            reached = [member.address for member in self.members if self._has(member, owed)]
            assert reached == [], (self.days, owed, reached)

    def _has(self, member, seq):
        desk = self._desk(member)
        return desk.seq > seq and desk.game.chain.writer(seq) != desk.own_side

    def describe(self):
        there = {member.address: self._desk(member) for member in self.members}
        return self.days, {who: (desk.seq, desk.game.over) for who, desk in there.items()}

    def check(self):
        """Check that every desk has the same game and result, and that no letter has two forms."""
        parts = {tuple(postal.read_signed_parts(member.friend.folder(self.game))) for member in self.members}
        verdicts = {self._desk(member).game.verdict.text for member in self.members}
        assert (len(parts), len(verdicts)) == (1, 1)
        assert self.office.left == 0


WHOLE = os.environ.get("KURSK_SEASON") == "1"
REFEREES = (RELAYS, ROLLS, NOBODY)


@pytest.mark.long
@pytest.mark.parametrize("number", range(40 if WHOLE else 3))
def test_a_game_ends_although_a_third_of_all_letters_is_lost(friends, tmp_path, number):
    """Ten letters in a row to one reader are lost, too; the players sign turns and type nothing else."""
    assert friends
    with Time().rules() as time:
        game = LossyGame(tmp_path / "game", time, number, REFEREES[number % 3])
        game.run()
        game.check()
    lost = game.office.faults.counts["lost"] + game.office.lost
    print(f"\n{number} {game.referee or 'nobody'}: {game.days} days, {game.office.carried} letters, {lost} lost")


@pytest.mark.parametrize("referee", sweeps.some(REFEREES, 3))
def test_programs_send_few_letters_while_their_people_are_silent(friends, tmp_path, referee):
    """Two programs answered each other's old letters every day."""
    assert friends
    with Time().rules() as time:
        game = LossyGame(tmp_path / "game", time, 1, referee, days=9, lost=0)
        game.office.left = 0
        for _turn in range(4):
            game.half_a_day()
        before = game.office.carried
        for _time in range(14):
            game.half_a_day(silent=True)
    assert game.office.carried - before <= 9


@pytest.mark.parametrize("referee", sweeps.some((ROLLS, NOBODY), 2))
def test_the_end_of_a_game_is_mailed_once_and_goes_back_once(friends, tmp_path, referee):
    """The last message has no answer, so it came three times, and six times from a referee."""
    assert friends
    with Time().rules() as time:
        game = LossyGame(tmp_path / "game", time, 1, referee, days=9, lost=0)
        game.office.left = 0
        while not (loser := game.resigns()):
            game.half_a_day()
        for days in (1, 1, 3, 7, 7, 14):
            time.now += timedelta(days=days)
            for member in game.members:
                member.post()
    winner = next(member.address for member in game.players if member.address != loser)
    mails = [(by, to, raw) for _at, by, to, raw in game.office.mails]
    won = [raw for _by, to, raw in mails if to == winner and b"you have won" in raw]
    assert [b"has arrived" in raw for raw in won] == [False]
    assert len([raw for by, _to, raw in mails if by == winner and b"has arrived:" in raw]) == 1
    assert len([raw for _by, to, raw in mails if to == loser and b"Your resignation has arrived" in raw]) == 1
