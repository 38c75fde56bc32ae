"""12.0 Set-up, and the data of the five shipped scenarios."""

from __future__ import annotations

import copy

import pytest

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.events import Placed
from kursk_pbem.kernel.review import ERROR
from kursk_pbem.kernel.state import OFF_MAP
from kursk_pbem.rulebook import books
from kursk_pbem.rulesets.kursk_1971 import RULESET, check, setup
from kursk_pbem.rulesets.kursk_1971.position import position
from kursk_pbem.rulesets.kursk_1971.resume import find_breaches
from rulesets.kursk_1971.board import events, legal, play, refused, said, shipped, where
from rulesets.kursk_1971.kit import SCENARIOS

FREE = SCENARIOS[1:]
EDITIONS = ("digital", "print")


def first(name, **options):
    game = shipped(name, **options)
    return game, RULESET.data.setup(game)


@pytest.mark.parametrize("name", SCENARIOS)
def test_12_0_every_scenario_is_in_order(name):
    """S-21, S-48: no findings; units in supply, limited units with a partner, legal stacks."""
    assert check.check_scenario(scenarios.load(f"kursk-1971/{name}").data) == []
    for edition in EDITIONS:
        game, state = first(name, edition=edition)
        assert find_breaches(game, state) == []
        pos = position(game, state)
        assert [uid for uid in pos.where if not pos.is_supplied(uid)] in ([], ["s-8g"])
        for stack in pos.at.values():
            if any(game.counters[uid].limited for uid in stack):
                assert any(game.counters[uid].regular for uid in stack)


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("edition", EDITIONS)
def test_12_0_line_the_proposed_set_ups_hold_it(name, edition):
    """S-30, S-48: in both editions, even without zones of control in woods."""
    game, state = first(name, edition=edition)
    assert [setup.list_gaps(game, state, side) for side in game.sides] == [[], []]


@pytest.mark.parametrize(
    ("unit", "historical", "proposed"),
    [("g-293", "1603", "1503"), ("g-17pz", "1731", "1932"), ("s-1t", "1501", "1502"), ("s-57-1", "2128", "2032")],
)
def test_12_0_line_four_units_of_july_stand_in_gaps_of_the_print_edition(unit, historical, proposed):
    """S-30, S-49: without them the line is open in a wood or swamp."""
    game, state = first("july4", edition="print")
    fixed = first("july4-historical")[1]
    assert (where(fixed, unit), where(state, unit)) == (historical, proposed)
    assert sum(where(fixed, uid) != where(state, uid) for uid in game.start) == 4
    back = state.with_(units={**state.units, unit: fixed.units[unit]})
    side = game.counters[unit].side
    assert setup.list_gaps(game, back, side) == [proposed]
    assert game.terrain[game.board.index[proposed]] in ("forest", "swamp")


def test_12_0_first_the_soviets_then_the_germans():
    """S-54: in August the Germans set up first; the second set-up includes a player turn."""
    for name, order in (
        ("july4", ("soviet", "german")),
        ("may3", ("soviet", "german")),
        ("june12", ("soviet", "german")),
        ("august3", ("german", "soviet")),
    ):
        game, state = first(name)
        assert (state.side, state.stage) == (order[0], f"{order[0]}-set-up")
        then = legal(game, state)
        assert (then.side, then.stage) == (order[1], f"{order[1]}-set-up")
        assert legal(game, then).stage == f"{order[0]}-orders"
        assert RULESET.proposer(game) == order[1]
    text = books.load(RULESET.rulebook).paragraphs["12.0"].text
    assert text.startswith("In May, June and July first the Soviets")
    assert text.endswith("; in August first the Germans.")


def test_12_0_plans_of_the_first_attacks_are_none_of_the_set_up():
    """S-59. Bug: these plans were cited as 12.0, later plans as 2.0-phases."""
    game, state = first("july4")
    assert RULESET.stage(game, legal(game, state)).rule == "2.0-phases"


def deploy(hex_, *units):
    return {"deployment": [{"hex": hex_, "units": list(units)}]}


def test_12_0_units_stand_where_they_are_ordered():
    """S-54: on or behind the own line; other units stay."""
    game, state = first("july4")
    after = legal(game, state, deploy("2020", "s-2t"))
    assert where(after, "s-2t") == "2020"
    for orders in (
        deploy("1510", "s-2t"),
        deploy("9999", "s-2t"),
        deploy("2020", "g-gd"),
        deploy("2020", "s-10t"),
        deploy("2020", "s-2t", "s-2t"),
        deploy("2020", "nobody"),
    ):
        assert refused(game, state, orders) == ["12.0"]


def test_12_0_a_unit_that_is_ordered_to_where_it_stands_is_told_too():
    """Bug: the report of such a set-up read 'Nothing was ordered'."""
    game, state = first("july4")
    told = events(play(game, state, deploy("1823", "s-23g")), Placed)
    assert [(event.unit, event.place, event.how) for event in told] == [("s-23g", "1823", "deployed")]


def test_12_0_then_the_first_player_moves_in_the_same_message():
    game, state = first("july4")
    german = legal(game, state)
    assert refused(game, german, deploy("1723", "g-t")) == ["12.0"], "1723 lies beyond their line"
    moved = {**deploy("1724", "g-3pz"), "movement": [{"unit": "g-17pz", "to": "1730"}]}
    after = legal(game, german, moved)
    assert where(after, "g-17pz") == "1730"


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


def test_12_0_line_stacks_are_checked():
    game, state = first("july4")
    orders = deploy("2020", "s-1t", "s-2t", "s-5t", "s-31t")
    assert "5.0-a" in refused(game, state, orders)


def test_7_0_fortified_lines_that_are_lost_count_for_nobody():
    """S-31: the August scenario lists destroyed line hexes."""
    july, august = shipped("july4"), shipped("august3")
    lost = august.board.mask(["1201", "1512", "2109"])
    assert july.forts["german"] & lost == lost
    assert august.forts["german"] & lost == 0
    assert august.forts["german"] & august.board.mask(["1925", "0701"]) == august.board.mask(["1925", "0701"])


def test_12_0_historical_nothing_is_changed():
    """S-54: no message contains a set-up."""
    game, state = first("july4-historical")
    assert (state.side, state.stage) == ("german", "german-orders")
    assert refused(game, state, deploy("1724", "g-t")) == ["2.0-phases"]
    assert RULESET.proposer(game) == "soviet"


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
