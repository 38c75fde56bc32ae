"""14.0 Victory: points, cities, levels."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.kursk_1971 import losses, victory
from kursk_pbem.rulesets.kursk_1971.position import POINTS
from kursk_pbem.rulesets.kursk_1971.seen.wording import Wording, make_standing
from rulesets.kursk_1971.board import at, bare, legal, pos, shipped


def scored(state, german, soviet):
    tracks = {POINTS.format("german"): german, POINTS.format("soviet"): soviet}
    return state.with_(tracks=tracks)


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
