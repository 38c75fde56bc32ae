"""Checks of scenario data, positions for successor games, the converter, and hostile plans."""

import copy
import json

import pytest

from kursk_pbem.errors import FileError
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.review import ERROR
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import from_plain
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts import RULESET, check, combat, resume
from kursk_pbem.rulesets.juggernauts.setting import load
from rulesets.juggernauts.board import JULY, Faces, attack, declare_attacks, fight, july, place


def data():
    return copy.deepcopy(dict(scenarios.load(JULY).data))


SPOILT = {
    "city": (lambda d: d["map"]["cities"].update(Z9={"name": "Nowhere", "kind": "town", "side": "german"}), "18.0"),
    "side": (lambda d: d["map"]["cities"]["L8"].update(side="german"), "18.0"),
    "twice": (lambda d: d["map"]["lines"]["russian-2nd"]["front"].update(I9=["H9"]), "15.2"),
    "front": (lambda d: d["map"]["lines"]["russian-1st"]["front"].update(I9=["A1"]), "15.2"),
    "strength": (lambda d: d["tables"]["lines"].pop("german-1st"), "15.2"),
    "table": (lambda d: d["tables"]["crt"]["rows"].update({"1": ["DE"] + ["AE"] * 11}), "1.0"),
    "arrival": (lambda d: d["tables"]["arrivals"].update(replacements=["Z1"]), "11.1"),
    "goal": (lambda d: d["tables"]["victory"]["german"].update(take=["A1"]), "18.0"),
    "unit": (lambda d: d["units"]["units"]["g-2ss"].update(hex="Z1"), "17.1"),
    "astray": (lambda d: d["units"]["units"]["g-2ss"].update(hex="L8"), "17.1"),
    "gun": (lambda d: d["units"]["units"]["g-2ss"].update(emplaced="yes"), "14.2"),
    "late": (lambda d: d["units"]["units"]["r-11a"].update(arrives="9"), "11.1"),
    "river": (lambda d: d["map"]["rivers"]["oka"]["hexsides"].append("A1-W9"), "15.6"),
    "edge": (lambda d: d["map"]["edges"]["german"].append("L8"), "16.1"),
    "line": (lambda d: d["map"]["start-line"].pop(), "17.1"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_wrong_in_a_scenario_is_said(name):
    spoil, rule = SPOILT[name]
    broken = data()
    spoil(broken)
    assert rule in [finding.rule for finding in check.check_scenario(broken)]


@pytest.mark.parametrize("name", ["twice", "front", "unit", "strength", "line"])
def test_data_that_are_no_game_are_not_loaded(name):
    broken = data()
    SPOILT[name][0](broken)
    assert name == "strength" or any(finding.severity == ERROR for finding in check.check_scenario(broken))
    with pytest.raises(FileError, match="do not fit the rules of Juggernauts"):
        load(Scenario("juggernauts/x", "x", "juggernauts", broken, "0" * 64, ()))


def test_a_game_may_go_on_from_where_a_player_turn_is_ordered():
    first = RULESET.data.setup(july())
    assert RULESET.data.resume(july(), first) == first
    later = place("T15: r-57a | S15: g-2ss; stage russian-orders; turn 3; disrupted r-57a; city L8 german; lost I9")
    assert RULESET.data.resume(july(), later) == later
    waits = declare_attacks(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss")).state
    assert "waits for" in RULESET.data.resume(july(), waits)
    standing = first.with_(agenda={"policy-german": {"seq": "1", "policy": {}}})
    assert RULESET.data.resume(july(), standing) == first


@pytest.mark.parametrize(
    "spoil",
    [
        {"stage": "over"},
        {"turn": "99"},
        {"side": "russian"},
        {"tracks": {}},
        {"tracks": {"replacements": -4}},
        {"marks": {"disrupted": {"nobody": "yes"}}},
        {"marks": {"panzerkeil": {"g-2ss": "up"}}},
        {"marks": {"entrenched": {"g-2ss": "yes"}}},
        {"marks": {"breached": {"S15": "yes"}}},
        {"marks": {"odd": {"a": "b"}}},
        {"marks": {"control": {"L8": "nobody"}}},
        {"marks": {"acted": {"g-2ss": "1"}}},
        {"marks": {"flown": {"x": "yes"}}},
        {"marks": {"down": {"g-lf4": "1"}}},
        {"units": {}},
        {"stage": "german-half"},
    ],
)
def test_a_strange_position_is_refused(spoil):
    """Positions come from anyone's file."""
    plain = json.loads(RULESET.data.setup(july()).canonical())
    plain |= {key: value if key != "tracks" else {k: str(v) for k, v in value.items()} for key, value in spoil.items()}
    assert isinstance(resume.resume_game(july(), from_plain(plain)), str)


@pytest.mark.parametrize(
    "value",
    [
        "x",
        [],
        {"b1": 3},
        {"b1": {"advance": ["g-2ss A1 B2 C3", "", "only", "r-57a"], "push": ["9", "-1"]}},
        {
            "b1": {
                "losses": ["nobody"],
                "forced": [{}],
                "exchange": "perhaps",
                "breakthrough": ["join b1", "join", "Z9"],
            }
        },
        {"b1": {"cancel": ["unless", "below 9:9", "unless b1 "], "exploit": ["g-2ss"] * 90}},
    ],
)
def test_a_sealed_plan_that_makes_no_sense_counts_as_not_written(value):
    """J-64: a revealed plan must never stop a game."""
    umpire = declare_attacks(place("T15: r-57a | S15: g-2ss; keil g-2ss SE"), attack("T15", "g-2ss"))
    state = umpire.state.with_(agenda={**umpire.state.agenda, "answered": "2"}, stage="german-dice")
    for die in "123456":
        last = Umpire(july(), state, 3, Faces(3, die))
        combat.resolve_attacks(last, Filing(3, "german", reveal={"plans/1": value}))
        assert not RULESET.play.invariants(july(), last.state)


def test_a_stack_of_any_size_is_fought_in_time():
    """The umpire does not try every set of units."""
    counters = july().counters
    german = [uid for uid, each in counters.items() if each.side == "german"]
    russian = [uid for uid, each in counters.items() if each.side == "russian" and each.kind != "artillery"]
    state = place(f"T15: {' '.join(russian)} | S15: {' '.join(german)}")
    for die in "123456":
        umpire = fight(state, attack("T15", " ".join(german)), dice=die, policy={"withdraw": "2"})
        assert umpire.rolled
