"""Passages of the text that are easily applied differently."""

from kursk_pbem.kernel.account.battles import clashes
from kursk_pbem.kernel.account.prose import Voice, tell_battle
from kursk_pbem.rulesets.juggernauts.seen import exact_odds
from kursk_pbem.rulesets.juggernauts.seen.wording import Wording
from rulesets.juggernauts.board import at, attack, declare_attacks, fight, july, list_fought, list_notes, place


def far(umpire, uid, start):
    board = july().board
    return board.distance(board.index[start], board.index[at(umpire, uid)])


# 2.0-x, 15.2


def test_15_2_odds_tell_of_a_line_that_falls():
    state = declare_attacks(place("H8: g-46pzk | G8: g-20k"), attack("I9", "g-46pzk")).state
    (only,) = exact_odds.list_chances(july(), state, {})
    (exchange,) = [each for each in only.outcomes if each.result == "X"]
    assert "the line in I9 is lost" in exchange.text


def test_15_2_the_story_tells_that_a_line_fell():
    """Bug: the story said that the line held, because no unit entered."""
    umpire = fight(place("H8: g-46pzk | G8: g-20k"), attack("I9", "g-46pzk"), dice="5")
    (clash,) = clashes(umpire.events)
    words = Wording(july())
    told = tell_battle(clash, Voice(words, lambda uid: f"the {words.unit(uid)}", lambda _label: ("", "Ponyri")), 0)
    assert told.endswith("The Russian 1st line fell, and the XXXXVI. Panzerkorps was lost.")


# 2.0-dn


# 11.1, 11.2


# 6.0


def test_6_0_no_retreat_orders_for_one_unit_on_a_d2():
    """J-53: orders for single units: the unit with No Retreat! orders dies, the other retreats."""
    umpire = fight(
        place("T15: r-10a r-6a | S15: g-2ss g-3pzk g-20k"),
        attack("T15", "g-2ss g-3pzk g-20k"),
        dice="1",
        policy={"units": {"r-10a": {"no-retreat": "yes"}}},
    )
    assert list_fought(umpire).result == "D2"
    assert at(umpire, "r-10a") == "eliminated"
    assert far(umpire, "r-6a", "T15") == 2
    assert "D2 becomes DE for r-10a: No Retreat!" in list_notes(umpire, "6.0")


# 12.0


# 14.1
