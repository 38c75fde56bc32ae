"""2.0 Sequence of play, 3.0 Length: messages in both dice modes, successor games."""

from __future__ import annotations

import pytest

from kursk_pbem.desk.deals import begin
from kursk_pbem.errors import UsageError
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.kernel.state import OVER
from kursk_pbem.rulesets.kursk_1971 import RULESET, resume, sequence, setting
from rulesets.kursk_1971.board import at, attack, bare, legal, play, raid, refused, said, shipped

BESIDE = {"1514": "g-gd", "1513": "s-1t", "1510": "g-air1", "1520": "s-air1"}


def stages(name, *, refereed=False):
    loaded = setting.load(scenarios.load(f"kursk-1971/{name}"), {}, REFEREE if refereed else "players")
    return sequence.list_stages(loaded)


def test_2_0_both_players_have_a_turn():
    """S-1: the table of a historical game in both dice modes."""
    assert list(stages("july4-historical")) == [
        "german-orders",
        "german-answer",
        "german-dice",
        "soviet-orders",
        "soviet-answer",
        "soviet-dice",
        OVER,
    ]
    rolled = stages("july4-historical", refereed=True)
    assert {"german-rolls", "soviet-rolls"} <= rolled.keys()
    assert rolled["german-dice"].phases[-1] is sequence.STANDING


@pytest.mark.parametrize(("name", "first"), [("july4-historical", "german"), ("may3", "german"), ("august3", "soviet")])
def test_2_0_a_the_germans_are_first_unless_a_scenario_says_otherwise(name, first):
    assert shipped(name).first == first


def test_2_0_b_the_second_player_does_the_same():
    table = stages("july4-historical")
    keys = [[phase.key for phase in table[f"{side}-orders"].phases] for side in ("german", "soviet")]
    assert keys[0][-3:] == ["motorized", "air", "landing"]
    assert keys[1] == [*keys[0][:-2], "victory-points", "air", "landing", "game-turn"]


def test_2_0_c_a_game_turn_passes():
    game = bare()
    state = at(game, {"1514": "g-gd", "1510": "s-1t"})
    second = legal(game, state)
    assert (second.turn, second.side) == ("1", "soviet")
    assert (legal(game, second, seq=3).turn, legal(game, second, seq=3).side) == ("2", "german")


def test_2_0_phases_attacks_are_answered_and_rolled():
    """S-1, S-12, S-59: one message without attacks; otherwise later phases wait for dice."""
    game = bare()
    state = at(game, BESIDE)
    assert legal(game, state).stage == "soviet-orders"
    for orders in ({"battles": [attack("1513", "g-gd")]}, {"superiority": [raid("s-air1", "g-air1")]}):
        declared = legal(game, state, orders)
        assert (declared.stage, declared.side) == ("german-answer", "soviet")
        answered = legal(game, declared, seq=3)
        assert (answered.stage, answered.side) == ("german-dice", "german")
        faces = {"b1/combat": "1", "r1/air": "1"}
        assert legal(game, answered, seq=4, faces=faces).stage == "soviet-orders"
        later = {**orders, "patrol": [{"unit": "g-air1", "hex": "1514"}]}
        assert refused(game, state, later) == ["2.0-phases"]
        assert "give this order in your next message" in said(game, state, later)


def test_2_0_phases_fields_that_have_no_place():
    game = bare()
    state = at(game, BESIDE)
    assert refused(game, state, policy={"retreat": ["1515"]}) == ["2.0-phases"]
    assert refused(game, state, {"deployment": [{"hex": "1514", "units": ["g-gd"]}]}) == ["2.0-phases"]


def test_3_0_six_game_turns():
    for name in ("july4-historical", "july4", "june12", "may3", "august3"):
        assert shipped(name).turns == ("1", "2", "3", "4", "5", "6")


def test_2_0_a_refereed_turn():
    """S-58: the referee rolls between; any message of a player may contain standing answers."""
    game = bare(refereed=True)
    state = at(game, BESIDE)
    order = attack("1513", "g-gd", advance=["g-gd"])
    policy = {"retreat": ["1515"], "hexes": {"1514": {"advance": ["g-gd 1513"]}}}
    declared = legal(game, state, {"battles": [order]}, policy=policy, seq=3)
    assert declared.stage == "german-rolls"
    assert declared.agenda["battles"][0]["plan"] == {"advance": ["g-gd"]}, "plans are open"
    rolled = play(game, declared, seq=4, faces={"b1/combat": "1"}, writer=REFEREE)
    assert rolled.violations == ()
    assert (rolled.middle.stage, rolled.middle.side) == ("german-dice", "german")
    assert legal(game, rolled.middle, {"motorized": []}, seq=5).stage == "soviet-orders"
    assert refused(game, state, policy={"battles": {"b1": {}}}, seq=3) == ["8.0"]


def test_a_game_goes_on_where_nothing_waits():
    """S-62: from the start of a player turn or set-up; positions of strangers are checked."""
    game = shipped()
    start = RULESET.data.setup(game)
    assert resume.resume_game(game, start) == start
    second = legal(game, start)
    assert resume.resume_game(game, second) == second
    standing = second.with_(agenda={"policy-german": {"seq": "1", "policy": {}}})
    assert resume.resume_game(game, standing) == second
    for wrong, why in (
        (second.with_(stage=OVER), "over"),
        (second.with_(stage="german-answer"), "waits"),
        (second.with_(agenda={"battles": []}), "waits"),
        (second.with_(turn="7"), "turn or a track"),
        (second.with_(tracks={}), "turn or a track"),
        (second.with_(marks={"moon": {"a": "b"}}), "mark is unknown"),
        (second.with_(marks={"cities": {"1717": "moon"}}), "unknown side"),
        (second.with_(marks={"cities": {"1716": "german"}}), "no city"),
        (second.with_(marks={"patrol": {"g-air1": "9999"}}), "no hex"),
        (second.with_(marks={"patrol": {"g-gd": "1010"}}), "no air unit"),
        (second.with_(stage="soviet-set-up"), "has no set-up"),
        (second.with_(units={}), "order of battle"),
    ):
        found = resume.resume_game(game, wrong)
        assert isinstance(found, str)
        assert why in found


def test_an_answer_without_a_choice_is_quiet():
    """S-58: raids on bases without patrols leave no choice."""
    game = bare()
    state = at(game, BESIDE)
    raided = legal(game, state, {"superiority": [raid("s-air1", "g-air1")]})
    assert sequence.is_quiet(game, raided)
    fought = legal(game, state, {"battles": [attack("1513", "g-gd")]})
    assert not sequence.is_quiet(game, fought)
    patrolled = at(game, BESIDE, patrol={"s-air1": "1520"})
    assert not sequence.is_quiet(game, legal(game, patrolled, {"superiority": [raid("s-air1", "g-air1")]}))
    assert not sequence.is_quiet(game, state)


@pytest.mark.parametrize(
    ("options", "kampfgruppen", "integrity"),
    [
        ({}, True, True),
        ({"optional_rules": "neither-played"}, True, True),
        ({"edition": "print"}, True, False),
        ({"edition": "print", "optional_rules": "both-played"}, True, True),
        ({"edition": "print", "optional_rules": "neither-played"}, False, False),
    ],
)
def test_16_0_optional_rules(options, kampfgruppen, integrity):
    """S-55: optional in the print edition, always played in the digital edition."""
    game = bare(**options)
    assert (game.battlegroups, game.integrity) == (kampfgruppen, integrity)


@pytest.mark.parametrize(
    ("scenario", "wrong", "right"), [("july4-historical", "german", "soviet"), ("july4", "soviet", "german")]
)
def test_the_refusal_of_a_proposal_speaks_of_its_scenario(tmp_path, scenario, wrong, right):
    """The proposing side depends on the scenario."""
    proposal = begin.Proposal(f"kursk-1971/{scenario}", wrong, "", {}, {})
    with pytest.raises(UsageError, match=f"in Kursk 1971: July 4, .* the {right} side proposes"):
        begin.propose_game(proposal, tmp_path / "me", tmp_path, tmp_path)
