"""9.3 retreats without a plan: the default gives nothing away that another path would keep (K-76)."""

from __future__ import annotations

from rulesets.battle_for_kursk.board import attack, battles, place, play


def test_9_3_dr_over_the_edge_enters_no_city():
    """A unit that leaves the map through the edge hex of an enemy city does not take it along (K-86)."""
    units = "1201: r-5 | 1102: g-43 | 1202: g-59 | 1302: g-6 | 1301: g-2-lw | 1101: g-27"
    state = place(f"{units}; control 1200 german; turn 1")
    played = play(state, battles(attack("1201", "g-43 g-59 g-6 g-2-lw g-27")), dice={"b1": 3})
    assert played.at("r-5") in ("off-map", "eliminated")
    assert played.after.mark("control", "1200") == "german"
