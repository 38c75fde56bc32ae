"""Phrases about units and hexes: parts of a phrase, and changes of a draft."""

from types import SimpleNamespace

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.hexes import phrases
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.verbs import OrderContext, edit_draft

PLACES = {"N7": (), "N8": ("Tomarovka",), "N9": ("Kursk",), "N10": ("Stary Oskol",)}
UNITS = {"g-48": ("48 Pz",), "g-2ss": ("2 SS",)}


def asking(moves):
    state = State("1", "german", "move", {})
    return OrderContext(SimpleNamespace(), state, 1, {"orders": {"moves": moves}}, lambda _draft, _phase: state)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("48 pz via n7 to kursk", ("48 pz", ("N7", "N9"))),
        ("48 pz tomarovka n7", ("48 pz", ("N8", "N7"))),
        ("48 pz stary oskol", ("48 pz", ("N10",))),
        ("48 pz via kursk to stary oskol", ("48 pz", ("N9", "N10"))),
    ],
)
def test_hexes_stand_behind_the_unit(said, meant):
    assert phrases.split_places(said.split(), UNITS, PLACES, "move 48 pz n7") == meant


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("48 pz", "the hex is missing"),
        ("N7 48 pz", "after the unit"),
        ("n7 48 pz", "after the unit"),
        ("n7", "name a unit and a hex"),
    ],
)
def test_a_part_that_is_missing_is_asked_for(said, why):
    with pytest.raises(UsageError, match=why):
        phrases.split_places(said.split(), UNITS, PLACES, "move 48 pz n7")


@pytest.mark.parametrize(
    ("said", "steps", "meant"),
    [
        ("aw kursk n7", 1, ["away N9", "N7"]),
        ("n7-kursk", 2, ["N7-N9"]),
        ("to n7", 1, ["toward N7"]),  # and not Tomarovka, then n7
        ("n7 to", 1, ["N7", "N8"]),
        ("g-48 toward n7 n8", 1, ["g-48 toward N7", "N8"]),
        ("48 pz n7 2 ss away kursk", 1, ["g-48 N7", "g-2ss away N9"]),
    ],
)
def test_ways_of_a_retreat(said, steps, meant):
    assert phrases.read_ways(said.split(), PLACES, UNITS, steps) == meant


def test_a_way_without_its_hex_and_an_end_without_its_unit_are_asked_for():
    with pytest.raises(UsageError, match="type a hex or a city after 'g-48 away'"):
        phrases.read_ways(["48", "pz", "away"], PLACES, UNITS)
    with pytest.raises(UsageError, match="type a hex or a city after 'g-2ss'"):
        phrases.read_ways(["n7", "2", "ss"], PLACES, UNITS)
    with pytest.raises(UsageError, match="there is no unit or hex '49'"):
        phrases.read_ways(["49", "n7"], PLACES, UNITS)
    with pytest.raises(UsageError, match="type a unit before n7, as in '48 pz n7'"):
        phrases.read_wishes([("n7", " N7"), ("48", "")], UNITS, UNITS)


def test_an_end_belongs_to_the_last_unit_before_it():
    words = [("48", ""), ("pz", ""), ("2", ""), ("ss", ""), ("n7", " only N7"), ("48", "")]
    assert phrases.read_wishes(words, UNITS, UNITS) == ["g-48", "g-2ss only N7", "g-48"]


def test_an_order_stands_in_the_place_of_all_that_the_unit_had():
    """Bug: Juggernauts removed from the first on, and the second stayed."""
    ask = asking([{"unit": "a", "to": "N7"}, {"unit": "b", "to": "N8"}, {"unit": "a", "to": "N9"}])
    after = edit_draft(ask.draft, phrases.replace_order(ask, "moves", phrases.make_move("a", ["N8"]), "a to N8"))
    assert after["orders"]["moves"] == [{"unit": "b", "to": "N8"}, {"unit": "a", "to": "N8"}]


def test_a_battle_has_a_name_of_its_own():
    ask = asking([{"id": "stary-oskol"}, {"id": "bn7"}])
    assert phrases.battle_id(ask, "moves", "Stary Oskol", "bn7") == "stary-oskol-2"
    assert phrases.battle_id(ask, "moves", "", "bn8") == "bn8"
    assert phrases.battle_id(ask, "moves", "", "bn7") == "bn7-2"
    assert phrases.find_entry(ask, "moves", "id", "bn7") == (1, {"id": "bn7"})
    assert phrases.find_entry(ask, "moves", "id", "bn9") == (-1, {})
