"""Games by mail end at all desks with one result, although a third of all letters is lost."""

import os

import pytest
from helpers import sweeps
from helpers.lossy_games import NOBODY, RELAYS, ROLLS, LossyGame
from helpers.postmen import Time

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
        for _turn in range(6):
            game.half_a_day()
        before = game.office.carried
        for _time in range(60):
            game.half_a_day(silent=True)
    assert game.office.carried - before <= 35
