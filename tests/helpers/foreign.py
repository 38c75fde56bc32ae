"""A ruleset as an installed package: Ridge Toy under another name, in a folder on the path of subprocesses."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from helpers.registry import ROOT
from kursk_pbem.game import new_ruleset

RID, MODULE, NAME = "far-ridge", "far_ridge", "far-ridge-game"


def install(site: Path, *, rid: str = RID, name: str = NAME, release: str = "1.4", value: str = MODULE) -> Path:
    """Install the package into a folder as pip does: code, metadata and entry point. Return the folder of the rules."""
    folder = site / MODULE
    if not folder.exists():
        new_ruleset.write_package(RID, site / "written")
        (site / "written" / MODULE).rename(folder)
        shutil.rmtree(site / "written")
        (folder / "words.txt").write_text("attack move scout\n", "ascii")
        (folder / "page.md").write_text("# Far Ridge\n\n## 1. The ridge\n\nWho holds the ridge wins.\n", "ascii")
    info = site / f"{name.replace('-', '_')}-{release}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {release}\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[kursk_pbem.rulesets]\n{rid} = {value}\n", "utf-8")
    write_record(site, folder, info)
    return folder


def write_record(site: Path, *places: Path) -> None:
    """Write the list of the files of a distribution, as installers do. The last folder has the metadata."""
    below = [path for place in places for path in (place, *place.rglob("*"))]
    listed = [path for path in below if path.is_file() and path.suffix != ".pyc"]
    (places[-1] / "RECORD").write_text("".join(f"{path.relative_to(site).as_posix()},,\n" for path in listed), "utf-8")


def patch(folder: Path, file: str, old: str, new: str) -> None:
    """Change a file of the installed rules."""
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), "utf-8")


class Desk:
    """A player with commands in processes of their own; ``site``: the folder with the player's packages."""

    def __init__(self, root: Path, name: str, site: Path | None) -> None:
        self.root, self.name, self.site = root / name, name, site
        self.root.mkdir(parents=True)

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        path = [str(place) for place in (ROOT, self.site) if place]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(path), "KURSK_HOME": str(self.root / "home")}
        env |= {"KURSK_KEY": str(self.root / self.name), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, *words], cwd=self.root, env=env, capture_output=True, text=True, check=False
        )

    def type(self, *words: Any, status: int = 0) -> str:
        """Type a command; return its output."""
        done = self.python("-m", "kursk_pbem", *map(str, words))
        assert done.returncode == status, done.stdout + done.stderr
        return " ".join((done.stdout + done.stderr).split())

    def read_pin(self, rid: str = RID) -> str:
        """Return the hash of the installed package."""
        (line,) = self.type("ruleset", "list", "--json").splitlines()
        return next(rules["sha256"] for rules in json.loads(line)["rulesets"] if rules["ruleset"] == rid)

    @property
    def game(self) -> Path:
        (folder,) = self.root.glob("game-*")
        return folder
