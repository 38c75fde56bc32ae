"""The engine of the page, under Node: signatures, finished games and bad files as in the installed program."""

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from app import engine_checks
from kursk_pbem.board import hosting

pytestmark = pytest.mark.app
TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture
def engine():
    """Return a function that runs a check in the engine of the page."""
    built = sorted((hosting.BUILT / "r").glob("*"), key=os.path.getmtime)
    if not os.environ.get("KURSK_APP") or not built or shutil.which("node") is None:
        pytest.skip("make test-app builds the page, and needs node")

    def run(name):
        words = ("node", TESTS / "app" / "engine.mjs", built[-1], TESTS, sysconfig.get_path("purelib"), name)
        said = subprocess.run(words, capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stderr[-2000:]
        return json.loads(said.stdout.splitlines()[-1])

    return run


def test_crafted_signatures_are_judged_as_by_the_program(engine):
    assert engine("check_signatures") == [158, []]


def test_finished_games_have_the_same_heads(engine):
    count, wrong = engine("check_games")
    assert count >= 37
    assert wrong == {}


def test_bad_files_end_with_the_same_status(engine):
    count, other, worded = engine("check_bad_files")
    assert count > 870
    assert other == {}
    assert len(worded) < 10, worded  # another YAML reader and another Python complain in other words


def test_maps_are_the_same_bytes_in_the_page(engine):
    assert engine("hash_maps") == json.loads(engine_checks.hash_maps())
