"""Letters of a tournament hold news for their reader, and end with what is asked (directors.md 2)."""

from __future__ import annotations

from helpers.ledger import Ledger, key_of

from kursk_pbem.formats import times
from kursk_pbem.tournament import entrant_steps
from kursk_pbem.tournament.director import mailing, news
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.score import stages, table

NAMES = ("anna", "boris", "carla", "dmitri")


def readers(ledger, since, now=""):
    """Return the names of the entrants for whom the log papers from a number on are news."""
    book = ledger.book
    return [name for name in NAMES if news.is_letter_due(book, ledger.of(name), book.log[since:], now or ledger.time)]


def said(ledger, name, since):
    book = ledger.book
    return " ".join(mailing.describe_news(book, ledger.of(name), since, table.compute_standings(book, book.round)))


def pair_of(ledger, board):
    return [ledger.name_of(ledger.book.entrant(number)) for number in ledger.book.boards[board].numbers]


def test_a_result_is_news_for_its_players_and_the_table_for_all():
    ledger = Ledger().begin(NAMES)
    since = len(ledger.book.log)
    ledger.result("1-1")
    assert readers(ledger, since) == sorted(pair_of(ledger, "1-1"))
    ledger.result("1-2")
    since = len(ledger.book.log)
    ledger.announce()
    assert readers(ledger, since) == list(NAMES)


def test_an_acknowledgment_waits_two_days_and_a_game_that_began_for_other_news():
    ledger = Ledger().begin(NAMES)
    since = len(ledger.book.log)
    ledger.game("1-1")
    ledger.receive(ledger.player(fields.ABSENT, "anna", {"first": ledger.time, "last": ledger.time}))
    assert readers(ledger, since) == []
    assert readers(ledger, since, times.add_days(ledger.time, 2)) == ["anna"]
    assert "The director has your absence." in said(ledger, "anna", since)


def test_time_is_news_for_its_player_with_the_reason_and_for_the_opponent_without():
    """A cold was told to everybody."""
    ledger = Ledger().begin(NAMES)
    since, (first, second) = len(ledger.book.log), pair_of(ledger, "1-1")
    ledger.sign(fields.CLOCK, {"who": ledger.of(first).number, "days": "3", "why": "a cold"})
    assert readers(ledger, since) == sorted((first, second))
    assert said(ledger, first, since).startswith("You have 3 more days: a cold.")
    assert said(ledger, second, since).startswith(f"{first}, your opponent, has 3 more days. ")


def test_an_open_draw_and_its_end_are_due_acts_of_its_field_and_the_end_is_of_the_witness():
    ledger = Ledger(form={"witness": key_of("witness").public})
    ledger.receive(ledger.witness(0))
    ledger.enter(NAMES)
    since = len(ledger.book.log)
    ledger.close()
    assert readers(ledger, since) == list(NAMES)
    assert not news.is_letter_due(ledger.book, None, ledger.book.log[since:], ledger.time)
    ledger.open_all()
    since = len(ledger.book.log)
    ledger.close_draw()
    assert readers(ledger, since) == list(NAMES)
    assert news.is_letter_due(ledger.book, None, ledger.book.log[since:], ledger.time)


def test_a_result_that_the_opponent_signed_is_news_with_the_command_to_agree():
    ledger = Ledger().begin(NAMES)
    game, (first, second) = ledger.game("1-1"), pair_of(ledger, "1-1")
    since = len(ledger.book.log)
    about = {"board": "1-1", "game": game, "head": "1" * 64, "winner": "draw"}
    ledger.receive(ledger.player(fields.AGREE, first, about))
    assert readers(ledger, since) == [second]
    (step, *_others) = entrant_steps.list_steps(ledger.book, ledger.of(second))
    assert (step.command, first in step.words) == ("kursk tournament agree 1-1 draw", True)
    ledger.receive(ledger.player(fields.AGREE, second, about))
    assert "kursk tournament agree 1-1 draw" not in str([*entrant_steps.list_steps(ledger.book, ledger.of(second))])


def test_a_letter_names_the_pairing_of_a_game_that_has_begun():
    """If the director rolls, the game begins with the pairing, and the letter named no opponent."""
    ledger = Ledger().begin(NAMES)
    ledger.game("1-1")
    first, second = pair_of(ledger, "1-1")
    text = said(ledger, first, 1)
    assert text.startswith("Board 1-1: you play German against ")
    assert f"against {second} (number {ledger.of(second).number}) in " in text
    assert "Your reveal" not in text


def test_the_pairing_of_a_director_who_rolls_comes_with_message_0():
    """Two letters of one minute told the same: the round, and the game with the round."""
    ledger = Ledger(form={"dice-from": "referee"}).enter(NAMES)
    ledger.open_field()
    since = len(ledger.book.log)
    ledger.close_draw()
    ledger.draw()
    assert readers(ledger, since) == list(NAMES)
    ledger.pair()
    assert readers(ledger, since) == []


def test_whoever_is_out_of_a_knock_out_hears_of_the_own_result_and_of_the_end():
    """A loser got every table, and places that only a tie-break had moved; the other results of the round come once."""
    ledger = Ledger(format="knock-out", rounds_=0).begin(NAMES)
    since = len(ledger.book.log)
    ledger.results()
    out = sorted(stages.list_beaten(ledger.book))
    losers = [ledger.name_of(ledger.book.entrant(number)) for number in out]
    text = said(ledger, losers[0], since)
    assert "You are out of Spring, place 3 or 4; the next letter comes at the end." in text
    assert "Other results:" in text
    since = len(ledger.book.log)
    ledger.announce()
    assert readers(ledger, since) == sorted({*NAMES} - {*losers})
