"""The border of the umpire: which rooms judge a message, a game, or a fraud, and how many lines they are."""

import subprocess
import sys
from pathlib import Path

import pytest
from helpers import sweeps

ROOT = Path(__file__).resolve().parents[1]
ROOMS = {"audit", "cli", "errors.py", "formats", "frozen.py", "game", "kernel", "report", "rulesets", "trust"}
LINES = 20_000
"""Maximum number of lines that a command loads for a game of one system."""
LOADED = """
import sys
from contextlib import suppress
from kursk_pbem.cli import run
with suppress(SystemExit):
    run(sys.argv[1:])
files = sorted(module.__file__ for name, module in sys.modules.items() if name.startswith("kursk_pbem."))
print("loaded", *files, sep="\\n")
"""


@pytest.mark.parametrize("command", ["adjudicate", "prove", sweeps.long("verify")])
def test_the_umpire_judges_without_a_desk(command, tmp_path):
    """docs/architecture.md names these rooms: who wants to judge reads them, and nothing else is loaded."""
    game = next(path for path in sorted((ROOT / "tests" / "games" / "battle-for-kursk").iterdir()) if path.is_dir())
    away = {"HOME": str(tmp_path), "KURSK_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", LOADED, command, str(game)],
        capture_output=True,
        check=False,
        text=True,
        env=away,
        cwd=tmp_path,
    )
    files = [Path(line) for line in ran.stdout.rpartition("loaded\n")[2].splitlines()]
    assert files, ran.stderr
    assert {path.relative_to(ROOT / "kursk_pbem").parts[0] for path in files} <= ROOMS
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < LINES
