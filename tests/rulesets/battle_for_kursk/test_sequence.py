"""3.3 units, 4.0 sequence of play, 11.0 weather; the permitted contents of each message."""

import pytest

from kursk_pbem.kernel.events import Fought, Moved, PhaseBegan, Placed
from kursk_pbem.rulesets.battle_for_kursk import victory
from rulesets.battle_for_kursk.board import attack, battles, kursk, message, moves, odds, place, play, refused


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
        True,
        True,
        False,
        False,
        False,
    ]


def test_3_3_formation_kempf_belongs_to_4th_panzer_army():
    """Offensives and placement treat both as one formation (K-17)."""
    kempf = {kursk().counters[uid].formation for uid in ("g-3-pz", "g-11", "g-42", "g-2-ss")}
    assert kempf == {"4th Panzer Army"}
    assert len({c.formation for c in kursk().counters.values() if c.side == "russian"}) == 8


def test_4_0_the_player_turns_follow_each_other_german_first():
    """No battles: posture, reveal, German orders, Russian orders, and the next turn's posture (K-2, K-79)."""
    state = place("2402: r-63 | 0606: g-43; stage posture; posture none; turn B")
    stages = [state.stage]
    for text, reveal in (
        ("choice: {posture/turn-b: {posture: pause}}", None),
        ("", {"posture": "pause"}),
        ("", None),
        ("seal: {posture/turn-c: {posture: pause}}", None),
    ):
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
        ("german-orders", "german"),
        ("german-answer", "russian"),
        ("german-dice", "german"),
    ]
    assert german.after.stage == "russian-orders"
    state = place("2707: r-4-t | 2606: g-48-pz; stage russian-orders")
    russian = play(state, battles(attack("2606", "r-4-t")), dice={"b1": 3})
    assert [(r.before.stage, r.before.side) for r in russian.steps_taken] == [
        ("russian-orders", "russian"),
        ("russian-answer", "german"),
        ("russian-dice", "russian"),
    ]
    assert (russian.after.stage, russian.after.turn) == ("posture", "C")


def test_4_0_what_has_no_place_in_a_message_is_refused():
    """Movement beside battles comes after their dice; a policy belongs into an answer; a distribution to the opening
    of the short scenario (K-79, K-80)."""
    state = place("2707: r-5 | 2606: g-48-pz | 2505: g-11")
    both = battles(attack("2707", "g-48-pz")) + "\n" + moves("g-11 2605").removeprefix("orders:\n")
    refused(state, both, "9.0", "order movement in your next message")
    refused(state, "policy: {stand-fast: always}", "4.0", "has no place in this message")
    refused(state, "orders: {distribution: [r-5]}", "4.0", "has no place in this message")


def test_4_0_all_faults_come_back_at_once_and_nothing_is_done():
    """A message with one legal and two illegal moves is void; the answer names both illegal moves with their places
    (K-80)."""
    state = place("2707: g-11 | 1507: g-42 | 1404: r-5")
    result = message(state, moves("g-11 2708, g-42 1404, g-59 2708"))
    assert [violation.path[:3] for violation in result.violations] == [
        ("orders", "movement", 1),
        ("orders", "movement", 2),
    ]
    assert not result.legal


def test_4_0_only_these_choices_exist():
    """In a full battle with an exchange only the defender gets a question, and only one question (K-72)."""
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
    assert [event.defence.units[0] for event in played.of(Fought)] == ["r-5"]


def test_4_0_phase_5_german_movement_after_the_dice():
    """A panzer that moved, attacked and advanced moves again with its full allowance (K-33)."""
    state = place("2707: r-5 reduced | 2605: g-48-pz | 2706: g-2-ss")
    text = moves("g-48-pz 2606", "armor-and-rail") + "\n"
    declared = battles(attack("2707", "g-48-pz g-2-ss", advance="g-48-pz")).removeprefix("orders:\n")
    played = play(state, text + declared, dice={"b1": 6}, then=moves("g-48-pz 2708 2709 2710 2711"))
    assert [(event.how, event.path[-1]) for event in played.of(Moved, unit="g-48-pz")] == [
        ("move", "2606"),
        ("advance", "2707"),
        ("move", "2711"),
    ]


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
    """The Russian attacks in the Russian player turn, and only German units. A refused battle does not end the turn,
    so the answer does not mention the next posture (K-80)."""
    state = place("2707: r-4-t | 2606: g-48-pz reduced | 2706: r-63; stage russian-orders")
    assert play(state, battles(attack("2606", "r-4-t")), dice={"b1": 3}).fought().defence.units[0] == "g-48-pz"
    refused(state, battles(attack("2706", "r-4-t")), "9.0", "no enemy unit is in 2706")


def test_4_0_phase_9_russian_movement_after_the_dice():
    """As Phase 5 (K-33)."""
    state = place("2707: r-4-t | 2606: g-48-pz reduced; stage russian-orders")
    played = play(
        state,
        battles(attack("2606", "r-4-t")),
        dice={"b1": 3},
        then={"orders": {"movement": [{"unit": "r-4-t", "path": ["2806"]}]}},
    )
    assert played.at("r-4-t") == "2806"


def test_4_0_phase_10_the_turn_goes_on_or_the_game_ends():
    """After turn 7 comes turn 8; after turn 8 the points are counted (K-70)."""
    seven = play(place("2402: r-63 | 0606: g-43; turn 7; stage russian-orders; posture russian pause"))
    assert (seven.after.turn, victory.find_verdict(kursk(), seven.after)) == ("8", None)
    eight = play(place("2402: r-63 | 0606: g-43; turn 8; stage russian-orders; posture russian pause"))
    assert eight.after.stage == "over"
    assert victory.find_verdict(kursk(), eight.after) is not None


def test_11_0_mud_on_a_c_and_7():
    """By the script, and for the whole turn (K-64)."""
    assert [turn for turn in kursk().turns if kursk().boxes[turn].mud] == ["A", "C", "7"]
    after = play(place("2402: r-63; turn C; stage russian-orders; posture russian pause")).after
    assert after.tracks["mud"] == 0
    assert play(place("2402: r-63; stage russian-orders")).after.tracks["mud"] == 1
