"""The finished games: every one is verified, every way of ending is among them, and each can be played again."""

import ast
import shutil
import sys
from functools import cache
from pathlib import Path

import pytest
from helpers import finished_games

from kursk_pbem.audit import verify
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as record
from kursk_pbem.kernel.umpire import GameEnded, Umpire
from kursk_pbem.rulesets import RULESETS
from kursk_pbem.rulesets.battle_for_kursk import victory
from kursk_pbem.trust import message as messages

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import games as games_tool

GAMES = sorted(path.parent for path in finished_games.ROOT.glob("*/*/game.txt"))
SHORT = finished_games.ROOT / "battle-for-kursk" / "moscow"
ENDINGS = {
    "battle-for-kursk": {
        ("moscow", "german"),
        *((how, side) for how in ("operational", "strategic", "resignation") for side in ("german", "russian")),
        ("draw", ""),
    }
}
"""(how, winner) of every end that a ruleset can come to. None is left out: each can be reached by legal play."""


def name_of(folder):
    return folder.name


each_game = pytest.mark.parametrize("folder", GAMES, ids=name_of)


@cache
def facts(folder):
    """What game.txt says."""
    return dict(line.split(": ", 1) for line in (folder / "game.txt").read_text("ascii").splitlines())


@cache
def replayed(folder):
    """The game message by message: (message, game after it, adjudication; None for message 0)."""
    first, *others = [folders.read_message(path) for path in folders.message_files(folder)]
    game = record.begin(first)
    steps = [(first, game, None)]
    for message in others:
        game, result = record.extend(game, message)
        steps.append((message, game, result))
    return tuple(steps)


def ended(folder):
    return replayed(folder)[-1][1].verdict


def test_there_is_a_folder_for_every_plot_and_for_nothing_else():
    assert {folder.name for folder in GAMES} == {*finished_games.PLOTS}
    assert {path.name for path in finished_games.ROOT.glob("*/*")} == {*finished_games.PLOTS}


@each_game
def test_a_game_is_verified_to_its_end(folder):
    said = facts(folder)
    found = verify.verify_game(folder, said["head"])
    assert found.status == 0, found.text
    assert (found.head, str(found.messages)) == (said["head"], said["messages"])
    assert said["verdict"] in found.text
    assert said["verdict"] == ended(folder).text
    assert said["how"] == finished_games.PLOTS[folder.name].title


def test_the_endings_are_all_that_there_are():
    for ruleset in RULESETS:
        found = {(ended(g).how, ended(g).winner) for g in GAMES if g.parent.name == ruleset.id}
        assert found == ENDINGS[ruleset.id]


def test_the_rules_know_no_other_ending(monkeypatch):
    """The list above against the code: what the reckoning makes of any number of points, and who else ends a game."""
    kursk, state = replayed(SHORT)[0][1].setting, replayed(SHORT)[0][1].state
    found = {("moscow", "german"), ("resignation", "german"), ("resignation", "russian")}
    for points in range(-15, 16):
        score = victory.Score(*({"russian": max(n, 0), "german": max(-n, 0)} for n in (points, 0, 0)))
        monkeypatch.setattr(victory, "score", lambda _kursk, _state, score=score: score)
        umpire = Umpire(kursk, state, 9, None)
        with pytest.raises(GameEnded):
            victory.reckon(umpire)
        verdict = victory.verdict(kursk, umpire.state)
        found.add((verdict.how, verdict.winner))
    assert found == ENDINGS["battle-for-kursk"]
    enders = {
        path.name
        for path in Path(victory.__file__).parent.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "finish"
    }
    assert enders == {"entry.py", "victory.py"}  # Moscow, and the reckoning after the last turn


@each_game
def test_a_game_was_adjudicated_as_the_program_adjudicates_now(folder):
    (ruleset,) = (ruleset for ruleset in RULESETS if ruleset.id == folder.parent.name)
    assert facts(folder)["adjudication"] == str(ruleset.version), "another adjudication: make games"


@each_game
def test_every_position_keeps_the_invariants(folder):
    for message, game, result in replayed(folder):
        assert game.ruleset.invariants(game.setting, game.state) == []
        assert message.text("state-out") == game.state.sha256()
        assert result is None or result.legal
        assert game.over == (message is replayed(folder)[-1][0])


@each_game
def test_files_come_out_the_same_when_read_and_written(folder):
    for path, (message, _game, _result) in zip(folders.message_files(folder), replayed(folder), strict=True):
        text = path.read_bytes().decode("ascii")
        assert messages.emit(message.content, message.armour) == text
        assert "state" not in strictyaml.read(path.read_bytes(), path.name).data
        windows = messages.read(text.replace("\n", "\r\n").encode("ascii"), path.name)
        assert (windows.id, windows.armour and windows.armour.split()) == (message.id, message.armour.split())


def test_a_game_with_other_line_ends_and_with_positions_is_the_same_game(tmp_path):
    for message, game, _result in replayed(SHORT):
        text = messages.emit(message.content, message.armour, game.state.to_plain())
        folders.message_path(tmp_path, message.seq).write_bytes(text.replace("\n", "\r\n").encode("ascii"))
    assert verify.verify_game(tmp_path, facts(SHORT)["head"]).status == 0


def test_a_missing_tail_is_seen_by_whoever_knows_the_head(tmp_path):
    folder = Path(shutil.copytree(SHORT, tmp_path / "game"))
    folders.message_files(folder)[-1].unlink()
    unfinished = verify.verify_game(folder)
    assert unfinished.status == 0
    assert "to write" in unfinished.text
    found = verify.verify_game(folder, facts(SHORT)["head"])
    assert found.status == 3
    assert "later messages are missing" in found.text


def test_what_players_can_do_is_done_somewhere():
    seen = set()
    for folder in GAMES:
        for message, game, result in replayed(folder):
            seen.update(message.content)
            seen.update(f"orders/{key}" for key in message.mapping("orders"))
            seen.update(f"gain/{gain['gain']}" for gain in message.mapping("orders").get("replacements", ()))
            seen.update("offensive" for battle in message.mapping("orders").get("battles", ()) if "offensive" in battle)
            seen.update(label.split("/")[0] for label in (*message.mapping("secret"), *message.mapping("dice")))
            seen.update(f"posture/{game.state.mark(side, 'posture')}" for side in game.ruleset.sides)
            for event in result.events if result else ():
                seen |= {type(event).__name__, getattr(event, "kind", "")}
            seen.update([message.type, game.state.stage, game.setting.scenario.id])
    wanted = {
        "battle-for-kursk/citadel", "battle-for-kursk/campaign", "waive", "reveal", "policy", "decisions", "pending",
        "weather", "plans", "posture", "offensive", "gain/flip", "gain/place", "orders/give-ups", "orders/objective",
        "orders/armor-and-rail", "orders/movement", "orders/battles", "orders/distribution", "german-decision",
        "weather-answer", "first-binding", "resign", "Fought", "Removed", "conversion", "emergency reaction",
        *(f"posture/{name}" for name in ("pause", "reposition", "deploy", "engage")),
    }  # fmt: skip
    assert wanted - seen == set()


def test_where_a_referee_rolls_all_that_he_can_meet_is_met():
    """Battles of both sides, the weather die, a decision between dice, offers, answers in the open."""
    steps = replayed(finished_games.ROOT / "battle-for-kursk" / "referee")
    stages = {before.state.stage for _message, before, _result in steps}
    assert stages >= {"german-rolls", "russian-rolls", "weather-die", "german-decision", "german-dice", "russian-dice"}
    assert {message.type for message, *_rest in steps} == {"propose", "accept", "turn", "offer", "reply"}
    rolled = [message for message, *_rest in steps if message.mapping("dice")]
    assert {message.sender for message in rolled} == {"referee"}
    assert any("pending" in message.content for message in rolled)
    assert any(message.mapping("policy") for message, *_rest in steps)
    assert all((message.sender == "referee") == (message.seq % 2 == 0) for message, *_rest in steps)
    assert len({message.text("mix") for message, *_rest in steps if message.seq % 2}) == len(steps) // 2


def test_the_games_are_small():
    sizes = {folder.name: sum(path.stat().st_size for path in folder.glob("*")) for folder in GAMES}
    assert max(sizes.values()) < 150_000
    assert sum(sizes.values()) < 1_000_000


def test_a_game_is_played_again_byte_for_byte(monkeypatch, capsys):
    """One here; all of them with ``make games``, after which git shows no change."""
    monkeypatch.setattr(sys, "argv", ["games.py", "--check", "resignation-german"])
    assert games_tool.main() == 0
    assert "byte for byte" in capsys.readouterr().out


def test_a_difference_would_be_seen():
    files = {path.name: path.read_bytes().decode("ascii") for path in SHORT.glob("*")}
    assert finished_games.differences("moscow", files) == []
    files["0003.yaml"] += " "
    del files["0004.yaml"]
    files["0099.yaml"] = ""
    assert finished_games.differences("moscow", files) == ["0003.yaml", "0004.yaml", "0099.yaml"]
