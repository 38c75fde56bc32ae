"""The wheel: built, installed in a fresh environment without network, and played from, far from the checkout."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

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
    wheels.check(*built)


def test_the_tests_of_the_unpacked_sources_pass(built, tmp_path):
    with tarfile.open(built[0]) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    files = ["tests/test_package.py", "tests/test_imports.py", "tests/trust/test_commit.py", "tests/cli/test_short.py"]
    command = [sys.executable, "-m", "pytest", *files]
    done = subprocess.run(command, cwd=folder, env=wheels.environment(), check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]


def test_the_wheel_holds_schemas_scenarios_pages_and_rulings_and_nothing_of_ours(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in (ROOT / "schemas", ROOT / "scenarios", ROOT / "docs" / "rulings"):
        files = {path.relative_to(folder.parent).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert files
        assert {f"kursk_pbem/_data/{name}" for name in files} <= names
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "kursk_pbem").rglob("*.py")}
    assert modules <= names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {"kursk_pbem"}
    assert {
        f"kursk_pbem/_data/docs/{'' if page in pages.PAGES else 'games/'}{page}.md" for page in pages.pages()
    } <= names
    manuals = {name.rsplit("/", 1)[1] for name in names if ".data/data/share/man/man1/" in name}
    assert {f"kursk-{command}.1" for command in COMMANDS} <= manuals


def test_a_game_is_played_from_the_installed_wheel(installed, tmp_path, capsys):
    where = subprocess.run(
        [str(installed), "-c", "import kursk_pbem; print(kursk_pbem.__file__)"],
        cwd=tmp_path,
        env=wheels.environment(),
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    assert Path(where).is_relative_to(installed.parents[1])  # not the checkout
    wheels.play(installed, tmp_path)
    ruling = [str(installed), "-c", "from kursk_pbem.cli import main; main()", "rule", "K-54"]
    told = subprocess.run(ruling, cwd=tmp_path, env=wheels.environment(), check=True, capture_output=True, text=True)
    assert told.stdout.startswith("[K-54] Stand Fast (9.3)\n  A defender in a Major City may lose one step")
    assert capsys.readouterr().out.count("verified, 8 messages") >= 1
    assert (tmp_path / "played" / "german").is_dir()
