"""8.1, 8.2: ``match/2`` and ``match/1``: one best pairing by every solver; assignment of sides."""

import json
import random
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from helpers import sweeps

from kursk_pbem.errors import UsageError
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.pairing import matching
from kursk_pbem.tournament.pairing.matching import BYE
from kursk_pbem.tournament.pairing.sides import FIRST, SECOND, Candidate, first_side
from kursk_pbem.tournament.pairing.solve import solve_round

VECTORS = Path(__file__).with_name("match_vectors.json")


def field_of(rng, number):
    """Return candidates in the middle of a tournament."""
    numbers = [str(each) for each in range(1, number + 1)]
    found = []
    for each in numbers:
        others = [other for other in numbers if other != each]
        met = dict.fromkeys(rng.sample(others, min(len(others), rng.randrange(4))), 1)
        if rng.random() < 0.2:
            met[BYE] = 1
        sides = "".join(rng.choice("FS") for _ in range(rng.randrange(5)))
        found.append(Candidate(each, rng.randrange(0, 20, 4), met, sides))
    for each in found:  # meetings must be mutual
        for other in found:
            if each.number in other.met:
                each.met.setdefault(other.number, other.met[each.number])
    return found


@pytest.mark.parametrize("seed", sweeps.some(range(120), 12))
def test_both_libraries_agree_in_any_order(seed):
    rng = random.Random(seed)
    candidates = field_of(rng, rng.randrange(2, 11))
    drawn = rng.randbytes(32)
    found = matching.find_pairs(candidates, drawn)
    assert found == matching.find_pairs(candidates, drawn, matching._networkx)
    rng.shuffle(candidates)
    assert found == matching.find_pairs(candidates, drawn)


def test_costs_beyond_128_bits_are_solved_as_well():
    """40 players with more points than games give: only the slow library has large enough numbers."""
    rng = random.Random(3)
    candidates = [replace(each, points=each.points * 10**9) for each in field_of(rng, 40)]
    assert len(matching.find_pairs(candidates, rng.randbytes(32))) == 20


def test_vectors():
    """Inputs, and pairs with sides, for every implementation."""
    for vector in json.loads(VECTORS.read_text(encoding="ascii")):
        solved = solve_round(vector["input"])
        assert {"pairs": [list(pair) for pair in solved.pairs], "bye": solved.bye} == vector["solved"]


def test_what_counts_counts_in_this_order():
    """Directors.md 8.1: a criterion once outweighs every later criterion in all pairs."""
    seed, bye = bytes(32), Candidate(BYE, 0)
    offences = [
        (Candidate("1", apart=frozenset("2")), Candidate("2")),
        (Candidate("1", 0, {BYE: 1}), bye),
        (Candidate("1", 0, {"2": 1}), Candidate("2", 0, {"1": 1})),
        (Candidate("1", 4), bye),
        (Candidate("1", 0, {}, "FF"), Candidate("2", 0, {}, "FF")),
        (Candidate("1", 4), Candidate("2", 0)),
        (Candidate("1", 0, {}, "F"), Candidate("2", 0, {}, "F")),
        (Candidate("1"), Candidate("2")),
    ]
    levels = [matching.pair_costs(one, other, seed) for one, other in offences]
    assert [next(at for at, value in enumerate(level) if value) for level in levels] == list(range(8))
    mixed, _most = matching._mix_costs([(0, 1, level) for level in levels], 250)
    assert all(here > 249 * after for (*_pair, here), (*_other, after) in pairwise(mixed))


def test_the_worked_example_of_directors_8_1():
    points = {"1": 8, "2": 5, "3": 5, "4": 5, "5": 2}
    met = {"1": "23", "2": "1", "3": "14", "4": "35", "5": "4"}
    five = [Candidate(each, points[each], dict.fromkeys(met[each], 1)) for each in points]
    five[1].met[BYE] = 1
    assert matching.find_pairs(five, bytes(32)) == [("1", "4"), ("2", "3"), ("5", BYE)]
    assert chance.draw_lot(bytes(32), "pair", "1", "4").hex().startswith("3351b5062e564bd5")
    assert matching.pair_costs(five[0], five[3], bytes(32))[-1] == 0x3351B5062E564B


@pytest.mark.parametrize("library", ["rustworkx", "networkx"])
def test_without_a_library_the_extra_is_named(monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(UsageError, match="pip install rustworkx networkx icalendar"):
        matching.find_pairs(
            [Candidate("1", 10**20), Candidate("2")], bytes(32), solver=getattr(matching, f"_{library}")
        )


def one(number="1", points=0, sides=""):
    return Candidate(number, points, {}, sides)


@pytest.mark.parametrize(
    ("sides", "balance", "run", "needs", "leans"),
    [
        ("", 0, 0, "", ""), ("F", 1, 1, "", SECOND), ("S", -1, -1, "", FIRST), ("FS", 0, -1, "", FIRST),
        ("FF", 2, 2, SECOND, SECOND), ("SS", -2, -2, FIRST, FIRST), ("SFF", 1, 2, SECOND, SECOND),
        ("FSS", -1, -2, FIRST, FIRST), ("FFSF", 2, 1, SECOND, SECOND), ("SSFF", 0, 2, SECOND, SECOND),
    ],
)  # fmt: skip
def test_what_a_history_asks_for(sides, balance, run, needs, leans):
    found = one(sides=sides)
    assert (found.balance, found.run, found.needs, found.leans) == (balance, run, needs, leans)


@pytest.mark.parametrize(
    ("mine", "theirs", "first", "why"),
    [
        ("FF", "F", "2", "who needs a side gets it"),
        ("SS", "F", "1", "the other way round"),
        ("FF", "SS", "2", "both get what they need"),
        ("F", "S", "2", "the smaller balance gets the first side"),
        ("FSS", "SFSS", "2", "both need the first side: the smaller balance"),
        ("SFFS", "FSSF", "1", "level balances: against the run"),
        ("FSFS", "SFFS", "1", "level runs: the other way round than the last time they differed"),
    ],
)
def test_the_first_rule_that_tells_two_apart_decides(mine, theirs, first, why):
    for bit in (0, 1):
        assert first_side(one("1", sides=mine), one("2", sides=theirs), bit) == first, why
        assert first_side(one("2", sides=theirs), one("1", sides=mine), bit) == first, why


def test_the_higher_gets_what_they_had_less_recently():
    assert first_side(one("1", 5, "FS"), one("2", 3, "FS"), 0) == "1"
    assert first_side(one("1", 3, "FS"), one("2", 5, "FS"), 0) == "2"
    assert first_side(one("1", 5, "SF"), one("2", 3, "SF"), 0) == "2"


def test_the_seed_decides_between_equals():
    assert first_side(one("1"), one("10"), 1) == "1"
    assert first_side(one("1"), one("10"), 0) == "10"
    assert first_side(one("10"), one("2"), 1) == "2"  # the lower number, not the lower text
