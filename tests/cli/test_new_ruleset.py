"""``kursk ruleset new`` writes a package that works at once, without a line of this repository changed."""

import shutil
import subprocess
import sys
import tomllib

import pytest
from helpers import foreign
from helpers.foreign import Desk

NAME, MODULE = "donets-gap", "donets_gap"


@pytest.fixture
def written(tmp_path):
    """Write the package as a command does, and install it as pip does; return both."""
    site = tmp_path / "site"
    desk = Desk(tmp_path, "anna", site)
    said = desk.type("ruleset", "new", NAME, "-o", site)
    assert f"play: kursk propose {NAME}/hill" in said
    project = tomllib.loads((site / "pyproject.toml").read_text("utf-8"))["project"]
    info = site / f"{MODULE}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", "utf-8"
    )
    ((group, points),) = project["entry-points"].items()
    lines = "".join(f"{key} = {value}\n" for key, value in points.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{lines}", "utf-8")
    foreign.write_record(site, site / MODULE, info)
    return desk, site


@pytest.mark.long
def test_the_written_package_passes_its_tests_and_is_small(written):
    """Its tests play whole games, also signed games with both folders verified."""
    desk, site = written
    done = desk.python("-m", "pytest", "-q", "-p", "no:cacheprovider", str(site))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "28 passed" in done.stdout
    lines = [line for path in site.rglob("*.py") for line in path.read_text("utf-8").splitlines()]
    assert len(lines) <= 150
    files = [path for path in site.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert not [path for path in files if "ridge-toy" in path.read_text("utf-8") or "ridge_toy" in path.name]


def test_a_game_of_the_written_package_is_played_by_commands(written, tmp_path):
    anna, site = written
    boris = Desk(tmp_path, "boris", site)
    for desk in (anna, boris):
        desk.type("keygen", desk.name)
    anna.type("propose", f"{NAME}/hill", "--as", "red", "--opponent", boris.root / "boris.pub")
    boris.type("accept", anna.game / "0000.yaml")
    boris.type("order", boris.game, "move", "1st", "blue", "foot", "0303", ",", "attack", "0806", "all", status=2)
    boris.type("order", boris.game, "move", "b-5", "0404")
    boris.type("sign", boris.game, "--yes")
    anna.type("inbox", boris.game / "0001.yaml")
    assert "verified, 2 messages" in anna.type("verify", anna.game)
    assert "Ford" in anna.type("report", anna.game)
    assert "Donets Gap" in anna.type("help", NAME)
    assert "Movement" in anna.type("rule", NAME, "2.0")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Donets Gap", "is no valid name"),
        ("../x", "is no valid name"),
        ("kursk-1971", "installed ruleset or module"),
        ("json", "installed ruleset or module"),
        ("a" * 33, "is no valid name"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(tmp_path, name, why):
    desk = Desk(tmp_path, "anna", None)
    assert why in desk.type("ruleset", "new", name, "-o", tmp_path / "new", status=2)
    assert not (tmp_path / "new").exists()


def test_no_existing_folder_is_touched(tmp_path):
    desk = Desk(tmp_path, "anna", None)
    assert "exists already" in desk.type("ruleset", "new", NAME, "-o", tmp_path, status=2)
    assert [path.name for path in tmp_path.iterdir()] == ["anna"]


@pytest.mark.long
def test_the_package_is_built_and_installed_by_pip(tmp_path):
    """Skipped without hatchling, because pip would need the network."""
    pytest.importorskip("hatchling")
    Desk(tmp_path, "anna", None).type("ruleset", "new", NAME, "-o", tmp_path / "new")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", str(tmp_path)]
    subprocess.run([*command, str(tmp_path / "new")], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "unpacked", "zip")
    names = {path.name for path in (tmp_path / "unpacked").rglob("*")}
    assert {"rulebook.yaml", "page.md", "words.txt", "guide.yaml", "map.yaml", "entry_points.txt"} <= names
