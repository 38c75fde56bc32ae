"""A refusal names the next step: a command that then works."""

import io
import re
import shutil
import sys
from pathlib import Path

import click
import pytest
from helpers import alone
from helpers.commands import commands_in, well

from kursk_pbem.cli import cli, run

LASTING = {"app", "board", "demo", "mcp", "picture", "play", "practice", "shell", "tournament"}
"""Commands that serve or ask, take seconds, or begin a game; and the group of directors."""
COMMANDS = sorted(set(cli.list_commands(click.Context(cli))) - LASTING)
CITADEL = "battle-for-kursk/citadel"
WORDS = {"offer": ("draw",), "reply": ("accept",)}
"""More words for commands that otherwise print their usage."""
DONE = "^Usage: |wait for the mail|the first offer may be|is no offer|not bound before"
"""Answers that list the commands, or after which nothing is left to do."""


def empty_folder(_game, _capsys, _monkeypatch):
    """Return the key; nothing else is there."""
    return "../key"


def saved_mails(game, _capsys, _monkeypatch):
    """Save mails of a game without a private record; message 1 is only below the later turns."""
    for seq in (0, 2, 4, 5):
        shutil.copy(game / f"{seq:04d}.yaml", ".")
    shutil.copy(game.parent / "me", "../key")
    return "../key"


def saved_mails_of_an_older_program(game, capsys, monkeypatch):
    """Save the same mails, and message 1 nowhere."""
    key = saved_mails(game, capsys, monkeypatch)
    alone.cut_blocks(Path())
    return key


def two_games(_game, capsys, monkeypatch):
    """Begin two games that wait for the player."""
    monkeypatch.setenv("KURSK_HOME", "../of anna")
    well(capsys, "keygen", "../anna")
    well(capsys, "keygen", "../boris")
    for _game in range(2):
        well(capsys, "propose", CITADEL, "--as", "german", "--key", "../anna", "--opponent", "../boris.pub")
    monkeypatch.setenv("KURSK_HOME", "../of boris")
    for path in [*Path().glob("game-*/0000.yaml")]:
        well(capsys, "accept", path.rename(f"../{path.parent.name}.yaml"), "--key", "../boris")
    return "../boris"


def attempt(capsys, monkeypatch, words):
    """Return the status of a command without a terminal, and its errors, otherwise its answer."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    status, said = run(words), capsys.readouterr()
    return status, " ".join((said.err or said.out).split())


def find_next_steps(words, said, filled):
    """Return the commands that a refusal names; the demonstration last, because it plays a game."""
    named = [[*words, "--yes"]] if "give --yes" in said else commands_in(said, **filled)
    fills = {"--key": filled["KEY"], "keygen": "new"}
    steps = ([fills.get(before, word) for before, word in zip(["", *step], step, strict=False)] for step in named)
    return sorted(steps, key=lambda step: step[0] == "demo")


@pytest.mark.parametrize("scene", [empty_folder, saved_mails, saved_mails_of_an_older_program, two_games])
def test_each_refusal_names_a_command_that_works(scene, demo, tmp_path, capsys, monkeypatch):
    """The named command may name another one in turn, such as a command that needs a key."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    monkeypatch.setenv("KURSK_HOME", "../home")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    [game] = (demo / "german").glob("game-*")
    shutil.copy(game / "0000.yaml", "../mail.yaml")
    filled = {"SCENARIO": CITADEL, "FILE": "../mail.yaml", "DIR": "letters", "KEY": scene(game, capsys, monkeypatch)}
    ends = {}

    def follow(words, depth=3):
        """Return whether a command works, or a command named in its refusal."""
        if tuple(words) not in ends:
            status, said = attempt(capsys, monkeypatch, words)
            steps = find_next_steps(words, said, filled) if status == 2 else []
            works = status != 2 or re.search(DONE, said) or (depth and any(follow(step, depth - 1) for step in steps))
            ends[tuple(words)] = "" if works else said
        return not ends[tuple(words)]

    assert [ends[words] for command in COMMANDS if not follow(words := (command, *WORDS.get(command, ())))] == []
