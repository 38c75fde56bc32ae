"""Commands that are cut off at their n-th call of the system, for every n, or that find the disk full from there on.

Run as a program: it forks a process for each n, and so shares nothing with the tests but the folders it leaves:
``OUT/NNN/after``, the player's place as the command left it, and ``OUT/NNN/said.json``.
"""

import errno
import io
import itertools
import json
import os
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path

CALLS = ("open", "write", "fsync", "link", "rename", "replace", "unlink", "mkdir", "chmod")
NEED_ROOM = ("open", "write", "fsync", "link", "rename", "replace", "mkdir")
KILLED = 77
NEVER = 1 << 30


def watch(act):
    """Call ``act(name, arguments)`` before every call of the system that can change the disk."""

    def wrapped(name, real):
        def call(*arguments, **more):
            act(name, arguments)
            return real(*arguments, **more)

        return call

    for name in CALLS:
        setattr(os, name, wrapped(name, getattr(os, name)))


def kill(n):
    """The process dies at its n-th call; a write that is cut off has written half."""
    left = itertools.count(n - 1, -1)
    write = os.write

    def act(name, arguments):
        reads = name == "open" and not arguments[1] & os.O_CREAT
        if not reads and next(left) == 0:
            if name == "write":
                write(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            os._exit(KILLED)

    watch(act)


def interrupt(n):
    """Ctrl-C comes before the n-th call."""
    left = itertools.count(n - 1, -1)

    def act(name, arguments):
        reads = name == "open" and not arguments[1] & os.O_CREAT
        if not reads and next(left) == 0:
            raise KeyboardInterrupt

    watch(act)


def kill_without_links(n):
    """The same on a file system that has no hard links."""
    kill(n)

    def no_link(*_arguments):
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    os.link = no_link


def fill(n):
    """The disk is full from the n-th call that needs room."""
    _refuse(n, errno.ENOSPC, NEED_ROOM)


def forbid(n):
    """Nothing can be changed from the n-th call on."""
    _refuse(n, errno.EROFS, (*NEED_ROOM, "unlink", "chmod"))


def _refuse(n, number, names):
    left = itertools.count(n - 1, -1)

    def act(name, arguments):
        reads = name == "open" and not arguments[1] & os.O_CREAT
        if name not in names or reads or (name == "fsync" and number == errno.EROFS):
            return
        if next(left) <= 0:
            raise OSError(number, os.strerror(number), str(arguments[0]))

    watch(act)


MODES = {"kill": kill, "interrupt": interrupt, "nolinks": kill_without_links, "fill": fill, "forbid": forbid}


def command(words):
    from kursk_pbem.cli import run  # noqa: PLC0415

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run(words)
    return {"status": status, "out": out.getvalue(), "err": err.getvalue()}


def fork(mode, n, words, place):
    """The command in a process of its own; what it said, None if it was killed."""
    said = place.with_name("said.json")
    child = os.fork()
    if child == 0:
        try:
            os.chdir(place)
            os.environ["KURSK_HOME"] = "private"
            real = {name: getattr(os, name) for name in CALLS}
            MODES[mode](n)
            found = command(words)
            for name, call in real.items():
                setattr(os, name, call)
            said.write_text(json.dumps(found), encoding="utf-8")
        finally:
            os._exit(0)
    _pid, status = os.waitpid(child, 0)
    return None if os.waitstatus_to_exitcode(status) == KILLED else json.loads(said.read_bytes())


def every(mode, place, words, out, most=NEVER):
    """All n until the command gets through untouched."""
    for n in range(1, most + 1):
        here = out / f"{n:03d}"
        shutil.copytree(place, here / "after")
        found = fork(mode, n, words, here / "after")
        if found is not None and found["status"] == 0:
            (here / "through").touch()
            return


def main():
    mode, place, out, most, *words = sys.argv[1:]
    sys.path.insert(0, str(Path(__file__).parents[1]))
    command(["verify", place])  # so that every module is there before the first fork
    for name in (
        "cli.play.begin",
        "cli.play.restoring",
        "cli.play.turn",
        "desk.play",
        "desk.rescue.restore",
        "desk.rescue.copies",
        "cli.referee.papers",
        "desk.referee.timekeeper",
        "cli.play.offers",
        "desk.offers",
    ):
        import_module(f"kursk_pbem.{name}")
    every(mode, Path(place), words, Path(out), int(most))


if __name__ == "__main__":
    main()
