"""The quick tests under every Python that is here, each in an environment of its own: ``make matrix``.

Says which Pythons of pyproject.toml are missing; they are looked for on the PATH and among those of pyenv. Status 1 if
tests fail anywhere, or if there is none of them.
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
QUICK = ["-m", "not slow and not long", "--hypothesis-profile=quick", "-n", "2"]


def list_versions() -> list[str]:
    """The versions that pyproject.toml names, such as ``3.11``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return re.findall(r"Python :: (3\.\d+)$", "\n".join(project["classifiers"]), re.MULTILINE)


def find_python(version: str) -> str:
    """A Python of that version that answers; '' if there is none."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    named = [shutil.which(f"python{version}"), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python")))]
    for python in filter(None, named):
        code = "import sys; print(*sys.version_info[:2], sep='.')"
        told = subprocess.run([python, "-c", code], check=False, capture_output=True, text=True)
        if told.returncode == 0 and told.stdout.strip() == version:
            return python
    return ""


def run_tests(version: str, python: str, chosen: list[str]) -> bool:
    """Whether the chosen tests pass under a Python."""
    place = FOLDER / version
    own = str(place / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    pip = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in (
        [python, "-m", "venv", str(place)],
        [*pip, "--require-hashes", "-r", str(ROOT / "requirements-dev.txt")],
        [*pip, "--no-deps", "--no-build-isolation", "-e", str(ROOT)],
        [own, "-m", "pytest", *chosen],
    ):
        if subprocess.run(command, cwd=ROOT, check=False).returncode:
            return False
    return True


def main(chosen: list[str]) -> int:
    """Test under all of them; ``chosen`` is what pytest is given in place of the quick tests."""
    there = {version: python for version in list_versions() if (python := find_python(version))}
    said = {version: "is not here" for version in list_versions() if version not in there}
    for version, python in there.items():
        print(f"Python {version}: {python}", flush=True)
        said[version] = "passed" if run_tests(version, python, chosen or QUICK) else "FAILED"
    for version in list_versions():
        print(f"Python {version}: {said[version]}")
    return int(not there or "FAILED" in said.values())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
