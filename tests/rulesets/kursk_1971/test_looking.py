"""Views before a choice: drafts, moves, reasons, odds, tables, unused units, headlines, the picture."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise

import pytest
from helpers import finished_games
from helpers.replays import replayed

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import strictyaml
from kursk_pbem.kernel.account.battles import clashes, write_headline
from kursk_pbem.kernel.account.lines import GROUND
from kursk_pbem.kernel.events import Fought, PhaseBegan, Placed
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.report import moves, textmap
from kursk_pbem.rulesets.kursk_1971 import RULESET
from kursk_pbem.rulesets.kursk_1971.seen import exact_odds, headlines, hints, outlook, picture, tables, unused, wording
from rulesets.kursk_1971.board import at, attack, bare, events, fight, go, legal, play, raid, shipped

HISTORICAL = shipped()
START = RULESET.data.setup(HISTORICAL)
BESIDE = {"1514": "g-gd g-110", "1513": "s-1t s-5t", "1510": "g-air1 g-air2", "1520": "s-air1", "1516": "g-t"}


def examples(game, state, seq=2):
    """Return the examples in the hints of a draft: key -> value."""
    found = {}
    for hint in hints.make_hints(game, state, seq):
        lines, taking = [], False
        for line in hint.lines:
            taking = line == f"{hint.path[-1]}:" or (taking and line.startswith(("- ", " ")))
            lines += [line] if taking else []
        if lines:
            found |= strictyaml.read("\n".join(lines).encode("ascii"), "hint", "scenario").data
    return found


def test_the_examples_of_a_draft_are_accepted():
    """Each example is accepted alone, unchanged, in every kind of message."""
    free = shipped("july4")
    first = RULESET.data.setup(free)
    flown = at(bare(), {**BESIDE, "1521": "s-air2"}, side="soviet", interdiction={"g-air1": "1522"})
    coming = at(HISTORICAL, {"1514": "g-gd", "2001": "s-1t"}, side="soviet", turn="4")
    for game, state, keys in (
        (HISTORICAL, START, {"movement", "superiority", "battles", "motorized", "patrol"}),
        (free, first, {"deployment"}),
        (free, legal(free, first), {"deployment", "movement", "battles"}),
        (bare(), flown, {"interception", "battles"}),
        (HISTORICAL, coming, {"reinforcements"}),
    ):
        found = examples(game, state)
        assert found.keys() >= keys
        for key, value in found.items():
            result = play(game, state, {key: value})
            assert result.violations == (), (key, value)


def test_the_example_of_an_answer_is_accepted():
    game = bare()
    state = at(game, BESIDE, patrol={"s-air1": "1520"})
    declared = legal(game, state, {"battles": [attack("1513", "g-gd")], "superiority": [raid("s-air1", "g-air1")]})
    found = examples(game, declared, 3)
    assert found["policy"].keys() == {"retreat", "battles", "patrol"}
    assert play(game, declared, policy=found["policy"], seq=3).violations == ()


def test_what_is_offered_is_accepted_and_what_is_not_has_a_reason():
    """Every offered end of a move is legal, every other near hex has a reason."""
    pos = outlook.position(HISTORICAL, START)
    for uid in ("g-gd", "g-110", "g-air4", "g-503"):
        ends = outlook.find_ends(pos, uid, "movement")
        for there in list(ends)[::7]:
            label = HISTORICAL.board.labels[there]
            assert play(HISTORICAL, START, {"movement": [go(uid, label)]}).violations == ()
            assert not any("Initial" in line for line in outlook.explain_refusal(HISTORICAL, START, uid, label))
        near = [hex_ for hex_ in HISTORICAL.board.neighbours[pos.where[uid]] if hex_ not in ends]
        for there in near:
            label = HISTORICAL.board.labels[there]
            (why, *_rest) = outlook.explain_refusal(HISTORICAL, START, uid, label)
            refused = play(HISTORICAL, START, {"movement": [go(uid, label)]}).violations[0]
            assert refused.rule in why


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ("1513", "holds an enemy unit (s-1t, s-5t) [3.0-g]"),
        ("1512", "too far by "),
        ("1514", "it is there already, perhaps by an earlier order [3.0-c]"),
        ("1540", None),
    ],
)
def test_reasons(to, why):
    game = bare()
    state = at(game, {**BESIDE, "1413": "s-9g", "1613": "s-8g"})
    if why is None:
        with pytest.raises(UsageError, match="is not a hex"):
            outlook.explain_refusal(game, state, "g-110", to)
    else:
        assert why in outlook.explain_refusal(game, state, "g-110", to)[0]


def test_a_second_movement_is_not_for_all():
    told = outlook.explain_refusal(bare(), at(bare(), BESIDE), "g-110", "1516")
    assert told == ("Motorized Movement Phase: only motorized units move again after combat [3.0-b]",)


def test_one_unit_out_of_turn_or_off_the_map():
    game = bare()
    state = at(game, BESIDE)
    found = outlook.make_outlook(game, state, "s-1t")
    assert [phase.key for phase in found.phases] == ["movement", "motorized"]
    assert found.about[0].startswith("tank, 4-6")
    # also in a set-up, which places the unit, and in an answer with an advance
    assert found.notes[0].startswith("The unit has no order in the next message; ")
    assert not any("message that is due" in note for note in outlook.make_outlook(game, state, "g-gd").notes)
    for wrong in ("nobody", "g-112"):
        with pytest.raises(UsageError):
            outlook.make_outlook(game, state, wrong)
    answering = legal(game, state, {"battles": [attack("1513", "g-gd")]})
    assert "No unit moves" in outlook.make_outlook(game, answering, "").notes[0]


def test_chances_add_up_and_are_those_of_the_table():
    game = bare()
    state = at(game, BESIDE)
    declared = legal(
        game,
        state,
        {
            "battles": [attack("1513", "g-gd g-110", support="g-air1", advance=["g-gd"])],
            "superiority": [raid("s-air1", "g-air2")],
        },
    )
    air, ground = exact_odds.list_chances(game, declared, {})
    for found in (air, ground):
        assert sum(each.chance for each in found.outcomes) == 1
    assert (air.subject, air.fought.column, air.sums[0][0]) == ("r1", "1:1", "the base is destroyed")
    assert (ground.sums[0][0], "destroyed" in ground.outcomes[0].figures) == ("the hex is left", False)
    destroyed = sum((each.chance for each in air.outcomes if each.result == "D"), Fraction(0))
    assert destroyed == Fraction(2, 6)
    # 8 against 8, +2: dice 3 to 8 at 1:1 are BR, BR, BR, DR, DR, DR
    results = {}
    for each in ground.outcomes:
        results[each.result] = results.get(each.result, 0) + each.chance
    assert results == {"BR": Fraction(3, 6), "DR": Fraction(3, 6)}
    assert any("g-gd advances to 1513" in each.text for each in ground.outcomes)
    assert "the defender: nothing filed yet" in ground.assumed
    # S-1, S-12: only earlier attacks can change an attack
    assert air.caveat == "fought first: later battles do not change the odds"
    assert ground.caveat == "as the position stands now; r1 is fought earlier and may change the odds"
    for policy, said in (
        ({}, ["no answer to this attack"] * 2),  # they said "as answered" over an empty answer
        ({"retreat": ["1512"]}, ["no answer to this attack", "as answered, retreat 1512"]),
    ):
        answered = legal(game, declared, policy=policy, seq=3)
        told = [
            line
            for found in exact_odds.list_chances(game, answered, {})
            for line in found.assumed
            if "the defender:" in line
        ]
        assert told == [f"the defender: {part}" for part in said]


def test_a_base_is_destroyed_beside_others_who_stay():
    """9.0-d4: the chance concerns the base, not other units of its hex."""
    game = bare()
    state = at(game, {**BESIDE, "1520": "s-air1 s-5t", "1512": "g-air2"})
    declared = legal(game, state, {"superiority": [raid("s-air1", "g-air2")]})
    (air,) = exact_odds.list_chances(game, declared, {})
    assert air.sums == (("the base is destroyed", Fraction(1, 3)),)


def test_the_chances_of_sealed_plans_are_known_at_their_desk():
    game = bare()
    state = at(game, BESIDE)
    sealed = {"plans/2": {"b1": {"advance": ["g-gd"]}}}
    order = attack("1513", "g-gd g-110", support="g-air1")
    declared = legal(game, state, {"battles": [order]}, sealed=sealed)
    (known,) = exact_odds.list_chances(game, declared, sealed)
    (hidden,) = exact_odds.list_chances(game, declared, {})
    assert any("g-gd advances to 1513" in each.text for each in known.outcomes)
    assert not any("advances" in line for each in hidden.outcomes for line in each.text)


def test_10_0_c_a_kampfgruppe_is_no_lost_strength():
    """A 6-8 reduced to a 2-8 loses 4, and the enemy scores 12."""
    game = bare()
    state = at(game, {"1514": "g-gd g-110", "1513": "s-24"})
    declared = legal(game, state, {"battles": [attack("1513", "g-gd g-110", losses=["g-gd"])]})
    (found,) = exact_odds.list_chances(game, declared, {})
    (paid,) = {tuple(one.figures.items()) for one in found.outcomes if any("is formed" in line for line in one.text)}
    assert dict(paid) == {
        "attacker-strength": "4",
        "defender-strength": "2",
        "attacker-points": "2",
        "defender-points": "12",
        "vacated": "yes",
    }


def test_an_attack_without_a_defence_is_sure():
    game = bare()
    declared = legal(game, at(game, {"1514": "g-gd", "1513": "s-air1"}), {"battles": [attack("1513", "g-gd")]})
    (found,) = exact_odds.list_chances(game, declared, {})
    (outcome,) = found.outcomes
    assert (outcome.chance, outcome.faces, outcome.figures["vacated"]) == (1, (), "yes")


def test_an_attack_without_a_defence_is_offered_in_words_7_0_g():
    """Bug: the offer read '3:0 = : , taken as no defence'."""
    game = bare()
    seen = outlook.make_outlook(game, at(game, {"1514": "g-gd", "1513": "s-13at"}), "")
    told = moves.list_side_moves("", seen, wording.Wording(game))
    assert "no strength defends: the defenders are destroyed, no die falls [7.0-g]" in " ".join(told.split())
    assert " = :" not in told


def leftovers(game, state, orders=None, *, policy=None, seq=2):
    result = play(game, state, orders, policy=policy, seq=seq)
    assert result.violations == ()
    filing = Filing(seq, state.side, orders=orders or {}, policy=policy or {})
    choices = result.events[result.duties :]
    return {each.rule: each.text for each in unused.find_unused(game, result.middle, choices, filing)}


def test_what_is_left_over():
    game = bare()
    state = at(game, BESIDE)
    found = leftovers(game, state)
    assert "2 units beside the enemy take part in no attack" in found["7.0"]
    assert "could be attacked at 1:1" in found["7.0"]
    assert "could patrol or interdict" in found["9.0-d"]
    assert "could move and have no order" in found["3.0-movement"]
    assert "could move and have no order" in found["3.0-b"]
    found = leftovers(game, state, {"battles": [attack("1513", "g-gd g-110")]})
    assert "7.0" not in found
    assert "could support b1" in found["9.0-d1"]
    assert "you planned no advance in b1" in found["8.0-advance"]
    assert "3.0-b" not in found


def test_what_an_answer_leaves_unsaid():
    game = bare()
    state = at(game, BESIDE, patrol={"s-air1": "1520"})
    orders = {"battles": [attack("1513", "g-gd g-110")], "superiority": [raid("s-air1", "g-air1")]}
    declared = legal(game, state, orders)
    found = leftovers(game, declared, seq=3)
    assert "you gave no answer about the" in found["8.0"]
    assert "equally" in found["9.0-d4"]
    policy = {"retreat": ["g-gd 1614"], "advance": ["s-1t"], "patrol": {"s-air1": ["s-air1"]}}
    assert leftovers(game, declared, policy=policy, seq=3) == {}
    twice = {**policy, "hexes": {"1513": {"retreat": ["1412"]}}, "battles": {"b1": {"retreat": ["g-gd 1515"]}}}
    assert leftovers(game, declared, policy=twice, seq=3)["8.0"] == (
        "retreat 1412 for 1513 never counts: for b1 the answer is retreat g-gd 1515, which goes first"
    )


def test_reinforcements_that_stay_away():
    state = at(HISTORICAL, {"1514": "g-gd", "2001": "s-1t"}, side="soviet", turn="3")
    assert "4 reinforcements could come" in leftovers(HISTORICAL, state)["13.0"]


def test_a_set_up_is_in_the_headlines_12_0():
    """Bug: a set-up without moves had the headline 'Nothing happened'."""
    state = at(game := bare(), {"1514": "g-gd"})
    events = [PhaseBegan("12.0", "deployment", "german", "1"), Placed("12.0", "g-gd", "1513", 1, "deployed")]
    assert headlines.make_headlines(game, state, events, state) == ("German orders: 1 set-up",)


def test_headlines_and_a_story_of_an_attack():
    game = bare()
    state = at(game, BESIDE)
    result = fight(
        game,
        state,
        attack("1513", "g-gd g-110", support="g-air1", advance=["g-gd"]),
        raids=[raid("s-air1", "g-air2")],
        faces={"b1": "6", "r1": "6"},
    )
    lines = headlines.make_headlines(game, result.before, result.events, result.after)
    assert any("destroyed" in line for line in lines)
    text = " ".join(headlines.tell_story(game, result.before, result.events, result.after))
    assert "from the air" in text
    assert "with close support" in text


def test_an_attack_without_a_die_is_told_as_one():
    game = bare()
    result = fight(game, at(game, {"1514": "g-gd", "1513": "s-air1"}), attack("1513", "g-gd"), faces={})
    assert events(result, Fought)[0].result == "DX"
    (line,) = headlines.make_headlines(game, result.before, result.events, result.after)[:1]
    assert "destroyed" in line
    assert "no attack" not in line
    assert "did not attack" not in " ".join(headlines.tell_story(game, result.before, result.events, result.after))


@pytest.mark.parametrize(
    ("name", "battle", "headline", "prose"),
    [
        (
            "soviet-decisive",
            "b1503",
            "16th Guards Rifle falls back to 1501; 36th Guards Rifle falls back to 1601",
            r"the 16th Guards Rifle \w+",
        ),
        (
            "resignation-soviet",
            "b2031",
            "17th Panzer falls back to Zmiev; 282nd Infantry falls back to Zmiev; 39th Infantry falls back to 1930",
            r"the 17th Panzer \w+ and the 282nd Infantry \w+",
        ),
    ],
)
def test_8_0_ar_attackers_that_go_back_are_told_so(name, battle, headline, prose):
    """Bug: two finished games reported retreating attackers as advancing."""
    played = replayed(finished_games.ROOT / "kursk-1971" / name)
    for before, step in pairwise(played):
        setting = step.game.setting
        for clash in clashes(step.result.events):
            if clash.fought.battle == battle and clash.fought.result == "AR":
                kind, text = write_headline(clash, wording.Wording(setting))
                assert (kind, text.rpartition("; ")[0]) == (GROUND, f"{battle.removeprefix('b')}: {headline}")
                told = headlines.tell_story(setting, before.game.state, step.result.events, step.game.state)
                assert re.search(f"{prose} (fell back|gave way|went back)", " ".join(told)), told
                return
    raise AssertionError(battle)


def test_of_a_turn_of_both_sides_each_attack_that_waits_is_told_of_its_own_side():
    """Bug: 'German orders: 2 attacks (1723, 2024)' were Soviet attacks."""
    game = bare()
    state = at(game, {"1514": "g-gd", "1513": "s-1t", "1820": "g-t", "1821": "s-5t"})
    result = fight(game, state, attack("1513", "g-gd"), faces={"b1": "6"})
    theirs = result.after.with_(side="soviet", stage="soviet-orders")
    declared = play(game, theirs, {"battles": [attack("1820", "s-5t", "b2")]}, seq=5)
    answered = play(game, declared.after.with_(side="german", stage="soviet-answer"), policy={}, seq=6)
    events_of_both = (*play(game, state, {"battles": [attack("1513", "g-gd")]}).events, *declared.events)
    lines = headlines.make_headlines(game, state, (*events_of_both, *answered.events), answered.after)
    told = [line for line in lines if "orders:" in line or "answered" in line]
    assert sorted(told) == ["Soviet orders: 1 attack (Oboyan)", "The attacks are answered; the dice are next"]


def test_8_0_advance_defenders_that_follow_are_told_so():
    """Bug: advancing defenders were reported as retreating."""
    game = bare(edition="print")
    result = fight(
        game,
        at(game, {"1514": "g-gd g-110", "1513": "s-1t s-5t"}),
        attack("1513", "g-gd g-110"),
        faces={"b1": "1"},
        policy={"advance": ["s-1t 1514"]},
    )
    assert events(result, Fought)[0].result == "AR"
    lines = headlines.make_headlines(game, result.before, result.events, result.after)
    line = next(line for line in lines if line.startswith("1513"))
    assert re.fullmatch("1513: 110th Infantry falls back to (1[0-9]+); .* falls back to \\1; 1st Tank in 1514", line)
    story = " ".join(headlines.tell_story(game, result.before, result.events, result.after))
    assert re.search("the 1st Tank Corps (moved into the hex|followed up|took the ground|entered)", story)


def test_tables_and_track():
    found = {table.title: table for table in tables.make_tables(HISTORICAL)}
    crt = found["Combat Results Table"]
    assert crt.head[1:3] == ("1:3", "1:2")
    assert (crt.rows[0][0], crt.rows[-1][0]) == ("6", "-1")
    assert "reconstructed" in crt.provenance
    assert found["Victory levels"].rows == (
        ("marginal", "1:1", "1:1"),
        ("tactical", "2:1", "3:2"),
        ("decisive", "3:1", "2:1"),
    )
    (track,) = tables.make_track(HISTORICAL, START)
    assert track.rows[0][0] == "> 1"
    assert "10 T 4-6" in track.rows[2][1]


def test_the_picture_stacks_the_strongest_on_top():
    game = bare(lines=[("soviet", ["1513"])])
    state = at(game, BESIDE, patrol={"s-air1": "1510"}, flown={"g-air2": "support"})
    drawn = picture.draw_picture(game, state)
    stacks = {}
    for piece in drawn.pieces:
        stacks.setdefault(piece.at, []).append(piece.id)
    assert stacks["1514"] == ["g-gd", "g-110"]
    marks = {piece.id: piece.marks for piece in drawn.pieces}
    assert marks["s-air1"] == ("patrols over 1510",)
    assert marks["g-air2"] == ("support",)
    assert any(mark.at == "1513" and mark.side == "soviet" for mark in drawn.marks)
    # Tomarovka is not drawn, but reports call the hex so
    assert (len(drawn.lines), textmap.find_region(drawn, "Tomarovka").id) == (33, "1824")
    legend = " ".join(textmap.explain_signs(picture.draw_picture(HISTORICAL, START)))
    assert "m swamp" in legend  # the word of the tables
    assert "marsh" not in legend


def test_the_table_under_a_report():
    rows = {row[0]: row[1:] for row in wording.make_standing(HISTORICAL, START)}
    assert rows["units on the map"] == ("78", "74")
    assert rows["1717 Kursk (20)"] == ("Soviet",)
    assert rows["if the game ended now"] == ("Soviet decisive victory",)


@pytest.mark.parametrize(
    ("patrol", "defended"),
    [
        (None, ["3", "2"]),
        ({}, ["3", "2"]),
        ({"s-air1": ["s-air3", "s-air4", "s-air5"]}, ["4", "1"]),
        ({"s-air1": ["s-air3"], "s-air2": ["s-air1"]}, ["3", "2"]),
    ],
    ids=["before the answer", "equally", "as wished", "wished in vain"],
)
def test_9_0_d4_the_chances_of_each_raid_are_those_of_its_share_of_the_patrols(patrol, defended):
    """S-25, S-52. Bug: both bases counted every patrol over their hex."""
    game = bare()
    over = {"s-air3": "1520", "s-air4": "1520", "s-air5": "1520"}
    home = {"1510": "g-air1 g-air2 g-air3 g-air4", "1520": "s-air1 s-air2", "2022": "s-air3 s-air4 s-air5"}
    orders = [raid("s-air1", "g-air1 g-air2"), raid("s-air2", "g-air3 g-air4", "r2")]
    state = legal(game, at(game, home, patrol=over), {"superiority": orders})
    told = " ".join(line for hint in hints.make_hints(game, state, 3) for line in hint.lines)
    assert "on the base of s-air1 by 2 aircraft, 1:2;" in told
    assert "on the base of s-air2 by 2 aircraft, 1:1;" in told
    if patrol is not None:
        state = legal(game, state, policy={"patrol": patrol}, seq=3)
    found = exact_odds.list_chances(game, state, {})
    assert [one.fought.defence.total for one in found] == defended
    assert [one.defence.total for one in exact_odds.list_declared(game, state, {})] == defended
