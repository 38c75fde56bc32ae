"""A season by mail in a simulated world (mail_weeks.py): no loss, no duplicates, every game verifies.

``make season`` plays 50 games of 60 people for eight weeks, with a hundred kills; the quick test plays a few games.
"""

import os

import pytest
from helpers.postmen import Time

from post import mail_weeks

WHOLE = os.environ.get("KURSK_SEASON") == "1"


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="it forks")
def test_a_season_by_mail_loses_nothing_and_doubles_nothing(friends, tmp_path):
    assert friends
    games, number, days, kills = (50, 60, 56, 160) if WHOLE else (4, 6, 16, 16)
    with Time().rules() as time:
        played = mail_weeks.Season(tmp_path, time, games=games, number=number, seed=7, silent=3 if WHOLE else 1)
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
