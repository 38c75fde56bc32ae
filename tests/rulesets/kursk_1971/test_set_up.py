"""12.0 Set-up, and the data of the five shipped scenarios."""

from __future__ import annotations

import copy

import pytest

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.review import ERROR
from kursk_pbem.kernel.state import OFF_MAP
from kursk_pbem.rulesets.kursk_1971 import RULESET, check, setup
from rulesets.kursk_1971.board import refused, said, shipped
from rulesets.kursk_1971.kit import SCENARIOS

FREE = SCENARIOS[1:]
EDITIONS = ("digital", "print")


def first(name, **options):
    game = shipped(name, **options)
    return game, RULESET.data.setup(game)


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("edition", EDITIONS)
def test_12_0_line_the_proposed_set_ups_hold_it(name, edition):
    """S-30, S-48: in both editions, even without zones of control in woods."""
    game, state = first(name, edition=edition)
    assert [setup.list_gaps(game, state, side) for side in game.sides] == [[], []]


def test_12_0_line_every_hex_is_held_or_controlled():
    """S-30, S-48: limited and air units hold their own hex without controlling others."""
    game, state = first("july4")
    everybody = [uid for uid in game.start if game.counters[uid].side == "soviet" and game.counters[uid].large]
    gone = {
        "deployment": [
            {"hex": f"30{row:02d}", "units": everybody[3 * n : 3 * n + 3]}
            for n, row in enumerate(range(1, 33))
            if everybody[3 * n : 3 * n + 3]
        ]
    }
    assert "12.0-line" in refused(game, state, gone)
    assert "neither held nor controlled" in said(game, state, gone)


def test_scenarios_hold_the_units_that_they_name():
    counted = {}
    for name in SCENARIOS:
        game, state = first(name)
        counted[name] = (len(game.start), len(game.arrivals), len(game.reserve))
        assert all(state.units[uid].place == OFF_MAP for uid in (*game.arrivals, *game.reserve))
    assert counted["july4-historical"] == counted["july4"] == (152, 28, 20)
    assert counted["may3"][0] < counted["june12"][0] < 152 < counted["august3"][0]


def spoilt(path, value):
    """Return the findings about a scenario with one changed entry."""
    data = copy.deepcopy(dict(scenarios.load("kursk-1971/july4-historical").data))
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return check.check_scenario(data)


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("path", "value", "rule"),
    [
        (("map", "exits", "german"), ["0102"], "6.0"),
        (("map", "fortified", "german"), ["0102"], "7.0-fortified"),
        (("map", "cities", "9999"), {"name": "Nowhere", "side": "german"}, "3.0-a"),
        (("scenario", "lines"), ["moon"], "7.0-fortified"),
        (("scenario", "front"), "moon", "12.0"),
        (("scenario", "cities"), {"0102": "20"}, "14.0-cities"),
        (("scenario", "entry", "soviet"), ["9999"], "3.0-a"),
        (("scenario", "deployment"), ["german", "soviet"], "12.0"),
        (("scenario", "start", "g-gd"), "9999", "12.0"),
        (("scenario", "start", "nobody"), "1724", "12.0"),
        (("scenario", "start", "g-110"), "1824", "5.0-a"),
        (("scenario", "start", "s-1t"), "1724", "3.0-g"),
        (("scenario", "start", "kg1-5"), "1010", "10.0-b"),
        (("scenario", "reserve"), ["g-gd"], "12.0"),
        (("scenario", "turns"), ["1", "3"], "3.0"),
        (("units", "units", "g-gd", "type"), "rifle", "4.0-f"),
        (("units", "units", "s-13at", "attack"), "1", "7.0-d"),
        (("units", "units", "s-8art", "defence"), "1", "7.0-e"),
        (("units", "units", "g-gd", "replaces"), ["6-8"], "10.0-b"),
        (("units", "units", "g-gd", "range"), "6", "9.0"),
        (("units", "units", "g-air1", "attack"), "1", "9.0"),
        (("tables", "crt", "rows", "1"), ["AX"], "8.0"),
        (("tables", "air", "rows", "1"), ["XX"] * 5, "9.0-d4"),
    ],
)
def test_wrong_data_are_found(path, value, rule):
    assert (ERROR, rule) in [(each.severity, each.rule) for each in spoilt(path, value)]


def test_doubtful_data_are_warned_of():
    for turns, count in ((["1", "2"], "2 turns"), (["1"], "1 turn")):
        found = [(each.severity, each.rule, each.text) for each in spoilt(("scenario", "turns"), turns)]
        assert ("warning", "3.0", f"{count}; by the rules a game has 6") in found
    found = spoilt(("tables", "crt", "rows", "1"), ["DX"] * 5 + ["AX"] * 6)
    assert ("warning", "8.0") in [(each.severity, each.rule) for each in found]
