"""The words of ``kursk order``: each word writes the player's order, and asks instead of guessing."""

from dataclasses import replace

import pytest
from helpers import registry
from helpers.signed_play import Table

from kursk_pbem.desk.draft import cautions, drafts, examples, ordering, wording
from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy
from kursk_pbem.rulesets.battle_for_kursk.seen import verbs_battle
from rulesets.battle_for_kursk.first_turn import OPENING, SEAL_2, fought

KIT = registry.kit("battle-for-kursk")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Games in which the Russian opens, the German orders, the Russian answers, the Russian orders after the dice."""

    def table(name, turns):
        with entropy.fix_random_bytes("verbs"):
            made = Table(tmp_path_factory.mktemp(name)).begin()
            for content in turns:
                made.turn(content)
            return made

    with entropy.fix_random_bytes("verbs"):
        after = fought(Table(tmp_path_factory.mktemp("fought")).begin())
    engage = {"posture/turn-1": {"posture": "engage", "reaction": "no"}}
    battle = {"id": "oboyan", "hex": "2015", "attackers": ["g-48-pz", "g-3-pz", "g-52"]}
    declared = {"choice": engage, "waive": "posture", "orders": {"battles": [battle]}}
    return {
        "opening": table("opening", ()),
        "posture": table("posture", (OPENING,)),
        "answer": table("answer", (OPENING, declared)),
        "moving": table("moving", (OPENING, declared, {"policy": {}})),
        "russian": after,
        "second": table("second", (OPENING, {**declared, "orders": {}}, SEAL_2)),
    }


@pytest.fixture
def order(tables):
    """Write orders into a new draft of one of the games; return the result."""

    def ordered(where, text):
        desk = tables[where].due.desk
        drafts.write_draft(desk, force=True)
        return ordering.write_orders(ordering.open_draft(desk), ordering.split_orders(text))

    return ordered


def content(done):
    return done.sheet.choices


def back(order, where, text):
    with pytest.raises(UsageError) as error:
        order(where, text)
    return error.value.message


@pytest.mark.some(3)
@pytest.mark.parametrize("said", ["move 24 pz 2219", "rail g-35 2110", "march 2 ss 2016"])
def test_a_forgotten_hex_is_met_with_an_example_of_the_same_word(order, said):
    assert f"the hex is missing: say where 24 pz goes, as in '{said}'" in back(
        order, "posture", f"{said.split()[0]} 24 pz"
    )


def test_an_answer_is_shown_whatever_the_battle_is_called(tables):
    """Bug: the list had no answer unless a battle had the name in the fixed example."""
    sheet = ordering.open_draft(tables["answer"].due.desk)
    answer = next(verb for verb in sheet.verbs if verb.name == "answer")
    found = examples.Examples(sheet).of(replace(answer, example="answer ponyri dr full"))
    assert found == "answer all exchange-dr never"  # no defender is in a Major City: to stand fast has no effect


def test_12_0_2_a_posture_is_sealed_or_chosen_as_the_message_wants_it(order):
    assert content(order("opening", "posture engage"))["seal"]["posture/turn-1"]["posture"] == "engage"
    done = order("posture", "posture pause reaction")
    assert content(done)["choice"] == {"posture/turn-1": {"posture": "pause", "reaction": "yes"}}
    assert [each.rule for each in done.checked.result.violations] == ["12.0-3"]  # waived, and depends on the other
    for said in ("pause reaction yes", "pause reaction no"):  # as the draft writes it
        assert content(order("posture", f"posture {said}"))["choice"]["posture/turn-1"]["reaction"] == said.split()[-1]
    assert "a reaction is one of yes, no; found 'often'" in back(order, "posture", "posture pause reaction often")
    assert content(order("russian", "posture pause"))["seal"] == {
        "posture/turn-2": {"posture": "pause", "reaction": "no"}
    }
    assert "a posture is one of pause, reposition, deploy, engage; found 'attack'" in back(
        order, "posture", "posture attack"
    )


def test_10_6_proposed_give_ups_follow_the_posture_and_own_ones_stay(order):
    needed = {}
    for name in ("reposition", "pause", "deploy"):
        done = order("second", f"posture engage, posture {name}")
        assert [each for each in done.checked.result.violations if each.rule == "10.6"] == [], name
        needed[name] = content(done)["orders"].get("give-ups", [])
    assert len({len(each) for each in needed.values()}) > 1, needed
    told = order("second", "give-up 13, 35").said  # the last word counts, as it says
    assert told[1] == "a step is given up by XXXV (g-35), instead of XIII (g-13)"
    kept = order("second", "give-up g-13 g-13 g-35, posture pause")
    assert content(kept)["orders"]["give-ups"] == ["g-13", "g-13", "g-35"]
    assert not any(content(order("second", "wait, posture pause"))["orders"].values())


def test_12_0_2_k_81_wait_takes_the_orders_out(order):
    done = order("posture", "move 24 pz 2219, attack 2011 with all, wait")
    assert "waive" not in content(done)
    assert not any(content(done)["orders"].values())
    assert done.checked.result.legal
    assert content(order("posture", "wait, waive"))["waive"] == "posture"


def test_6_0_short_scenario_steps_are_exchanged(order):
    before = content(order("opening", "posture pause"))["orders"]["distribution"]
    done = order("opening", "distribute r-40 for 37")
    assert content(done)["orders"]["distribution"] == [each for each in before if each != "r-37"] + ["r-40"]
    assert done.checked.result.legal
    assert "r-40 is not in the list" in back(order, "opening", "distribute 37 for 40 army")
    few = order("opening", "distribute 40 13")
    assert content(few)["orders"]["distribution"] == ["r-40", "r-13"]
    assert {each.rule for each in few.checked.result.violations} == {"6.0-short-scenario"}


def test_8_0_a_move_finds_its_way_where_earlier_orders_leave_it(order):
    alone = order("posture", "posture reposition, move 2 ss 2016")
    assert alone.said[-1] == "2 SS Pz (g-2-ss) from 2117 Kharkov to 2016"  # another unit is there
    assert [each.rule for each in alone.checked.result.violations] == ["8.2.2"]
    after = order("posture", "posture reposition, move 48 pz 1917, move 2 ss 2016")
    assert after.checked.result.legal
    assert after.said[-1].startswith("2 SS Pz (g-2-ss) from 2117 Kharkov to 2016: ")
    assert after.said[-1].endswith(" MP")


def test_8_0_a_way_goes_over_the_hexes_that_were_named(order):
    done = order("posture", "posture reposition, move 24 pz via 2222 2121")
    path = content(done)["orders"]["movement"][0]["path"]
    assert "2222" in path
    assert path[-1] == "2121"
    assert done.checked.result.legal
    assert content(order("posture", "posture reposition, move 24 pz to 2121"))["orders"]["movement"] == [
        {"unit": "g-24-pz", "to": "2121"}
    ]


def test_8_1_a_move_takes_the_phase_in_which_it_comes_there(order):
    for posture, text, key in (
        ("engage", "move 24 pz 2219", "armor-and-rail"),
        ("reposition", "move 24 pz 2219", "movement"),
        ("engage", "march 24 pz 2219", "movement"),
        ("engage", "move g-esebeck 2010", "armor-and-rail"),
        ("deploy", "move g-57-pz 2219", "armor-and-rail"),
        ("deploy", "move g-11 2217", "movement"),
    ):
        orders = content(order("posture", f"posture {posture}, {text}"))["orders"]
        assert [name for name, moves in orders.items() if moves] == [key], text


def test_a_unit_has_one_move_in_a_phase_and_the_last_word_counts(order):
    done = order("posture", "move 24 pz 2219, move 41 pz 2010, move 24 pz 2220")
    assert content(done)["orders"]["armor-and-rail"] == [
        {"unit": "g-41-pz", "to": "2010"},
        {"unit": "g-24-pz", "to": "2220"},
    ]


def test_9_0_an_attack_without_attackers_asks_who(order):
    told = back(order, "posture", "attack 2015")
    for each in ("as in 'attack 2015 all'", "g-48-pz (48 Pz", "g-52 (LII", "together 24:8 = 3:1", "g-3-pz can"):
        assert each in told
    assert "no enemy is in 2213; 'kursk order attack' alone" in back(order, "posture", "attack 2213")
    assert "adjacent to the enemy in 2412; 'kursk moves --to 2412'" in back(order, "posture", "attack 2412")
    assert "name the support of g-3-pz" in back(order, "posture", "attack 2015 with all lead 3")


def test_9_2_1_who_cannot_lead_is_told_why_and_who_can(order):
    """Bug: the answer was 'name another' even if every attacker is infantry, and asked 'say who supports g-30' of an
    infantry unit."""
    markers = (
        "2011 all lead 41 support 23, attack 2015 with 48 lead 48 support 2 ss, attack 2419 all lead 40 support 30"
    )
    for words, why in (
        ("2015 with all lead 24 pz", "g-24-pz does not attack 2015"),
        ("2015 with all lead 52", "g-52 is neither armor nor shock"),
        ("2620 with 30 4 lead 40 pz", "g-40-pz does not attack 2620"),
        ("2620 with 30 4 lead 30", "g-30 is neither armor nor shock"),
        ("2218 with 57 pz 42 lead 57 pz", "g-57-pz has no free unit in support"),
        ("2015 with 48 pz 3 pz, attack 2115 with 48 pz lead 48 pz", "g-48-pz fights in b2015"),
        (f"{markers}, attack 2115 with 3 pz lead 3 pz", "g-3-pz needs an Offensive marker, and no marker is left"),
    ):
        others = "; attackers able to lead: g-3-pz, g-48-pz" if words.startswith("2015 with all") else ""
        lead, _space, lack = why.partition(" ")
        told = back(order, "posture", f"attack {words}")
        assert told == f"{lead} cannot lead an Offensive: the unit {lack}{others}"


def test_9_0_who_fights_elsewhere_is_no_candidate_of_a_second_attack(order):
    """'Say who attacks, as in attack 2112 all' was the answer to 'attack 2112 all'; a lead and support were busy."""
    two = "attack 2011 all lead 41 support 23, attack 2015 with 48 lead 48 support 2 ss"
    assert back(order, "posture", f"{two}, attack 2112 all") == "no unit is free to attack 2112: g-41-pz is in b2011"
    told = back(order, "posture", f"{two}, attack 2115")
    assert "together 9:9 = 1:1, shifts -1 = below 1:1, no attack\n  g-3-pz can lead, g-11 in support" in told
    last = "attack 2419 all lead 40 support 30"  # the third of three markers
    assert "lead" not in back(order, "posture", f"{two}, {last}, attack 2115")


def test_9_2_1_an_attack_with_its_offensive_and_plan(order):
    who = "attack 2015 with 48 pz 3 g-52 lead 3 support all as oboyan"
    done = order("posture", f"{who} retreat away kursk 2014 losses 52 48 advance 48 if-free 3 pz if-supplied")
    assert content(done)["orders"]["battles"] == [
        {
            "id": "oboyan",
            "hex": "2015",
            "attackers": ["g-48-pz", "g-3-pz", "g-52"],
            "offensive": {"lead": "g-3-pz", "support": ["g-11", "g-2-ss"]},
            "retreat": ["away 2113", "2014"],
            "losses": ["g-52", "g-48-pz"],
            "advance": ["g-48-pz if-free", "g-3-pz if-supplied"],
        }
    ]
    assert done.checked.result.legal
    assert "by g-48-pz, g-3-pz, g-52, led by g-3-pz, in support g-11, g-2-ss: 24:8 = 3:1, shifts +1" in done.said[0]


def test_9_0_once_per_combat_phase_all_are_those_that_are_free(order):
    done = order("posture", "attack 2011 with 46 47, attack 2010 with all")
    taken = [uid for each in content(done)["orders"]["battles"] for uid in each["attackers"]]
    assert len(taken) == len(set(taken))


def test_a_battle_is_amended_by_its_hex_or_its_name(order):
    done = order(
        "posture", "attack 2015 with 48 3 52 as oboyan, attack 40 army lead 3 pz support 11 2 ss, plan oboyan losses 52"
    )
    (battle,) = content(done)["orders"]["battles"]
    assert battle["offensive"] == {"lead": "g-3-pz", "support": ["g-11", "g-2-ss"]}
    assert battle["losses"] == ["g-52"]
    assert battle["attackers"] == ["g-48-pz", "g-3-pz", "g-52"]


def test_12_0_2_with_battles_the_next_posture_waits_for_their_dice(order):
    done = order("russian", "attack 2209 with all")
    assert "seal" not in content(done)
    assert "posture/turn-2 is removed: seal it in your next message, with their dice" in done.said
    assert done.checked.result.legal


def test_10_0_steps_are_gained(order):
    done = order("russian", "replace 46 12")
    assert content(done)["orders"]["replacements"] == [
        {"unit": "r-46", "gain": "flip"},
        {"unit": "r-12", "gain": "flip"},
    ]
    again = order("russian", "replace 46, replace 46")
    assert content(again)["orders"]["replacements"] == [{"unit": "r-46", "gain": "flip"}]


def test_10_0_an_attack_is_echoed_with_the_steps_that_are_gained_before_it_in_the_line(order):
    first, last = (
        order("russian", line) for line in ("replace 6, attack 2217 with 6", "attack 2217 with 6, replace 6")
    )
    assert "8:5 = 1:1" in first.said[1]
    assert "4:5 = 1:2" in last.said[0]
    assert first.checked.result.legal
    assert last.checked.result.legal


def test_k_73_answers_for_a_battle_a_unit_a_hex_and_the_side(order):
    done = order(
        "answer",
        "answer stand doomed, answer oboyan dr full drl always, answer r-40 dr never, answer kursk stand always",
    )
    assert content(done)["policy"] == {
        "stand-fast": "doomed",
        "battles": {"oboyan": {"exchange-dr": "full", "exchange-drl": "always"}},
        "units": {"r-40": {"exchange-dr": "never"}},
        "hexes": {"2113": {"stand-fast": "always"}},
    }
    assert done.checked.result.legal
    assert "when exchange-dr is one of never, doomed" in back(order, "answer", "answer dr sometimes")
    done = order("answer", "answer stand doomed, answer stand none, answer oboyan dr none")
    assert done.said[1:] == ("stand-fast taken back for all your units", "exchange-dr is not in this draft in oboyan")
    assert not content(done)["policy"]


def test_every_word_has_an_example_that_its_own_words_understand(order, tables):
    """An example may be illegal or misplaced in the tested position, but its form is understood."""
    game = tables["posture"].game
    verbs = game.ruleset.seen.verbs(game.setting)
    read = {
        field
        for stage in game.ruleset.play.stages(game.setting).values()
        for phase in stage.phases
        for field in (phase.key, *phase.reads)
    }
    for verb in verbs:
        assert verb.example.split()[0] == verb.name
        assert set(verb.fields) <= read, verb.name
    for where, text in (
        ("posture", "objective orel"),
        ("posture", "give-up g-40-pz"),
        ("posture", "rail g-35 2110"),
        ("posture", "march 2 ss 2016"),
        ("posture", "return g-52 2116"),
        ("posture", "move 24 pz 2219"),
        ("posture", f"{verbs_battle.EXAMPLE}, plan b2015 losses g-52 advance 48 pz if-free"),
        ("answer", "answer oboyan dr full drl always"),
    ):
        assert order(where, text).said, text


def test_9_3_one_hex_is_named_where_a_unit_returns(order):
    """Bug: the last of several hexes was taken without a word about the others."""
    with pytest.raises(UsageError, match="say one hex in each order"):
        order("posture", "return g-52 2116 2117")


def test_where_no_battle_is_left_nothing_can_be_planned(order):
    """Bug: after the dice, an attack was advised, but the message has no attacks."""
    for where, said in (
        ("moving", "no plan is possible: this message declares no battle"),
        ("posture", "no battle is declared yet: 'attack "),
    ):
        with pytest.raises(UsageError, match=said):
            order(where, "plan b2015 losses g-52")
    assert back(order, "moving", "attack 2015 all").endswith("move, march, note, undo and redo")


def test_12_0_2_no_word_is_offered_for_a_posture_that_the_weather_die_comes_before(tmp_path, tables):
    """K-85: in a campaign with a weather die the acceptance seals nothing, and distributes nothing (6.0)."""
    offered = {}
    for name, table in (
        ("die", Table(tmp_path, "battle-for-kursk/campaign", {"weather": "die"}).begin()),
        ("short", tables["opening"]),
    ):
        sheet = ordering.open_draft(table.due.desk)
        offered[name] = [verb.name for verb in sheet.verbs if wording.is_possible(sheet, verb)]
    assert offered == {"die": [], "short": ["posture", "distribute"]}


def test_12_0_3_a_reaction_without_a_pause_or_a_marker_is_told_to_be_vain(tmp_path, tables):
    """K-10: in turn A of the campaign no side has an Offensive marker; only a pausing side may react."""
    told = []
    for table in (Table(tmp_path, "battle-for-kursk/campaign").begin(), tables["opening"]):
        desk = table.due.desk
        for chosen in ("pause", "reposition"):
            drafts.write_draft(desk, force=True)
            done = ordering.write_orders(ordering.open_draft(desk), ordering.split_orders(f"posture {chosen} reaction"))
            told.append([left.text for left in cautions.weigh_draft(desk, done.checked)[0] if left.rule == "12.0-3"])
    paid, paused = "no Offensive marker is left to pay for the reaction", "only a side with the posture pause may react"
    vain = [[f"the reaction has no effect: {why}"] for why in (paid, paused)]
    assert told == [*vain, [], vain[1]]


def test_12_0_3_the_list_of_postures_says_what_a_reaction_stands_behind(order):
    """It named 'reaction' beside the postures, as if 'posture reaction' could be typed."""
    assert "  reaction (after 'pause': a marker for an emergency reaction)" in back(order, "opening", "posture")


def test_10_5_who_can_gain_a_step_is_named_as_far_as_points_are_left(tmp_path):
    """Turn A of the campaign: an infantry point with deploy, no point with engage; a gain of the last point ends the
    list."""
    sealed = {"seal": {"posture/turn-a": {"posture": "reposition", "reaction": "no"}}}
    table = Table(tmp_path, "battle-for-kursk/campaign").begin()
    table.turn(sealed)
    desk = table.due.desk
    drafts.write_draft(desk, force=True)
    named = []
    for text in ("posture engage", "posture deploy", "replace 13"):
        done = ordering.write_orders(ordering.open_draft(desk), ordering.split_orders(text))
        _verb, (clause,) = ordering.list_clauses(done.sheet, "replace", ())
        named.append({word for word, _more in clause.among})
    assert named == [set(), {"g-13", "g-29", "g-4", "g-7"}, set()]


def test_11_1_in_mud_a_move_is_one_hex_and_not_so_many_points(tmp_path):
    """Bug: for an adjacent open hex the output stated 6 of 6 MP for a panzer corps; by rail the points apply in mud,
    too."""
    table = Table(tmp_path, "battle-for-kursk/campaign").begin()
    table.turn({"seal": {"posture/turn-a": {"posture": "pause", "reaction": "no"}}})
    drafts.write_draft(table.due.desk, force=True)
    done = ordering.write_orders(
        ordering.open_draft(table.due.desk), ordering.split_orders("move 47 pz 1910, rail 35 2110, march 12 1606")
    )
    assert [said.rpartition(", ")[2] for said in done.said] == ["one hex in mud", "1 of 4 MP", "one hex in mud"]
    drafts.write_draft(table.due.desk, force=True)
    battle = ordering.write_orders(ordering.open_draft(table.due.desk), ordering.split_orders("attack 1912 all"))
    done = ordering.try_orders(
        battle.sheet, ordering.split_orders("move 12 1606")
    )  # 'costs 7 of 4', by rail, of the hex beside it
    (fault,) = ordering.find_faults(battle.sheet, done)[0]
    assert (fault.rule, fault.message.partition(":")[0]) == ("9.0", "movement follows the dice of the declared battles")


def test_12_0_what_is_listed_of_the_coming_turn_is_what_can_be_sealed_for_it(tmp_path):
    """Bug: the list was for the ending turn: after a pause the list had Deploy, which the rules refuse, and no new
    marker."""
    table = Table(tmp_path, "battle-for-kursk/campaign").begin()
    wait = {"choice": {"posture/turn-a": {"posture": "pause", "reaction": "no"}}, "waive": "posture"}
    table.turn({"seal": {"posture/turn-a": {"posture": "pause", "reaction": "no"}}})
    table.turn(wait)
    offered = []
    for coming, sealed in (("b", "reposition"), ("c", "deploy")):
        drafts.write_draft(table.due.desk, force=True)
        _verb, clauses = ordering.list_clauses(ordering.open_draft(table.due.desk), "posture", ())
        offered.append([word for clause in clauses for word, _more in clause.among])
        table.turn({"seal": {f"posture/turn-{coming}": {"posture": sealed, "reaction": "no"}}})
        table.turn({**wait, "choice": {f"posture/turn-{coming}": {"posture": "pause", "reaction": "no"}}})
    assert offered == [["pause", "reposition"], ["pause", "reposition", "deploy", "engage", "reaction"]]


def test_6_0_one_unit_for_another_is_the_example_whatever_was_exchanged_before(order):
    """Bug: after an exchange of the unit in the fixed example, all 25 units of the draft became the example."""
    sheet = order("opening", "distribute 40 for 37, 70 for 39").sheet
    (verb,) = (verb for verb in sheet.verbs if verb.name == "distribute")
    assert examples.Examples(sheet).of(verb) == "distribute 1 gmc for 1 g"


def test_10_5_who_comes_back_is_listed_as_far_as_points_are_left(order):
    """Bug: the list had an eliminated unit with hexes but without a point, and the rules refused the unit."""
    offered = []
    for words in ("note ready", "replace 46"):
        sheet = order("russian", words).sheet
        gone = {uid: replace(sheet.state.units[uid], place="eliminated", steps=0) for uid in ("r-40", "r-1-gtc")}
        lost = replace(sheet, state=sheet.state.with_(units={**sheet.state.units, **gone}))
        _verb, clauses = ordering.list_clauses(lost, "rebuild", ())
        offered.append([word for clause in clauses for word, _more in clause.among])
    assert offered == [["r-40", "2113"], []]  # one point of infantry, no point of armor
