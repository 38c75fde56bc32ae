"""The demonstration, played without output."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from kursk_pbem.cli import run
from kursk_pbem.cli.demo import FIRST_SEED


def play_demo(folder: Path, seed: str = FIRST_SEED, ruleset: str = "") -> Path:
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert run(["demo", *([ruleset] if ruleset else []), str(folder), "--seed", seed]) == 0
    return folder
