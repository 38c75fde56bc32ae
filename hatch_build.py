"""What hatchling asks of this project when it builds: the description on a package index, and the man pages."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import click
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


def described(text: str, home: str) -> str:
    """The README as it holds away from its folder: links absolute, below ``home``.

    Where ``home`` is empty a picture is left out, and a link is its own words.
    """

    def turned(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if home:
            return f"{picture}[{words}]({home.rstrip('/')}/{path})"
        return "" if picture else words

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(turned, text))


class Description(MetadataHookInterface):
    """Gives the package its description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling with what pyproject.toml says."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": described(text, str(self.config["home"]))}


def _readable(page: str) -> str:
    """A man page as click-man writes it, with what it hands through: lists stay lists, and no text is a command."""
    lines = re.sub(r"^'", r"\\\\&'", page, flags=re.MULTILINE).split("\n")
    listed = False
    for number, line in enumerate(lines):
        if line == "\b":
            lines[number], listed = ".nf", True
        elif listed and line.startswith((".PP", ".SH")):
            lines[number], listed = f".fi\n{line}", False
    return "\n".join(lines)


def _describe(group: click.Group) -> None:
    """Give a group and all commands below it the first sentence of their help as their line in lists."""
    about = click.Context(group)
    for command in (group, *(group.get_command(about, name) for name in group.list_commands(about))):
        command.short_help = " ".join((command.help or "").split("\n\n")[0].split())
        if command is not group and isinstance(command, click.Group):
            _describe(command)


def man_pages(root: Path, folder: Path) -> list[Path]:
    """Write a man page of every command of the sources in ``root`` into ``folder``; in the order of their names."""
    from click_man.core import write_man_pages  # noqa: PLC0415  only where a wheel is built

    sys.path.insert(0, str(root))
    from kursk_pbem import __version__, cli  # noqa: PLC0415  these sources, and not what may be installed

    _describe(cli.cli)
    heading = rf"^## {re.escape(__version__)} - (\S+)$"
    day = re.search(heading, (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    write_man_pages("kursk", cli.cli, version=__version__, target_dir=str(folder), date=day[1] if day else __version__)
    pages = sorted(folder.glob("*.1"))
    for page in pages:
        page.write_text(_readable(page.read_text(encoding="utf-8")), encoding="utf-8")
    return pages


class ManPages(BuildHookInterface):
    """Puts the man pages into the wheel, where ``man`` looks for them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it writes a wheel."""
        if version == "standard":  # and not where the sources stay where they are
            self.folder = tempfile.TemporaryDirectory()
            for page in man_pages(Path(self.root), Path(self.folder.name)):
                build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"

    def finalize(self, version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Called by hatchling when the wheel is written."""
        if version == "standard":
            self.folder.cleanup()
