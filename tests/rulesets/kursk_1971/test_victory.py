"""14.0 Victory: points, cities, levels."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import losses, victory
from kursk_pbem.rulesets.kursk_1971.position import POINTS
from kursk_pbem.rulesets.kursk_1971.seen.wording import Wording, make_standing
from rulesets.kursk_1971.board import at, bare, go, legal, pos, shipped, where

KURSK = "1717"


def scored(state, german, soviet):
    tracks = {POINTS.format("german"): german, POINTS.format("soviet"): soviet}
    return state.with_(tracks=tracks)


def held(game, places, **marks):
    """Return the side that holds Kursk."""
    return victory.find_possessor(pos(game, at(game, places, **marks)), game.board.index[KURSK])


@pytest.mark.parametrize(
    ("unit", "points"),
    [
        ("g-110", 2),
        ("g-gd", 18),
        ("g-mant", 3),
        ("g-505", 6),
        ("s-61-1", 2),
        ("s-9g", 3),
        ("s-1t", 12),
        ("s-2gc", 2),
        ("s-8art", 4),
        ("s-13at", 2),
        ("s-air1", 0),
        ("kg1-5", 5),
    ],
)
def test_14_0_strength_one_for_each_point_three_times_if_motorized(unit, points):
    """S-41, S-56: the larger number of an artillery corps; nothing for an air unit."""
    assert losses.count_points(bare(), unit) == points


def test_14_0_cities_kursk_is_worth_twenty():
    for name in ("july4-historical", "july4", "june12", "may3"):
        game = shipped(name)
        assert {game.board.labels[hex_]: points for hex_, points in game.objectives.items()} == {KURSK: 20}
    game = bare()
    assert victory.count_city_points(pos(game, at(game, {KURSK: "g-gd", "2501": "s-1t"}))) == {
        "german": 20,
        "soviet": 0,
    }


def test_14_0_august_five_cities():
    game = shipped("august3")
    named = {game.cities[hex_]: points for hex_, points in game.objectives.items()}
    assert named == {"Kursk": 20, "Orel": 20, "Bryansk": 30, "Kharkov": 40, "Belgorod": 10}


def test_14_0_control_by_a_supplied_unit_zones_or_not():
    """S-45: units out of supply hold nothing; enemy zones do not matter."""
    game = bare()
    assert held(game, {KURSK: "g-gd", "1818": "s-1t"}) == "german"
    assert held(game, {KURSK: "g-gd", "1816": "s-1t", "1617": "s-5t"}) == "", "all around it is controlled"
    assert held(game, {KURSK: "s-61-1", "2001": "g-gd"}) == "", "away from its army"
    assert held(game, {KURSK: "s-61-1 s-8art", "2001": "g-gd"}) == "soviet", "the artillery needs nobody"
    assert held(game, {KURSK: "g-gd", "0116": "s-13at", "2001": "s-1t"}) == ""


def test_14_0_control_of_an_empty_city():
    """S-45, S-52: by the side last there, with supply from the city, outside zones of control."""
    game = bare()
    far = {"2001": "s-1t", "0501": "g-gd"}
    assert held(game, far) == "soviet"
    assert held(game, far, cities={KURSK: "german"}) == "german"
    assert held(game, {**far, "1718": "g-t"}) == ""
    assert held(game, {**far, "1901": "g-air1"}, interdiction={"g-air1": KURSK}) == ""
    assert held(game, {**far, "0116": "s-13at"}, cities={KURSK: "german"}) == ""


def test_14_0_control_any_unit_that_passes_takes_it():
    """S-45: even without a zone of control, and in passing."""
    game = bare()
    state = at(game, {"1617": "g-505", "2001": "s-1t"})
    after = legal(game, state, {"movement": [go("g-505", KURSK, "1816")]})
    assert after.mark("cities", KURSK) == "german"
    assert where(after, "g-505") == "1816"
    assert held(game, {"1501": "g-505", "2001": "s-1t"}, cities=dict(after.marks["cities"])) == "german"


@pytest.mark.parametrize(
    ("german", "soviet", "winner", "level"),
    [
        (30, 20, "german", "marginal"),
        (39, 20, "german", "marginal"),
        (40, 20, "german", "tactical"),
        (59, 20, "german", "tactical"),
        (60, 20, "german", "decisive"),
        (20, 29, "soviet", "marginal"),
        (20, 30, "soviet", "tactical"),
        (20, 39, "soviet", "tactical"),
        (20, 40, "soviet", "decisive"),
        (20, 20, "", "draw"),
        (0, 0, "", "draw"),
        (1, 0, "german", "marginal"),
        (0, 2, "soviet", "decisive"),
        (3, 0, "german", "decisive"),
    ],
)
def test_14_0_levels_by_the_ratio(german, soviet, winner, level):
    """S-32, S-37: equal points are a draw, zero points count as one."""
    assert victory.find_outcome(bare(), {"german": german, "soviet": soviet}) == (winner, level)


@pytest.mark.parametrize(
    ("name", "winner"), [("july4-historical", ("german", "tactical")), ("august3", ("german", "decisive"))]
)
def test_14_0_judged_after_the_last_player_turn(name, winner):
    """S-37: after the second player's turn of game turn 6."""
    game = shipped(name)
    last = game.second
    state = scored(at(game, {"2010": "s-1t", "1510": "g-gd"}, side=last, turn="6"), 50, 1)
    after = legal(game, state)
    assert after.stage == "over"
    verdict = victory.find_verdict(game, after)
    assert (verdict.winner, verdict.how) == winner
    first = scored(at(game, {"2010": "s-1t", "1510": "g-gd"}, side=game.first, turn="6"), 50, 1)
    assert legal(game, first).stage == f"{last}-orders"
    fifth = at(game, {"2010": "s-1t", "1510": "g-gd"}, side=last, turn="5")
    assert (legal(game, fifth).turn, legal(game, fifth).side) == ("6", game.first)


def test_14_0_judged_when_the_last_movement_ends():
    """S-63: only aircraft already in flight cut supply."""
    game = bare()
    places = {KURSK: "g-gd", "1016": "s-air1", "1018": "g-air1", "2810": "s-1t"}
    state = at(game, places, side="soviet", turn="6")
    late = {"interdiction": [{"unit": "s-air1", "hex": "0116"}]}
    assert [victory.find_verdict(game, legal(game, state, each)).winner for each in ({}, late)] == ["german", "german"]
    flown = at(
        game, {**places, KURSK: "s-1t", "2810": "g-air2"}, side="soviet", turn="6", interdiction={"g-air2": "3416"}
    )
    assert victory.find_verdict(game, legal(game, flown)).winner == ""
    back = {"interception": [{"unit": "s-air2", "hex": "3416"}]}
    turned = flown.with_(units={**flown.units, "s-air2": replace(flown.units["s-1t"], place="3010")})
    assert victory.find_verdict(game, legal(game, turned, back)).winner == "soviet"


def test_14_0_the_points_are_counted_together():
    """Points for strength and cities; an even game is a draw."""
    game = shipped()
    state = scored(at(game, {"2010": "s-1t", "1510": "g-gd"}, side="soviet", turn="6"), 25, 5)
    assert victory.count_points(pos(game, state)) == {"german": 25, "soviet": 25}
    after = legal(game, state)
    assert victory.find_verdict(game, after).text == "Draw: the points are even (14.0-levels)"
    assert victory.find_verdict(game, state) is None


def test_14_0_points_are_told_as_a_gain_and_a_total():
    """Bug: players added up the totals '2 ... 5 ... 7'."""
    game = bare()
    umpire = Umpire(game, at(game, {"1513": "s-8g"}), 4)
    for number in (2, 3):
        losses.score_points(umpire, "14.0-strength", "soviet", number)
    assert [Wording(game).tell(event) for event in umpire.events] == [
        ["German points for strength: +2 (2 in all)"],
        ["German points for strength: +3 (5 in all)"],
    ]


@pytest.mark.parametrize(
    ("german", "given", "winner"),
    [
        (25, "german-1", ("german", "marginal")),
        (25, "soviet-1", ("soviet", "marginal")),
        (24, "german-1", ("soviet", "marginal")),
        (26, "soviet-1", ("german", "marginal")),
    ],
)
def test_14_0_points_given_count_and_a_tie_goes_to_the_giver(german, given, winner):
    """S-32: the Soviet side has 5 points and Kursk."""
    game = shipped(given=given)
    state = scored(at(game, {"2010": "s-1t", "1510": "g-gd"}, side="soviet", turn="6"), german, 5)
    verdict = victory.find_verdict(game, legal(game, state))
    assert (verdict.winner, verdict.how) == winner
    assert ("points given", *(str(number) for number in game.given.values())) in make_standing(game, state)
    assert not any(row[0] == "points given" for row in make_standing(shipped(), state))
