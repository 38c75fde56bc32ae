"""Games by mail end at all desks with one result, although a third of all letters is lost."""

import os
from datetime import timedelta

import pytest
from helpers import sweeps
from helpers.postmen import Time

from post.lossy_games import NOBODY, RELAYS, ROLLS, LossyGame

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
