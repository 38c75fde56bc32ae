"""A ruleset as an installed package: Ridge Toy under another name, in a folder on the path of subprocesses."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import sys
from functools import cache
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


SERVER = """
import importlib, json, os, pkgutil, sys
from kursk_pbem import cli, rulesets
for package in (cli, rulesets):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
for line in sys.stdin:
    sys.argv, path, env, place, streams = json.loads(line)
    if not (child := os.fork()):
        os.environ |= env
        sys.path[:0] = path
        os.chdir(place)
        for number, name in enumerate(streams):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | os.O_TRUNC), number)
        cli.main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""A program that has imported our commands and rules, and no package. It forks a process for each command, because a
new Python takes five times as long as most commands."""


@cache
def _start_server() -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", SERVER]
    server = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(server.communicate)  # closes its input, which ends it
    return server


class Desk:
    """A player with commands in processes of their own; ``site``: the folder with the player's packages."""

    def __init__(self, root: Path, name: str, site: Path | None) -> None:
        self.root, self.name, self.site = root / name, name, site
        self.root.mkdir(parents=True, exist_ok=True)

    @property
    def env(self) -> dict[str, str]:
        return {"KURSK_HOME": str(self.root / "home"), "KURSK_KEY": str(self.root / self.name)}

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Start Python anew."""
        path = [str(place) for place in (ROOT, self.site) if place]
        env = {**os.environ, **self.env, "PYTHONPATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, *words], cwd=self.root, env=env, capture_output=True, text=True, check=False
        )

    def run(self, *words: Any) -> tuple[int, str]:
        """Run a command in a process of its own; return its status and output."""
        server, streams = _start_server(), [os.devnull, *(str(self.root / name) for name in ("out", "err"))]
        path = [str(self.site)] if self.site else []
        print(json.dumps([["kursk", *map(str, words)], path, self.env, str(self.root), streams]), file=server.stdin)
        server.stdin.flush()
        status = int(server.stdout.readline())
        return status, " ".join("".join(Path(name).read_text("utf-8") for name in streams[1:]).split())

    def type(self, *words: Any, status: int = 0) -> str:
        """Type a command; return its output."""
        ended, said = self.run(*words)
        assert ended == status, said
        return said

    def read_pin(self, rid: str = RID) -> str:
        """Return the hash of the installed package."""
        (line,) = self.type("ruleset", "list", "--json").splitlines()
        return next(rules["sha256"] for rules in json.loads(line)["rulesets"] if rules["ruleset"] == rid)

    @property
    def game(self) -> Path:
        (folder,) = self.root.glob("game-*")
        return folder
