"""8.0 Results of combat, 10.0 Kampfgruppen."""

from __future__ import annotations

from kursk_pbem.kernel.events import Fought, Noted, Removed
from kursk_pbem.rulesets.kursk_1971 import retreat
from kursk_pbem.rulesets.kursk_1971.seen import headlines
from rulesets.kursk_1971.board import at, attack, bare, events, fight, points, pos, raid, where

EVEN = {"1514": "g-gd g-110", "1513": "s-1t s-5t"}  # 8 against 8


def even(die, *, policy=None, game=None, places=None, order=None, **plan):
    """Resolve an attack at 1:1; in a forest the die may be as low as 0."""
    game = game or bare(edition="print")
    order = order or attack("1513", "g-gd g-110", **plan)
    return fight(game, at(game, places or EVEN), order, faces={order["id"]: die}, policy=policy)


def test_8_0_ar_who_has_no_hex_is_destroyed():
    """S-14, S-27: without a Kampfgruppe. A full stack has no room."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-1t", "1515": "s-5t", "1413": "g-110 g-296 g-134"})
    assert retreat.find_candidates(pos(game, state), "g-gd") == ()
    result = fight(game, state, attack("1513", "g-gd"), faces={"b1": "1"})
    assert events(result, Fought)[0].result == "AR"
    gone = events(result, Removed)[0]
    assert (gone.unit, gone.why) == ("g-gd", "no hex to retreat to")
    assert where(result.after, "kg2-1") == "off-map"
    assert points(result.after) == (0, 18)


def test_8_0_advance_of_nobody_where_the_plan_names_only_who_paid():
    """Bug: the report denied that other attackers were adjacent."""
    places = {"1514": "g-gd g-110 g-296", "1513": "s-24"}
    result = even("5", places=places, order=attack("1513", "g-gd g-110 g-296", losses=["g-110"], advance=["g-110"]))
    assert where(result.after, "g-110", "g-gd", "s-24") == ["eliminated", "1514", "eliminated"]
    said = "no unit advances into 1513: no unit of the plan is still adjacent"
    assert said in [event.text for event in events(result, Noted)]


# Kampfgruppen


def test_9_0_d4_an_attack_below_the_table_is_told_without_saying_that_it_became_so():
    """Bug: 'had become impossible' was reported of raids impossible from the start."""
    patrols = {"s-air1": "1520", "s-air2": "1520"}
    state = at(bare(), {"1510": "g-air1", "1520": "s-air1 s-air2"}, patrol=patrols)
    result = fight(bare(), state, raids=[raid("s-air1", "g-air1")], faces={})
    (text,) = headlines.tell_story(bare(), state, result.events, result.after)
    assert text.endswith("after all, for the order had become impossible.")
