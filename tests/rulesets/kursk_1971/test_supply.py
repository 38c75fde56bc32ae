"""6.0 Supply, 11.0 Army integrity."""

from __future__ import annotations

from kursk_pbem.kernel.events import Fought
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.position import position
from rulesets.kursk_1971.board import at, attack, bare, events, fight, go, legal, refused, where


def test_6_0_a_halved_fractions_lost():
    """S-20: 5 points become 2, strength 5 becomes 2 and 1 becomes 0."""
    game = bare()
    cut = {"0316": "s-1t", "1712": "g-110", "1514": "g-3pz g-mant", "1513": "s-61-1"}
    state = at(game, cut)
    assert refused(game, state, {"movement": [go("g-110", "1711", "1710", "1709")]}) == ["3.0-a"]
    assert where(legal(game, state, {"movement": [go("g-110", "1711", "1710")]}), "g-110") == "1710"
    told = events(fight(game, state, attack("1513", "g-3pz g-mant"), faces={"b1": "1"}), Fought)[0]
    assert told.attack.total == "2"
    assert [row.counts for row in told.attack.rows] == ["2", "0"]
    assert told.attack.rows[0].changes == ("halved (out of supply)",)


def test_the_picture_shows_where_each_side_is_in_supply_6_0():
    """Shaded hexes of the board equal hexes in supply."""
    game = bare()
    state = at(game, {"1016": "g-gd", "1021": "g-26", "1030": "g-7", "1023": "s-1t"})
    shown = {zone.side: zone.at for zone in RULESET.seen.picture(game, state).reached}
    assert [label in shown["german"] for label in ("1016", "1021", "1026", "1030")] == [True, True, False, False]
    found = position(game, state)
    for uid in ("g-gd", "g-26", "g-7", "s-1t"):
        assert (state.units[uid].place in shown[found.side(uid)]) == found.is_supplied(uid)
