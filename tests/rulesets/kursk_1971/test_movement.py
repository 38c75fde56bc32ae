"""3.0 Movement, 4.0 Zones of control, 5.0 Stacking, 13.0 Reinforcements."""

from __future__ import annotations

from rulesets.kursk_1971.board import at, bare, go, legal, refused, said, where

DEEP = {"1001": "s-61-1"}  # a Soviet unit far away


def test_3_0_g_never_into_an_enemy():
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-13at"})  # without a zone of control
    assert refused(game, state, {"movement": [go("g-gd", "1513", "1512")]}) == ["3.0-g"]
    assert "s-13at" in said(game, state, {"movement": [go("g-gd", "1513", "1512")]})


def test_5_0_e_through_friends_where_the_limit_holds():
    game = bare()
    state = at(game, {"1514": "g-110", "1513": "g-296 g-134", "1512": "g-211 g-112 g-208", **DEEP})
    assert where(legal(game, state, {"movement": [go("g-110", "1513", "1613")]}), "g-110") == "1613"
    assert refused(game, state, {"movement": [go("g-110", "1513", "1512")]}) == ["5.0-e"]
    assert "is full" in said(game, state, {"movement": [go("g-110", "1513", "1512")]})
