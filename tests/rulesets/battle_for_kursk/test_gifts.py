"""9.3 retreats without a plan: the default gives nothing away that another path would keep (K-76)."""

from __future__ import annotations

import pytest

from rulesets.battle_for_kursk.board import attack, battles, place, play

POCKET = "2403: g-48-pz | 2404: r-5 | 2504: r-10 | 2304: r-50 | 2303: r-63"
ALL_FOUR = "r-5 r-10 r-50 r-63"


def retreated(**plan):
    state = place(f"{POCKET}; turn 3; stage russian-orders; clear")
    return play(state, battles(attack("2403", ALL_FOUR, **plan)), dice={"b1": 2})


def test_9_3_dr_without_a_plan_no_german_is_led_into_moscow():
    """A DR at 4:1 next to empty Moscow; the lowest path leads through it, others cost the same (K-76, K-69)."""
    played = retreated()
    assert played.at("g-48-pz") not in ("2402", "eliminated")
    assert not played.after.mark("verdict", "how")


def test_9_3_dr_who_writes_it_gets_it():
    """A plan that names the path through Moscow is carried out, and the game is over (K-69)."""
    played = retreated(retreat="2402-2401, 2402-2301, 2402-2501")
    assert played.after.mark("verdict", "how") == "moscow"


def test_9_3_dr_over_the_edge_enters_no_city():
    """A unit that leaves the map through the edge hex of an enemy city does not take it along (K-86)."""
    units = "1201: r-5 | 1102: g-43 | 1202: g-59 | 1302: g-6 | 1301: g-2-lw | 1101: g-27"
    state = place(f"{units}; control 1200 german; turn 1")
    played = play(state, battles(attack("1201", "g-43 g-59 g-6 g-2-lw g-27")), dice={"b1": 3})
    assert played.at("r-5") in ("off-map", "eliminated")
    assert played.after.mark("control", "1200") == "german"


@pytest.mark.parametrize("wish", ["toward 2602", "away 2412"])
def test_9_3_dr_ties_of_a_wish_give_nothing_away(wish):
    """Of two paths to one hex, the umpire takes the path that avoids Moscow (K-76)."""
    played = retreated(retreat=wish)
    assert not played.after.mark("verdict", "how")
