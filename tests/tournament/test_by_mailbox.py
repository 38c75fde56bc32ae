"""Whole tournaments through the mailbox that referees: entries, draws, pairings, games, terms, the end (chapter 4)."""

from __future__ import annotations

import os

import pytest
from helpers.cup_by_mail import Cup
from helpers.postmen import Time
from rulesets import toys

from kursk_pbem.desk import clock
from kursk_pbem.game import entropy
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.book.records import BYE
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score.counted import spent

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="it forks")]


def time_is_over(book, board):
    return clock.now() > clocks.begin_by(book, book.boards[board])


def test_six_people_play_two_rounds_by_mail(tmp_path, monkeypatch):
    """One never begins, one falls silent, one leaves, somebody stands in; a judgement is corrected, a director dies."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with Time().rules() as time, entropy.fixed("cup"):
        cup = Cup(tmp_path, time, players=6, kills=5)
        cup.new("--swiss", 2, "--system", "hex-toy/fords", "--roll", edit={"begin: '14'": "begin: '5'"})
        cup.enter()
        first, second = (cup.book().boards[name].sides for name in ("1-1", "1-2"))
        never, silent = next(iter(first)), list(second)[1]
        cup.falls_silent("1-1", never, 0)
        cup.falls_silent("1-2", silent, 3)
        cup.over("1-1")
        cup.until(lambda book: time_is_over(book, "1-1"))
        cup.direct("tournament", "judge", "1-1", "silence", never, "--yes")
        right = next(side for side in first if side != never)
        wrong = cup.book().head.seq
        cup.direct("tournament", "correct", wrong, "the other had written", "--now", f"winner={right}", "--yes")
        gone = cup.book().entrant(second[silent])
        cup.withdraws(gone.name)
        cup.days(1)
        cup.direct("tournament", "withdraw", gone.number, "--yes")
        cup.next_round()
        cup.stands_in("zoe", gone.number)
        cup.over()
        cup.direct("tournament", "inbox")
        cup.direct("tournament", "substitute", gone.number, "Zoe has a seat", "--yes")
        cup.direct("tournament", "pair")
        cup.direct("tournament", "end")
        cup.days(1)
        proof = verify.verify(cup.folder)
        book, figures = cup.book(), cup.facts()
    print(f"\nby mail: {figures}")
    assert cup.bad == []
    assert (proof.status, proof.missing) == (0, ()), proof.text
    assert book.ended
    assert book.boards["1-1"].outcome.winner == right
    assert book.boards["1-2"].outcome.how == "forfeit"
    assert [number for number in book.numbers if spent(book, number, 2) == BYE] != []
    assert book.entrant(gone.number).name == "zoe"
    assert figures["killed"] == 5
    assert figures["reminders"] > 0
