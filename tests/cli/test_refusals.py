"""A refusal in an empty folder names the next step: a command that then works."""

import io
import sys

import click
from helpers.commands import commands_in

from kursk_pbem.cli import cli, run

LASTING = {"app", "board", "mcp", "play", "practice", "shell", "tournament"}
"""Commands that serve or ask, or begin a game; and the group of directors."""
COMMANDS = sorted(set(cli.list_commands(click.Context(cli))) - LASTING)


def attempt(capsys, monkeypatch, words):
    """Return the status and the output of a command without a terminal."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    status = run(words)
    said = capsys.readouterr()
    return status, said.out + said.err


def test_each_refusal_without_a_game_names_a_command_that_works(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("KURSK_KEY", raising=False)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    refused, named = set(), set()
    for command in COMMANDS:
        status, said = attempt(capsys, monkeypatch, [command])
        if "there is no game here" in said and command != "status":
            refused.add(command)
            named |= {tuple(words) for words in commands_in(said) if "FILE" not in words}
            assert (status, commands_in(said) != []) == (2, True), said
    assert len(refused) > 10
    assert {attempt(capsys, monkeypatch, [*words])[0] for words in named} == {0}
