"""The wheel: built, installed in a fresh environment without network, and played from, far from the checkout."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import wheel as wheels

pytestmark = pytest.mark.slow

ROOT = wheels.ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    return wheels.build(tmp_path_factory.mktemp("dist"))


def test_the_wheel_holds_schemas_scenarios_and_rulings_and_nothing_of_ours(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for folder in (ROOT / "schemas", ROOT / "scenarios", ROOT / "docs" / "rulings"):
        files = {path.relative_to(folder.parent).as_posix() for path in folder.rglob("*") if path.is_file()}
        assert files
        assert {f"kursk_pbem/_data/{name}" for name in files} <= names
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "kursk_pbem").rglob("*.py")}
    assert modules <= names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"kursk_pbem"}


def test_a_game_is_played_from_the_installed_wheel(wheel, tmp_path, capsys):
    python = wheels.install(wheel, tmp_path / "fresh", offline=True)
    where = subprocess.run(
        [str(python), "-c", "import kursk_pbem; print(kursk_pbem.__file__)"],
        cwd=tmp_path,
        env=wheels.environment(),
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    assert Path(where).is_relative_to(tmp_path / "fresh")  # not the checkout
    wheels.play(python, tmp_path)
    ruling = [str(python), "-c", "from kursk_pbem.cli import main; main()", "rule", "K-54"]
    told = subprocess.run(ruling, cwd=tmp_path, env=wheels.environment(), check=True, capture_output=True, text=True)
    assert told.stdout.startswith("[K-54] Stand Fast (9.3)\n  A defender in a Major City may lose one step")
    assert capsys.readouterr().out.count("verified, 8 messages") >= 1
    assert (tmp_path / "played" / "german").is_dir()
