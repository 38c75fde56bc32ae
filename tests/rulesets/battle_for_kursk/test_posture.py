"""12.0 Postures, Emergency Reaction, 12.1 the Strategic Objective; K-79 to K-81 the contents of each message."""

import pytest

from kursk_pbem.kernel.events import Noted, Tracked
from kursk_pbem.rulesets.battle_for_kursk import RULESET
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


def test_12_0_3_the_headlines_say_whose_posture_a_reaction_has_changed():
    """The German waits for the Russian posture, who engages: his orders are no reposition."""
    step = shown("pause", "engage", setup="previous russian deploy; offensives german 1", own="yes").steps_taken[-1]
    told = RULESET.seen.headlines(kursk(), step.before, step.events, step.after)
    assert told == ("Russian orders: posture engage", "German posture: reposition by Emergency Reaction")


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
