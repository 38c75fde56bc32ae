"""``berger/1``: the published tables, and the properties of every table."""

import pytest

from kursk_pbem.tournament.pairing import berger

FIDE = {  # Handbook C.05, annex 1: the first three tables, round by round
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5", "8-5 6-4 7-3 1-2", "2-8 3-1 4-7 5-6", "8-6 7-5 1-4 2-3", "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4", "4-8 5-3 6-2 7-1",
    ],
}  # fmt: skip


@pytest.mark.parametrize("places", FIDE)
def test_the_tables_are_those_of_fide(places):
    for round_, line in enumerate(FIDE[places], 1):
        right = [tuple(map(int, pair.split("-"))) for pair in line.split()]
        assert berger.pair_places(places, round_) == right


@pytest.mark.parametrize("places", range(2, 41, 2))
def test_everybody_meets_everybody_once(places):
    rounds = [berger.pair_places(places, round_) for round_ in range(1, berger.count_rounds(places) + 1)]
    for pairs in rounds:
        assert sorted(number for pair in pairs for number in pair) == list(range(1, places + 1))
    met = [frozenset(pair) for pairs in rounds for pair in pairs]
    assert len(set(met)) == len(met) == places * (places - 1) // 2


@pytest.mark.parametrize("places", range(4, 41, 2))
def test_sides_differ_by_one_at_most(places):
    firsts = [first for round_ in range(1, places) for first, _second in berger.pair_places(places, round_)]
    for number in range(1, places + 1):
        assert abs(2 * firsts.count(number) - (places - 1)) == 1
