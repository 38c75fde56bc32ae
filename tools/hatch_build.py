"""The hooks of hatchling: the description on a package index, and the man pages."""

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


def adapt_links(text: str, home: str) -> str:
    """Return the README with absolute links below ``home``.

    If ``home`` is empty, pictures are left out, and a link becomes its words.
    """

    def adapt_link(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if home:
            return f"{picture}[{words}]({home.rstrip('/')}/{path})"
        return "" if picture else words

    return re.sub(r"\n{3,}", "\n\n", _LINK.sub(adapt_link, text))


class Description(MetadataHookInterface):
    """The hook for the description of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the description. hatchling calls the hook with the metadata of pyproject.toml."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": adapt_links(text, str(self.config["home"]))}


def _correct_page(page: str) -> str:
    """Correct a man page of click-man: lists stay lists, and no line of text is a command."""
    lines = re.sub(r"^'", r"\\\\&'", page, flags=re.MULTILINE).split("\n")
    listed = False
    for number, line in enumerate(lines):
        if line == "\b":
            lines[number], listed = ".nf", True
        elif listed and line.startswith((".PP", ".SH")):
            lines[number], listed = f".fi\n{line}", False
    return "\n".join(lines)


def _describe(group: click.Group) -> None:
    """Use the first sentence of the help of a group and of all its commands as their lines in lists."""
    about = click.Context(group)
    for command in (group, *filter(None, (group.get_command(about, name) for name in group.list_commands(about)))):
        command.short_help = " ".join((command.help or "").split("\n\n")[0].split())
        if command is not group and isinstance(command, click.Group):
            _describe(command)


def man_pages(root: Path, folder: Path) -> list[Path]:
    """Write a man page of every command of the sources in ``root`` into ``folder``; return the sorted pages."""
    from click_man.core import write_man_pages

    sys.path.insert(0, str(root))
    from kursk_pbem import __version__, cli  # these sources, not an installed version

    _describe(cli.cli)
    heading = rf"^## {re.escape(__version__)} - (\S+)$"
    day = re.search(heading, (root / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    write_man_pages("kursk", cli.cli, version=__version__, target_dir=str(folder), date=day[1] if day else __version__)
    pages = sorted(folder.glob("*.1"))
    for page in pages:
        page.write_text(_correct_page(page.read_text(encoding="utf-8")), encoding="utf-8")
    return pages


class ManPages(BuildHookInterface):
    """The hook that puts the man pages into the wheel's folder for ``man``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the man pages. hatchling calls the hook before it writes a wheel."""
        if version == "standard":  # an editable install has no man pages
            self.folder = tempfile.TemporaryDirectory()
            for page in man_pages(Path(self.root), Path(self.folder.name)):
                build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"

    def finalize(self, version: str, _build_data: dict[str, Any], _artifact_path: str) -> None:
        """Delete the folder of the pages. hatchling calls the hook after it wrote the wheel."""
        if version == "standard":
            self.folder.cleanup()
