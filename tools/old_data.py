"""Keep the data of scenarios that games were begun with: ``make data``, after a value was corrected (decision 75).

``old_data.txt`` lists every version that was ever here, by id and hash. What is missing is taken from the commit OLD.
With ``--check`` nothing is written; status 1 if listed data are nowhere, or if data that are here are not listed.
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
    """Every version that was ever here: id and hash."""
    lines = map(str.split, path.read_text(encoding="ascii").splitlines())
    return [(name, sha256) for name, sha256 in lines]


def list_today(root: Path) -> Versions:
    """The version of each scenario of today."""
    folders = [head.parent for head in sorted(root.glob("*/*/scenario.yaml"))]
    return [(folder.relative_to(root).as_posix(), scenarios.load(folder).sha256) for folder in folders]


def find_data(root: Path, name: str, sha256: str) -> Path | None:
    """The folder below ``root`` that has the data of this hash."""
    for folder in scenarios.find_versions(name, sha256, [root]):
        try:
            if scenarios.load(folder).sha256 == sha256:
                return folder
        except KurskError:  # a file of it is missing
            continue
    return None


def find_faults(root: Path, known: Versions) -> list[str]:
    """What is wrong with the data below ``root``, a line for each version."""
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
    """Write what the versions lack that are below ``before`` and not below ``root``: the files that have changed."""
    missing = [(*each, source) for each in known if not find_data(root, *each) and (source := find_data(before, *each))]
    written = []
    for name, sha256, source in sorted(missing, key=lambda each: _find_lender(each[2]) is not None):  # borrowers last
        old = root / name / scenarios.OLD / sha256
        if lender := _find_lender(source):
            base = source / scenarios.BASE  # of an older version that was kept before
            lent = base.read_text(encoding="ascii").strip() if base.is_file() else scenarios.load(lender).sha256
            written.append(_write_part(old / scenarios.BASE, f"{lent}\n".encode("ascii")))
        for at, (_name, raw) in enumerate(scenarios.read_contents(source)):
            if _read_part(old, at) != raw:
                written.append(_write_part(old / f"{scenarios.PARTS[at]}.yaml", raw))
    return written


def _find_lender(folder: Path) -> Path | None:
    """The folder of the scenario from which one borrows files."""
    home = folder.parents[1] if folder.parent.name == scenarios.OLD else folder
    name = scenarios.load(folder).data["scenario"].get("based-on")
    return home.parent / name if name else None


def _read_part(folder: Path, at: int) -> bytes:
    """What a version has as the part of this number, before anything of it is written, too."""
    try:
        return scenarios.read_contents(folder)[at][1]
    except KurskError:
        return b""


def _write_part(path: Path, raw: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)
    return path


def _update_list(root: Path, commit: str) -> None:
    """Keep what a commit had. The list is that of the commit and the data of today: what came between is forgotten."""
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
    """Check, or keep what is missing and list what is new."""
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
