"""A mailbox whose referee rolls the dice: what it owes is rolled in a later round, and no sooner than it is owed."""

from contextlib import suppress

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import Faults, Member, PostOffice, Time, text
from helpers.rolled_mail import Rolled, proposed, says

from kursk_pbem.desk import offers
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, receipts, successor
from kursk_pbem.game.successor import Terms


@pytest.fixture
def rolled(friends, tmp_path):
    with Time().rules() as time:
        yield Rolled(friends, tmp_path, time)


def test_what_was_taken_while_the_key_was_away_is_rolled_once_it_is_back(rolled):
    """It was told as refused, stood in no list, and was never answered unless its player mailed it again."""
    first, _other = rolled.due()
    first.sign(rolled.game)
    rolled.ref.key.rename(rolled.ref.place / "away")
    rolled.goes(first, 1)
    told = "\n".join(rolled.director.post().done)
    assert f"game {rolled.game[:8]}: there is no key file" in told
    assert len(folders.message_files(rolled.ref.folder(rolled.game))) == 2
    (rolled.ref.place / "away").rename(rolled.ref.key)
    done = rolled.director.post().done
    assert f"game {rolled.game[:8]}: message 2 is rolled, which was still owed" in done
    assert rolled.ref.desk(rolled.game).seq == 3
    assert not rolled.director.errand.chair.pending()


def test_what_comes_before_the_agreement_is_rolled_behind_it(rolled, monkeypatch):
    """Another program answers a proposal to go on before it is agreed to: its answer is not lost, nor is the game."""
    way = proposed(rolled)
    new = folders.read_message(way).id
    eager, _other = rolled.due()
    with monkeypatch.context() as another:
        another.setattr(successor, "need_agreement", lambda *_: None)
        eager.accept(turn(rolled.ref, new, 0))
        assert eager.desk(new).mine
        eager.sign(new)
    rolled.goes(eager, 1, new)
    pending = f"game {new[:8]}: it would continue another game, and nobody owes a message before that is agreed to"
    assert pending in rolled.director.errand.chair.pending()
    rolled.passes(1)
    assert [path.name for path in folders.message_files(rolled.ref.folder(new))] == ["0000.yaml", "0001.yaml"]
    says(rolled, way)
    says(rolled, way, accept=True)
    agreed = text(rolled.time.now)
    rolled.passes(1)
    folder = rolled.ref.folder(new)
    assert rolled.ref.desk(new).seq == 3
    assert [path.name for path in folder.glob("receipt-*")] == ["receipt-0002.yaml"]
    assert receipts.read_file(folder / "receipt-0002.yaml").text("received") >= agreed


def test_a_director_who_relays_is_told_to_wait_for_the_agreement(friends, tmp_path):
    """They were told a command that began the term of a game which nobody had agreed to."""
    with Time().rules() as time:
        office = PostOffice(tmp_path, time, Faults())
        anna, boris, ref = friends("anna", "boris", "ref")
        member = Member(ref, office, director=True)
        member.terms(7, director="boss@example.test")
        game = postal.began(anna, boris, relay=ref.public)
        proposal = ref.place / "0000.yaml"
        proposal.write_bytes(turn(anna, game, 0))
        timekeeper.receipt(timekeeper.open_folder(proposal, ref.home, Term(days=7)), ref.key, Term(days=7))
        way = None
        while way is None:
            with suppress(UsageError):  # the game is not bound yet, or something is hidden or owed
                way = offers.propose(anna.desk(game), Terms({}, {}, None), None, anna.place)
                break
            who, other = (anna, boris) if anna.desk(game).mine else (boris, anna)
            who.sign(game)
            postal.carried(game, who.desk(game).seq - 1, who, other, ref)
        new = folders.read_message(way).id
        office.put(letter(way.read_bytes(), anna.address), ref.address)
        [told] = [outcome.told for taken in member.post().games for outcome in taken.outcomes]
        begins = f"'kursk receipt {new[:16]} --days 7' begins it, once it is agreed to in game-{game[:16]}"
        assert f"you may referee: {begins}" in told
        assert f"game {new[:8]} is proposed: {begins}" in member.errand.chair.pending()
        proposal.write_bytes(way.read_bytes())
        with pytest.raises(UsageError, match="no offer of it was accepted there"):
            timekeeper.open_folder(proposal, ref.home, Term(days=7))
        assert not ref.folder(new).exists()


def test_report_brings_all_that_may_be_lost_since_ones_own_newest_message(rolled):
    """It brought the newest two: a player who had lost more than those could take none of them."""
    boris, anna = rolled.due()
    for who, seq, heard in ((boris, 1, rolled.players), (anna, 3, [anna]), (anna, 5, [anna])):
        who.sign(rolled.game)
        rolled.office.put(letter(turn(who, rolled.game, seq), who.address), rolled.ref.address)
        rolled.time.passes(600)
        rolled.director.post()
        postal.carried(rolled.game, seq, who, *(other for other in heard if other is not who))
        postal.carried(rolled.game, seq + 1, rolled.ref, *heard)
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
