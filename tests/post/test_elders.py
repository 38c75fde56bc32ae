"""What was granted in a game holds in the one that continues it, while the folder of the former is not whole."""

import shutil

import pytest
from helpers.mailbags import letter, turn
from helpers.postmen import text
from helpers.refereed_mail import closing, goes, goes_on, hours

from kursk_pbem.desk import offers, play
from kursk_pbem.desk.referee import grants, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.desk.referee.timekeeper import Term
from kursk_pbem.formats import times
from kursk_pbem.game import folders
from kursk_pbem.trust.papers import HOLIDAY


class Onward:
    """A relayed game that goes on as another, ``new``: the asked side has a holiday of 50 days, mailed in the first."""

    def __init__(self, world):
        self.world = world
        self.offerer, self.asked, way = goes_on(world)
        self.elder = world.ref.folder(world.game)
        self.until = times.after(text(world.time.now), 50)
        grants.extend(self.elder, world.ref.key, Grant(until=self.until, cause=HOLIDAY))
        world.director.sits()
        world.director.post()
        desk = self.asked.desk(world.game)
        play.sign(desk, offers.accept(desk, way, None)[0], None)
        goes(world, world.game, self.asked, self.offerer)
        begun = world.ref.place / "new.yaml"
        begun.write_bytes(way.read_bytes())
        timekeeper.receipt(timekeeper.open_folder(begun, world.ref.home, Term(days=7)), world.ref.key, Term(days=7))
        begun.unlink()
        self.new = folders.read_message(way).id
        for who in (self.offerer, self.asked):
            if not who.folder(self.new).exists():
                who.accept(way.read_bytes())

    @property
    def folder(self):
        return self.world.ref.folder(self.new)

    def due(self):
        """Who owes the next message, and the other player."""
        two = self.offerer, self.asked
        return two if self.offerer.desk(self.new).mine else two[::-1]

    def step(self):
        """Whoever owes a message writes it, and both get it; its number."""
        who, other = self.due()
        who.sign(self.new)
        goes(self.world, self.new, who, other)
        return who.desk(self.new).seq - 1

    def asks_who_is_away(self):
        """Whether the one who has the holiday owes a message in the new game, and has written in it."""
        return self.due()[0] is self.asked and self.asked.desk(self.new).seq > 2

    def term(self):
        """When the message that is owed is due, by the referee's receipt."""
        held = self.world.ref.desk(self.new).game
        return held.papers.due(held.chain.next_seq - 1)

    def listed(self):
        return str(self.world.director.errand.chair.pending())


@pytest.fixture
def onward(automatic):
    return Onward(automatic)


@pytest.mark.parametrize(("days", "damaged"), [(25, True), (3, True), (3, False)])
def test_2_12_a_late_message_waits_while_a_paper_of_the_elder_game_is_damaged(onward, days, damaged):
    """The receipt before it was not signed, so no term was known: it was taken, 17 days late, and nobody was asked."""
    world = onward.world
    onward.step()
    while onward.due()[0] is not onward.asked:
        onward.step()
    [paper] = onward.elder.glob("extension-*")
    kept = paper.read_bytes()
    if damaged:
        paper.write_bytes(b"x")
        world.director.sits()
    onward.step()
    who, _other = onward.due()
    hours(world, days * 24, step=24)
    who.sign(onward.new)
    late = folders.message_path(onward.folder, who.desk(onward.new).seq - 1)
    world.office.put(letter(turn(who, onward.new, int(late.stem)), who.address), world.ref.address)
    day = world.director.post()
    assert late.exists() != damaged  # nobody knows whether it is late
    if damaged:
        assert "holds here, too, and cannot be read" in str(day.words)
        paper.write_bytes(kept)
        world.director.sits()
        hours(world, 2)
    assert late.exists() == (days < 7)
    assert ("came late" in onward.listed()) == (days > 7)


@pytest.mark.parametrize("lost", ["nothing", "the folder", "the paper"])
def test_2_10_a_holiday_of_the_elder_game_is_not_forgotten_while_that_is_not_whole(onward, lost, tmp_path):
    """A folder in an archive counted as one in which nobody had time: the game ended 40 days too early, untold."""
    world = onward.world
    onward.step()
    what = next(onward.elder.glob("extension-*")) if lost == "the paper" else onward.elder
    if lost != "nothing":
        shutil.move(what, tmp_path / "archive")
        world.director.sits()
    while not onward.asks_who_is_away():
        onward.step()
    hours(world, 11 * 24, step=12)
    assert not closing(world.ref.home, onward.folder)
    assert (str(onward.elder) in onward.listed()) == (lost != "nothing")
    if lost != "nothing":
        shutil.move(tmp_path / "archive", what)
        world.director.sits()
        world.director.post()
    assert onward.term() == onward.until


def test_2_10_whoever_has_lost_the_elder_game_for_good_names_the_terms(onward):
    world = onward.world
    onward.step()
    shutil.rmtree(onward.elder)
    world.director.sits()
    seq = onward.step()
    assert f"'kursk receipt {onward.folder} --seq {seq} --due TIME'" in onward.listed()
    world.ref.kursk("receipt", onward.folder, "--days", 7, status=2)
    due = times.after(text(world.time.now), 9)
    world.ref.kursk("receipt", onward.folder, "--seq", seq, "--due", due)
    assert onward.term() == due
    assert onward.listed() == "[]"
