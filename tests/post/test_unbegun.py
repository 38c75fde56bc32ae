"""A game that goes on as another does not end by itself against whoever has written nothing in it (2.12).

The agreement stands in the other game: it may not have come to them, or somebody may have told them otherwise.
"""

import shutil

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import Line, Time, text
from helpers.refereed_mail import closing, goes_on, hours
from helpers.rolled_mail import Rolled, proposed, says

from kursk_pbem.desk import offers, play
from kursk_pbem.desk.referee import grants, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.formats import times
from kursk_pbem.game import folders
from kursk_pbem.post.servers.smtp import REFUSED, Answer
from kursk_pbem.trust.papers import HOLIDAY

WHY = "side has written nothing in it yet: they may lack the game that it continues"


@pytest.fixture
def rolled(friends, tmp_path):
    with Time().rules() as time:
        yield Rolled(friends, tmp_path, time)


def refuses(monkeypatch, game, seq, address):
    """A server refuses the letters for an address that hold a message."""
    real, named = Line.send, b"kursk-%s-%04d" % (game[:8].encode(), seq)

    def send(line, raw, sender, reader):
        if reader == address and named in raw:
            return Answer(REFUSED, 550, "no")
        return real(line, raw, sender, reader)

    monkeypatch.setattr(Line, "send", send)


def test_2_12_nobody_loses_the_game_that_goes_on_who_never_got_the_agreement(rolled, monkeypatch):
    """The letter with the accept was refused, those of the new game went through: they could sign nothing in it."""
    way = proposed(rolled)
    new = folders.read_message(way).id
    says(rolled, way)
    who, other = rolled.due()
    refuses(monkeypatch, rolled.game, who.desk(rolled.game).seq, other.address)
    says(rolled, way, accept=True)
    rolled.passes(11, hours=24)
    assert not closing(rolled.ref.home, rolled.ref.folder(new))
    assert WHY in str(rolled.director.errand.chair.pending())


def test_2_12_it_ends_by_itself_once_they_have_written_in_it(rolled):
    way = proposed(rolled)
    new = folders.read_message(way).id
    says(rolled, way)
    asked, offerer = rolled.due()
    seq = asked.desk(rolled.game).seq
    says(rolled, way, accept=True)
    postal.carried(rolled.game, seq, asked, offerer)
    for who in rolled.players:
        who.accept(turn(rolled.ref, new, 0))
    for _each in rolled.players:
        who, _other = rolled.due(new)
        who.sign(new)
        rolled.goes(who, who.desk(new).seq - 1, new)
    rolled.passes(14, hours=24)
    assert (rolled.ref.folder(new) / "forfeit.yaml").exists()


def test_2_10_a_holiday_holds_in_the_game_that_goes_on_too(rolled):
    """Who had offered that before they left had seven days in it, as if nobody had given them more."""
    way = proposed(rolled)
    new = folders.read_message(way).id
    rolled.director.post()
    asked, offerer = rolled.due()[::-1]
    until = times.after(text(rolled.time.now), 30)
    grants.extend(rolled.ref.folder(rolled.game), rolled.ref.key, Grant(until=until, cause=HOLIDAY))
    says(rolled, way)
    seq = asked.desk(rolled.game).seq
    says(rolled, way, accept=True)
    postal.carried(rolled.game, seq, asked, offerer)
    for who in rolled.players:
        who.accept(turn(rolled.ref, new, 0))
    rolled.passes(1, hours=24)
    for _each in range(3):
        held = rolled.ref.desk(new).game
        first, _other = rolled.due(new)
        assert (held.papers.due(held.chain.next_seq - 1) == until) == (first is offerer)
        first.sign(new)
        rolled.goes(first, first.desk(new).seq - 1, new)


def test_2_12_nobody_loses_a_relayed_game_that_goes_on_who_had_another_answer_to_their_offer(automatic, tmp_path):
    """They had answered a decline, the referee had the accept: the new game ended against who could not take it."""
    world = automatic
    offerer, cheat, way = goes_on(world)
    asked = cheat.desk(world.game)
    copied = postal.Friend.__new__(postal.Friend)
    copied.name, copied.place = cheat.name, tmp_path / "copied"
    shutil.copytree(cheat.place, copied.place)
    declined = copied.desk(world.game)
    play.sign(declined, offers.decline(declined), None)
    postal.carried(world.game, asked.seq, copied, offerer)
    offerer.sign(world.game)
    play.sign(asked, offers.accept(asked, way, None)[0], None)
    world.office.put(letter(turn(cheat, world.game, asked.seq), cheat.address), world.ref.address)
    world.director.post()
    begun = world.ref.place / "new.yaml"
    begun.write_bytes(way.read_bytes())
    timekeeper.receipt(timekeeper.open_folder(begun, world.ref.home, Term(days=7)), world.ref.key, Term(days=7))
    new = folders.read_message(way).id
    if not cheat.folder(new).exists():
        cheat.accept(way.read_bytes())
    if cheat.desk(new).mine:
        cheat.sign(new)
        world.office.put(letter(turn(cheat, new, 1), cheat.address), world.ref.address)
    hours(world, 11 * 24, step=24)
    assert not closing(world.ref.home, world.ref.folder(new))
    assert WHY in str(world.director.errand.chair.pending())
