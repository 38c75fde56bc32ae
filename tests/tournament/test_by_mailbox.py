"""Whole tournaments through the mailbox that referees: entries, draws, pairings, games, terms, the end (chapter 4).

``make season`` plays one of 12 over four rounds; a small one is played with every ``make test``.
"""

from __future__ import annotations

import os

import pytest
from helpers.cup_by_mail import Cup
from helpers.postmen import Faults, Time
from rulesets import toys

from kursk_pbem.audit import batch
from kursk_pbem.desk import clock
from kursk_pbem.game import entropy
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.book.records import BYE
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score.counted import spent

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="it forks")]
WHOLE = pytest.mark.skipif(not os.environ.get("KURSK_SEASON"), reason="many minutes: make season")
MOST_COMMANDS = 40


@pytest.fixture
def time(monkeypatch):
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with Time().rules() as time, entropy.fixed("cup"):
        yield time


def time_is_over(book, board):
    return clock.now() > clocks.begin_by(book, book.boards[board])


def never_begins(cup, board):
    """Nobody at one end of a meeting answers; the director judges it the wrong way round, and corrects that."""
    cup.until(lambda book: time_is_over(book, board))
    sides = cup.book().boards[board].sides
    right = next(side for side, number in sides.items() if cup.book().entrant(number).name not in cup.asleep)
    wrong = next(side for side in sides if side != right)
    cup.direct("tournament", "judge", board, "silence", wrong, "--yes")
    seq = cup.book().head.seq
    cup.direct("tournament", "correct", seq, "the other one was asleep", "--now", f"winner={right}", "--yes")
    cup.days(2)
    cup.asleep.clear()


def directed(cup, rounds):
    """Somebody never begins, falls silent, leaves, stands in; a judgement is corrected; somebody has a bye."""
    cup.sleeps(list(cup.book().boards["1-1"].sides.values())[1])
    silent = "1-2"
    gone = cup.falls_silent(silent, 3)
    never_begins(cup, "1-1")
    cup.over()
    name = cup.book().entrant(gone).name
    cup.withdraws(name)
    cup.days(2)
    cup.direct("tournament", "withdraw", gone, "--yes")
    cup.next_round()
    cup.stands_in("zoe", gone)
    cup.over()
    cup.direct("tournament", "inbox")
    cup.direct("people", "confirm", "--all", "--yes")
    cup.direct("tournament", "substitute", gone, "Zoe has a seat", "--yes")
    for _number in range(3, rounds + 1):
        cup.next_round()
        cup.over()
    cup.direct("tournament", "pair")
    cup.direct("tournament", "end")
    cup.direct("tournament", "publish", "-o", "site")
    cup.days(1)
    proof = verify.verify(cup.folder, batch.Way(1))
    book, figures = cup.book(), cup.facts()
    print(f"\nby mail: {figures}")
    assert cup.bad == []
    assert (proof.status, proof.missing) == (0, ()), proof.text
    assert book.ended
    assert book.boards[silent].outcome.how == "forfeit"
    assert any(spent(book, number, 2) == BYE for number in book.numbers)
    assert book.entrant(gone).name == "zoe"
    assert any(paper.type == "correct" for paper in book.log)
    assert figures["killed"] == cup.kills
    assert figures["reminders"] > 0
    assert figures["commands"] <= MOST_COMMANDS, cup.typed
    return figures


def test_six_people_play_two_rounds_by_mail(time, tmp_path):
    """Of larger ones 8 over three rounds and 12 over four have ended, by a mail that errs.

    32 over five was played to the end of its first round and stopped in the second, where one message waited for the
    director; the simulated director lets such pass now, and it was not played on. 16 in mirrored pairs was not tried.
    """
    cup = Cup(tmp_path, time, players=6, kills=5)
    cup.new("--swiss", 2, "--system", "hex-toy/fords", "--roll", edit={"begin: '14'": "begin: '5'"})
    cup.enter()
    directed(cup, 2)


@WHOLE
@pytest.mark.parametrize(("players", "rounds"), [(12, 4)])
def test_a_tournament_by_a_mail_that_errs(time, tmp_path, players, rounds):
    """Letters come late, twice or never, servers put them off; the director is killed fifty times."""
    faults = Faults(seed=5, late=4, doubled=4, lost=1, grey=5, doubt=2)
    cup = Cup(tmp_path, time, players=players, kills=50, faults=faults)
    cup.new("--swiss", rounds, "--system", "hex-toy/fords", "--roll", edit={"begin: '14'": "begin: '5'"})
    cup.enter()
    assert directed(cup, rounds)["lost"] > 0
