"""A round of post that dies at its n-th write, to the disk or to a server; or that finds the disk full from there on.

Run as a program it stays, and for each line ``MODE N PLACE COMMAND...`` on its input forks a process that does the
command there; a line with the exit status comes out, 77 where it was killed. The servers are elsewhere. ``warm`` does
the command without a fork, so that those that come after need not load what it has loaded.
"""

import errno
import itertools
import json
import os
import ssl
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from helpers import crash_play
from helpers.crash_play import KILLED, NEED_ROOM

NOW = "2026-07-05T03:00:00Z"


def watch_lines(act):
    """Call ``act("send", (line, data))`` before everything that goes to a server."""
    real = ssl.SSLSocket.sendall

    def sendall(line, data, *more):
        act("send", (line, data, real))
        return real(line, data, *more)

    ssl.SSLSocket.sendall = sendall


def kill(n):
    """The process dies at its n-th write; what was to be written then is written half."""
    left = itertools.count(n - 1, -1)
    write = os.write

    def act(name, arguments):
        reads = name == "open" and not arguments[1] & os.O_CREAT
        if reads or next(left) != 0:
            return
        if name == "write":
            write(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
        if name == "send":
            line, data, send = arguments
            send(line, bytes(data)[: len(data) // 2])
        os._exit(KILLED)

    crash_play.watch(act)
    watch_lines(act)


def fill(n):
    """The disk is full from the n-th call that needs room."""
    left = itertools.count(n - 1, -1)

    def act(name, arguments):
        reads = name == "open" and not arguments[1] & os.O_CREAT
        if name in NEED_ROOM and not reads and next(left) <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(arguments[0]))

    crash_play.watch(act)


def nothing(_n):
    """Nothing happens to it."""


MODES = {"kill": kill, "fill": fill, "whole": nothing}


class Hurt:
    """The program that forks: ``run`` gives the status of a command at a place, and what it said.

    ``plugged``: the module that puts the toys into it.
    """

    def __init__(self, plugged):
        root = Path(__file__).parents[2]
        told = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}"}
        self.process = subprocess.Popen(
            [sys.executable, __file__, plugged],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=told,
            cwd=root,
        )

    def run(self, mode, n, place, *words):
        self.process.stdin.write(json.dumps([mode, n, str(place), *map(str, words)]) + "\n")
        self.process.stdin.flush()
        status, said = json.loads(self.process.stdout.readline())
        return status, said

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(30)


def there(place, words):
    """What a command says at somebody's place, at the time of the round."""
    from kursk_pbem.desk import clock  # noqa: PLC0415

    os.chdir(place)
    os.environ.update(KURSK_HOME="private", KURSK_KEY="me")
    with clock.fixed(NOW):
        return crash_play.command(words)


def main():
    import_module(sys.argv[1]).plug(Patch())
    crash_play.command(["post", "--help"])
    for name in (
        "cli.mail.posting",
        "cli.mail.inbox",
        "cli.mail.outbox",
        "post.errand",
        "post.servers.watching",
        "desk.play",
    ):
        __import__(f"kursk_pbem.{name}")
    for line in sys.stdin:
        mode, n, place, *words = json.loads(line)
        if mode == "warm":
            done = there(place, words)
            print(json.dumps([done["status"], done["out"] + done["err"]]), flush=True)
            continue
        said = Path(place).with_name("said.json")
        said.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            try:
                real = {name: getattr(os, name) for name in crash_play.CALLS}
                MODES[mode](n)
                done = there(place, words)
                for name, call in real.items():
                    setattr(os, name, call)
                said.write_text(json.dumps(done), encoding="utf-8")
            finally:
                os._exit(0)
        _pid, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        told = json.loads(said.read_bytes()) if code == 0 and said.exists() else {"status": code, "out": "", "err": ""}
        print(json.dumps([told["status"], told["out"] + told["err"]]), flush=True)


class Patch:
    """What ``toys.plug`` wants, for a program that ends with it."""

    def setitem(self, where, key, value):
        where[key] = value

    def setattr(self, where, name, value):
        setattr(where, name, value)

    def setenv(self, name, value):
        os.environ[name] = value


if __name__ == "__main__":
    main()
