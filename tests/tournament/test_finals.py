"""6.2, 8.4, 9.1: a knock-out after a Swiss, pairs that do not meet, and games lost by both."""

import pytest
from helpers.ledger import PEOPLE, Ledger, by_chance, by_number, key_of

from kursk_pbem.errors import FileError
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.score import listing, table
from kursk_pbem.tournament.score.counted import count_games


class TestFinals:
    """8.4: the best of a Swiss play a knock-out."""

    @pytest.mark.parametrize("places", ["2", "4", "8"])
    def test_the_best_of_a_swiss_play_a_knock_out(self, places):
        ledger = Ledger(rounds_=3, form={"finals": places}).begin(PEOPLE[:9]).play(by_number)
        book = ledger.book
        assert book.round == 3 + int(places).bit_length() - 1
        best = [row.number for row in table.compute_standings(book, 3).rows][: int(places)]
        assert book.finalists == best
        assert {number for board in book.boards.values() if board.round > 3 for number in board.numbers} == {*best}
        rows = table.compute_standings(book).rows
        assert rows[0].number == "1"
        assert {row.number for row in rows[: int(places)]} == {*best}

    def test_who_has_withdrawn_plays_no_final(self):
        ledger = Ledger(rounds_=2, form={"finals": "2"}).begin(PEOPLE[:6])
        ledger.end_round()
        ledger.next_round()
        ledger.results()
        first = table.compute_standings(ledger.book, 2).rows[0].number
        ledger.withdraw(first)
        ledger.announce()
        ledger.pair()
        assert first not in ledger.book.finalists
        assert len(ledger.book.finalists) == 2

    def test_other_formats_have_none(self):
        with pytest.raises(FileError, match="the fields 'finals' and 'apart' are only for a Swiss"):
            Ledger("knock-out", form={"finals": "2"}).book  # noqa: B018


def test_who_is_kept_apart_by_paper_0_does_not_meet():
    """6.2: pairs of keys, such as a family."""
    keys = [key_of(name).public for name in PEOPLE[:2]]
    for seed in range(3):
        people = [*PEOPLE[:2], *PEOPLE[2 + seed : 6 + seed]]
        ledger = Ledger(rounds_=3, form={"apart": [keys]}).begin(people).play(by_chance(seed))
        numbers = {ledger.of(name).number for name in PEOPLE[:2]}
        assert all({*board.numbers} != numbers for board in ledger.book.boards.values())


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
