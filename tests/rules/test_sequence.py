"""3.3 units, 4.0 sequence of play, 5.0 victory, 6.0 set-up, 11.0 weather; what may stand in which message."""

import pytest
from board import attack, battles, kursk, message, moves, names, odds, place, play, refused, view

from kursk_pbem.kernel.events import Fought, Moved, PhaseBegan, Placed
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk import RULESET, victory
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, REDUCED, SIDES


def test_3_3_reduced_is_half_rounded_down():
    """Every counter: the reduced side is half of the full one, rounded down."""
    for counter in kursk().counters.values():
        assert counter.strength == (0, counter.strength[2] // 2, counter.strength[2])
    assert odds(place("2707: r-5 | 2606: g-3-pz reduced"), "2707", "g-3-pz").attack == 4


def test_3_3_types_shock_is_infantry_and_guards_are_armor():
    """The kind is the counter's own: a Guards army with allowance 5 is armor, a Shock army infantry (K-14)."""
    counters = kursk().counters
    assert all(c.infantry != c.armor for c in counters.values())
    assert [counters[uid].infantry for uid in ("r-3-sh", "r-63", "r-1-g", "r-5-gt", "g-3-pz")] == [
        True, True, False, False, False]  # fmt: skip


def test_3_3_formation_kempf_belongs_to_4th_panzer_army():
    """Offensives and placement look at one formation for both (K-17)."""
    kempf = {kursk().counters[uid].formation for uid in ("g-3-pz", "g-11", "g-42", "g-2-ss")}
    assert kempf == {"4th Panzer Army"}
    assert len({c.formation for c in kursk().counters.values() if c.side == "russian"}) == 8


def test_4_0_the_player_turns_follow_each_other_german_first():
    """Nobody fights: posture, reveal, German orders, Russian orders, and the next turn's posture (K-2, K-79)."""
    state = place("2402: r-63 | 0606: g-43; stage posture; posture none; turn B")
    stages = [state.stage]
    for text, reveal in (
        ("choice: {posture/turn-b: {posture: pause}}", None), ("", {"posture": "pause"}), ("", None),
        ("seal: {posture/turn-c: {posture: pause}}", None),
    ):  # fmt: skip
        result = message(state, text, reveal=reveal)
        assert result.legal
        state = result.after
        stages.append(state.stage)
    assert stages == ["posture", "reveal", "german-orders", "russian-orders", "posture"]
    assert (state.turn, state.side) == ("C", "german")


def test_4_0_a_battle_takes_an_answer_and_a_dice_message():
    """Declaration, the other side's answer, the declarer's dice and movement: on both player turns (K-79)."""
    german = play(place("2707: r-5 | 2606: g-48-pz"), battles(attack("2707", "g-48-pz")), dice={"b1": 3})
    assert [(r.before.stage, r.before.side) for r in german.steps_taken] == [
        ("german-orders", "german"), ("german-answer", "russian"), ("german-dice", "german")]  # fmt: skip
    assert german.after.stage == "russian-orders"
    state = place("2707: r-4-t | 2606: g-48-pz; stage russian-orders")
    russian = play(state, battles(attack("2606", "r-4-t")), dice={"b1": 3})
    assert [(r.before.stage, r.before.side) for r in russian.steps_taken] == [
        ("russian-orders", "russian"), ("russian-answer", "german"), ("russian-dice", "russian")]  # fmt: skip
    assert (russian.after.stage, russian.after.turn) == ("posture", "C")


def test_4_0_what_has_no_place_in_a_message_is_refused():
    """Movement beside battles comes after their dice; a policy belongs into an answer; a distribution to the opening
    of the short scenario (K-79, K-80)."""
    state = place("2707: r-5 | 2606: g-48-pz | 2505: g-11")
    both = battles(attack("2707", "g-48-pz")) + "\n" + moves("g-11 2605").removeprefix("orders:\n")
    refused(state, both, "9.0", "it is ordered in your next message")
    refused(state, "policy: {stand-fast: always}", "4.0", "has no place in this message")
    refused(state, "orders: {distribution: [r-5]}", "4.0", "has no place in this message")


def test_4_0_all_faults_come_back_at_once_and_nothing_is_done():
    """A message with one good and two bad moves is void; both bad ones are named with their place (K-80)."""
    state = place("2707: g-11 | 1507: g-42 | 1404: r-5")
    result = message(state, moves("g-11 2708, g-42 1404, g-59 2708"))
    assert [violation.path[:3] for violation in result.violations] == [
        ("orders", "movement", 1), ("orders", "movement", 2)]  # fmt: skip
    assert not result.legal


def test_4_0_only_these_choices_exist():
    """A full battle with an exchange asks nobody but the defender, and him but once (K-72)."""
    state = place("1906: r-5 reduced | 1805: g-2-ss | 1806: g-48-pz; turn B")
    played = play(state, battles(attack("1906", "g-2-ss g-48-pz")), dice={"b1": 4})
    assert [event.kind for event in played.events if type(event).__name__ == "Decided"] == ["conversion"]


def test_4_0_turns_twelve_in_order():
    """A to D and 1 to 8; the short scenario begins with turn 1 (K-2)."""
    assert kursk().turns == ("A", "B", "C", "D", "1", "2", "3", "4", "5", "6", "7", "8")
    assert kursk("citadel").turns == kursk().turns[4:]
    for turn, following in zip(kursk().turns, kursk().turns[1:], strict=False):
        state = place(f"2402: r-63; stage russian-orders; turn {turn}; posture russian pause german pause")
        assert play(state).after.turn == following


def test_4_0_turn_track_is_read_before_the_postures():
    """Mud, markers and fortifications of turn C are there when turn C's postures are chosen (K-1)."""
    state = place("2402: r-63; stage russian-orders; turn B")
    after = play(state).after
    assert (after.stage, after.turn, after.tracks["mud"]) == ("posture", "C", 1)
    assert (after.tracks["offensives-german"], after.tracks["offensives-russian"]) == (1, 1)


def test_4_0_offensives_never_more_than_three():
    """Three and one more is three; the surplus is lost for good (K-3)."""
    state = place("2402: r-63; stage russian-orders; turn B; offensives german 3 russian 2")
    after = play(state).after
    assert (after.tracks["offensives-german"], after.tracks["offensives-russian"]) == (3, 3)


def test_4_0_offensives_of_the_box_pay_for_the_posture():
    """The marker that comes in turn C pays for the jump in turn C (K-3, K-8)."""
    state = place("2402: r-63 | 0606: g-43; stage russian-orders; turn B; posture german pause russian pause")
    after = play(state).after
    chosen = play(after, "choice: {posture/turn-c: {posture: deploy}}").after
    assert chosen.mark("german", "posture") == "deploy"
    assert chosen.tracks["offensives-german"] == 0


def test_4_0_fortifications_from_their_turn_on_for_good():
    """The Mozhaisk Line is nothing in turn B and stands from turn C to the end (K-52)."""
    active = [turn for turn in kursk().turns if kursk().fort_of(kursk().board.index["2306"], turn, "russian")]
    assert active == list(kursk().turns[2:])
    assert not any(kursk().fort_of(kursk().board.index["2306"], turn, "german") for turn in kursk().turns)


def phases(played):
    return [(event.side, event.phase) for event in played.of(PhaseBegan)]


def test_4_0_phase_1_begins_each_turn():
    """The turn box is read at the end of the message that closes the turn before."""
    played = play(place("2402: r-63; stage russian-orders; turn B"))
    assert PhaseBegan("4.0-phase-1", "turn", "", "C") in played.of(PhaseBegan)


@pytest.mark.parametrize(
    ("side", "stage", "unit", "there"),
    [("german", "german-orders", "0706: g-3-pz", "0806"), ("russian", "russian-orders", "2808: r-4-t", "2708")],
)
def test_4_0_the_phases_of_a_player_turn_in_their_order(side, stage, unit, there):
    """Replacement, armor and rail, movement; combat where battles are declared."""
    uid = unit.split()[-1]
    text = moves(f"{uid} {there}", "armor-and-rail")
    played = play(place(f"{unit}; stage {stage}"), text)
    assert phases(played)[:3] == [(side, "replacement"), (side, "armor-and-rail"), (side, "movement")]


def test_4_0_phase_2_german_replacements():
    """The German flips a corps before anything moves."""
    state = place("0706: g-11 reduced; posture german deploy")
    text = "orders: {replacements: [{unit: g-11, gain: flip}], movement: [{unit: g-11, path: ['0806']}]}"
    facts = [type(event) for event in play(state, text).events if isinstance(event, (Placed, Moved))]
    assert facts == [Placed, Moved]


def test_4_0_phase_3_german_armor_and_rail():
    """A panzer moves and infantry rides in Phase 3."""
    state = place("0706: g-3-pz | 1505: g-11")
    played = play(state, moves("g-3-pz 0806, g-11 1404", "armor-and-rail"))
    assert (played.at("g-3-pz"), played.at("g-11")) == ("0806", "1404")


def test_4_0_phase_4_german_combat():
    """The German attacks in his own player turn, and what he reached in Phase 3 attacks from there."""
    text = moves("g-48-pz 2606", "armor-and-rail") + "\n"
    state = place("2707: r-5 | 2605: g-48-pz")
    played = play(state, text + battles(attack("2707", "g-48-pz")).removeprefix("orders:\n"), dice={"b1": 3})
    assert [event.defender for event in played.of(Fought)] == ["r-5"]


def test_4_0_phase_5_german_movement_after_the_dice():
    """A panzer that moved, attacked and advanced moves again with its full allowance (K-33)."""
    state = place("2707: r-5 reduced | 2605: g-48-pz | 2706: g-2-ss")
    text = moves("g-48-pz 2606", "armor-and-rail") + "\n"
    declared = battles(attack("2707", "g-48-pz g-2-ss", advance="g-48-pz")).removeprefix("orders:\n")
    played = play(state, text + declared, dice={"b1": 6}, then=moves("g-48-pz 2708 2709 2710 2711"))
    assert [(event.how, event.path[-1]) for event in played.of(Moved, unit="g-48-pz")] == [
        ("move", "2606"), ("advance", "2707"), ("move", "2711")]  # fmt: skip


def test_4_0_phase_6_russian_replacements():
    """The Russian flips an army in Phase 6."""
    state = place("2402: r-63 reduced; stage russian-orders; posture russian pause")
    assert play(state, "orders: {replacements: [{unit: r-63, gain: flip}]}").steps("r-63") == 2


def test_4_0_phase_7_russian_armor_and_rail():
    """Tank and Guards move, infantry rides."""
    state = place("2707: r-1-g | 2402: r-63; stage russian-orders")
    played = play(state, moves("r-1-g 2708, r-63 2403", "armor-and-rail"))
    assert (played.at("r-1-g"), played.at("r-63")) == ("2708", "2403")


def test_4_0_phase_8_russian_combat():
    """The Russian attacks in his own player turn, and only German units. A battle that is refused does not make the
    turn end, so that nothing is said of the next posture (K-80)."""
    state = place("2707: r-4-t | 2606: g-48-pz reduced | 2706: r-63; stage russian-orders")
    assert play(state, battles(attack("2606", "r-4-t")), dice={"b1": 3}).fought().defender == "g-48-pz"
    refused(state, battles(attack("2706", "r-4-t")), "9.0", "no enemy unit stands in 2706")


def test_4_0_phase_9_russian_movement_after_the_dice():
    """As Phase 5 (K-33)."""
    state = place("2707: r-4-t | 2606: g-48-pz reduced; stage russian-orders")
    played = play(
        state, battles(attack("2606", "r-4-t")), dice={"b1": 3},
        then={"orders": {"movement": [{"unit": "r-4-t", "path": ["2806"]}]}},
    )  # fmt: skip
    assert played.at("r-4-t") == "2806"


def test_4_0_phase_10_the_turn_goes_on_or_the_game_ends():
    """After turn 7 comes turn 8; after turn 8 the points are counted (K-70)."""
    seven = play(place("2402: r-63 | 0606: g-43; turn 7; stage russian-orders; posture russian pause"))
    assert (seven.after.turn, victory.verdict(kursk(), seven.after)) == ("8", None)
    eight = play(place("2402: r-63 | 0606: g-43; turn 8; stage russian-orders; posture russian pause"))
    assert eight.after.stage == "over"
    assert victory.verdict(kursk(), eight.after) is not None


MAJORS_WEST = ("1015", "1103", "1404", "1808", "1818", "1821", "1923", "2110", "2117", "2422")
LAST = "turn 8; stage russian-orders; posture russian pause"


def level(*west, extra="", dead=()):
    """How the game ends with these western Major Cities Russian; both sides with all units but ``dead``."""
    control = "; ".join(f"control {label} russian" for label in west)
    state = place(f"others stay; {LAST}; {control}; {extra}")
    units = {**state.units, **{uid: Unit("eliminated", 0) for uid in dead}}
    ended = play(state.with_(units=units)).after
    return victory.verdict(kursk(), ended), victory.score(kursk(), ended).total


def test_5_0_major_cities_beyond_the_start_line():
    """A point each for the Russian in the west and for the German in the east; ordinary cities count nothing (K-70)."""
    assert level("1404", "1507")[1] == 1
    assert level("1404", "1103", extra="control 2511 german")[1] == 2
    assert level("1404", extra="control 2406 german 2713 german")[1] == -1


def test_5_0_objective_is_a_point_for_good():
    """Won by either side (K-68, K-70)."""
    assert level(extra="objective won german")[1] == -1
    assert level("1404", extra="objective won russian")[1] == 2


def test_5_0_eliminated_units_of_either_side():
    """Fewer units in the box is a point, equal numbers none; steps and units off the map do not count (K-70)."""
    assert level(dead=("g-11",))[1] == 1
    assert level(dead=("r-5", "r-10"))[1] == -1
    assert level(dead=("r-5", "g-11"))[1] == 0
    even = place("2402: r-63 | 0606: g-43")
    units = {uid: unit for uid, unit in even.units.items() if uid in ("r-63", "g-43", "r-5", "g-11")}
    assert victory.score(kursk(), even.with_(units=units)).losses == {"german": 0, "russian": 0}
    assert level(extra="off-map: r-5 reduced")[1] == 0


def test_5_0_level_of_the_victory():
    """1 to 5 points operational, 6 and more strategic, 0 a draw, for either side (K-70, K-71)."""
    assert level()[0].text == "Draw: the victory points are even (5.0)"
    assert level("1404")[0].text == "Russian operational victory (5.0)"
    assert level(*MAJORS_WEST[:5])[0].text == "Russian operational victory (5.0)"
    assert level(*MAJORS_WEST[:6])[0].text == "Russian strategic victory (5.0)"
    assert level(extra="control 2406 german")[0].text == "German operational victory (5.0)"


def test_5_0_a_side_without_units_plays_on():
    """No sudden end: turn 3 goes by, turn 4 comes (K-71)."""
    after = play(place("2402: r-63; turn 3; stage russian-orders; posture russian pause")).after
    assert (after.turn, after.stage) == ("4", "posture")


def ends(played):
    verdict = victory.verdict(kursk(), played.after)
    return verdict is not None and (verdict.winner, verdict.how) == ("german", "moscow")


def test_5_0_moscow_ends_the_game_at_once():
    """A panzer enters Moscow in Phase 3: the game is over and the second move of the file is not carried out (K-69)."""
    state = place("2403: g-3-pz | 1507: g-48-pz")
    played = play(state, moves("g-3-pz 2402, g-48-pz 1508", "armor-and-rail"))
    assert ends(played)
    assert (played.at("g-3-pz"), played.at("g-48-pz")) == ("2402", "1507")
    assert played.after.stage == "over"
    assert played.after.agenda == {}


def test_5_0_moscow_by_passing_through():
    """The move stops in Moscow, whatever was written behind it (K-69)."""
    played = play(place("2403: g-3-pz"), moves("g-3-pz 2402 2401"))
    assert ends(played)
    assert played.at("g-3-pz") == "2402"


def test_5_0_moscow_by_an_advance_leaves_later_battles_unfought():
    """The advance into Moscow ends the game; b2 is not rolled (K-69)."""
    state = place("2402: r-9-tc reduced | 2403: g-3-pz | 2303: g-2-ss | 2707: r-5 | 2606: g-48-pz; turn A; clear")
    orders = battles(attack("2402", "g-3-pz g-2-ss", advance="g-3-pz"), attack("2707", "g-48-pz", bid="b2"))
    played = play(state, orders, dice={"b1": 6})
    assert played.fought("b1").result == "DE"
    assert ends(played)
    assert [event.battle for event in played.of(Fought)] == ["b1"]


def test_5_0_moscow_by_a_retreat_forced_on_the_german():
    """A German corps with one way out, through Moscow: the Russian who drives it there loses the game (K-69)."""
    state = place("2403: g-11 | 2303: r-4-t | 2304: r-10 | 2404: r-31 | 2503: r-50 | 2504: r-33; stage russian-orders")
    played = play(state, battles(attack("2403", "r-4-t r-10 r-31")), dice={"b1": 1})
    assert played.fought().result == "DR"
    assert ends(played)
    assert (played.path("g-11"), played.steps("g-11")) == (("2402",), 1)


LAST = "2402: r-63 | 0606: g-43; turn 8; stage russian-orders; posture russian deploy"


@pytest.mark.parametrize(("position", "text", "said"), [
    (LAST, "", set()),
    (LAST, "seal: {posture/turn-8: {posture: pause}}", {"posture/turn-8"}),
    (LAST, "seal: {plans/10: {}, x/y: {}}", {"plans/10", "x/y"}),
    ("2403: g-3-pz", moves("g-3-pz 2402"), set()),
    ("2403: g-3-pz", moves("g-3-pz 2402") + "\nseal: {plans/10: {}}", {"plans/10"}),
    ("2403: g-3-pz | 2707: r-5 | 2606: g-48-pz",
     moves("g-3-pz 2402", "armor-and-rail") + "\n  battles: [{id: b, hex: '2707', attackers: [g-48-pz]}]\n"
     "seal: {plans/10: {b: {losses: [g-48-pz]}}, posture/turn-b: {posture: pause}}", {"posture/turn-b"}),
])  # fmt: skip
def test_5_0_a_choice_that_ends_the_game_leaves_nothing_to_seal(position, text, said):
    """The count after turn 8, Moscow entered: only plans of battles that it comes before are no slip (T22)."""
    result = message(place(position), text)
    assert result.after.stage == "over"
    assert {each.order for each in result.violations} == said
    assert not [key for key in result.after.agenda if key.startswith("sealed/")]


def test_5_0_dice_that_end_the_game_leave_nothing_to_choose_and_nothing_to_seal():
    """Moscow by an advance: whatever else stands in that message would be lost in silence."""
    state = place("2402: r-9-tc reduced | 2403: g-3-pz | 2303: g-2-ss | 1507: g-48-pz; turn A; clear")
    orders = battles(attack("2402", "g-3-pz g-2-ss", advance="g-3-pz"))
    answered = play(state, orders, dice=None).after
    waits = message(answered, seq=11).after
    for text, said in (
        ("", set()),
        (moves("g-48-pz 1508"), {"orders/movement"}),
        ("choice: {posture/turn-a: {posture: pause}}\nseal: {plans/12: {}}", {"choice", "plans/12"}),
    ):
        result = message(waits, text, seq=12, dice={"b1": 6})
        assert result.middle.stage == result.after.stage == "over"
        assert {each.order for each in result.violations} == said


def test_6_0_every_unit_in_its_hex_and_every_city_with_its_side():
    """Both scenarios: units where their counters say, cities controlled by the side of the line, in both (K-7)."""
    for scene in ("campaign", "citadel"):
        game = kursk(scene)
        state = RULESET.setup(game)
        assert {uid: unit.place for uid, unit in state.units.items()} == {
            uid: counter.hex for uid, counter in game.counters.items()
        }
        cities = view(state, scene).cities
        for side in SIDES:
            assert names(cities[side]) == sorted(
                game.board.labels[hex_] for hex_, home in game.city_side.items() if home == side
            )


def test_6_0_1_markers_at_the_start():
    """Turn A, objective in Kursk with its German side up, Engage and Reposition before it, no Offensive (K-6)."""
    state = RULESET.setup(kursk())
    assert state.turn == "A"
    assert state.marks["objective"] == {"hex": "2113", "side": "german"}
    assert [state.mark(side, "previous") for side in SIDES] == ["engage", "reposition"]
    assert [state.tracks[f"offensives-{side}"] for side in SIDES] == [0, 0]
    assert state.tracks["engaged-german"] == 0


def steps_of(state, side, scene="campaign"):
    counters = kursk(scene).counters
    return {uid: unit.steps for uid, unit in state.units.items() if counters[uid].side == side}


def test_6_0_2_all_russians_reduced():
    """Every Russian unit begins on its reduced side."""
    assert set(steps_of(RULESET.setup(kursk()), "russian").values()) == {REDUCED}


def test_6_0_3_german_infantry_full_but_four_and_panzers_reduced():
    """Four German infantry corps begin reduced, and every panzer corps."""
    steps = steps_of(RULESET.setup(kursk()), "german")
    reduced = {uid for uid, left in steps.items() if left == REDUCED}
    infantry = {uid for uid in steps if kursk().counters[uid].infantry}
    assert len(reduced & infantry) == 4
    assert reduced - infantry == set(steps) - infantry


def test_6_0_4_the_first_message_seals_a_posture():
    """Play begins with the posture of turn A: the Russian seals his, then the German chooses (K-79)."""
    state = RULESET.setup(kursk())
    assert (state.stage, state.side, state.tracks["mud"]) == ("opening", "russian", 1)
    refused(state, {"seal": {}}, "12.0-2", "must be sealed")
    after = play(state).after
    assert (after.stage, after.side, after.turn) == ("posture", "german", "A")


def distribution(infantry=17, armor=8):
    counters = kursk("citadel").counters
    russian = [uid for uid, counter in counters.items() if counter.side == "russian"]
    chosen = [uid for uid in russian if counters[uid].infantry][:infantry]
    return chosen + [uid for uid in russian if counters[uid].armor][:armor]


def test_6_0_short_scenario_begins_on_turn_1():
    """All Germans full, all Russians reduced before the distribution, 3 and 2 Offensives with the box of turn 1 added
    and capped, Deploy and Reposition before it (K-5)."""
    state = RULESET.setup(kursk("citadel"))
    assert state.turn == "1"
    assert set(steps_of(state, "german", "citadel").values()) == {FULL}
    assert [state.mark(side, "previous") for side in SIDES] == ["deploy", "reposition"]
    assert [state.tracks[f"offensives-{side}"] for side in SIDES] == [3, 2]


def test_6_0_short_scenario_seventeen_and_eight_steps():
    """The Russian flips 17 infantry and 8 armor units where they stand, before anything else, in the open (K-4)."""
    state = RULESET.setup(kursk("citadel"))
    played = play(state, {"orders": {"distribution": distribution()}}, scene="citadel")
    full = {uid for uid, left in steps_of(played.after, "russian", "citadel").items() if left == FULL}
    assert full == set(distribution())
    assert all(played.at(uid) == kursk().counters[uid].hex for uid in full)
    assert len(played.of(Placed, how="flip")) == 25


def test_6_0_short_scenario_all_steps_and_no_other():
    """Too few, too many of a kind, one twice, a German, an unknown unit: refused (K-4)."""
    state = RULESET.setup(kursk("citadel"))

    def faults(chosen):
        seal = {"posture/turn-1": {"posture": "pause"}}
        found = message(state, {"orders": {"distribution": chosen}, "seal": seal}, scene="citadel").violations
        assert {violation.rule for violation in found} == {"6.0-short-scenario"}
        return [violation.message for violation in found]

    assert faults([]) == ["17 infantry steps are still to be distributed", "8 armor steps are still to be distributed"]
    assert faults(distribution(18, 8)) == ["no infantry step is left for it"]
    assert faults([*distribution(), "g-11", "r-999"]) == ["is no Russian unit"] * 2
    twice = distribution()
    assert "is named twice" in faults([*twice[:-1], twice[0]])


def test_11_0_mud_on_a_c_and_7():
    """By the script, and for the whole turn (K-64)."""
    assert [turn for turn in kursk().turns if kursk().boxes[turn].mud] == ["A", "C", "7"]
    after = play(place("2402: r-63; turn C; stage russian-orders; posture russian pause")).after
    assert after.tracks["mud"] == 0
    assert play(place("2402: r-63; stage russian-orders")).after.tracks["mud"] == 1
