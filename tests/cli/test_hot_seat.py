"""``kursk play`` and ``kursk demo --play``: both sides of a practice game at one terminal."""

import pytest
from helpers import finished_games, registry
from helpers.commands import Terminal
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from kursk_pbem.cli import run


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """Return a function that types lines into a command at a terminal, and returns the output."""
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("KURSK_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", Terminal(""))
    monkeypatch.setattr("kursk_pbem.cli.common.on_terminal", lambda: True)
    monkeypatch.setattr("kursk_pbem.cli.orders.hotseat.on_terminal", lambda: True)

    def type_(arguments, *lines):
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text("".join(f"{line}\r" for line in lines))
            pipe.send_text("\x04")
            assert run(arguments) == 0
        return capsys.readouterr().out

    return type_


def test_both_sides_play_until_the_first_dice_without_a_key_or_a_name(play, tmp_path):
    said = play(["play"], "sign --yes", "posture engage, attack 1912 all", "sign --yes", "sign --yes")
    assert "you play the Russian side (hot seat)" in said
    assert "attack 1912 all" in said.partition("Message 2,")[2].partition("Message 3,")[0]  # a step of the guide
    assert "mail it" not in said
    assert "'map --around PLACE'" in said  # also without hexes
    assert "Your dice: 1912: " in said.rpartition("Message 4,")[2]
    assert "Your dice: the dice show " in said.rpartition("Message 4,")[2]
    games = [*(tmp_path / "home" / "hot-seat").glob("game-*")]
    assert len(games) == 1
    again = play(["play"], "quit")  # the game continues
    assert "Message 4, turn 1: you play the German side" in again
    assert [*(tmp_path / "home" / "hot-seat").glob("game-*")] == games


def test_a_named_scenario_begins_a_new_game(play, tmp_path):
    play(["play"])
    assert "hot seat" in play(["play", "july4-historical"])
    assert len([*(tmp_path / "home" / "hot-seat").glob("game-*")]) == 2


def test_the_demonstration_goes_on_with_both_sides(play):
    said = play(["demo", "--play"])
    assert "Message 1 of the Russian side:" in said
    assert "Message 2, turn 1: you play the German side" in said


def test_practice_neither_gives_a_key_nor_stands_in_the_way_of_a_game(play, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "other"))
    assert run(["keygen", "boris"]) == 0
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    play(["play"])
    new = ["propose", "battle-for-kursk/citadel", "--as", "german", "--name", "Anna", "--opponent", "boris.pub"]
    assert run(new) != 0
    assert "--key" in capsys.readouterr().err
    [practice] = (tmp_path / "home" / "hot-seat").glob("key")
    assert run([*new, "--yes", "--key", str(practice), "--dir", str(tmp_path / "home" / "hot-seat")]) == 0
    assert run([*new, "--yes"]) != 0  # a key of practice is never remembered
    assert run(["keygen", "me"]) == 0
    assert run([*new, "--yes"]) == 0
    assert run(["status", "--json"]) == 0
    capsys.readouterr()
    assert run(["map"]) == 0  # the map of the only game that is not practice


def test_without_a_terminal_the_board_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    assert run(["play"]) != 0
    assert "kursk play --board" in capsys.readouterr().err
    assert not (tmp_path / "home").exists()


def test_a_script_begins_a_what_if_game_and_signs_in_its_folder(tmp_path, monkeypatch, capsys):
    """Without a terminal the command says where the game is, and signing says how to take the message back."""
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert run(["play", "--from", str(finished_games.folder_of(registry.kit(), "german-strategic") / "0005.yaml")]) == 0
    (game,) = (tmp_path / "home" / "what-if").glob("game-*")
    assert game.name in capsys.readouterr().out
    assert run(["sign", str(game)]) == 2
    assert "'kursk play --undo' takes the message back" in capsys.readouterr().err
    assert run(["sign", str(game), "--yes"]) == 0
