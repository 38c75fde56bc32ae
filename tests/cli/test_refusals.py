"""A refusal names the next step: a command that then works."""

import io
import re
import shutil
import sys
import threading
from pathlib import Path

import click
import pytest
from helpers import alone, sweeps
from helpers.commands import commands_in, well
from helpers.mail_servers import free_port

from kursk_pbem.board import hosting, serve
from kursk_pbem.cli import cli, run
from kursk_pbem.cli import demo as demonstration
from kursk_pbem.film import pixels

COMMANDS = sorted(set(cli.list_commands(click.Context(cli))) - {"tournament"})
"""All commands but the group of directors."""
CITADEL = "battle-for-kursk/citadel"
WORDS = {
    "offer": ("draw",),
    "reply": ("accept",),
    "app": ("--serve", "--port", str(free_port())),
    "practice": ("--yes",),
}
"""More words for commands that otherwise print their usage or ask."""
DONE = "^Usage: |wait for the mail|an offer is possible from|is no offer|does not bind you"
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


def write_page(folder):
    """Write a page as 'make app' does, without its content."""
    folder.mkdir()
    (folder / "app.json").write_text("{}")
    (folder / "index.html").write_text('<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">')


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


@pytest.fixture(autouse=True)
def _ends_at_once(monkeypatch):
    """End each server at once, draw and demonstrate nothing, and look for the page in no checkout."""
    monkeypatch.setattr(demonstration, "_play_opening", lambda *_given: None)
    monkeypatch.setattr(pixels, "draw_film", lambda *_given: b"a film")
    run_board, serve_page = serve.Board.run, hosting.ThreadingHTTPServer.serve_forever
    first = threading.current_thread()
    monkeypatch.setattr(serve.Board, "show", lambda _board: False)
    monkeypatch.setattr(serve.Board, "run", lambda board: board.stop() or run_board(board))
    serving = lambda server: None if threading.current_thread() is first else serve_page(server)  # noqa: E731
    monkeypatch.setattr(hosting.ThreadingHTTPServer, "serve_forever", serving)
    monkeypatch.setattr(hosting, "BUILT", Path("nowhere"))


@pytest.mark.parametrize(
    "scene", sweeps.some([saved_mails_of_an_older_program, empty_folder, saved_mails, two_games], 4)
)
def test_each_refusal_names_a_command_that_works(scene, demo, tmp_path, capsys, monkeypatch):
    """The named command may name another one in turn, such as a command that needs a key."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    monkeypatch.setenv("KURSK_HOME", "../home")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    [game] = (demo / "german").glob("game-*")
    shutil.copy(game / "0000.yaml", "../mail.yaml")
    write_page(Path("../page"))
    filled = {"SCENARIO": CITADEL, "FILE": "../mail.yaml", "DIR": "letters", "FOLDER": "../page"}
    filled["PORT"] = str(free_port())
    filled["KEY"] = scene(game, capsys, monkeypatch)
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
