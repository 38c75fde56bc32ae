"""Gather the pages for the documentation site and build it: ``make site``. Exits 1 if a link has no target."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "build" / "pages"
FRONT = {"README.md": "start.md", "CONTRIBUTING.md": "", "SECURITY.md": "", "CHANGELOG.md": ""}
"""Pages outside docs/, with their names in the site; '' keeps the name."""
PICTURE = "kursk_pbem/board/static/battle.svg"
"""The picture of the board's first page, also on the first page of the site."""
_LINK = re.compile(r"\[[\w/.-]+\.md\]\(([^)\s]+\.md(?:#[^)\s]*)?)\)")
COMMANDS = """# Commands

What `kursk --help` and `kursk COMMAND --help` say.

::: mkdocs-click
    :module: kursk_pbem.cli
    :command: cli
    :prog_name: kursk
    :depth: 1
    :style: plain
"""


def gather_pages(pages: Path) -> None:
    """Write the pages of docs/, the pages outside, and the commands into a folder, and correct the links."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(ROOT / "docs", pages, ignore=shutil.ignore_patterns("*.py", "*.yml"))
    for name, called in FRONT.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        text = text.replace("# kursk-pbem\n", "# What it is, and your first turn\n", 1) if called else text
        (pages / (called or name)).write_text(re.sub(r"\]\((?:\./)?docs/", "](", text), encoding="utf-8")
    shutil.copy(ROOT / PICTURE, pages / "pictures")
    for page in pages.glob("*.md"):
        text = page.read_text(encoding="utf-8").replace(f"../{PICTURE}", "pictures/battle.svg")
        text = re.sub(r"\]\(\.\./([A-Z]+\.md)", r"](\1", text).replace("](README.md", "](start.md")
        page.write_text(text, encoding="utf-8")
    (pages / "commands.md").write_text(COMMANDS, encoding="utf-8")
    for page in pages.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(_LINK.sub(partial(_name_link, page), text), encoding="utf-8")


def _name_link(page: Path, link: re.Match[str]) -> str:
    """Return a link with the title of its page in place of the name of the file."""
    there = page.parent / link[1].partition("#")[0]
    title = re.search("^# (.+)", there.read_text(encoding="utf-8"), re.MULTILINE) if there.is_file() else None
    return f"[{title[1]}]({link[1]})" if title else link[0]


def main() -> int:
    """Gather the pages and build the site; return the status of mkdocs."""
    gather_pages(PAGES)
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "-f", "docs/mkdocs.yml"]
    built = subprocess.run(command, cwd=ROOT, env=quiet, check=False)
    if not built.returncode:
        print("build/site/index.html: the site, all its links lead somewhere")
    return built.returncode


if __name__ == "__main__":
    sys.exit(main())
