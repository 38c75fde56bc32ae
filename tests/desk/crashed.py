"""A player's place after a killed command or a full disk."""

import atexit
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from helpers import crash_play

from kursk_pbem.cli import run
from kursk_pbem.desk.own import desks
from kursk_pbem.game import folders, journal
from kursk_pbem.game.disk import PREFIX
from kursk_pbem.game.journal import SIGNED
from kursk_pbem.trust import messages

REMEMBERED = ("verified", "post.sqlite")


@cache
def _start_spoiler():
    """Start the program that spoils commands; the program ends with the tests."""
    root = Path(__file__).parents[2]
    program = subprocess.Popen(
        [sys.executable, crash_play.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}"},
    )

    def end():
        program.stdin.close()
        program.stdout.close()
        program.wait(30)

    atexit.register(end)
    return program


def run_all(mode, place, out, *words, most=crash_play.NEVER):
    """Run a command with a fault at every call; return the places, the last place without a fault."""
    program = _start_spoiler()
    program.stdin.write(json.dumps([mode, str(place), str(out), most, *map(str, words)]) + "\n")
    program.stdin.flush()
    assert program.stdout.readline() == "0\n"
    return [Place(each) for each in sorted(out.iterdir())]


class Place:
    """A player's place after a command that may have been cut off."""

    def __init__(self, folder):
        self.place = folder / "after"
        self.said = json.loads(path.read_bytes()) if (path := folder / "said.json").exists() else None
        self.through = (folder / "through").exists()

    @property
    def games(self):
        return [each for each in self.place.glob("game-*") if (each / "0000.yaml").exists()]

    @property
    def folder(self):
        (found,) = self.games
        return found

    @property
    def own(self):
        (home,) = (self.place / "private" / "games").iterdir()
        return journal.find(self.place / "private", json.loads((home / "game.json").read_bytes())["game"])

    def journalled(self, seq):
        slot = self.own.read_slot(seq)
        return slot.id if slot and slot.kind == SIGNED else ""

    def released(self, seq):
        path = folders.message_path(self.folder, seq)
        return messages.read_message(path.read_bytes(), path.name).id if path.exists() else ""

    @property
    def litter(self):
        return [path for path in self.place.rglob("*") if path.name.startswith(PREFIX)]

    def files(self):
        """Return all files except the caches of the desk and the answers, which tell copies apart."""
        files = (path for path in self.place.rglob("*") if path.is_file() and path.name not in REMEMBERED)
        files = (path for path in files if not path.name.startswith("newest"))
        return {path.relative_to(self.place): path.read_bytes() for path in files}

    def whole(self):
        """Check that every named file is complete."""
        for path in (self.place / "private").rglob("*.json"):
            json.loads(path.read_bytes())
        for folder in self.games:
            desks.open_desk(folder, self.place / "private")
            for path in folder.glob("report-*.txt"):
                assert path.read_text(encoding="utf-8").endswith("\n")

    @property
    def shape(self):
        """The names and lengths of all files; the next command depends on nothing else."""
        names = (path for path in self.place.rglob("*") if PREFIX not in path.name)
        return frozenset((str(path.relative_to(self.place)), path.stat().st_size) for path in names)

    def command(self, monkeypatch, capsys, *words):
        monkeypatch.chdir(self.place)
        monkeypatch.setenv("KURSK_HOME", "private")
        status = run([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out + said.err


def different(places):
    """Return the places that differ from their predecessor; only these need the command again."""
    shapes = [None, *(each.shape for each in places)]
    return [each for each, before in zip(places, shapes, strict=False) if each.shape != before]


def check_plain_failure(said, why):
    """Check for status 2 and one clear message."""
    assert said["status"] == 2, said
    assert why in said["err"]
    assert "Traceback" not in said["err"]
    assert len(said["err"].splitlines()) == 1
