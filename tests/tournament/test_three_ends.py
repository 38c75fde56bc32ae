"""9.1: a game is won, drawn, or lost by both; in a knock-out the third end gives a walkover."""

from helpers.ledger import Ledger

from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.score import listing, table
from kursk_pbem.tournament.score.counted import count_games


def lose_by_both(ledger, *boards):
    """Judge these boards as lost by both, because they did not begin."""
    for board in boards:
        said = {"board": board, "by": "silence", "winner": "nobody", "why": "neither began"}
        ledger.later(30).sign(fields.JUDGED, said)


def test_a_table_counts_it_as_lost_by_each():
    ledger = Ledger("swiss", form={"rounds": "2"}).begin(["anna", "boris", "carla", "dora"])
    lose_by_both(ledger, "1-1")
    ledger.results()
    book = ledger.book
    rows = {row.number: row for row in table.compute_standings(book).rows}
    for number in book.boards["1-1"].numbers:
        assert (rows[number].won, rows[number].drawn, rows[number].lost, rows[number].points) == (0, 0, 1, 0)
    (game,) = (game for game in count_games(book).games if game.board == "1-1")
    assert not game.drawn
    lines = listing.format_trf(book, table.compute_standings(book)).splitlines()
    assert sum(line.endswith(" -") for line in lines if line.startswith("001")) == 2


def test_a_tie_of_a_knock_out_that_both_lost_gives_a_walkover():
    ledger = Ledger("knock-out").begin(["anna", "boris", "carla", "dora"])
    lose_by_both(ledger, "1-1")
    ledger.end_round()
    ledger.pair()
    book = ledger.book
    (winner,) = book.rounds[1].walkovers
    assert winner in book.boards["1-2"].numbers
    assert book.rounds[1].boards == []
    assert table.compute_standings(book).rows[0].number == winner


def test_two_ties_that_all_lost_leave_nobody_in_the_final():
    ledger = Ledger("knock-out").begin(["anna", "boris", "carla", "dora"])
    lose_by_both(ledger, "1-1", "1-2")
    ledger.announce()
    ledger.pair()
    assert not ledger.book.rounds[1].walkovers
    assert {row.stage for row in table.compute_standings(ledger.book).rows} == {0}
