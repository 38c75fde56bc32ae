"""Run commands in tests, and check their end."""

from __future__ import annotations

import io
import json
import re
import shlex
import sys

from kursk_pbem.cli import run
from kursk_pbem.game import verified
from kursk_pbem.report import layout


def tree(*places):
    """Return every file below the places as path -> bytes, except the desk's caches, lock and answers."""
    files = (path for place in places for path in place.rglob("*") if path.is_file())
    unseen = {verified.NAME, "post.sqlite", "lock"}
    return {path: path.read_bytes() for path in files if path.name not in unseen and not path.name.startswith("newest")}


def refused(capsys, status, *arguments, silent=True):
    """Run a refused command; return its plain error message. ``silent``: standard output must be empty."""
    assert run([str(each) for each in arguments]) == status
    said = capsys.readouterr()
    assert (said.out == "") == silent
    assert "Traceback" not in said.err
    assert said.err.startswith(("kursk: ", "Usage: ", "Error: "))
    assert all(line.isprintable() and line.isascii() for line in said.err.splitlines())
    return said.err


def well(capsys, *arguments):
    """Run a successful command; return its output."""
    assert run([str(each) for each in arguments]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def lines_of_json(capsys, status, *arguments):
    assert run([str(each) for each in arguments]) == status
    said = capsys.readouterr()
    assert said.err == ""
    assert said.out.isascii()
    return [json.loads(line) for line in said.out.splitlines()]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def show_on_terminal(monkeypatch, *words):
    """Run a command on a terminal without answers; return its output."""
    screen = Terminal()
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, screen)
    run([str(word) for word in words])
    return screen.getvalue()


def too_wide(text, width=80):
    """Return the lines that are too wide, without lines of one part to copy: a path, a key, a command."""
    wide = [
        line for line in re.sub("\x1b\\[[?0-9;]*[a-zA-Z]", "", text).splitlines() if layout.count_columns(line) > width
    ]
    parts = (re.sub("'[^']{1,30}'|'kursk [^']*'", lambda found: found[0].replace(" ", "_"), line) for line in wide)
    return [
        line for line in parts if len(line.split()) > 1 and not re.match(r" *(\$ .*|\w+: )?(kursk|ssh-ed25519) ", line)
    ]


def commands_in(said, beginning="", **filled):
    """Return the commands in a message, split like a shell does, without 'kursk'.

    Commands are quoted as ``'kursk ...'`` or indented on a separate line. ``beginning``: the first words after 'kursk'.
    ``filled``: the reader's text for a word such as FILE.
    """
    pasted = re.findall(r"^    kursk (.+)$", said, re.MULTILINE)
    typed = [shlex.split(text) for text in (*re.findall(r"'kursk ([^']+)'", " ".join(said.split())), *pasted)]
    return [
        [str(filled.get(word, word)) for word in words]
        for words in typed
        if words[: len(start := beginning.split())] == start
    ]


def carry_out(capsys, said, beginning, *more, status=0, **filled):
    """Run the only command in a message with these first words, with ``more`` appended; return its output."""
    found = {tuple(words) for words in commands_in(said, beginning, **filled)}
    assert len(found) == 1, (beginning, said)
    [words] = found
    capsys.readouterr()
    assert run([*words, *map(str, more)]) == status, (words, "".join(capsys.readouterr()))
    return "".join(capsys.readouterr())
