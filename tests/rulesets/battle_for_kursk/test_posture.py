"""12.0 Postures, Emergency Reaction, 12.1 the Strategic Objective; K-79 to K-81 the contents of each message."""

import pytest

from kursk_pbem.kernel.events import Decided, Noted, Tracked
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets.battle_for_kursk import RULESET, posture, replacements
from rulesets.battle_for_kursk.board import attack, battles, kursk, message, moves, place, play, refused

CHOICE = "stage posture; posture none; turn B"


def choose(name, *, turn="b", reaction="no", waive=False):
    """The German choice as he writes it."""
    text = f"choice: {{posture/turn-{turn}: {{posture: {name}, reaction: '{reaction}'}}}}"
    return f"{text}\nwaive: posture" if waive else text


def shown(german, russian, *, setup="", reaction="no", own="no"):
    """The position after both postures of turn B are known; the Russian has just shown his."""
    state = place(f"2402: r-63 | 0606: g-43; {CHOICE}; {setup}")
    chosen = play(state, choose(german, reaction=own)).after
    assert chosen.stage == "reveal"
    return play(chosen, reveal={"posture": russian, "reaction": reaction})


def test_12_0_secret_choice_then_both_are_known():
    """The Russian has sealed a posture; the German writes an open posture; the Russian reveals the seal; only then
    does the position contain both postures (K-1, K-79)."""
    played = shown("deploy", "reposition", setup="previous german reposition")
    assert played.after.mark("german", "posture") == "deploy"
    assert played.after.mark("russian", "posture") == "reposition"
    assert played.after.stage == "german-orders"


def test_12_0_1_the_previous_posture_is_the_final_one_of_the_turn_before():
    """After Emergency Reaction the next turn counts from Reposition, not from Pause (K-10)."""
    state = place("2402: r-63; posture german engage russian reposition; stage russian-orders")
    after = play(state).after
    assert (after.turn, after.mark("russian", "previous"), after.mark("german", "previous")) == (
        "C",
        "reposition",
        "engage",
    )
    assert after.mark("german", "posture") == ""


@pytest.mark.parametrize(
    ("previous", "chosen", "cost"),
    [
        ("pause", "pause", 0),
        ("pause", "reposition", 0),
        ("pause", "deploy", 1),
        ("pause", "engage", 2),
        ("reposition", "engage", 1),
        ("reposition", "deploy", 0),
        ("deploy", "engage", 0),
        ("engage", "pause", 0),
    ],
)
def test_12_0_2_price_of_a_jump(previous, chosen, cost):
    """One box to the right is free, every further box costs a marker; moves to the left and no move are free (K-8).
    The rules refuse the choice if a marker is missing."""
    state = place(f"0606: g-43; {CHOICE}; previous german {previous}; offensives german {cost}")
    played = play(state, choose(chosen))
    assert played.offensives("german") == 0
    if cost:
        poor = place(f"0606: g-43; {CHOICE}; previous german {previous}; offensives german {cost - 1}")
        refused(poor, choose(chosen), "12.0-2", f"costs {plural(cost, 'Offensive marker')}; {cost - 1} available")


def test_12_0_2_a_posture_must_be_chosen_and_for_this_turn():
    """Nothing chosen, or the posture of another turn: refused."""
    state = place(f"0606: g-43; {CHOICE}")
    refused(state, "", "12.0-2", "a posture must be chosen")
    refused(state, choose("pause", turn="c"), "12.0-2", number=2)


def test_12_0_2_a_sealed_posture_that_cannot_be_paid_is_read_as_the_highest_that_can():
    """Engage after Pause needs two markers, and the Russian has one: the seal is read as Deploy and paid (K-9)."""
    played = shown("pause", "engage", setup="previous german pause russian pause; offensives russian 1")
    assert played.after.mark("russian", "posture") == "deploy"
    assert played.offensives("russian") == 0
    assert [note.rule for note in played.of(Noted) if "read as deploy" in note.text] == ["12.0-2"]


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ({"posture": "pause", "reaction": "perhaps"}, "pause"),
        ({"posture": "deploy", "extra": "x"}, "deploy"),
        ({"posture": "charge"}, "pause"),
        ("engage", "pause"),
        ({}, "pause"),
    ],
)
def test_12_0_2_a_sealed_value_that_is_no_posture_never_stops_the_game(value, read):
    """A possible posture with wrong additional fields counts without reaction; any other value is a pause (K-82)."""
    state = place(f"2402: r-63 | 0606: g-43; {CHOICE}; previous german pause; offensives russian 2")
    chosen = play(state, choose("pause")).after
    done = message(chosen, reveal=value)
    assert done.legal
    assert done.after.mark("russian", "posture") == read
    assert done.after.tracks["offensives-russian"] == 2


def test_12_0_2_the_next_posture_is_sealed_and_payable():
    """The Russian's last message of a turn seals the next posture. The rules refuse a missing or unpayable seal, and
    a seal in any other message (K-79)."""
    state = place("2402: r-63; posture russian pause; stage russian-orders; turn B")
    refused(state, {"seal": {}}, "12.0-2", "must be sealed")
    dear = {"seal": {"posture/turn-c": {"posture": "engage"}}}
    refused(state, dear, "12.0-2", "engage after pause costs 2 Offensive markers; 1 available")
    refused(place("0606: g-43"), {"seal": {"posture/turn-b": {"posture": "pause"}}}, "12.0-2", "nothing of this name")


def test_12_0_2_an_answer_has_no_plans_to_seal():
    """Plans are sealed with their battles; an answer has nothing to seal."""
    state = place("2707: r-5 | 2606: g-48-pz")
    declared = play(state, battles(attack("2707", "g-48-pz"))).after
    found = message(declared, {"seal": {"plans/11": {}}}, seq=11).violations
    assert [(violation.rule, violation.path[-1]) for violation in found] == [("12.0-2", "plans/11")]


def test_12_0_3_emergency_reaction():
    """German Engage, Russian Pause with reaction: one marker, and he has Reposition for every purpose (K-10)."""
    played = shown("engage", "pause", setup="previous german engage; offensives russian 1", reaction="yes")
    assert played.after.mark("russian", "posture") == "reposition"
    assert played.offensives("russian") == 0
    assert [event.rule for event in played.of(Decided)] == ["12.0-3"]
    assert replacements.count_points(kursk(), played.after, "russian") == {
        "IRP": 2,
        "ARP": 2,
    }  # the bonus of Pause is gone


def test_12_0_3_the_headlines_say_whose_posture_a_reaction_has_changed():
    """The German waits for the Russian posture, who engages: his orders are no reposition."""
    step = shown("pause", "engage", setup="previous russian deploy; offensives german 1", own="yes").steps_taken[-1]
    told = RULESET.seen.headlines(kursk(), step.before, step.events, step.after)
    assert told == ("Russian orders: posture engage", "German posture: reposition by Emergency Reaction")


def test_12_0_3_no_reaction_without_engage_without_a_marker_or_without_a_wish():
    """Against Deploy, without a marker, or with reaction 'no' or not said, Pause stays Pause (K-10, K-11)."""
    deploy = shown("deploy", "pause", setup="previous german deploy; offensives russian 1", reaction="yes")
    poor = shown("engage", "pause", setup="previous german engage", reaction="yes")
    unwilling = shown("engage", "pause", setup="previous german engage; offensives russian 1")
    for played in (deploy, poor, unwilling):
        assert played.after.mark("russian", "posture") == "pause"
        assert not [key for key in played.after.agenda if key.startswith("reaction")]
    assert deploy.offensives("russian") == unwilling.offensives("russian") == 1


def test_12_0_3_the_german_may_react_too_and_then_cannot_waive():
    """German Pause with reaction against Russian Engage: Reposition. Since his phases depend on the reveal, he may not
    waive it; with ``reaction: 'no'`` he may (K-81)."""
    setup = "previous german pause russian engage; offensives german 1"
    assert shown("pause", "engage", setup=setup, own="yes").after.mark("german", "posture") == "reposition"
    state = place(f"0606: g-43; {CHOICE}; {setup}")
    refused(state, choose("pause", reaction="yes", waive=True), "12.0-3", "wait for it")
    assert play(state, choose("pause", waive=True)).after.stage == "russian-orders"


PHASES = {
    "pause": ["replacements"],
    "reposition": ["replacements", "movement"],
    "deploy": ["replacements", "armor-and-rail", "movement"],
    "engage": ["replacements", "armor-and-rail", "battles", "movement"],
}
ORDER = {
    "replacements": "orders: {replacements: [{unit: g-11, gain: flip}]}",
    "armor-and-rail": moves("g-48-pz 2605", "armor-and-rail"),
    "movement": moves("g-48-pz 2605"),
    "battles": battles(attack("2707", "g-48-pz")),
}


@pytest.mark.parametrize("name", PHASES)
def test_12_0_4_orders_for_a_phase_that_the_posture_leaves_out_are_refused(name):
    """A posture grants its phases and no others; orders for another phase are illegal, not ignored (K-2)."""
    state = place(f"2707: r-5 | 2606: g-48-pz | 1507: g-11 reduced; turn D; posture german {name}; turn 1")
    for key, text in ORDER.items():
        if key == "replacements" and name == "engage":
            continue  # 0 IRP
        if key in PHASES[name]:
            assert play(state, text).after.stage in ("russian-orders", "german-answer")
        else:
            refused(state, text, "12.0-4", f"the posture {name} does not include the phase")


def points(side, name):
    """IRP and ARP of turn 1 (German 1 and 7, Russian 3 and 2) in a posture."""
    return tuple(replacements.count_points(kursk(), place(f"turn 1; posture {side} {name}"), side).values())


def test_12_0_pause_replacements_only_and_more_infantry():
    """German +1 IRP, Russian +2 IRP (K-12)."""
    assert (points("german", "pause"), points("russian", "pause")) == ((2, 7), (5, 2))
    assert kursk().phases["pause"] == {"replacement"}


def test_12_0_reposition_replacements_as_scheduled_and_movement():
    """No impact on replacements."""
    assert (points("german", "reposition"), points("russian", "reposition")) == ((1, 7), (3, 2))
    assert kursk().phases["reposition"] == {"replacement", "movement"}


def test_12_0_deploy_everything_but_combat():
    """German -1 ARP, Russian -2 ARP."""
    assert (points("german", "deploy"), points("russian", "deploy")) == ((1, 6), (3, 0))
    assert kursk().phases["deploy"] == {"replacement", "armor-and-rail", "movement"}


def test_12_0_engage_everything():
    """German -1 and -1, Russian -2 and -2."""
    assert (points("german", "engage"), points("russian", "engage")) == ((0, 6), (1, 0))
    assert kursk().phases["engage"] == {"replacement", "armor-and-rail", "combat", "movement"}


def test_12_0_waiving_the_reveal():
    """With ``waive: posture`` the German orders at once; the Russian shows his posture in his next message, and no
    German phase changes by it (K-79, K-81). Without it, orders in the same message are refused, the objective too."""
    state = place(f"2707: r-5 | 2606: g-48-pz; {CHOICE}; previous german deploy")
    text = choose("engage", waive=True) + "\n" + battles(attack("2707", "g-48-pz"))
    declared = play(state, text).after
    assert (declared.stage, declared.side) == ("german-answer", "russian")
    answered = message(declared, seq=11, reveal={"posture": "deploy"})
    assert answered.legal
    assert answered.after.mark("russian", "posture") == "deploy"
    early = choose("engage") + "\n" + battles(attack("2707", "g-48-pz"))
    refused(state, early, "12.0-2", "orders come after the Russian posture is shown")
    refused(state, choose("deploy") + "\norders: {objective: '2402'}", "12.0-2", "orders come after")
    found = message(state, choose("pause", reaction="yes") + "\norders: {give-ups: [g-43]}").violations
    assert "waive" not in found[0].message  # 'waive' would be refused: the phases depend on the revealed posture


def test_12_0_a_refused_posture_does_not_blame_the_waiver():
    """Engage that cannot be paid, waived, with orders: the posture is refused, and the orders because of it (K-80)."""
    state = place(f"0606: g-43; {CHOICE}; previous german pause")
    found = message(state, choose("engage", waive=True) + "\n" + moves("g-43 0706")).violations
    assert [violation.rule for violation in found] == ["12.0-2", "12.0-4"]
    assert "no posture has been chosen" in found[1].message


OBJECTIVE = "2402: r-63 | 0606: g-43; turn C; clear"


def test_12_1_the_german_may_move_the_marker_while_he_deploys():
    """With Deploy and before any Engage: to any city east of the Start Line, under any control; not to a western city,
    not to a field (K-65)."""
    state = place(f"{OBJECTIVE}; posture german deploy; control 2511 german")
    for label in ("2402", "2511", "2713"):
        assert play(state, f"orders: {{objective: '{label}'}}").after.mark("objective", "hex") == label
    refused(state, "orders: {objective: '2110'}", "12.1", "2110 is not among")
    refused(state, "orders: {objective: '2707'}", "12.1", "2707 is not among")
    assert play(state).after.mark("objective", "hex") == "2113"


@pytest.mark.parametrize("name", ["pause", "reposition", "engage"])
def test_12_1_not_in_another_posture(name):
    """It takes Deploy."""
    refused(place(f"{OBJECTIVE}; posture german {name}"), "orders: {objective: '2402'}", "12.1", "cannot be moved now")


def test_12_1_the_first_engage_locks_it():
    """Engage chosen on turn B; Deploy on turn C moves no marker. The Engage before turn A does not count (K-6,
    K-65)."""
    state = place(f"0606: g-43; {CHOICE}; previous german engage")
    engaged = play(state, choose("engage"))
    assert [(e.rule, e.value) for e in engaged.of(Tracked, track="engaged-german")] == [("12.1", 1)]
    assert play(state, choose("deploy")).after.tracks["engaged-german"] == 0
    locked = place(f"{OBJECTIVE}; posture german deploy; engaged german")
    refused(locked, "orders: {objective: '2402'}", "12.1", "no Engage before")
    own = "0606: g-43; turn C; stage russian-orders; posture russian reposition; objective 1015 russian"
    refused(
        place(own), "orders: {objective: '1103'}", "12.1-russian", "and no Engage since turn 1"
    )  # earlier ones do not
    won = place(f"{OBJECTIVE}; posture german deploy; objective won german")
    refused(won, "orders: {objective: '2402'}", "12.1", "has left play")


FLIP = "2402: r-63 | 0606: g-43; stage posture; posture none; turn 1; previous german deploy"


def test_12_1_flip_without_a_german_engage_by_turn_1():
    """Deploy on turn 1 and no Engage before: Russian side up, in Kiev, at once (K-66). With Engage on turn 1, or on an
    earlier one, or once won, it stays."""
    flipped = play(place(FLIP), choose("deploy", turn="1")).after
    assert (flipped.mark("objective", "side"), flipped.mark("objective", "hex")) == ("russian", "1015")
    for setup, name in (("", "engage"), ("; engaged german", "deploy"), ("; objective won german", "deploy")):
        kept = play(place(FLIP + setup), choose(name, turn="1")).after
        assert kept.mark("objective", "side") == "german"
    before = place(FLIP.replace("turn 1", "turn D"))
    assert play(before, choose("deploy", turn="d")).after.mark("objective", "side") == "german"


def test_12_1_flip_onto_a_russian_in_kiev_wins_it():
    """A marker placed under a Russian is won at once (K-68)."""
    state = place(FLIP.replace("2402: r-63", "1015: r-63") + "; control 1015 russian")
    assert play(state, choose("pause", turn="1")).after.mark("objective", "won") == "russian"


RUSSIAN = "2402: r-63; turn 3; stage russian-orders; posture russian deploy; objective 1015 russian"


def test_12_1_russian_marker_moves_with_deploy():
    """Any city west of the Dniepr, Vitebsk or Gomel; not Smolensk; not with the German side up; not after a Russian
    Engage from turn 1 on (K-67)."""
    for label in ("1103", "1210", "0716", "1821"):
        assert play(place(RUSSIAN), f"orders: {{objective: '{label}'}}").after.mark("objective", "hex") == label
    refused(place(RUSSIAN), "orders: {objective: '1404'}", "12.1-russian", "1404 is not among")
    german = place(RUSSIAN.replace("1015 russian", "2113 german"))
    refused(german, "orders: {objective: '1103'}", "12.1-russian", "cannot be moved now")
    refused(place(f"{RUSSIAN}; engaged russian"), "orders: {objective: '1103'}", "12.1-russian")


@pytest.mark.parametrize(("turn", "locks"), [("D", 0), ("1", 1), ("5", 1)])
def test_12_1_russian_engage_locks_from_turn_1_on(turn, locks):
    """Engage on turn D is not counted, on turn 1 or later it is (K-67)."""
    state = place(f"2402: r-63 | 0606: g-43; stage posture; posture none; turn {turn}; previous russian deploy")
    chosen = play(state, choose("pause", turn=turn.lower())).after
    assert play(chosen, reveal={"posture": "engage"}).after.tracks["engaged-russian"] == locks


def test_12_1_won_by_passing_through():
    """A panzer drives through the marker in Kursk and on: one point for good, the marker leaves play (K-68)."""
    state = place("2111: g-3-pz; turn A; clear")
    played = play(state, moves("g-3-pz 2112 2113 2213"))
    assert played.after.marks["objective"] == {"side": "german", "won": "german"}
    russian = place("2113: r-5; turn A; clear")
    assert russian.mark("objective", "won") == ""
    back = play(place("2112: r-5; stage russian-orders; turn A; clear"), moves("r-5 2113")).after
    assert back.mark("objective", "hex") == "2113"  # the visible side is German: a Russian there wins no point


def test_12_1_won_where_the_marker_is_laid_on_ones_own_unit():
    """The German places the marker on Yelets, where a German unit is (K-68)."""
    state = place("2511: g-3-pz; turn C; clear; posture german deploy; control 2511 german")
    assert play(state, "orders: {objective: '2511'}").after.mark("objective", "won") == "german"


def test_12_1_won_no_second_point_and_no_flip_afterwards():
    """After the win the marker cannot move (K-68)."""
    state = place(f"{OBJECTIVE}; posture german deploy; objective won german")
    refused(state, "orders: {objective: '2402'}", "12.1", "cannot be moved now")
    assert posture.objective_choices(kursk(), state, "german") == []
