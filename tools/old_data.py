"""Keep the scenario data of begun games after a correction: ``make data`` (decision 75).

``old_data.txt`` lists every published version by id and hash. The tool copies missing versions from the commit OLD.
With ``--check`` the tool writes nothing, and exits with status 1 if listed data are missing or new data are not listed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from kursk_pbem.errors import KurskError  # noqa: E402
from kursk_pbem.game import scenario_files as scenarios  # noqa: E402

LIST = ROOT / "tools" / "old_data.txt"
Versions = Sequence[tuple[str, str]]


def read_list(path: Path = LIST) -> Versions:
    """Return the id and hash of every published version."""
    lines = map(str.split, path.read_text(encoding="ascii").splitlines())
    return [(name, sha256) for name, sha256 in lines]


def list_today(root: Path) -> Versions:
    """Return the present version of each scenario."""
    folders = [head.parent for head in sorted(root.glob("*/*/scenario.yaml"))]
    return [(folder.relative_to(root).as_posix(), scenarios.load(folder).sha256) for folder in folders]


def find_data(root: Path, name: str, sha256: str) -> Path | None:
    """Return the folder below ``root`` with the data of a hash, or None."""
    for folder in scenarios.find_versions(name, sha256, [root]):
        try:
            if scenarios.load(folder).sha256 == sha256:
                return folder
        except KurskError:  # the folder is incomplete
            continue
    return None


def find_faults(root: Path, known: Versions) -> list[str]:
    """Return a line for each missing or unlisted version below ``root``."""
    lost = [
        f"{name} {sha256}: these data are nowhere" for name, sha256 in known if find_data(root, name, sha256) is None
    ]
    new = [
        f"{name} {sha256}: these data are not listed"
        for name, sha256 in list_today(root)
        if (name, sha256) not in known
    ]
    return [f"{line}; 'make data' puts it right" for line in lost + new]


def keep_data(root: Path, before: Path, known: Versions) -> list[Path]:
    """Copy the changed files of missing versions from ``before`` to ``root``; return the written files."""
    missing = [(*each, source) for each in known if not find_data(root, *each) and (source := find_data(before, *each))]
    written = []
    for name, sha256, source in sorted(missing, key=lambda each: _find_lender(each[2]) is not None):  # borrowers last
        old = root / name / scenarios.OLD / sha256
        if lender := _find_lender(source):
            base = source / scenarios.BASE  # of an older version in the archive
            lent = base.read_text(encoding="ascii").strip() if base.is_file() else scenarios.load(lender).sha256
            written.append(_write_part(old / scenarios.BASE, f"{lent}\n".encode("ascii")))
        for at, (_name, raw) in enumerate(scenarios.read_contents(source)):
            if _read_part(old, at) != raw:
                written.append(_write_part(old / f"{scenarios.PARTS[at]}.yaml", raw))
    return written


def _find_lender(folder: Path) -> Path | None:
    """Return the scenario folder that lends files to a scenario, or None."""
    home = folder.parents[1] if folder.parent.name == scenarios.OLD else folder
    name = scenarios.load(folder).data["scenario"].get("based-on")
    return home.parent / name if name else None


def _read_part(folder: Path, at: int) -> bytes:
    """Return a part of a version, by number. Before the first file is written, the result is b""."""
    try:
        return scenarios.read_contents(folder)[at][1]
    except KurskError:
        return b""


def _write_part(path: Path, raw: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    return path


def _update_list(root: Path, commit: str) -> None:
    """Keep the versions of a commit, then list the versions of the commit and of today. Versions between are lost."""
    with tempfile.TemporaryDirectory() as name, tempfile.TemporaryFile() as packed:
        paths = ["scenarios", LIST.relative_to(ROOT).as_posix()]
        subprocess.run(["git", "archive", commit, *paths], cwd=ROOT, stdout=packed, check=True)
        packed.seek(0)
        with tarfile.open(fileobj=packed) as archive:
            archive.extractall(name, filter="data")
        known = read_list(Path(name) / paths[1])
        for path in keep_data(root, Path(name) / paths[0], known):
            print(f"wrote {path.relative_to(ROOT)}")
    every = sorted({*known, *list_today(root)})
    LIST.write_text("".join(f"{scenario} {sha256}\n" for scenario, sha256 in every), encoding="ascii")


def main() -> int:
    """Keep missing versions and list new versions, unless ``--check`` is given; return 1 if a fault remains."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("old", nargs="?", default="HEAD")
    asked = parser.parse_args()
    root = ROOT / "scenarios"
    if not asked.check:
        _update_list(root, asked.old)
    found = find_faults(root, read_list())
    print("\n".join(found) or "scenario data: every version is here")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
