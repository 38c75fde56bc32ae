"""Typed orders: each writes the order of the player, and asks if the words are ambiguous."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kursk_pbem.desk.draft import orderlines, prospects
from kursk_pbem.desk.draft.prospects import Prospect, find_unit
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import strictyaml
from kursk_pbem.kernel.brief import split_phases
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.verbs import OrderContext
from kursk_pbem.report import moves
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.orders import Battle
from kursk_pbem.rulesets.kursk_1971.seen import hints, outlook, picture, unused, useless_answers, wording
from kursk_pbem.rulesets.kursk_1971.seen.verbs import list_verbs
from rulesets.kursk_1971.board import at, attack, bare, go, legal, ordered, play, raid, refused, shipped

HISTORICAL = shipped()
START = RULESET.data.setup(HISTORICAL)


def back(game, state, order):
    with pytest.raises(UsageError) as error:
        ordered(game, state, order)
    return error.value.message


def test_every_word_has_an_example_that_can_be_said():
    third = at(HISTORICAL, {"1514": "g-gd", "2001": "s-1t"}, side="soviet", turn="3")
    answering = legal(HISTORICAL, START, {"battles": [attack("1823", "g-gd")]})
    for verb in list_verbs(HISTORICAL):
        state = {"answer": answering, "share": answering, "reinforce": third}.get(verb.name, START)
        draft, text = ordered(HISTORICAL, state, verb.example)
        assert draft
        assert text


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("g-10br", "g-10br cannot attack 1515 without a regular unit from the same hex; "),
        ("g-air1", "your units adjacent to 1515 can only defend; "),
        ("", "none of your units is adjacent to 1515; 'kursk moves --to 1515' lists units that can get there; "),
    ],
)
def test_who_stands_beside_a_hex_and_cannot_attack_it_is_told_why_7_0_d_7_0_e(who, why):
    """Bug: the refusal denied that units were adjacent to an enemy."""
    game = bare()
    state = at(game, {"1514": who, "1515": "s-23g", "1820": "g-gd", "1821": "s-6g-3"})
    assert back(game, state, "attack 1515 all") == f"{why}you can attack 1821"
    assert back(game, at(game, {"1514": who, "1515": "s-23g"}), "attack 1515") == f"{why}no hex can be attacked now"


def test_hexes_are_not_said_to_be_open_to_attack_whose_attackers_are_busy_7_0_c():
    """Bug: 'Can be attacked now: 2011' without a free attacker."""
    taken = ("attack 1912 all", "attack 2110 all")
    for order, told in (("attack 2011 all", "no unit is free to attack 2011"), ("attack 1010", "can attack 0918")):
        with pytest.raises(UsageError) as error:
            ordered(HISTORICAL, START, *taken, order)
        assert told in error.value.message
        assert "can be attacked" not in error.value.message


def test_names_do_for_ids():
    draft, text = ordered(HISTORICAL, START, "attack 1823 with gd 11 pz 10 br support air 4 losses 11 pz advance gd")
    (order,) = draft["orders"]["battles"]
    assert order["attackers"] == ["g-gd", "g-11pz", "g-10br"]
    assert (order["support"], order["losses"], order["advance"]) == ("g-air4", ["g-11pz"], ["g-gd"])
    assert "14:3 = 4:1, die +1" in text
    assert order["id"] == "b1823"


def test_an_attack_is_changed_by_another_order_on_its_hex():
    orders = (
        "attack 1823 with gd as oboyan",
        "attack 1823 support air 4 unsupported attack",
        "attack 1823 retreat 23 g toward kursk away 1925",
    )
    draft, _text = ordered(HISTORICAL, START, *orders)
    (order,) = draft["orders"]["battles"]
    assert order == {
        "id": "oboyan",
        "hex": "1823",
        "attackers": ["g-gd"],
        "support": "g-air4",
        "unsupported": "attack",
        "retreat": ["s-23g toward 1717", "away 1925"],
    }
    everybody, _text = ordered(HISTORICAL, START, "attack 1823 with all")
    assert len(everybody["orders"]["battles"][0]["attackers"]) >= 6
    assert ordered(HISTORICAL, START, "attack 1823 all")[0]["orders"] == everybody["orders"]


def test_a_move_is_told_with_its_way_and_takes_the_place_of_the_former():
    draft, text = ordered(HISTORICAL, START, "move g-17pz 1730", "move 17 pz 1729")
    assert draft["orders"]["movement"] == [{"unit": "g-17pz", "to": "1729"}]
    assert "1729 Kharkov" in text or "of 8 MP" in text


def test_units_that_are_set_up_leave_their_former_order():
    game = shipped("july4")
    state = RULESET.data.setup(game)
    draft, _text = ordered(game, state, "deploy 2 t 20 t 2020", "deploy 2 t 2121")
    assert draft["orders"]["deployment"] == [{"hex": "2020", "units": ["s-20t"]}, {"hex": "2121", "units": ["s-2t"]}]


def test_answers_for_all_for_a_hex_and_for_an_attack():
    game = bare()
    state = legal(game, at(game, {"1514": "g-gd", "1513": "s-1t s-5t"}), {"battles": [attack("1513", "g-gd", "kursk")]})
    draft, _text = ordered(
        game, state, "answer retreat away 1514", "answer kursk advance 1 t", "answer 1513 retreat 1512"
    )
    assert draft["policy"] == {
        "retreat": ["away 1514"],
        "battles": {"kursk": {"advance": ["s-1t"]}},
        "hexes": {"1513": {"retreat": ["1512"]}},
    }


@pytest.mark.parametrize(
    ("order", "answer"),
    [
        ("attack", "name the target"),
        ("attack 1823", "together 28:3 = 9:1, die -1"),
        ("attack 1010", "1010 contains no enemy; you can attack 0918, "),
        ("attack 1823 with nobody", "name attackers of 1823"),
        ("move gd", "the hex is missing: say where gd goes, as in 'move gd 1823'"),
        ("motor gd", "the hex is missing: say where gd goes, as in 'motor gd 1723'"),
        ("motor none", "as in 'motor gd 1723'"),
        ("move 1823", "name a unit and a hex or city"),
        ("move gd 3400", "there is no hex '3400'; a city goes by its name; did you mean 3401 or 3402 or 3403?"),
        ("move 1823 gd", "type the hex after the unit: 'gd 1823'"),
        ("raid air 3", "type a base and aircraft"),
        # examples of the verbs; desk/draft/examples repeats them with examples of the position
        ("patrol orel", "type a hex and aircraft, as in 'patrol orel with air 1'"),
        ("interdict with air 1", "type a hex and aircraft, as in 'interdict 1717 with air 1'"),
        ("intercept 1823", "type a hex and aircraft, as in 'intercept 1823 with air 6'"),
        ("answer", "add a retreat"),
        ("share air 3", "type a base and patrols"),
        ("deploy gd", "the hex is missing"),
        ("attack 1823 with gd unsupported perhaps", "unsupported is one of attack, skip"),
    ],
)
def test_what_is_missing_is_asked_back(order, answer):
    assert answer in back(HISTORICAL, START, order)


def test_all_names_only_those_who_may_attack_together_7_0_e():
    """Brigades and artillery need a regular unit from their own hex in this attack."""
    game = bare()
    state = at(game, {"1514": "g-gd g-10br", "1412": "g-505", "1513": "s-1t", "1515": "s-5t"})
    draft, _text = ordered(game, state, "attack 1513 all")
    assert draft["orders"]["battles"][0]["attackers"] == ["g-10br", "g-gd"]
    legal(game, state, draft["orders"])
    said = "no unit is free to attack 1513: g-10br has no partner left, g-gd attacks in b1515"
    with pytest.raises(UsageError, match=said):
        ordered(game, state, "attack 1515 with gd", "attack 1513 with all")


def test_a_side_without_reinforcements_is_told_so_13_0():
    """Bug: the refusal proposed German units, but no German reinforcement was due."""
    assert back(HISTORICAL, START, "reinforce 10 t 3416").startswith("no reinforcement of yours can come now")


def test_none_takes_back_what_stands_there_and_a_bare_word_is_refused():
    draft, _text = ordered(
        HISTORICAL,
        START,
        "attack 1823 with gd support air 4 unsupported attack losses gd advance gd",
        "attack 1823 support none unsupported none losses nobody advance nobody",
    )
    assert draft["orders"]["battles"] == [{"id": "b1823", "hex": "1823", "attackers": ["g-gd"]}]
    draft, _text = ordered(
        HISTORICAL,
        START,
        "patrol 1724 with air 4 air 6",
        "patrol 1724 with nobody",
        "answer retreat 1724",
        "answer all retreat none",
    )
    assert draft == {"orders": {"patrol": []}, "policy": {}}
    draft, text = ordered(HISTORICAL, START, "answer retreat none")
    assert (draft, text) == ({}, "all attacks: retreat is not in this draft")
    raided = (
        "raid air 3 with air 5 air 6",
        f"raid {START.units['s-air3'].place} none",
    )  # bug: the hex did not name the base
    assert ordered(HISTORICAL, START, *raided) == ({"orders": {"superiority": []}}, "r1 is taken out: base of s-air3")
    draft, text = ordered(HISTORICAL, START, "deploy gd 11 pz 1724", "deploy gd none")
    assert draft["orders"]["deployment"] == [{"hex": "1724", "units": ["g-11pz"]}]
    assert text == "GD (g-gd) set up nowhere by this draft"
    with pytest.raises(UsageError, match="no air unit of yours 'none'"):
        ordered(HISTORICAL, START, "raid air 3 none")
    for slip in ("attack 1823 with", "attack 1823 gd as", "attack 1823 gd as none"):  # 'as none' stopped the program
        assert back(HISTORICAL, START, slip).endswith(" needs a value")
    for slip in ("attack 1823 with gd retreat", "attack 1823 with gd losses advance gd", "answer all retreat"):
        with pytest.raises(UsageError, match="needs a value"):
            ordered(HISTORICAL, START, slip)


def test_aircraft_over_a_hex_are_those_who_are_named_last_9_0_d():
    draft, _text = ordered(
        HISTORICAL, START, "patrol 1724 with air 4 air 6", "patrol 1925 with air 6 air 5", "patrol 1925 with air 5"
    )
    assert draft["orders"]["patrol"] == [{"unit": "g-air4", "hex": "1724"}, {"unit": "g-air5", "hex": "1925"}]
    _draft, told = ordered(HISTORICAL, START, "patrol 1925 with air 6 air 5", "patrol 1925 with air 5")
    assert told.endswith("patrol 1925: Air 5 (g-air5), in place of Air 6 (g-air6), Air 5 (g-air5)")
    _draft, told = ordered(HISTORICAL, START, "interdict 1822 with air 4", "interdict 1717 with air 4 air 5")
    assert told.endswith("interdict 1717: Air 4 (g-air4), Air 5 (g-air5), no longer 1822")  # both seemed to stand


def test_a_follower_may_be_sent_into_one_of_the_hexes_8_0_advance():
    game = bare()
    state = at(game, {"1514": "g-gd", "1412": "g-11pz", "1513": "s-1t s-5t"})
    state = legal(game, state, {"battles": [attack("1513", "g-gd g-11pz")]})
    draft, _text = ordered(game, state, "answer b1 advance 1 t 1412 s-5t")
    assert draft["policy"] == {"battles": {"b1": {"advance": ["s-1t 1412", "s-5t"]}}}
    assert "no unit of yours" in back(game, state, "answer b1 advance 1412")


def test_an_attack_is_meant_by_the_id_that_is_printed_of_it():
    first = ("attack 2024 all", "attack B2024 advance 7 pz")
    draft, _text = ordered(HISTORICAL, START, *first, "attack 1823 gd as vorne", "attack vorne 11 pz support air 4")
    first, second = draft["orders"]["battles"]
    assert (first["id"], first["advance"]) == ("b2024", ["g-7pz"])
    assert (second["id"], second["hex"]) == ("vorne", "1823")
    assert (second["attackers"], second["support"]) == (["g-11pz"], "g-air4")
    assert "there is no hex or enemy unit 'b1823 gd'" in back(HISTORICAL, START, "attack b1823 gd")
    assert "write the target first, then the units, as in '" in back(HISTORICAL, START, "attack 2 ss t15")
    turned = "write the target first, then the units: 'attack 1823 with gd 11 pz'"
    assert back(HISTORICAL, START, "attack gd 11 pz 1823") == turned
    assert ordered(HISTORICAL, START, "attack 23 g all") == ordered(HISTORICAL, START, "attack 1823 all")
    assert "there is no hex or enemy unit '2042'; did you mean" in back(HISTORICAL, START, "attack 2042 all")


def test_a_name_that_is_a_town_elsewhere_is_asked_back():
    """Bug: 'No enemy stands in 1820 Oboyan' for an attack on 1823 named 'oboyan'."""
    with pytest.raises(UsageError) as error:
        ordered(HISTORICAL, START, "attack 1823 gd as oboyan", "attack oboyan support air 4")
    assert error.value.message.startswith("'oboyan' names the attack on 1823, and also the town 1820")
    draft, _text = ordered(HISTORICAL, START, "attack 1912 all", "attack maloarkhangelsk support air 1")
    assert draft["orders"]["battles"][0]["support"] == "g-air1"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("to 1717", ["toward 1717"]),
        ("to Oboyan", ["toward 1820"]),
        ("tow 1717 aw 1925", ["toward 1717", "away 1925"]),
        ("to", ["1824"]),
        ("1822 tomarovka", ["1822", "1824"]),
    ],
)
def test_to_before_a_place_is_toward_it(said, meant):
    draft, _text = ordered(HISTORICAL, START, f"attack 1823 with gd retreat {said}")
    assert draft["orders"]["battles"][0]["retreat"] == meant


def test_a_hex_and_its_aircraft_need_no_with():
    for said in ("patrol 1724 air 4 air 6", "patrol air 4 air 6 1724", "patrol 1724 with air 4 air 6"):
        draft, _text = ordered(HISTORICAL, START, said)
        assert draft["orders"]["patrol"] == [{"unit": "g-air4", "hex": "1724"}, {"unit": "g-air6", "hex": "1724"}]
    for said in ("interdict tomarovka air 4", "interdict air 4 tomarovka"):
        draft, _text = ordered(HISTORICAL, START, said)
        assert draft["orders"]["interdiction"] == [{"unit": "g-air4", "hex": "1824"}]
    draft, _text = ordered(HISTORICAL, START, "raid air 2 air 6")
    assert draft["orders"]["superiority"] == [{"id": "r1", "base": "s-air2", "aircraft": ["g-air6"]}]
    assert "type a hex and aircraft" in back(HISTORICAL, START, "patrol 1724")


def test_a_move_of_two_units_says_how_to_move_both():
    said = back(HISTORICAL, START, "move 2pz 4pz 1611")
    assert said == "there is no unit of yours '2pz 4pz': say one unit of yours in each order"
    assert "there is no unit of yours '2pz zz'" in back(HISTORICAL, START, "move 2pz zz 1611")


def test_one_hex_is_named_where_units_are_set_up_or_arrive_12_0_13_0():
    """Bug: the last of several hexes was taken silently."""
    third = at(HISTORICAL, {"1514": "g-gd", "2001": "s-1t"}, side="soviet", turn="3")
    for state, order in ((START, "deploy gd 1624 1625"), (third, "reinforce 10 t 3416 3316")):
        assert back(HISTORICAL, state, order).endswith("': say one hex in each order")


def test_an_answer_where_no_attack_can_be_named_is_told_so_s_58():
    """Bug: with a referee's dice the refusal denied that b1823 was declared."""
    assert "ground attack" not in back(HISTORICAL, START, "answer b1823 retreat away kursk")


def test_no_refusal_names_a_unit_of_the_other_side():
    assert "6 g" not in back(HISTORICAL, START, "answer 1823 losses gd")


def test_an_attack_from_the_air_is_answered_by_share_and_the_word_alone_says_so_9_0_d4():
    """Bug: the refusal denied that raid r1 was declared."""
    game = bare()
    state = at(game, {"1510": "g-air1", "1520": "s-air1", "1514": "g-gd", "1513": "s-1t"})
    declared = legal(game, state, {"superiority": [raid("s-air1", "g-air1")], "battles": [attack("1513", "g-gd")]})
    why = "r1: this attack comes from the air, so no unit retreats; type 'share' to assign patrols to the base [9.0-d4]"
    assert {back(game, declared, f"answer r1{said}") for said in ("", " retreat 1512")} == {why}
    (answer,) = [verb for verb in list_verbs(game) if verb.name == "answer"]
    told = orderlines.describe_usage(answer, OrderContext(game, declared, 3, {}, lambda _draft, _phase: declared))
    assert f"\n  {why}" in told


@pytest.mark.parametrize("said", ["g-air1 g-air2", "air1 air2", "air 1 air 2", "air 1 with air 2"])
def test_patrols_are_shared_out_without_with_as_they_take_off_9_0_d4(said):
    """Bug: 'patrol orel air 1' was understood, 'share air 1 air 2' was not."""
    draft, _text = ordered(HISTORICAL, START, f"share {said}")
    assert draft["policy"] == {"patrol": {"g-air1": ["g-air2"]}}


def test_moves_means_a_unit_that_stands_on_the_map():
    """Bug: 'kg1' matched sixteen Kampfgruppen in reserve."""
    state = at(HISTORICAL, {"1711": "kg1-5", "1514": "g-gd"})
    seen = Prospect(SimpleNamespace(ruleset=RULESET, setting=HISTORICAL), state, {}, "")
    assert (find_unit(seen, "kg1"), find_unit(seen, "kg1-6")) == ("kg1-5", "kg1-6")


def test_9_0_d_who_gets_to_a_place_is_told_no_aircraft_that_cannot_fly_there():
    """1711 is beyond the range of Air 7 at Poltava."""
    seen, words, drawn = outlook.make_outlook(HISTORICAL, START, ""), wording.Wording(HISTORICAL), picture.draw_picture
    assert "g-air7" not in moves.describe_place("To 1711", seen, words, drawn(HISTORICAL, START), "1711")
    assert "g-air7 [9.0-d]" in moves.list_side_moves("All", seen, words)


def test_8_0_nothing_in_the_example_that_a_draft_gives_of_an_attack_is_in_vain():
    (hint,) = (hint for hint in hints.make_hints(HISTORICAL, START, 1) if hint.path[-1] == "battles")
    (order,) = strictyaml.read("\n".join(hint.lines[1:3]).encode("ascii"), "hint", "scenario").data["battles"]
    where, battle = outlook.position(HISTORICAL, START), Battle.from_plain(order, HISTORICAL.board.index)
    assert [*useless_answers.check_plan(where, battle, useless_answers.ask_rules(where))] == []


def hinted(game, state, key):
    return "\n".join(line for hint in hints.make_hints(game, state, 2) if hint.path[-1] == key for line in hint.lines)


def test_who_has_no_strength_is_not_told_to_attack_6_0_a():
    """Bug: a hint advised 'attack 1009 with all', an illegal attack."""
    game = bare()
    cut = at(game, {"1010": "kg1-5", "1009": "s-48", "1011": "s-15", "0910": "s-2gc"})
    assert back(game, cut, "attack 1009") == "kg1-5 near 1009: no strength to attack; no hex can be attacked now"
    assert "No unit can attack now." in hinted(game, cut, "battles")


def test_an_attack_that_an_enemy_patrol_stops_is_told_without_odds_s_51():
    """Bug: the order and the list for the defender printed odds."""
    game = bare()
    state = at(game, {"1510": "g-air1", "1514": "g-gd", "1513": "s-1t", "1520": "s-air1"}, patrol={"s-air1": "1513"})
    draft, text = ordered(game, state, "attack 1513 with gd support air 1")
    assert text == "b1513: 1513 by g-gd: no attack while an enemy patrol keeps its close support away"
    assert "by g-gd: no attack while" in hinted(game, legal(game, state, draft["orders"]), "policy")


def test_an_attack_with_the_name_of_a_raid_can_be_answered_9_0_d4():
    """Bug: a ground attack was refused as an attack from the air."""
    game = bare()
    state = at(game, {"1510": "g-air1", "1520": "s-air1", "1514": "g-gd", "1513": "s-1t"})
    draft, _text = ordered(game, state, "raid air 1 with g-air1", "attack 1513 gd as r1")
    answer, _text = ordered(game, legal(game, state, draft["orders"]), "answer r1 retreat 1512")
    assert answer["policy"] == {"battles": {"r1": {"retreat": ["1512"]}}}


def test_a_share_taken_back_is_not_said_to_leave_a_base_without_patrols_9_0_d4():
    """Without shares patrols defend bases equally. Bug: 'no patrol for the base of g-air1'."""
    _draft, text = ordered(HISTORICAL, START, "share air 1 with air 2", "share air 1 with none")
    assert text == "no share is filed for the base of g-air1, in place of Air 2 (g-air2)"


def test_the_points_of_a_move_are_those_of_the_beginning_of_its_phase_6_0_when_s_60():
    """A reinforcement is in supply and has paid for its first hex. Bug: '2 of 2 MP'."""
    fourth = at(HISTORICAL, {"3315": "g-gd", "3010": "s-15"}, side="soviet", turn="4")
    draft, text = ordered(HISTORICAL, fourth, "reinforce 27/1 3416", "move 27/1 3418")
    assert text == "27/1 (s-27-1) to 3418: 3417 3418, 2 of 3 MP"
    legal(HISTORICAL, fourth, draft["orders"])
    pair = at(HISTORICAL, {"3010": "s-27-1", "3011": "s-27-2"}, side="soviet", turn="4")
    draft, text = ordered(HISTORICAL, pair, "move 27/2 3015", "move 27/1 3006")
    assert text.endswith("4 of 4 MP")
    legal(HISTORICAL, pair, draft["orders"])


def test_moves_of_a_draft_are_told_with_the_points_of_the_beginning_of_the_phase_6_0_when_s_60():
    """Bug: hexes were offered beyond the points of reinforcements and of units without supply at the start."""
    fifth = at(HISTORICAL, {"3315": "g-gd", "3010": "s-15"}, side="soviet", turn="5")
    alone = at(bare(), {"2012": "s-27-1", "2011": "g-gd", "2016": "s-27-2"}, side="soviet")
    come, near = {"reinforcements": [{"unit": "s-10t", "hex": "3416"}]}, {"movement": [go("s-27-2", "2015")]}
    for game, state, uid, orders in ((HISTORICAL, fifth, "s-10t", come), (bare(), alone, "s-27-1", near)):
        told = play(game, state, orders)
        phases = tuple(split_phases(told.middle, told.events))
        stub = SimpleNamespace(ruleset=RULESET, setting=game, stage=RULESET.stage(game, state))
        seen = Prospect(stub, phases[-1].after, {}, "", told.middle, phases)
        (mover,) = prospects.compute_outlook(seen, uid).phases[0].movers
        for end in mover.ends:
            legal(game, state, {**orders, "movement": [*orders.get("movement", ()), go(uid, end.place)]})
        assert bool(mover.ends) == (uid == "s-10t")
    assert "too far by 1 MP" in prospects.explain(seen, "s-27-1", "2013")[0]


def test_each_reinforcement_is_told_the_hexes_in_which_it_can_appear_3_0_a_13_0():
    """An air unit pays as motorized. Bug: hexes of cheaper units were offered."""
    text = hinted(
        HISTORICAL, at(HISTORICAL, {"3316": "g-gd", "3217": "s-15"}, side="soviet", turn="3"), "reinforcements"
    )
    offered = {line.partition(":")[0]: line.partition(": ")[2] for line in text.splitlines()[3:]}
    assert [who.partition(" ")[0] for who in offered] == ["s-10t", "s-air8"]
    assert len({*offered.values()}) == 2


def test_in_the_last_message_no_aircraft_is_said_to_take_off_s_63():
    """Bug: a hint offered patrols in the last message."""
    last = at(HISTORICAL, {"3010": "s-15 s-air1", "1514": "g-gd"}, side="soviet", turn="6", stage="dice")
    assert hinted(HISTORICAL, last, "patrol").endswith("The game ends before any takes off (S-63).")
    assert outlook.make_outlook(HISTORICAL, last, "").about == ()


def test_9_0_c_a_base_that_has_moved_is_not_said_to_have_flown():
    game = bare()
    moved = legal(game, at(game, {"1514": "g-air1", "1510": "s-15"}), {"movement": [go("g-air1", "1515")]})
    (note,) = outlook.make_outlook(game, moved, "g-air1").phases[0].notes[1:]
    assert note == "g-air1 stays: the unit has flown or moved this turn."


def test_who_could_move_is_told_of_those_who_are_not_ordered_and_had_points_3_0_movement_6_0_when():
    """Bug: the warning listed a reinforcement and units brought into supply during the phase."""
    orders = {"reinforcements": [{"unit": "s-27-1", "hex": "3416"}]}
    fourth = at(HISTORICAL, {"3315": "g-gd", "3010": "s-15"}, side="soviet", turn="4")
    told = unused.find_unused(
        HISTORICAL, fourth, play(HISTORICAL, fourth, orders).events, Filing(2, "soviet", orders=orders)
    )
    assert [each.text.partition(": ")[2] for each in told if "could move" in each.text] == [
        "1 ground unit could move and has no order: 15th Rifle (s-15)"
    ]
    alone = at(bare(), {"2012": "s-27-1", "2011": "g-gd", "2016": "s-27-2"}, side="soviet")
    orders = {"movement": [go("s-27-2", "2015")]}
    assert refused(bare(), alone, {"movement": [*orders["movement"], go("s-27-1", "2013")]}) == ["3.0-a"]
    told = unused.find_unused(bare(), alone, play(bare(), alone, orders).events, Filing(2, "soviet", orders=orders))
    assert not [each.text for each in told if "Initial" in each.text]


def test_the_example_of_standing_answers_can_be_filed_8_0():
    """Bug: the example was illegal as printed."""
    game = bare(refereed=True)
    state = at(game, {"1514": "g-air1 g-gd", "1812": "s-1t"})
    text = hinted(game, state, "policy").partition("policy:\n")[2]
    legal(game, state, policy=strictyaml.read(text.encode("ascii"), "hint", "scenario").data)
