"""6.2 and 8.4: a knock-out after a Swiss, and pairs that do not meet."""

import pytest
from helpers.ledger import PEOPLE, Ledger, by_chance, by_number, key_of

from kursk_pbem.errors import FileError
from kursk_pbem.tournament.score import table


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
