"""Run all but the long tests under every installed Python, each in a separate environment: ``make matrix``.

The tool searches the PATH and pyenv for the Pythons of pyproject.toml, and names the missing versions. The exit status
is 1 if a test fails, or if no Python is found.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "matrix"
USUAL = ["-m", "not long", "--hypothesis-profile=quick", "-n", "2"]


def list_versions() -> list[str]:
    """Return the versions in pyproject.toml, such as ``3.11``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return re.findall(r"Python :: (3\.\d+)$", "\n".join(project["classifiers"]), re.MULTILINE)


def find_python(version: str) -> str:
    """Return a working Python of a version, or ''."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    named = [shutil.which(f"python{version}"), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python")))]
    for python in filter(None, named):
        code = "import sys; print(*sys.version_info[:2], sep='.')"
        told = subprocess.run([python, "-c", code], check=False, capture_output=True, text=True)
        if told.returncode == 0 and told.stdout.strip() == version:
            return python
    return ""


def run_tests(version: str, python: str, chosen: list[str]) -> bool:
    """Return whether the chosen tests pass under a Python."""
    place = FOLDER / version
    own = str(place / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    pip = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in (
        [python, "-m", "venv", str(place)],
        [*pip, "--require-hashes", "-r", str(ROOT / "tools" / "requirements" / "dev.txt")],
        [*pip, "--no-deps", "--no-build-isolation", "-e", str(ROOT)],
        [own, "-m", "pytest", *chosen],
    ):
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            return False
    return True


def main(chosen: list[str]) -> int:
    """Run the tests under each Python. ``chosen``: arguments of pytest, instead of all but the long tests."""
    there = {version: python for version in list_versions() if (python := find_python(version))}
    said = {version: "is not here" for version in list_versions() if version not in there}
    for version, python in there.items():
        print(f"Python {version}: {python}", flush=True)
        said[version] = "passed" if run_tests(version, python, chosen or USUAL) else "FAILED"
    for version in list_versions():
        print(f"Python {version}: {said[version]}")
    return int(not there or "FAILED" in said.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
