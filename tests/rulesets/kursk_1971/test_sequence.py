"""2.0 Sequence of play, 3.0 Length: messages in both dice modes, successor games."""

from __future__ import annotations

import pytest

from kursk_pbem.desk.deals import begin
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.state import OVER
from kursk_pbem.rulesets.kursk_1971 import RULESET, resume, sequence
from rulesets.kursk_1971.board import at, attack, bare, legal, raid, shipped

BESIDE = {"1514": "g-gd", "1513": "s-1t", "1510": "g-air1", "1520": "s-air1"}


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
    ("scenario", "wrong", "right"), [("july4-historical", "german", "soviet"), ("july4", "soviet", "german")]
)
def test_the_refusal_of_a_proposal_speaks_of_its_scenario(tmp_path, scenario, wrong, right):
    """The proposing side depends on the scenario."""
    proposal = begin.Proposal(f"kursk-1971/{scenario}", wrong, "", {}, {})
    with pytest.raises(UsageError, match=f"in Kursk 1971: July 4, .* the {right} side proposes"):
        begin.propose_game(proposal, tmp_path / "me", tmp_path, tmp_path)
