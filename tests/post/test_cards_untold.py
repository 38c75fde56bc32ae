"""What a round has put down before it was killed is told by the next one, whatever it was that came (T48)."""

import itertools
import shutil
from functools import partial

import pytest
from helpers import crash_play, postal
from helpers.mailbags import letter, turn
from helpers.new_addresses import raw_card
from helpers.postmen import Faults, Member, PostOffice, Time, fork

from kursk_pbem.post import visit

_FEW = 10


@pytest.fixture
def desk(friends, tmp_path, monkeypatch):
    """Anna's desk, to which Boris writes, with whom she plays, and Carla, who has proposed a game; that with Boris."""
    office = PostOffice(tmp_path, Time().set(monkeypatch), Faults())
    anna, boris, carla = friends("anna", "boris", "carla")
    game = postal.began(anna, boris)
    member = Member(anna, office)
    member.knows(Member(boris, office))
    office.put(letter(postal.proposed(carla, anna)[0], carla.address), member.address)
    member.post()
    return member, boris, carla, game


def after_kills(member, kept):
    """The next rounds, where each of the writes of one round was the last, and it had told nothing: their days."""
    member.fetch()
    place = member.friend.place
    shutil.copytree(place, kept)
    for number in itertools.count(1):
        if fork(partial(taken, member, number)) != crash_play.KILLED:
            assert number > _FEW
            return
        yield member.sits().take()
        shutil.rmtree(place)
        shutil.copytree(kept, place)


def taken(member, number):
    """Take what was fetched, in a program that dies at one of its writes."""
    errand = member.sits()
    crash_play.kill(number)
    errand.take()


@pytest.mark.parametrize("writer", [1, 2], ids=["an opponent", "a stranger"])
def test_T48_a_card_whose_round_was_killed_behind_it_is_told(desk, writer, tmp_path):
    """The next round found it known, and said nothing."""
    member, who = desk[0], desk[writer]
    raw = raw_card(who, member.friend, "new@new.test", 3)
    member.office.put(letter(raw, who.address), member.address)
    for day in after_kills(member, tmp_path / "kept"):
        assert any("they are reached at new@new.test" in line for line in (*day.before, *day.words))


def test_T48_a_turn_whose_round_was_killed_behind_it_is_told_on_the_board(desk, tmp_path):
    """'Nothing new came', it said there; in a terminal it was here already."""
    member, boris, _carla, game = desk
    boris.sign(game)
    member.office.put(letter(turn(boris, game, 1), boris.address), member.address)
    for day in after_kills(member, tmp_path / "kept"):
        entries = list(visit._of_day(member.errand.intake, day))
        told = [line for entry in entries for line in (*entry["headlines"], *entry["lines"])]
        assert any("message 1 of violet" in line for line in told)
