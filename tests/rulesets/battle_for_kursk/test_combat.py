"""9.0 Combat: permitted opponents, odds, shifts, Offensives, advance; 11.2 combat in mud."""

from kursk_pbem.kernel.events import Noted
from rulesets.battle_for_kursk.board import attack, battles, odds, place, play, refused

OPEN = "2707: r-5 | 2606: g-48-pz | 2706: g-2-ss | 2806: g-11"  # 10 + 11 + 6 against 8, in the open


def test_9_0_once_per_combat_phase_for_both_sides():
    """A unit attacks in only one battle, is attacked in only one battle, and attacks only once in a battle (K-41)."""
    state = place(f"{OPEN} | 2805: r-10")
    rule = "9.0-once-per-combat-phase"
    refused(state, battles(attack("2707", "g-11"), attack("2805", "g-11", bid="b2")), rule, "g-11 is in b1 already")
    refused(state, battles(attack("2707", "g-11"), attack("2707", "g-2-ss", bid="b2")), rule, "r-5 is in b1 already")
    refused(state, battles(attack("2707", "g-11 g-11")), rule, "g-11 is twice in b1")


def test_9_0_6_guards_of_an_advance():
    """``if-free``: only into a hex outside enemy zones; ``if-supplied``: only if it is in communication. The first unit
    with a true guard advances; otherwise no unit (K-78)."""
    orders = battles(attack("2707", "g-48-pz g-2-ss", advance="g-48-pz if-free, g-2-ss if-supplied"))
    watched = "2707: r-5 reduced | 2606: g-48-pz | 2706: g-2-ss | 2708: r-10"
    played = play(place(watched), orders, dice={"b1": 6})
    assert (played.at("g-48-pz"), played.at("g-2-ss")) == ("2606", "2707")
    alone = play(place(watched.replace(" | 2708: r-10", "")), orders, dice={"b1": 6})
    assert alone.fought().result == "DE"
    assert alone.at("g-48-pz") == "2707"
    cut = place("2707: r-5 reduced | 2606: g-48-pz | 2706: g-2-ss | 2708: r-10 | 2605: r-33 | 2507: r-31 | 2805: r-3")
    played = play(cut, orders, dice={"b1": 6})
    assert (played.at("g-48-pz"), played.at("g-2-ss")) == ("2606", "2706")
    [note] = [each.text for each in played.of(Noted, rule="9.0-6")]
    assert "g-48-pz only if free, and the hex is in an EZOC" in note
    assert "g-2-ss only if supplied, and the hex is not In Communication" in note


def test_9_2_fortifications_help_their_owner_for_good():
    """A Russian belt that the Germans have held helps a Russian who is back in it, and never a German (K-52)."""
    russian = place("2112: r-5 | 2111: g-2-ss | 2212: g-48-pz; turn D")
    assert [s.why for s in odds(russian, "2112", "g-2-ss").shifts if s.rule == "9.2"] == [
        "defender in its own active fortification"
    ]
    german = place("2112: g-11 | 2113: r-5 | 2212: r-10; turn 8")
    assert odds(german, "2112", "r-5").shifts == ()
