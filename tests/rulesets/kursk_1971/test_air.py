"""9.0 Air units: bases, five missions, their dice."""

from __future__ import annotations

import pytest

from kursk_pbem.kernel.events import Fought
from kursk_pbem.report import battle
from kursk_pbem.rulesets.kursk_1971.seen import wording
from rulesets.kursk_1971.board import at, attack, bare, events, fight, go, raid, refused, said

HOME = {"1510": "g-air1 g-air2", "2001": "s-1t"}
RAIDED = {"1510": "g-air1 g-air2 g-air3", "1511": "g-air4 g-air5", "1520": "s-air1 s-air2", "2022": "s-1t"}


def patrols(fought):
    """Return the patrols in the arithmetic of attacked bases."""
    (base,) = fought.defence.rows
    return tuple(told.removeprefix("1 more by the patrol of ") for told in base.changes[1:])


def fly(unit, hex_):
    return {"unit": unit, "hex": hex_}


@pytest.mark.parametrize(("kind", "modifier", "die"), [((), 2, "5"), (("forest",), 1, "4"), (("river",), 0, "")])
def test_9_0_d1_two_more_on_the_die(kind, modifier, die):
    """S-4: cases of the text: 3 becomes 5, -1 becomes +1, -2 is cancelled."""
    more = {"forest": ["1513"]} if "forest" in kind else {"rivers": ["1513-1514"]} if "river" in kind else {}
    game = bare(**more)
    state = at(game, {**HOME, "1514": "g-gd", "1513": "s-5t"})
    (fought,) = events(fight(game, state, attack("1513", "g-gd", support="g-air1"), faces={"b1": "3"}), Fought)
    assert sum(shift.by for shift in fought.shifts) == modifier
    assert fought.die == die


def test_9_0_d1_one_for_an_attack_in_range():
    game = bare()
    state = at(game, {"3005": "g-air1", "1514": "g-gd", "1513": "s-61-1"})
    assert refused(game, state, {"battles": [attack("1513", "g-gd", support="g-air1")]}) == ["9.0-d1"]
    assert refused(game, state, {"battles": [attack("1513", "g-gd", support="g-gd")]}) == ["9.0-d1"]
    far = said(game, state, {"battles": [attack("1513", "g-gd", support="g-air1")]})
    assert far == "b1: g-air1 flies 12 hexes from its base, but 1513 is 15 hexes away"
    moved = {"movement": [go("g-air1", "3006")], "battles": [attack("1513", "g-gd", support="g-air1")]}
    assert "b1: g-air1 has moved its ground element" in said(game, state, moved)


def fought_raid(attackers, patrols, die, *, policy=None, targets=("s-air1",), **marks):
    game = bare()
    over = {f"s-air{number}": "1520" for number in range(3, 3 + patrols)}
    places = {**RAIDED, "2020": "s-air3 s-air4 s-air5"}
    state = at(game, places, patrol=over, **marks) if over else at(game, places, **marks)
    flown = ["g-air1", "g-air2", "g-air3", "g-air4", "g-air5"][:attackers]
    share = len(flown) // len(targets)
    orders = [raid(base, " ".join(flown[n * share : (n + 1) * share]), f"r{n + 1}") for n, base in enumerate(targets)]
    faces = {order["id"]: die for order in orders}
    return fight(game, state, raids=orders, faces=faces, policy=policy)


def test_9_0_d4_each_element_of_a_hex_by_itself():
    """S-25, S-43: patrols are shared equally by default, the remainder to the lowest id."""
    found = events(fought_raid(4, 3, "1", targets=("s-air2", "s-air1")), Fought)
    assert [(each.defence.units, each.defence.total, each.column) for each in found] == [
        (("s-air2",), "2", "1:1"),
        (("s-air1",), "3", "1:2"),
    ]
    assert [patrols(each) for each in found] == [("s-air5",), ("s-air3", "s-air4")]


def test_9_0_d4_a_report_says_that_bases_are_attacked_and_never_patrols():
    """Bug: a report listed a base and a distant patrol as attacked units that held."""
    (fought,) = events(fought_raid(3, 1, "1"), Fought)
    (_depth, title), *_rest = battle.describe_battle(fought, wording.Wording(bare()))
    assert "(s-air1)" in title
    assert "(s-air3)" not in title


def test_9_0_d_an_aircraft_too_many_is_told_what_is_ordered_9_0_d5_s_23():
    """Bug: the refusal reported no enemy aircraft in a hex with enemy aircraft, and called ordered flights flown."""
    game = bare()
    state = at(game, {**HOME, "1520": "s-air1"}, patrol={"s-air1": "1515"})
    two = {"interception": [fly("g-air1", "1515"), fly("g-air2", "1515")]}
    none = {"interception": [fly("g-air1", "1516")]}
    both = {"patrol": [fly("g-air1", "1514")], "interdiction": [fly("g-air1", "1513")]}
    told = [said(game, state, orders) for orders in (two, none, both)]
    assert told == [
        "g-air2: g-air1 turns back every enemy aircraft over 1515",
        "g-air1: no enemy aircraft to turn back are over 1516",
        "g-air1: flies one mission in a turn, and is ordered to fly patrol over 1514 too",
    ]
