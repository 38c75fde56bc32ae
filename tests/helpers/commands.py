"""What the tests of the commands share: to run one, and to say how it must end."""

from __future__ import annotations

import io
import json
import re
import shlex

from kursk_pbem.cli import run
from kursk_pbem.game import verified


def tree(*places):
    """Every file below: path -> bytes; but what a desk remembers for itself, which any command may write.

    So it does not see what was verified, where mails were found last, and a lock.
    """
    files = (path for place in places for path in place.rglob("*") if path.is_file())
    unseen = {verified.NAME, "post.sqlite", "lock"}
    return {path: path.read_bytes() for path in files if path.name not in unseen}


def refused(capsys, status, *arguments, silent=True):
    """Run a command that must be refused: nothing on standard output, plain words on the other. What it said.

    Not ``silent``: what it had found out before may stand on standard output.
    """
    assert run([str(each) for each in arguments]) == status
    said = capsys.readouterr()
    assert (said.out == "") == silent
    assert "Traceback" not in said.err
    assert said.err.startswith(("kursk: ", "Usage: ", "Error: "))
    assert all(line.isprintable() and line.isascii() for line in said.err.splitlines())
    return said.err


def well(capsys, *arguments):
    """Run a command that must go well; what it printed."""
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


def commands_in(said, beginning="", **filled):
    """The commands that a message names as ``'kursk ...'``, or to be pasted on a line of their own, without 'kursk'.

    They are split into words as a shell splits them.

    ``beginning``: of the words after 'kursk'. ``filled``: what the reader types for a word such as FILE.
    """
    pasted = re.findall(r"^    kursk (.+)$", said, re.MULTILINE)
    typed = [shlex.split(text) for text in (*re.findall(r"'kursk ([^']+)'", " ".join(said.split())), *pasted)]
    return [
        [str(filled.get(word, word)) for word in words]
        for words in typed
        if words[: len(start := beginning.split())] == start
    ]


def carry_out(capsys, said, beginning, *more, status=0, **filled):
    """Give the one command that a message names with these first words, and ``more`` behind it; what it printed."""
    found = {tuple(words) for words in commands_in(said, beginning, **filled)}
    assert len(found) == 1, (beginning, said)
    [words] = found
    capsys.readouterr()
    assert run([*words, *map(str, more)]) == status, (words, "".join(capsys.readouterr()))
    return "".join(capsys.readouterr())
