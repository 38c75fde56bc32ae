"""The rules use the tables of a scenario: an owner of the printed game types in the printed tables."""

from __future__ import annotations

import copy

import pytest

from kursk_pbem.errors import FileError
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.rulesets.battle_for_kursk import setting
from kursk_pbem.rulesets.battle_for_kursk.movement import MOVE, reach
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, assess
from kursk_pbem.rulesets.battle_for_kursk.position import position
from rulesets.battle_for_kursk.board import kursk, place


def with_tables(**cells):
    """The campaign with other cells of the terrain chart: kind -> entry."""
    printed = kursk().scenario
    data = copy.deepcopy(dict(printed.data))
    for kind, entry in cells.items():
        data["tables"]["tec"]["hexes"][kind] = {**data["tables"]["tec"]["hexes"].get(kind, {}), **entry}
    return setting.load(Scenario("x/y", "x", printed.ruleset, data, "0" * 64, ()))


def test_8_0_terrain_a_city_may_cost_more_than_its_ground():
    """Roslavl (1507) is a city in the open: one point as shipped, three points if the table says three (K-25, the
    highest cost)."""
    state = place("1506: g-9 | 2402: r-63")
    there = kursk().board.index["1507"]
    assert reach(position(kursk(), state), "g-9", MOVE)[there].mp == 1
    dear = with_tables(city={"mp": "3"})
    assert reach(position(dear, state), "g-9", MOVE)[there].mp == 3


def test_9_2_a_city_may_shift_where_a_table_says_so():
    """An ordinary city shifts nothing as shipped (K-48); a table of one's own may."""
    state = place("1507: r-5 | 1407: g-48-pz")
    battle = Battle("b", kursk().board.index["1507"], "r-5", ("g-48-pz",))
    assert not [shift for shift in assess(position(kursk(), state), battle).shifts if "city" in shift.why]
    own = with_tables(city={"shift": "-1"})
    shifts = [each for each in assess(position(own, state), battle).shifts if "city" in each.why]
    assert [(each.by, each.why) for each in shifts] == [(-1, "defender in a city (Roslavl)")]


def test_T18_a_hex_with_two_terrains_is_refused_for_the_hash_does_not_see_their_order():
    """The order of two lists with a common hex would matter, but both orders have equal hashes."""
    printed = kursk().scenario
    for order in (("forest", "marsh"), ("marsh", "forest")):
        data = copy.deepcopy(dict(printed.data))
        terrain = data["map"]["terrain"]
        data["map"]["terrain"] = {kind: [*terrain[kind], "2113"] for kind in order}
        with pytest.raises(FileError, match="hex 2113 has two terrains, forest and marsh"):
            setting.load(Scenario("x/y", "x", printed.ruleset, data, "0" * 64, ()))
