"""The pin of a package has every file: each flipped byte, two installers, several Pythons, before and after a run."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import matrix
from helpers import foreign
from helpers.foreign import RID, Desk

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import packages

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
NOTES = ("INSTALLER", "REQUESTED", "RECORD", "direct_url.json", "uv_cache.json", "uv_build.json")
"""Files of installers in the folder of metadata, which no code reads."""
REFUSED = "refused"
SCRIPT = """
from dataclasses import replace
from kursk_pbem.formats import packages
package = packages.find_packages()["far-ridge"]
print(package.pin["sha256"])
assert package.rules.RULESET.id == "far-ridge"
print(replace(package).pin["sha256"])
"""


def read_pin(package):
    """Return the pin of the files as they are now; a package that is refused has none."""
    try:
        return replace(package).pin["sha256"]
    except UsageError:
        return REFUSED


def find_unseen_bytes(package, site, step):
    """Return the files with bytes that change no pin, and where; ``step``: all bytes, or at most 3 of a file."""
    before = read_pin(package)
    assert before != REFUSED
    unseen = {}
    for path in sorted(path for path in site.rglob("*") if path.is_file()):
        raw = path.read_bytes()
        places = range(len(raw)) if step == "all" else sorted({0, len(raw) // 2, len(raw) - 1} if raw else ())
        for at in places:
            path.write_bytes(raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :])
            if read_pin(package) == before:
                unseen.setdefault(path.relative_to(site).as_posix(), []).append(at)
        path.write_bytes(raw)
    assert read_pin(package) == before
    return unseen


@pytest.mark.parametrize("step", ["three bytes", pytest.param("all", marks=pytest.mark.long("test-all"))])
def test_H3_each_flipped_byte_changes_the_pin_or_is_a_note(tmp_path, monkeypatch, step):
    """H3: tables, pages, ``seen`` and the cache of Python were not in the pin, and the rules could read all of them."""
    site = tmp_path / "site"
    folder = foreign.install(site)
    (info,) = site.glob("*.dist-info")
    for name, text in {"INSTALLER": "pip", "REQUESTED": "", "direct_url.json": '{"url": "file:///x"}'}.items():
        (info / name).write_text(text, "ascii")
    foreign.write_record(site, folder, info)
    monkeypatch.syspath_prepend(str(site))
    package = packages.find_packages()[RID]
    assert package.folder == folder.resolve()
    unseen = find_unseen_bytes(package, site, step)
    assert {info.name, *(each.rpartition("/")[0] for each in unseen)} == {info.name}
    assert {each.rpartition("/")[2] for each in unseen} <= {*NOTES}
    assert unseen.keys() >= {f"{info.name}/INSTALLER", f"{info.name}/direct_url.json"}


def test_H3_a_file_beside_the_list_changes_the_pin(tmp_path):
    """Rules could read it. A run adds only Python's cache, which no rules read."""
    folder = foreign.install(tmp_path / "site")
    desk = Desk(tmp_path, "anna", tmp_path / "site")
    before = desk.read_pin()
    assert desk.python("-B", "-m", "compileall", "-q", str(folder)).returncode == 0
    assert list(folder.rglob("*.pyc"))
    desk.type("scenario", RID)
    assert desk.read_pin() == before
    (folder / "__pycache__" / "more.yaml").write_text("x: y\n", "ascii")
    assert desk.read_pin() != before


def test_H3_an_editable_installation_has_the_pin_of_the_wheel(tmp_path, monkeypatch):
    """An author plays from the sources, against somebody with the wheel, until the author edits a file."""
    site, sources = tmp_path / "site", tmp_path / "sources"
    folder = foreign.install(site)
    monkeypatch.syspath_prepend(str(site))
    before = read_pin(packages.find_packages()[RID])
    sources.mkdir()
    folder = folder.rename(sources / folder.name)
    (info,) = site.glob("*.dist-info")
    (info / "direct_url.json").write_text('{"dir_info": {"editable": true}, "url": "file:///x"}', "ascii")
    for name in ("_far_ridge.pth", "__editable___far_ridge_finder.py"):
        (site / name).write_text(f"{sources}\n", "ascii")
    foreign.write_record(site, *site.glob("*far_ridge*"), info)
    monkeypatch.syspath_prepend(str(sources))
    package = packages.find_packages()[RID]
    assert package.folder == folder.resolve()
    assert read_pin(package) == before
    (folder / "page.md").write_text("# Another page\n", "ascii")
    assert read_pin(package) not in (before, REFUSED)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel of a package with a command and a second module."""
    pytest.importorskip("hatchling")
    root = tmp_path_factory.mktemp("wheel")
    Desk(root, "anna", None).type("ruleset", "new", RID, "-o", root / "new")
    with (root / "new" / "pyproject.toml").open("a") as project:
        project.write('\n[project.scripts]\nfar-ridge-edit = "far_ridge:main"\n')
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q", "-w", str(root)]
    subprocess.run([*command, str(root / "new")], check=True, capture_output=True)
    (made,) = root.glob("*.whl")
    return made


def install_wheel(wheel, place, python, installer):
    """Install the wheel into an environment of its own; return the environment's Python."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(place)], check=True)
    own = str(place / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", own, "install", "-q", "--disable-pip-version-check"]
    uv = [shutil.which("uv") or "uv", "pip", "install", "-q", "--python", own]
    subprocess.run([*(pip if installer == "pip" else uv), "--no-deps", str(wheel)], check=True, capture_output=True)
    return own


@pytest.mark.long("test-all")
def test_H3_two_installers_and_all_pythons_give_one_pin(wheel, tmp_path):
    """Before and after a run, with each Python that is here; uv is left out if it is not installed."""
    pythons = {sys.executable, *filter(None, map(matrix.find_python, matrix.list_versions()))}
    installers = ["pip", "uv"] if shutil.which("uv") else ["pip"]
    found, notes = {}, set()
    for python in sorted(pythons):
        for installer in installers:
            place = tmp_path / f"{len(found)}"
            own = install_wheel(wheel, place, python, installer)
            done = subprocess.run(
                [own, "-c", SCRIPT], env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
            found[python, installer] = done.stdout.split()
            notes |= {path.name for path in place.glob("lib/*/site-packages/*.dist-info/*")}
    assert notes >= {"INSTALLER", "RECORD"}
    assert len({pin for pins in found.values() for pin in pins}) == 1, found


@pytest.mark.long("test-all")
def test_H3_each_flipped_byte_of_a_wheel_installed_by_pip_shows(wheel, tmp_path, monkeypatch):
    """The launcher of a command is outside, and no rules import it."""
    install_wheel(wheel, tmp_path / "env", sys.executable, "pip")
    (site,) = (tmp_path / "env").glob("lib/*/site-packages")
    monkeypatch.syspath_prepend(str(site))
    unseen = find_unseen_bytes(packages.find_packages()[RID], site, "all")
    assert {re.sub(r".*/", "", each) for each in unseen if "/__pycache__/" not in each} <= {*NOTES}
