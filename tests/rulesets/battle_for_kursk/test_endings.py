"""The ways in which a game of Battle for Kursk can end, against the code; and a whole game for a referee."""

import ast
from pathlib import Path

import pytest
from helpers import finished_games
from helpers.replays import replayed

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.rulesets.battle_for_kursk import victory
from rulesets.battle_for_kursk.board import kursk, place
from rulesets.battle_for_kursk.kit import KIT


def test_the_rules_know_no_other_ending(monkeypatch):
    """The list above equals the code: the result for any number of points, and the other endings."""
    setting, state = kursk(), place("")
    found = {("moscow", "german"), ("resignation", "german"), ("resignation", "russian")}
    for points in range(-15, 16):
        score = victory.Score(*({"russian": max(n, 0), "german": max(-n, 0)} for n in (points, 0, 0, 0)))
        monkeypatch.setattr(victory, "score", lambda _setting, _state, score=score: score)
        umpire = Umpire(setting, state, 9, None)
        with pytest.raises(GameEnded):
            victory.reckon(umpire, Filing(9, "russian"))
        verdict = victory.find_verdict(setting, umpire.state)
        found.add((verdict.how, verdict.winner))
    assert found == KIT.endings
    enders = {
        path.name
        for path in Path(victory.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "finish"
    }
    assert enders == {"entry.py", "victory.py"}  # Moscow, and the reckoning after the last turn


def test_where_a_referee_rolls_all_that_he_can_meet_is_met():
    """Battles of both sides, the weather die, a decision between dice, offers, answers in the open."""
    steps = replayed(finished_games.folder_of(KIT, "referee"))
    stages = {game.state.stage for _message, game, _result in steps}
    assert stages >= {"german-rolls", "russian-rolls", "weather-die", "german-decision", "german-dice", "russian-dice"}
    assert {message.type for message, *_rest in steps} == {"propose", "accept", "turn", "offer", "reply"}
    rolled = [message for message, *_rest in steps if message.mapping("dice")]
    assert {message.sender for message in rolled} == {"referee"}
    assert any("pending" in message.content for message in rolled)
    assert any(message.mapping("policy") for message, *_rest in steps)
    assert all((message.sender == "referee") == (message.seq % 2 == 0) for message, *_rest in steps)
    assert len({message.text("mix") for message, *_rest in steps if message.seq % 2}) == len(steps) // 2
