"""A program at a terminal, and a shell at a terminal."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time

PATIENCE = 300
"""Seconds for one answer of a program."""
PROMPT = re.compile(r"\[(\d+)\]ready ")
AT_REST = re.compile(rf"{PROMPT.pattern}|\[\w+(?:/[nN])?\]: |Enter\s+for\s+none: ")
"""The prompt of the shell with the status, or a question."""


class Screen:
    """A program at a terminal, and what the program has printed."""

    def __init__(self, command, **given):
        import pty  # noqa: PLC0415  not on Windows

        here, there = pty.openpty()
        self.process = subprocess.Popen(command, stdin=there, stdout=there, stderr=there, **given)
        os.close(there)
        self.handle, self.said, self.seen = here, "", 0

    def wait(self, words):
        """Read until a text, or a pattern, stands behind the last one waited for; return the match."""
        pattern = re.compile(re.escape(words)) if isinstance(words, str) else words
        until = time.monotonic() + PATIENCE
        while (found := pattern.search(self.said, self.seen)) is None:
            ready = select.select([self.handle], [], [], max(0, until - time.monotonic()))[0]
            assert ready, f"{pattern.pattern!r} did not come:\n{self.said[-2000:]}"
            try:
                new = os.read(self.handle, 1 << 16).decode("utf-8", "replace")
            except OSError:  # the program has ended
                raise AssertionError(f"{pattern.pattern!r} did not come:\n{self.said[-2000:]}") from None
            self.said += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|\r", "", new)
            if "\x1b[6n" in new:
                os.write(self.handle, b"\x1b[1;1R")  # where the cursor is
        self.seen = found.end()
        return found

    def type(self, line, key="\r"):
        os.write(self.handle, f"{line}{key}".encode())

    def close(self):
        os.close(self.handle)
        self.process.wait(PATIENCE)


class Shell(Screen):
    """A shell in a folder, with a home folder of its own."""

    def __init__(self, place, home, **variables):
        home.mkdir(parents=True, exist_ok=True)
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        fixed = {"HOME": str(home), "TERM": "xterm", "COLUMNS": "100", "LINES": "50", "PAGER": "cat"}
        env = kept | fixed | {"VIRTUAL_ENV_DISABLE_PROMPT": "1"} | variables
        super().__init__(["bash", "--norc", "--noprofile", "--noediting", "-i"], cwd=place, env=env)
        self.type("PS1='[$?]ready '")
        self.wait(PROMPT)

    def run(self, line, status=0):
        """Type a line, answer each question with yes or Enter, and check the status; return the output."""
        begin = self.seen
        self.type(line)
        while (found := self.wait(AT_REST))[1] is None:
            self.type("y" if "/" in found[0] else "")
        said = self.said[begin : found.start()]
        assert int(found[1]) == status, f"{line}\n{self.said[-1500:]}"
        return said
