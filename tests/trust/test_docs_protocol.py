"""docs/auditors.md: the test runs the shell lines that check a die and a signature on the demonstration."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import sweeps

pytestmark = pytest.mark.slow

DOC = Path(__file__).parents[2] / "docs" / "auditors.md"
TOOLS = ("bash", "sed", "sha256sum", "openssl", "ssh-keygen")
BLOCKS = re.findall(r"^```bash\n(.*?)^```$", DOC.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)

needs_tools = pytest.mark.skipif(not all(map(shutil.which, TOOLS)), reason="the shell lines need " + ", ".join(TOOLS))


@pytest.fixture(scope="module")
def played(demo_folder, tmp_path_factory):
    """The demonstration, as the page names it."""
    place = tmp_path_factory.mktemp("protocol")
    shutil.copytree(demo_folder, place / "demo")
    return place


def by_hand(place):
    """The shell lines of the page, in order, in a single shell."""
    bin_ = place / "bin"
    bin_.mkdir(exist_ok=True)
    (bin_ / "python3").unlink(missing_ok=True)
    (bin_ / "python3").symlink_to(sys.executable)
    script = "set -euo pipefail\n" + "\n".join(BLOCKS)
    env = {**os.environ, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(["bash", "-c", script], cwd=place, env=env, capture_output=True, text=True, check=False)


@needs_tools
def test_3_3_the_lines_of_the_page_hold_on_the_demonstration(played):
    done = by_hand(played)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert lines[2] in "123456"
    assert lines[5].startswith('Good "kursk-pbem" signature for german')


@needs_tools
@pytest.mark.parametrize(
    ("message", "old", "new", "passed"),
    [
        ("0004", "ponyri/combat: '2'", "ponyri/combat: '5'", 2),  # a turned die
        sweeps.long(("0003", "posture: engage", "posture: deploy", 0)),  # a different choice gives another id
        sweeps.long(("0004", "seq: '4'", "seq: '6'", 5)),  # only the signature covers it
    ],
)
def test_3_3_they_fail_on_changed_files(played, tmp_path, message, old, new, passed):
    shutil.copytree(played / "demo", tmp_path / "demo")
    path = next((tmp_path / "demo" / "german").glob(f"game-*/{message}.yaml"))
    text = path.read_text(encoding="ascii")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="ascii")
    done = by_hand(tmp_path)
    assert done.returncode != 0
    # Print the failure, too.
    assert len(done.stdout.splitlines()) - 1 == passed
