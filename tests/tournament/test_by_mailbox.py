"""Whole tournaments through the mailbox that referees: entries, draws, pairings, games, terms, the end (chapter 4).

``make season`` plays one of 32 and one of 16; a small one is played with every ``make test``.
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


def never_begins(cup, boards):
    """Nobody at one end of a meeting answers; the director judges it the wrong way round, and corrects that."""
    for board in boards:
        cup.until(lambda book, board=board: time_is_over(book, board))
    for board in boards:
        sides = cup.book().boards[board].sides
        right = next(side for side, number in sides.items() if cup.book().entrant(number).name not in cup.asleep)
        wrong = next(side for side in sides if side != right)
        cup.direct("tournament", "judge", board, "silence", right if board != boards[0] else wrong, "--yes")
    seq = cup.book().head.seq - len(boards) + 1
    right = next(side for side in cup.book().boards[boards[0]].sides if cup.book().log[seq].text("winner") != side)
    cup.direct("tournament", "correct", seq, "the other one was asleep", "--now", f"winner={right}", "--yes")
    cup.days(2)
    cup.asleep.clear()


def directed(cup, rounds, mirror=""):
    """Somebody never begins, falls silent, leaves, stands in; a judgement is corrected; somebody has a bye."""
    never = [f"1-1{each}" for each in ("a", "b")[: 2 if mirror else 1]] if mirror else ["1-1"]
    cup.sleeps(list(cup.book().boards[never[0]].sides.values())[1])
    silent = f"1-2{mirror}"
    gone = cup.falls_silent(silent, 3)
    never_begins(cup, never)
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
    cup = Cup(tmp_path, time, players=6, kills=5)
    cup.new("--swiss", 2, "--system", "hex-toy/fords", "--roll", edit={"begin: '14'": "begin: '5'"})
    cup.enter()
    directed(cup, 2)


@WHOLE
def test_32_people_play_five_rounds_by_a_mail_that_errs(time, tmp_path):
    """Letters come late, twice or never, servers put them off; the director is killed fifty times."""
    faults = Faults(seed=5, late=4, doubled=4, lost=1, grey=5, doubt=2)
    cup = Cup(tmp_path, time, players=32, kills=50, faults=faults)
    cup.new("--swiss", 5, "--system", "hex-toy/fords", "--roll", edit={"begin: '14'": "begin: '5'"})
    cup.enter()
    assert directed(cup, 5)["lost"] > 0


@WHOLE
def test_16_people_play_mirrored_pairs_over_two_systems_by_mail(time, tmp_path):
    """Players roll, the mailbox relays; each meeting is two games with the sides exchanged."""
    cup = Cup(tmp_path, time, players=16, kills=50)
    systems = ("--system", "kursk-1971/july4", "--system", "battle-for-kursk/citadel")
    cup.new("--swiss", 2, "--mirror", *systems, edit={"begin: '14'": "begin: '5'"})
    cup.enter()
    directed(cup, 2, "a")
