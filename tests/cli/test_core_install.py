"""From the wheel, with what it needs and no extra, far from the checkout: every command does its work or says what to
install.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import wheel as wheels

from kursk_pbem.cli import COMMANDS

pytestmark = pytest.mark.long

EVENING = """
anna: keygen me
boris: keygen me
ruth: keygen me
anna: propose citadel --opponent ../boris/me.pub --relay ../ruth/me.pub --opponent-name Boris
ruth: referee receipt mail-0000.yaml --days 7
boris: accept mail-0000.yaml
boris: order
boris: order posture engage
boris: setup draft --force
boris: sign --yes
ruth: referee receipt mail-0001.yaml --days 7
anna: inbox --report mail-0001.yaml
anna: status
anna: status boris
anna: moves
anna: order attack 2011 41 pz 46 pz 47 pz
anna: check
anna: odds
anna: undo
anna: policy
anna: order posture engage
anna: sign --yes
boris: inbox mail-0002.yaml
boris: offer draw --yes
anna: inbox --report mail-0003.yaml
anna: reply decline --yes
anna: report
anna: map
anna: map --svg
anna: replay
anna: tables
anna: tables --track
anna: setup schema
anna: setup schema --command status
anna: setup completion bash
anna: scenario
anna: scenario check SCENARIOS/battle-for-kursk/citadel
anna: rule K-54
anna: help commands
anna: help players 5
anna: people add Boris boris@example.org
anna: outbox
anna: outbox --eml letters
boris: inbox ../anna/letters
anna: verify
anna: export -o archive
anna: restore GAME mail-0001.yaml
anna: post setup --address anna@example.org --imap localhost --smtp localhost --user anna --no-check --yes
anna: post send --as-sent
ruth: post setup --address ruth@example.org --imap localhost --smtp localhost --no-check --yes
ruth: referee setup --days 7
ruth: referee
anna=1: prove GAME
ruth: referee extend GAME --days 3 --yes
ruth=2: referee forfeit GAME
boris: resign --yes
anna: demo shown
ruth: tournament new spring --round-robin --system battle-for-kursk/citadel --title Spring --key me
ruth: tournament new spring --key me --yes
anna: tournament enter ../ruth/spring/log/0000.yaml Anna --yes
ruth: tournament status
ruth=2: rating spring
"""
"""Who types what; GAME is the folder of the game, mail-0000.yaml what came by mail. ``=1``, ``=2``: the status, where
it is not 0: nobody is convicted, and no deadline is missed.
"""
PEOPLE = ("anna", "boris", "ruth")
SERVED = """
import io, json, os, sys
from kursk_pbem.cli import run
given, told, sys.stdin = sys.stdin, sys.stdout, open(os.devnull)
before = dict(os.environ)
for line in given:
    folder, private, words = json.loads(line)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(before | private)
    sys.stdout, sys.stderr = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _each in range(2))
    status, said = run(words), []
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
        said.append(stream.buffer.getvalue().decode())
    print(json.dumps([status, *said]), file=told, flush=True)
"""
"""Gives one command after the other in one process: to start sixty costs more than all that they do."""


class Place:
    """A folder for each person, and a Python with the wheel in it."""

    def __init__(self, python: Path, root: Path) -> None:
        self.python, self.root = python, root
        self.scenarios = next(python.parents[1].rglob("kursk_pbem/_data/scenarios"))
        self.process = subprocess.Popen(
            [str(python), "-c", SERVED],
            cwd=root,
            env=wheels.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def kursk(self, who: str, words: list[str]) -> subprocess.CompletedProcess[str]:
        folder = self.root / who
        for name in PEOPLE:
            (self.root / name).mkdir(exist_ok=True)
        private = {"KURSK_HOME": str(folder / "private"), "KURSK_KEY": "me"}
        game = next((path.name for path in folder.glob("game-*")), "") or next(
            (path.name for path in self.root.glob("*/game-*")), ""
        )
        typed = [word.replace("GAME", game).replace("SCENARIOS", str(self.scenarios)) for word in words]
        self.process.stdin.write(json.dumps([str(folder), private, typed]) + "\n")
        self.process.stdin.flush()
        ran = subprocess.CompletedProcess(typed, *json.loads(self.process.stdout.readline()))
        for signed in folder.glob("game-*/[0-9][0-9][0-9][0-9].yaml"):
            for reader in PEOPLE:
                shutil.copy(signed, self.root / reader / f"mail-{signed.name}")
        return ran


@pytest.fixture(scope="module")
def place(installed, tmp_path_factory):
    place = Place(installed, tmp_path_factory.mktemp("core"))
    with place.process:
        yield place
        place.process.stdin.close()


def test_no_extra_is_there(place):
    code = "import importlib.util as u, sys; sys.exit(any(map(u.find_spec, sys.argv[1:])))"
    extras = ["flask", "waitress", "networkx", "icalendar", "imapclient", "hypothesis"]
    assert subprocess.run([str(place.python), "-c", code, *extras], check=False).returncode == 0
    assert subprocess.run([str(place.python), "-c", code, "click", "yaml"], check=False).returncode == 1


def test_every_command_works_or_says_what_to_install(place):
    done = set()
    for line in EVENING.strip().splitlines():
        who, _colon, words = line.partition(": ")
        who, _equals, status = who.partition("=")
        ran = place.kursk(who, words.split())
        assert ran.returncode == int(status or 0), f"{line}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}"
        done.add(words.split()[0])
    for name in [name for name in COMMANDS if name not in done]:
        ran = place.kursk("anna", [name])
        why = f"EVENING has no line with {name}, and it says nothing of what to install: {ran.stderr}"
        assert ran.returncode == 2, why
        assert "pip install " in ran.stderr, why
    assert set(COMMANDS) - done <= {"board", "shell"}


def test_what_needs_an_extra_says_what_to_type(place):
    ran = place.kursk("anna", ["board"])
    assert ran.returncode == 2
    assert "'pip install flask waitress'" in ran.stderr


def test_post_that_is_set_up_says_first_what_to_install_for_fetching(place):
    """It wrote down the account, and said so when it connected; then the account was there already."""
    setup = ["post", "setup", "--address", "boris@example.org", "--imap", "localhost", "--yes"]
    for words, status in ((setup, 2), ([*setup, "--no-check"], 0), (["post", "fetch"], 2)):
        ran = place.kursk("boris", words)
        assert ran.returncode == status, ran.stderr
        assert ("'pip install imapclient flufl.bounce'" in ran.stderr) is (status != 0)
