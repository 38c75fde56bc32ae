"""From the wheel without extras, far from the checkout: every command works."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import wheel as wheels

from cli import every_command
from kursk_pbem.cli import COMMANDS

pytestmark = pytest.mark.long

OTHERS = """
anna: setup schema
anna: setup schema --command status
anna: setup completion bash
anna: ruleset
anna: ruleset new donets-gap
anna: scenario
anna: scenario check SCENARIOS/battle-for-kursk/citadel
anna: help commands
anna: help players 5
anna: post setup --address anna@example.org --imap localhost --smtp localhost --user anna --no-check --yes
anna: post send --as-sent
ruth: post setup --address ruth@example.org --imap localhost --smtp localhost --no-check --yes
ruth: referee setup --days 7
ruth: referee
ruth=2: referee forfeit GAME
anna: demo shown
anna: practice citadel
anna: practice --stop --yes
ruth: tournament new spring --round-robin --system battle-for-kursk/citadel --title Spring --key me
ruth: tournament new spring --key me --yes
anna: tournament enter ../ruth/spring/log/0000.yaml Anna --yes
ruth: tournament status
ruth=2: rating spring
anna: conformance answer
anna=2: mcp
"""
"""More commands, after those of the evening."""
EXTRAS = {"picture"}
"""Commands that need an extra, so their exit status is 2."""
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
"""Script that runs many commands in one process: sixty starts cost more than the work of the commands."""


class Place:
    """A folder for each player, and a Python with the wheel."""

    def __init__(self, python: Path, root: Path) -> None:
        self.python, self.root = python, root
        self.scenarios = next(python.parents[1].rglob("kursk_pbem/_data/scenarios"))
        self.process = subprocess.Popen(
            [str(python), "-c", SERVED],
            cwd=root,
            env=wheels.make_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def kursk(self, who: str, words: list[str]) -> subprocess.CompletedProcess[str]:
        folder = self.root / who
        private = {"KURSK_HOME": str(folder / "private"), "KURSK_KEY": "me"}
        game = next((path.name for path in folder.glob("game-*")), "") or next(
            (path.name for path in self.root.glob("*/game-*")), ""
        )
        typed = [word.replace("GAME", game).replace("SCENARIOS", str(self.scenarios)) for word in words]
        self.process.stdin.write(json.dumps([str(folder), private, typed]) + "\n")
        self.process.stdin.flush()
        ran = subprocess.CompletedProcess(typed, *json.loads(self.process.stdout.readline()))
        every_command.carry_files(self.root)
        return ran


@pytest.fixture(scope="module")
def place(installed, tmp_path_factory):
    place = Place(installed, tmp_path_factory.mktemp("core"))
    for name in every_command.PEOPLE:
        (place.root / name).mkdir()
    with place.process:
        yield place
        place.process.stdin.close()


def test_the_packages_of_players_are_installed_and_no_extra(place):
    code = "import importlib.util as u, sys; print(*[name for name in sys.argv[1:] if u.find_spec(name)])"
    players = ["click", "yaml", "flask", "waitress", "prompt_toolkit", "imapclient", "flufl.bounce"]
    others = ["networkx", "icalendar", "distributed", "mcp", "pettingzoo", "hypothesis"]
    words = [str(place.python), "-c", code, *players, *others]
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout.split() == players
    words = [str(place.python), "-c", "import kursk_pbem; print(kursk_pbem.__file__)"]
    where = subprocess.run(words, cwd=place.root, env=wheels.make_environment(), check=True, capture_output=True)
    assert Path(where.stdout.decode()).is_relative_to(place.python.parents[1])  # not the checkout


def test_every_command_works(place):
    """In this process nobody can set the clock of the commands, and there is no what-if game."""
    done = set()
    for who, words, status, days in every_command.read_lines(every_command.EVENING + OTHERS):
        if days or "TRIAL" in words:
            continue
        ran = place.kursk(who, words)
        expected = 2 if words[0] in EXTRAS else status
        assert ran.returncode == expected, f"{who}: {words}\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}"
        done.add(words[0])
    assert set(COMMANDS) - done == {"app", "board", "shell", "play"}
    assert "needs a terminal" in place.kursk("anna", ["shell"]).stderr
    assert "terminal" in place.kursk("anna", ["play"]).stderr


def test_the_umpire_needs_four_packages(built, demo, tmp_path):
    """adjudicate, verify and prove work without the packages of the board, the mail and the terminal."""
    umpire = ("click", "PyYAML", "jsonschema", "cryptography")
    python = wheels.install_wheel(built[1], tmp_path / "four", offline=True, only=umpire)
    game = next((demo / "german").glob("game-*"))
    for words, status in (
        (["verify", game], 0),
        (["adjudicate", game / "0007.yaml", "-o", "out"], 0),
        (["prove", game], 1),
    ):
        command = [str(python), "-c", "from kursk_pbem.cli import main; main()", *map(str, words)]
        ran = subprocess.run(
            command, cwd=tmp_path, env=wheels.make_environment(), check=False, capture_output=True, text=True
        )
        assert ran.returncode == status, ran.stdout[-1000:] + ran.stderr[-2000:]
    assert (tmp_path / "out" / "0008.draft.yaml").is_file()
    refused = [str(python), "-c", "import flask"]
    assert subprocess.run(refused, check=False, capture_output=True).returncode == 1


def test_the_board_opens(place):
    words = [str(place.python), "-m", "kursk_pbem", "board", "--no-open"]
    folder = place.root / "carla"
    folder.mkdir()
    private = {"KURSK_HOME": str(folder / "private")}
    with subprocess.Popen(
        words, cwd=folder, env=wheels.make_environment() | private, stdout=subprocess.PIPE, text=True
    ) as board:
        lines = [board.stdout.readline(), board.stdout.readline()]
        board.terminate()
    assert "browser" in lines[0]
    assert "the board is at http://127.0.0.1:" in lines[1]
