"""Commands cut off at their n-th system call, for every n, or with a full disk from the n-th call on.

As a program, this module reads lines ``MODE PLACE OUT MOST WORDS...`` from standard input. For each line the program
writes folders: ``OUT/NNN/after``, the player's place after the command, and ``OUT/NNN/said.json``. The command runs
once. Before each system call the program copies the place, because a killed process leaves exactly these files. If the
command must survive the fault, a child process continues in the copy.
"""

import errno
import io
import itertools
import json
import os
import shutil
import sqlite3
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

CALLS = ("open", "write", "fsync", "link", "rename", "replace", "unlink", "mkdir", "chmod")
NEED_ROOM = ("open", "write", "fsync", "link", "rename", "replace", "mkdir")
NO_LINKS = ("nolinks", "bare")
"""Modes of file systems without hard links; ``bare`` has no locks either."""
KILLED = 77
NEVER = 1 << 30


def watch(act):
    """Call ``act(name, arguments)`` before every system call that can change the disk."""

    def wrapped(name, real):
        def call(*arguments, **more):
            act(name, arguments)
            return real(*arguments, **more)

        return call

    for name in CALLS:
        setattr(os, name, wrapped(name, getattr(os, name)))


def watch_statements(act):
    """Call ``act("sql", ...)`` before every SQLite statement that changes a database."""
    connect = sqlite3.connect

    def called(statement):
        if not statement.lstrip().lower().startswith(("select", "pragma")):
            act("sql", (statement,))

    def connected(*arguments, **more):
        found = connect(*arguments, **more)
        found.set_trace_callback(called)
        return found

    sqlite3.connect = connected


def kill(n):
    """Kill the process at its n-th call, a write after half its bytes. Return the function called before each call."""
    left = itertools.count(n - 1, -1)
    write = os.write

    def act(name, arguments):
        reads = name == "open" and not arguments[1] & os.O_CREAT
        if not reads and next(left) == 0:
            if name == "write":
                write(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            os._exit(KILLED)

    watch(act)
    return act


def run_command(words):
    from kursk_pbem.cli import run  # noqa: PLC0415

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run(words)
    return {"status": status, "out": out.getvalue(), "err": err.getvalue()}


def _raise_unsupported(*_arguments):
    raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))


class Spoilt:
    """A command with a fault at each of its system calls, at most ``most`` times."""

    def __init__(self, mode, place, out, most):
        self.mode, self.out, self.most = mode, out, most
        self.at, self.n, self.named = out.with_name(f"{out.name}-now") / "after", 0, {}
        self.real = {name: getattr(os, name) for name in CALLS}
        self.looking = self.child = False
        shutil.copytree(place, self.at)
        self.out.mkdir()

    def watch(self):
        """Intercept every system call that can change the disk; remember the names of open files."""
        for name, real in self.real.items():
            setattr(os, name, self._wrapped(name, real))
        if self.mode == "bare":
            import_module("fcntl").flock = _raise_unsupported

    def _wrapped(self, name, real):
        def call(*arguments, **more):
            if not self.looking and self._counts(name, arguments):
                self._spoil(name, arguments)
            if name == "link" and self.mode in NO_LINKS:
                raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
            done = real(*arguments, **more)
            if name == "open":
                self.named[done] = os.path.realpath(arguments[0])
            return done

        return call

    def _counts(self, name, arguments):
        if name == "open" and not arguments[1] & os.O_CREAT:
            return False
        needs = {"fill": NEED_ROOM, "forbid": (*(set(NEED_ROOM) - {"fsync"}), "unlink", "chmod")}.get(self.mode, CALLS)
        return name in needs and not (self.mode in NO_LINKS and name == "link")

    def _spoil(self, name, arguments):
        number = {"fill": errno.ENOSPC, "forbid": errno.EROFS}.get(self.mode)
        if not self.child:
            self.n += 1
            if self.n > self.most:
                return
            self.looking = True
            self._kill(name, arguments) if self.mode in ("kill", *NO_LINKS) else self._fork()
            self.looking = False
        if self.child:
            raise OSError(number, os.strerror(number), str(arguments[0]))

    def _kill(self, name, arguments):
        """Copy the place; for a write, add half its bytes."""
        after = self._here() / "after"
        shutil.copytree(self.at, after)
        if name == "write":
            path = after / Path(self.named[arguments[0]]).relative_to(os.path.realpath(self.at))
            with path.open("r+b") as file:
                file.seek(os.lseek(arguments[0], 0, os.SEEK_CUR))
                file.write(bytes(arguments[1])[: len(arguments[1]) // 2])

    def _fork(self):
        """Continue in a child process in a copy with the name of the place; this process changes nothing."""
        kept = self.at.with_name("kept")
        self.real["rename"](self.at, kept)
        shutil.copytree(kept, self.at)
        child = os.fork()
        if child == 0:
            self.child = True
            os.chdir(self.at)
            return
        assert os.waitpid(child, 0)[1] == 0
        if (self.out / f"{self.n:03d}" / "through").exists():
            os._exit(0)  # success: the fault does not concern the child
        self.real["rename"](kept, self.at)

    def _here(self):
        folder = self.out / f"{self.n:03d}"
        self.real["mkdir"](folder)
        return folder

    def ended(self, said):
        """Save the result and place after the command, in this process or a child process."""
        for name, call in self.real.items():
            setattr(os, name, call)
        if not self.child:
            if self.n >= self.most:
                return
            self.n += 1
        here = self._here()
        self.at.rename(here / "after")
        (here / "said.json").write_text(json.dumps(said), encoding="utf-8")
        if said["status"] == 0:
            (here / "through").touch()


def run_with_faults(mode, place, out, most, *words):
    """Run a command in a child process: with a fault at every call, then without faults."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    try:
        spoilt = Spoilt(mode, Path(place), Path(out), int(most))
        os.chdir(spoilt.at)
        os.environ["KURSK_HOME"] = "private"
        spoilt.watch()
        spoilt.ended(run_command(words))
        os._exit(0)
    finally:
        traceback.print_exc()
        os._exit(1)


def main():
    sys.path.insert(0, str(Path(__file__).parents[1]))
    warm = False
    for line in sys.stdin:
        asked = json.loads(line)
        if not warm:
            run_command(["verify", asked[1]])  # load every module before the first fork
            for name in USED:
                import_module(f"kursk_pbem.{name}")
            warm = True
        print(run_with_faults(*asked), flush=True)


USED = (
    "cli.play.begin",
    "cli.play.restoring",
    "cli.play.turn",
    "desk.turn.play",
    "desk.rescue.restore",
    "game.copies",
    "cli.referee.papers",
    "desk.referee.timekeeper",
    "cli.play.offers",
    "desk.deals.offers",
)


if __name__ == "__main__":
    main()
