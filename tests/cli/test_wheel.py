"""The wheel: built, installed in a fresh environment without network, and played from, far from the checkout."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from helpers import old_scenarios

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import wheel as wheels

from kursk_pbem.cli import COMMANDS
from kursk_pbem.rulebook import pages

pytestmark = pytest.mark.long

ROOT = wheels.ROOT


@pytest.fixture
def wheel(built):
    return built[1]


def test_a_package_index_would_take_both(built):
    wheels.check_packages(*built)


def test_the_tests_of_the_unpacked_sources_pass(built, tmp_path):
    with tarfile.open(built[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    files = ["tests/test_package.py", "tests/test_imports.py", "tests/trust/test_commit.py", "tests/cli/test_short.py"]
    command = [sys.executable, "-m", "pytest", *files]
    done = subprocess.run(
        command, cwd=folder, env=wheels.make_environment(), check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_wheel_holds_schemas_scenarios_pages_and_rulings_and_nothing_of_ours(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in (ROOT / "schemas", ROOT / "scenarios", ROOT / "docs" / "rulings"):
        files = {
            path.relative_to(folder.parent).as_posix()
            for path in folder.rglob("*")
            if path.is_file() and path.suffix != ".pyc"
        }
        assert files
        assert {f"kursk_pbem/_data/{name}" for name in files} <= names
    ours = {path.relative_to(ROOT).as_posix() for path in (ROOT / "kursk_pbem").rglob("*.*")}
    assert {name for name in ours if not name.endswith(".pyc")} <= names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {"kursk_pbem"}
    assert {
        f"kursk_pbem/_data/docs/{'' if page in pages.PAGES else 'games/'}{page}.md" for page in pages.list_pages()
    } <= names
    manuals = {name.rsplit("/", 1)[1] for name in names if ".data/data/share/man/man1/" in name}
    assert {f"kursk-{command}.1" for command in COMMANDS} <= manuals


@pytest.mark.long("test-all")
def test_a_game_goes_on_from_the_wheel_of_a_release_that_corrects_its_scenario(built, installed, tmp_path):
    """The wheel contains the older data, too. The release is made up: a value of the order of battle changes."""
    with tarfile.open(built[0]) as archive:
        archive.extractall(tmp_path / "sources", filter="data")
    (sources,) = (tmp_path / "sources").iterdir()
    units = sources / "scenarios" / "battle-for-kursk" / "campaign" / "units.yaml"
    text, changed = re.subn("full: 9, reduced: 4", "full: 8, reduced: 4", units.read_text("ascii"), count=1)
    assert changed
    units.write_text(text, "ascii", newline="\n")
    old_scenarios.keep(
        sources / "scenarios", ROOT / "scenarios", "battle-for-kursk/campaign", "battle-for-kursk/citadel"
    )
    _sources, wheel = wheels.build_packages(tmp_path / "dist", sources)
    newer = wheels.install_wheel(wheel, tmp_path / "newer", offline=True)

    def kursk(python, *words):
        command = [str(python), "-c", "from kursk_pbem.cli import main; main()", *words]
        environment = {**wheels.make_environment(), "KURSK_HOME": str(tmp_path / "played" / "german" / "private")}
        done = subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    kursk(installed, "demo", "played")
    assert "verified, 8 messages" in kursk(newer, "verify", "played/german")
    (folder,) = (tmp_path / "played" / "german").glob("game-*")
    kursk(newer, "sign", str(folder), "--yes")
    assert "verified, 9 messages" in kursk(newer, "verify", str(folder))
    assert "verified, 9 messages" in kursk(installed, "verify", str(folder))
    now = re.findall("data ([0-9a-f]{32})", kursk(newer, "scenario", "check", str(units.parent)))
    assert now[0] not in (folder / "0000.yaml").read_text("ascii")
