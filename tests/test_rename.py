"""tools/rename.py: names of a module change in all files, and a wrong request changes nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[1] / "tools" / "rename.py"
SPOOL = "kursk_pbem/spool.py"


@pytest.fixture
def rename(tmp_path):
    """Return a function that runs the tool on a module, its user and a page."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "kursk_pbem").mkdir()
    (tmp_path / SPOOL).write_text("def held():\n    return 1\n")
    (tmp_path / "kursk_pbem" / "user.py").write_text("from kursk_pbem import spool\n\nspool.held()\n")
    (tmp_path / "docs" / "page.md").write_text("The function `held` counts.\n")

    def run(*words):
        command = [sys.executable, TOOL, *words]
        return subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True)

    return run


def test_a_function_its_uses_and_its_mentions_are_found(rename, tmp_path):
    done = rename(SPOOL, "held=count_bytes")
    assert done.returncode == 0
    assert "look at docs/page.md:1: " in done.stdout
    assert (tmp_path / SPOOL).read_text().startswith("def count_bytes():")
    assert (tmp_path / "kursk_pbem" / "user.py").read_text().endswith("spool.count_bytes()\n")


@pytest.mark.parametrize(
    "words",
    [
        ("kursk_pbem.spool", "held=counted"),
        ("kursk_pbem/other.py", "held=counted"),
        (SPOOL, "kept=counted"),
        (SPOOL, "held=counted", "kept=had"),
        (SPOOL, "held"),
    ],
)
def test_a_request_that_names_nothing_has_status_2_and_changes_nothing(rename, tmp_path, words):
    done = rename(*words)
    assert done.returncode == 2
    assert "kursk_pbem" in done.stderr
    assert (tmp_path / SPOOL).read_text().startswith("def held():")
