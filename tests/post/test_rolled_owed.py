"""A mailbox with dice: a due roll happens in a later round, with a term."""

import shutil

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import BEGIN, Faults, Member, PostOffice, Time, text

from kursk_pbem.game import folders
from post.refereed_mail import DAY, HOUR


class Rolled:
    """A game of Anna and Boris with a rolling referee's mailbox."""

    def __init__(self, friends, root, time):
        self.time, self.office = time, PostOffice(root, time, Faults())
        *self.players, self.ref = friends("anna", "boris", "ref")
        members = [Member(who, self.office, director=who is self.ref) for who in (*self.players, self.ref)]
        for one in members:
            one.knows(*(other for other in members if other is not one))
        self.director = members[-1]
        self.director.terms(7, director="boss@example.test")
        self.game = postal.propose_rolled(self.ref, *self.players)
        self.director.post()
        for who in self.players:
            who.accept(turn(self.ref, self.game, 0))

    def due(self):
        """Return the writer of the next message, and the other player."""
        first = next(who for who in self.players if who.desk(self.game).mine)
        return first, next(who for who in self.players if who is not first)

    def goes(self, who, seq, *readers):
        """Mail a message to the referee; give the message and the answer to readers."""
        self.office.put(letter(turn(who, self.game, seq), who.address), self.ref.address)
        self.time.passes(600)
        self.director.post()
        postal.carried(self.game, seq, who, *(other for other in readers if other is not who))
        if readers:
            postal.carried(self.game, seq + 1, self.ref, *readers)


@pytest.fixture
def rolled(friends, tmp_path):
    with Time().rules() as time:
        yield Rolled(friends, tmp_path, time)


def test_what_was_taken_while_the_key_was_away_is_rolled_once_it_is_back(rolled):
    """Bug: the turn counted as refused, and needed a second mail for an answer."""
    first, _other = rolled.due()
    first.sign(rolled.game)
    rolled.ref.key.rename(rolled.ref.place / "away")
    rolled.goes(first, 1)
    told = "\n".join(rolled.director.post().done)
    assert f"game {rolled.game[:8]}: there is no key file" in told
    assert len(folders.message_files(rolled.ref.folder(rolled.game))) == 2
    (rolled.ref.place / "away").rename(rolled.ref.key)
    done = rolled.director.post().done
    assert f"game {rolled.game[:8]}: you have rolled the dice in your overdue message 2" in done
    assert rolled.ref.desk(rolled.game).seq == 3
    assert not rolled.director.session.referee.list_pending()


def test_report_brings_all_that_may_be_lost_since_ones_own_newest_message(rolled):
    """Bug: the answer contained only the newest two messages."""
    boris, anna = rolled.due()
    for who, seq, heard in ((boris, 1, rolled.players), (anna, 3, [anna]), (anna, 5, [anna])):
        who.sign(rolled.game)
        rolled.goes(who, seq, *heard)
    assert (boris.desk(rolled.game).seq, rolled.ref.desk(rolled.game).seq) == (3, 7)
    rolled.office.mails.clear()
    question = f"From: {boris.address}\r\nMessage-ID: <q@example.test>\r\n\r\nREPORT\r\n"
    rolled.office.put(question.encode(), rolled.ref.address)
    rolled.time.passes(600)
    rolled.director.post()
    (answer,) = [raw for _at, _sender, _reader, raw in rolled.office.mails if b"auto-replied" in raw]
    saved = boris.place / "answer.eml"
    saved.write_bytes(answer)
    boris.kursk("inbox", saved)
    assert boris.desk(rolled.game).seq == 7


def test_a_referee_who_rolls_gives_terms_and_repeats_the_proposal_to_who_has_written_nothing(rolled):
    """The first letter is lost: without message 0 the reader's program knew no game, and could not answer."""
    first, other = rolled.due()
    first.sign(rolled.game)
    rolled.office.mails.clear()
    rolled.time.passes(3000)
    rolled.goes(first, 1)
    carried = {to: raw.count(b"filename=") for _at, _by, to, raw in rolled.office.mails if b"-0000.yaml" in raw}
    assert carried == {other.address: 4}  # messages 0 and 1, message 2 with its receipt
    desk = rolled.ref.desk(rolled.game)
    assert sorted(desk.game.papers.receipts) == [0, 2]
    assert desk.game.papers.due(2) == text(BEGIN + HOUR + 7 * DAY)
    readers = sorted(reader for _at, _sender, reader, raw in rolled.office.mails if b"0002.yaml" in raw)
    assert readers == sorted(who.address for who in rolled.players)


@pytest.mark.parametrize("copied", [True, False])
def test_a_referee_who_was_set_back_has_the_same_dice(rolled, tmp_path, copied):
    """The referee's machine is put back before the answer, with and without a folder of sent mails."""
    first, _other = rolled.due()
    rolled.director.sent = rolled.director.sent if copied else None
    rolled.director.sits()
    kept = shutil.copytree(rolled.ref.place, tmp_path / "kept")
    first.sign(rolled.game)
    rolled.goes(first, 1)
    answer = turn(rolled.ref, rolled.game, 2)
    shutil.rmtree(rolled.ref.place)
    kept.rename(rolled.ref.place)
    rolled.director.sits()
    rolled.director.post()
    assert turn(rolled.ref, rolled.game, 2) == answer
