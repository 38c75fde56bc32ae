"""Build sources and wheel, install the wheel in a fresh environment outside the checkout, and play from it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from collections.abc import Collection, Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kursk_pbem import __version__  # noqa: E402


def build_packages(out: Path, root: Path = ROOT) -> tuple[Path, Path]:
    """Build the source archive of ``root`` and the wheel in ``out``; return the two paths."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(root)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return find_packages(out)


def find_packages(out: Path) -> tuple[Path, Path]:
    """Return the source archive and the wheel of this version in ``out``."""
    return next(out.glob(f"*-{__version__}.tar.gz")), next(out.glob(f"*-{__version__}-*.whl"))


def check_packages(*packages: Path) -> None:
    """Check packages as a package index does. Raises CalledProcessError for an error or a warning."""
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, packages)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def install_wheel(wheel: Path, where: Path, *, offline: bool = False, only: Collection[str] = ()) -> Path:
    """Install a wheel and its dependencies, without extras, in a fresh environment; return the environment's Python.

    ``offline``: borrow the dependencies of the running environment, because a test must not need a network. ``only``:
    borrow these packages and what they need.
    """
    venv.create(where, with_pip=not offline, system_site_packages=False)
    inside = find_python(where)
    if offline:
        site = subprocess.run(
            [str(inside), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        target = ["--target", site, "--no-deps", str(wheel)]
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *target], check=True)
        _lend_dependencies(Path(site), only)
    else:
        subprocess.run([str(inside), "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    return inside


def find_python(where: Path) -> Path:
    """Return the Python of an environment."""
    return where / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _lend_dependencies(site: Path, only: Collection[str] = ()) -> None:
    """Link the wheel's dependencies from this environment into the fresh environment, and no further packages."""
    needed = (each for name in only for each in (metadata.distribution(name), *_find_needed(name)))
    for distribution in needed if only else _find_needed():
        for top in {file.parts[0] for file in distribution.files or ()}:
            if top not in ("..", "__pycache__") and not (site / top).exists():
                (site / top).symlink_to(str(distribution.locate_file(top)))


def _find_needed(name: str = "kursk-pbem") -> Iterator[metadata.Distribution]:
    """Yield the direct and indirect dependencies of a package, without extras. Dependencies may repeat."""
    for line in metadata.requires(name) or ():
        need = Requirement(line)
        if need.marker is None or need.marker.evaluate({"extra": ""}):
            yield metadata.distribution(need.name)
            yield from _find_needed(need.name)


def make_environment() -> dict[str, str]:
    """Return the environment without variables that lead to the checkout or to a user's games."""
    return {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "KURSK_HOME", "KURSK_KEY")}


def play_demo(python: Path, where: Path) -> None:
    """Play the demonstration from the installed package, outside the checkout, and verify the game."""
    for arguments in (["demo", "played"], ["verify", "played"]):
        command = [str(python), "-c", "from kursk_pbem.cli import main; main()", *arguments]
        done = subprocess.run(command, cwd=where, env=make_environment(), check=False, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(arguments)} from the wheel ended with {done.returncode}:\n{done.stderr[-2000:]}")
        print(done.stdout[-200:].rstrip())


def main() -> None:
    """Build the packages, install the wheel, and play."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources, wheel = build_packages(ROOT / "dist")
        check_packages(sources, wheel)
        play_demo(install_wheel(wheel, folder / "fresh"), folder)
        print(f"{sources.relative_to(ROOT)}: a package index would take it, and the wheel")
        print(f"{wheel.relative_to(ROOT)}: installed in a fresh environment and played from")


if __name__ == "__main__":
    main()
