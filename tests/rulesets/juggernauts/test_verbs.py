"""Choices for orders on the board, and the commands that they become."""

from contextlib import suppress

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.kernel.verbs import edit_draft
from kursk_pbem.rulesets.juggernauts import RULESET, sequence, setup
from kursk_pbem.rulesets.juggernauts.seen.verbs import list_verbs
from rulesets.juggernauts.board import asking, attack, july, offered, place, wait_for_answer, written

AT_T15 = "T15: r-57a | S15: g-48pzk | S16: g-2ss"
VERBS = {verb.name: verb for verb in list_verbs(july())}


def test_an_attack_is_chosen_part_by_part_3_0():
    ask = asking(place(AT_T15))
    assert dict(offered("attack", ask)[""].among)["T15"] == "57th Army, 4:1"
    parts = offered("attack", ask, "T15")
    assert parts["with"].chosen == ("g-2ss", "g-48pzk")
    assert "only T16" in parts["advance"].more
    draft = written("attack", ask, "T15 with g-48pzk g-2ss pressed yes push 2 advance g-2ss only T16")
    parts = offered("attack", asking(ask.state, draft), "T15")
    assert (parts["pressed"].chosen, parts["push"].chosen) == (("yes",), ("2",))
    assert parts["advance"].chosen == ("g-2ss only T16",)
    assert written("attack", asking(ask.state, draft), "T15 pressed none")["orders"]["battles"][0]["pressed"] == "no"
    for words, pressed in (("no", "no"), ("none", "no"), ("", "yes"), ("yes", "yes")):  # a second time changes nothing
        draft = written("attack", asking(ask.state, draft), f"T15 pressed {words}")
        assert draft["orders"]["battles"][0]["pressed"] == pressed


def test_only_germans_choose_what_only_german_plans_hold_2_0_breakthrough():
    parts = offered("attack", asking(place(f"{AT_T15}; stage russian-orders")), "S15")
    assert "losses" in parts
    assert not {"cancel", "breakthrough", "exploit"} & parts.keys()


@pytest.mark.parametrize(
    ("words", "policy"),
    [
        ("all no-retreat no withdraw 2", {"no-retreat": "no", "withdraw": "2"}),
        ("no-retreat none", {"withdraw": "1"}),
        ("b1 no-retreat yes", {"no-retreat": "yes", "withdraw": "1", "battles": {"b1": {"no-retreat": "yes"}}}),
    ],
)
def test_an_answer_says_no_and_takes_back_6_0(words, policy):
    state = wait_for_answer(place(AT_T15), attack("T15", "g-48pzk g-2ss"))
    ask = asking(state, {"policy": {"no-retreat": "yes", "withdraw": "1"}})
    assert {"all", "b1"} <= dict(offered("answer", ask)[""].among).keys()
    assert offered("answer", ask, "all")["no-retreat"].chosen == ("yes",)
    assert offered("answer", ask, "b1")["no-retreat"].chosen == ()
    assert written("answer", ask, words)["policy"] == policy
    (told,) = [edit.said for edit in VERBS["answer"].write(ask, ["all", "retreat", "away", "s15", "u16"])]
    assert told == "retreat away S15, U16"
    for off in ("retreat none", "t15 withdraw none", "intercept nobody"):
        (edit,) = VERBS["answer"].write(ask, off.split())
        assert edit.said.endswith(f"{off.split()[-2]} is not in this draft")
        assert edit_draft(ask.draft, [edit]) == ask.draft


def led_on(setting, state):
    """Return the position after a draft's orders up to and including a phase, as on a desk."""

    def at(draft, until):
        orders, _plans = RULESET.seal(setting, draft.get("orders", {}), 9)
        umpire, filing = Umpire(setting, state, 9), Filing(9, state.side, orders=orders)
        with suppress(GameEnded):
            for phase in sequence.list_stages(setting)[state.stage].phases:
                if phase.when is None or phase.when(umpire, filing):
                    phase.run(umpire, filing)
                if phase.key == until:
                    break
        return umpire.state

    return at


def test_every_verb_has_lists_and_what_is_not_possible_has_nothing_in_them():
    assert all(verb.clauses for verb in list_verbs(july()))
    state = place("T15: r-57a | S15: g-11k")
    for name in ("keil", "emplace", "road", "return"):
        assert not any(clause.among for clause in offered(name, asking(state)).values()), name


def test_a_panzerkeil_and_artillery_are_offered_while_they_can_be_ordered_14_1_14_2():
    ask = asking(place("S15: g-2ss; keil g-2ss E"))
    assert [text for _uid, text in VERBS["keil"].clauses(ask, ())[0].among] == ["II SS Pz, S15, faces E"]
    draft = written("keil", ask, "g-2ss NW")
    assert "faces NW" in VERBS["keil"].clauses(asking(ask.state, draft), ())[0].among[0][1]
    ask = asking(place("T15: r-4ak r-2ak; emplaced r-2ak; stage russian-orders"))
    assert dict(offered("road", ask)[""].among).keys() == {"r-2ak"}
    assert dict(offered("emplace", ask)[""].among).keys() == {"r-4ak"}
    assert not offered("emplace", asking(ask.state, written("emplace", ask, "r-4ak")))[""].among


def test_a_move_is_chosen_unit_first_and_may_be_changed_13_0():
    state = place(AT_T15)
    ask = asking(state, ahead=led_on(july(), state))
    assert dict(offered("move", ask)[""].among).keys() == {"g-48pzk", "g-2ss"}
    assert "R15" in dict(offered("move", ask, "g-2ss")["to"].among)
    ask = asking(state, written("move", ask, "g-2ss to R15"), ahead=ask.at)
    assert ask.draft["orders"]["movement"] == [{"unit": "g-2ss", "to": "R15"}]
    assert "g-2ss" not in dict(offered("move", ask)[""].among)
    assert written("move", ask, "g-2ss to S17")["orders"]["movement"] == [{"unit": "g-2ss", "to": "S17"}]


def test_a_strike_is_offered_in_range_and_once_20_3():
    setting = july(flown="flown")
    strike = next(verb for verb in list_verbs(setting) if verb.name == "strike")
    state = place("T15: r-57a | A3: r-3a | S15: g-2ss", setting)
    ask = asking(state, setting=setting)
    struck = {label for label, _text in strike.clauses(ask, ())[0].among}
    assert "T15" in struck
    (planes,) = strike.clauses(ask, ("T15",))
    draft = edit_draft({}, strike.write(ask, f"T15 with {planes.among[0][0]}".split()))
    more = asking(state, draft, setting=setting)
    assert strike.clauses(more, ("T15",))[0].chosen == (planes.among[0][0],)
    both = " ".join(plane for plane, _text in planes.among)
    assert len(edit_draft(draft, strike.write(more, f"T15 with {both}".split()))["orders"]["aircraft"]) == 1


def test_tank_units_are_offered_where_the_turn_ends_and_factors_are_there_11_2():
    state = place("T15: r-57a | S15: g-2ss; stage russian-orders; factors 3")
    ask = asking(state, ahead=led_on(july(), state))
    parts = VERBS["return"].clauses(ask, ())
    assert [dict(clause.among) for clause in parts][1].keys() == {"A12", "L15"}
    cost = {uid: july().counters[uid].attack for uid, _text in parts[0].among}
    assert 0 < max(cost.values()) <= 3 + july().factors
    more = asking(state, written("return", ask, f"{min(cost)} to L15"), ahead=ask.at)
    assert min(cost) not in dict(VERBS["return"].clauses(more, ())[0].among)
    assert [bool(VERBS["attack"].clauses(each, ())[0].among) for each in (ask, more)] == [True, False], "19.1"
    last = state.with_(turn=july().turns[-1])
    ask = asking(last, ahead=led_on(july(), last))
    assert not any(clause.among for clause in VERBS["return"].clauses(ask, ()))


def test_armour_is_placed_where_there_is_room_17_2():
    setting = july("by-choice")
    state = RULESET.data.setup(setting)
    ask = asking(state, setting=setting)
    units = dict(VERBS["place"].clauses(ask, ())[0].among)
    assert units.keys() == {*setup.list_free_units(setting, "german")}
    uid, *others = units
    spots = dict(VERBS["place"].clauses(ask, (uid,))[0].among)
    draft = written("place", ask, f"{uid} to {min(spots)}")
    assert draft == {"seal": {setup.HALF: {uid: min(spots)}}}
    placed = asking(state, draft, setting=setting)
    assert VERBS["place"].clauses(placed, (uid,))[0].chosen == (min(spots),)
    assert min(spots) in units[uid] or f"in {min(spots)}" in dict(VERBS["place"].clauses(placed, ())[0].among)[uid]
    full = next(iter(set(VERBS["place"].clauses(ask, (others[0],))[0].among)))[0]
    taken = {"seal": {setup.HALF: dict.fromkeys(others[1:4], full)}}
    (then,) = VERBS["place"].clauses(asking(state, taken, setting=setting), (others[0],))
    assert full not in dict(then.among)


def test_words_of_a_plan_are_no_heads_cut_short_6_0():
    """Bug: 'forced AD' began 'advance'. A hex may name the joined attack."""
    ask = asking(place(AT_T15 + " | T16: r-40a"))
    (order,) = written("attack", ask, "T15 with all forced D1 ad x advance g-2ss")["orders"]["battles"]
    assert (order["forced"], order["advance"]) == (["D1", "AD", "X"], ["g-2ss"])
    draft = written("attack", ask, "T16 with g-2ss")
    second = written("attack", asking(ask.state, draft), "T15 with g-48pzk breakthrough T14 join T16 join b-later")
    assert second["orders"]["battles"][1]["breakthrough"] == ["T14", "join b-t16", "join b-later"]


def test_where_answers_stand_beforehand_they_are_for_hexes_6_0():
    setting, state = july(refereed=True), place("T15: r-57a | S15: g-2ss; stage russian-orders")
    ask = asking(state, setting=setting)
    assert dict(VERBS["answer"].clauses(ask, ())[0].among).keys() == {"all", "T15"}
    draft = written("answer", ask, "T15 no-retreat yes")
    again = asking(state, draft, setting=setting)
    assert VERBS["answer"].clauses(again, ("T15",))[0].chosen == ("yes",)


def test_all_attackers_may_be_meant_in_a_plan():
    (order,) = written("attack", asking(place(AT_T15)), "T15 with all advance all losses g-2ss")["orders"]["battles"]
    assert order["advance"] == order["attackers"] == ["g-2ss", "g-48pzk"]


def test_what_is_offered_says_what_it_means_7_0():
    """A Russian presses at a greater risk; the form explains defaults, and omits useless odds."""
    german = offered("attack", asking(place("T15: r-11ga | S15: g-2ss")), "T15")
    russian = offered("attack", asking(place("T15: g-2ss | T16: r-11ga; stage russian-orders")), "T15")
    assert dict(german["pressed"].among)["yes"].endswith("three a column lower")
    assert dict(russian["pressed"].among)["yes"].endswith("three two columns lower")
    assert german["advance"].usual == "into the hex"
    listed = [word.removeprefix("below ") for word, _text in german["cancel"].among]
    assert listed == ["1:4", "1:3", "1:2", "1:1", "3:2", "2:1", "3:1"]
    draft = written("attack", asking(place(AT_T15)), "T15 with g-2ss pressed yes exchange no")
    again = asking(place(AT_T15), written("attack", asking(place(AT_T15), draft), "T15 pressed none exchange none"))
    parts = offered("attack", again, "T15")
    assert (parts["pressed"].chosen, parts["exchange"].chosen) == ((), ())


def test_what_an_order_takes_is_said_in_words_of_the_game():
    """No constant of the program appears."""
    assert [(verb.name, verb.usage) for verb in list_verbs(july()) if "_" in verb.usage] == []
    assert {verb.name for verb in list_verbs(july()) if "UNITS" in verb.usage} == {"emplace", "road", "attack"}


def test_a_move_takes_the_place_of_every_move_that_the_unit_had_13_0():
    ordered = [{"unit": uid, "to": to} for uid, to in (("g-2ss", "S15"), ("g-48pzk", "R15"), ("g-2ss", "R16"))]
    after = written("move", asking(place(AT_T15), {"orders": {"movement": ordered}}), "2 ss r17")
    assert after["orders"]["movement"] == [ordered[1], {"unit": "g-2ss", "to": "R17"}]


@pytest.mark.parametrize(
    ("stands", "words", "told"),
    [
        ("S15: g-12pz | S16: g-4pz", "12 pz s14", "1 MP"),
        ("S15: g-12pz | S10: g-4pz", "12 pz r14 r13 r12 r11 r10", "6 MP, with the bonus: the unit does not attack"),
        (
            "S15: g-12pz | S14: g-4pz g-5pz g-10pzg",
            "12 pz s14",
            "1 MP; over the stacking limit in S14, and therefore Disrupted",
        ),
        (
            "T15: g-12pz | R14: r-57a | R16: r-38a | T13: r-40a | T17: r-6a | V14: r-69a | V16: r-60a",
            "12 pz t14",
            "1 MP; out of supply, and therefore Disrupted after the move",
        ),
        ("S15: r-57a | S14: g-503; stage russian-orders", "57a s14", "1 MP; entering S14 runs over g-503"),
        ("S15: r-57a | S14: g-503 g-505; stage russian-orders", "57a s14", ""),
    ],
)
def test_what_comes_with_a_move_is_said_with_it_12_0_13_2_13_4_16_2(stands, words, told):
    (said,) = [edit.said for edit in VERBS["move"].write(asking(place(stands)), words.split()) if edit.said]
    assert said.partition(", ")[2] == told


# Sloppy typing


def test_an_attack_that_is_pressed_says_so_7_0():
    ask = asking(place(AT_T15))
    assert (
        "; pressed; push 2" in VERBS["attack"].write(ask, ["T15", "with", "all", "pressed", "yes", "push", "2"])[0].said
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [("T15", "type the attackers of T15"), ("S15", "S15 holds no enemy unit"), ("S16", "S16 holds no enemy unit")],
)
def test_nobody_is_told_to_attack_where_there_is_no_enemy_3_0(words, says):
    with pytest.raises(UsageError, match=says):
        VERBS["attack"].write(asking(place(AT_T15)), words.split())


def test_nobody_is_told_to_attack_with_units_that_may_not_3_0():
    ask = asking(place(f"{AT_T15} | T16: r-38a"))
    draft = written("attack", ask, "T15 with all")
    with pytest.raises(
        UsageError, match="no unit adjacent to T16 may attack now; type 'attack T16 with UNIT'"
    ) as error:
        VERBS["attack"].write(asking(ask.state, draft), ["T16"])
    assert "with all" not in error.value.message


def test_nobody_attacks_where_nobody_stands_beside_3_0():
    ask = asking(place(f"{AT_T15} | D11: r-38a"))
    with pytest.raises(UsageError, match="you cannot attack D11: you have no adjacent unit"):
        VERBS["attack"].write(ask, ["D11"])


def test_how_far_an_attack_drives_them_is_push_2_0_dn():
    with pytest.raises(UsageError, match="'push 0', 'push 1' or 'push 2'"):
        VERBS["attack"].write(asking(place(AT_T15)), ["T15", "retreat", "2"])


def test_an_attack_is_called_off_for_another_by_its_hex_3_0_cancel():
    ask = asking(place(AT_T15))
    draft = written("attack", ask, "T15 with g-2ss cancel unless s14")
    assert draft["orders"]["battles"][0]["cancel"] == ["unless b-s14"]
    draft = written("attack", ask, "T15 with g-2ss cancel below 2:1 unless prokhorovka")
    assert draft["orders"]["battles"][0]["cancel"] == ["below 2:1", "unless b-o10"]


def test_a_breakthrough_that_names_no_attack_to_join_is_not_written_2_0_breakthrough():
    with pytest.raises(UsageError, match="type the attack to join, by its hex or name"):
        written("attack", asking(place(AT_T15)), "T15 with g-2ss breakthrough u15 join")


@pytest.mark.parametrize(
    "words", ["unless s14 none", "unless none", "unless", "below", "below 9:1", "s14", "below 2:1 s14"]
)
def test_what_does_not_say_when_an_attack_is_called_off_is_not_written_3_0_cancel(words):
    why = "has no condition: write 'cancel unless i9' or 'cancel below 2:1'"
    with pytest.raises(UsageError, match=why):
        written("attack", asking(place(AT_T15)), f"T15 with g-2ss cancel {words}")


def test_no_retreat_may_be_two_words_or_one_6_0():
    ask = asking(wait_for_answer(place(AT_T15), attack("T15", "g-48pzk g-2ss")))
    assert [written("answer", ask, f"T15 {words} yes")["policy"] for words in ("no retreat", "noretreat")] == [
        {"hexes": {"T15": {"no-retreat": "yes"}}}
    ] * 2
    both = written("answer", ask, "T15 no-retreat no retreat away s15")["policy"]["hexes"]["T15"]
    assert both == {"no-retreat": "no", "retreat": ["away S15"]}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("T15 exchange no", "'exchange' is a word of attacks"),
        ("T15 push 2", "'push' is a word of attacks"),
        ("2 ss withdraw 1", "there is no hex or unit of yours"),
    ],
)
def test_what_is_no_answer_is_called_so_6_0(words, says):
    ask = asking(wait_for_answer(place(AT_T15), attack("T15", "g-48pzk g-2ss")))
    with pytest.raises(UsageError, match=says):
        VERBS["answer"].write(ask, words.split())


def test_an_answer_is_taken_out_as_a_whole_6_0():
    ask = asking(wait_for_answer(place(AT_T15), attack("T15", "g-48pzk g-2ss")))
    draft = written("answer", ask, "T15 no-retreat yes withdraw 2")
    draft = written("answer", asking(ask.state, draft), "S15 withdraw 1")
    draft = written("answer", asking(ask.state, draft), "T15 none")
    assert draft["policy"]["hexes"] == {"S15": {"withdraw": "1"}}
    draft = written("answer", asking(ask.state, draft), "S15 withdraw none")
    assert not draft["policy"].get("hexes")


def test_artillery_that_is_to_stay_after_all_is_taken_off_the_road_14_2():
    ask = asking(place(f"{AT_T15} | T17: r-4ak | T16: r-2ak; stage russian-orders"))
    draft = written("road", ask, "r-4ak r-2ak")
    assert draft["orders"]["road"] == ["r-4ak", "r-2ak"]
    again = written("emplace", asking(ask.state, draft), "r-4ak")
    assert again["orders"] == {"road": ["r-2ak"]}


def test_what_is_taken_off_an_attack_leaves_nothing_behind_2_0():
    ask = asking(place(AT_T15))
    draft = written("attack", ask, "T15 with all losses g-2ss")
    after = written("attack", asking(ask.state, draft), "T15 losses none")["orders"]["battles"][0]
    assert "losses" not in after
