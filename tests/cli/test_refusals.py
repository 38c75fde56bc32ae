"""A refusal names the next step: a command that then works."""

import io
import shutil
import sys

import click
import pytest
from helpers import losing
from helpers.commands import commands_in

from kursk_pbem.cli import cli, run

LASTING = {"app", "board", "mcp", "play", "practice", "shell", "tournament"}
"""Commands that serve or ask, or begin a game; and the group of directors."""
COMMANDS = sorted(set(cli.list_commands(click.Context(cli))) - LASTING)


@pytest.fixture(params=["empty", "mails", "games"])
def place(request, tmp_path, demo, monkeypatch):
    """Return an empty folder, a folder with received mails, or the folder of a player of two games."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TERM", "dumb")
    (here := tmp_path / "here").mkdir()
    monkeypatch.chdir(here)
    if request.param == "mails":
        for path in losing.letters(demo / "russian")[::2]:
            shutil.copy(path, here)
    if request.param == "games":
        player = losing.Loser(demo, tmp_path, "german")
        player.backup(losing.ALL - 1)
        monkeypatch.setenv("KURSK_HOME", str(player.home))
        monkeypatch.chdir(player.place)
        opponent = str(demo / "russian" / "me.pub")
        assert run(["propose", "citadel", "--as", "german", "--opponent", opponent, "--key", "me", "-q"]) == 0
    return tmp_path


def attempt(capsys, monkeypatch, words):
    """Return the status and the output of a command without a terminal."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    status = run(words)
    said = capsys.readouterr()
    return status, said.out + said.err


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_each_refusal_names_a_command_that_works(command, place, demo, capsys, monkeypatch):
    status, said = attempt(capsys, monkeypatch, [command])
    if status in (0, 1):
        return
    mail, new = losing.letters(demo / "german")[-1], place / "new"
    filled = {"FILE": str(mail), "SCENARIO": "citadel", "DIR": str(new), "DATE": "1943-07-05"}
    named = commands_in(said, **filled)
    assert named, said
    assert any(attempt(capsys, monkeypatch, words)[0] == 0 for words in named), said
