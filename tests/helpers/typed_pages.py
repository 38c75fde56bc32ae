"""Console blocks of the README and the handbooks: who types them, and which lines no test can type."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/games/*.md", "tests/README.md", "conformance/*.md")
TYPED_BY = {
    "README.md": "tests/cli/test_typed_clone.py",
    "CONTRIBUTING.md": "tests/cli/test_typed_clone.py",
    "conformance/runner.md": "tests/cli/test_typed_clone.py",
    "docs/agents.md": "tests/cli/test_typed_clone.py",
    "docs/auditors.md": "tests/cli/test_typed_clone.py",
    "docs/directors.md": "tests/tournament/test_recipe.py",
    "docs/games/battle-for-kursk.md": "tests/cli/test_docs_orders.py",
    "docs/games/juggernauts.md": "tests/rulesets/juggernauts/test_docs.py",
    "docs/index.md": "tests/cli/test_docs.py",
    "docs/players.md": "tests/cli/test_typed_handbook.py",
    "docs/recipes.md": "tests/cli/test_typed_clone.py",
    "docs/referees.md": "tests/post/test_typed_mailbox.py",
    "tests/README.md": "tests/cli/test_typed_clone.py",
}
"""The test of each page with console blocks."""
NOT_TYPED = {
    "docs/directors.md": {
        "pip install rustworkx networkx icalendar": "installs packages from the network; the tests have them"
    },
    "docs/players.md": {"kursk board --key me": "opens a browser: tests/board"},
    "docs/referees.md": {
        "sudo adduser --system --group --home /srv/referee --shell /bin/sh referee": "changes the users of the machine",
        "sudo -u referee -i": "needs the new user",
        "python3 -m venv venv && venv/bin/pip install /srv/sources": "test_typed_clone.py installs so",
    },
    "README.md": {
        "make demo": "installs pinned packages from the network: .ci/run types it",
        "make test": "the same",
        "make app": "installs packages from the network: tests/app",
        "kursk app --serve": "serves what make app builds: tests/app",
    },
}
"""Lines that no test can type here, with the reason."""


def list_pages() -> Iterator[str]:
    """Yield the pages with console blocks."""
    for path in sorted(path for pattern in PAGES for path in ROOT.glob(pattern)):
        if "\n```console\n" in path.read_text(encoding="utf-8"):
            yield path.relative_to(ROOT).as_posix()


def list_blocks(page: str, *, whole: bool = False) -> list[list[str]]:
    """Return the lines that a test must type, block by block, without prompts and comments; ``whole``: all lines."""
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    joined = (re.sub(r" *\\\n *", " ", block) for block in blocks)
    found = (re.findall(r"^(?:\$|[0-9]+>) (.*?)(?: {2,}#.*)?$", block, re.MULTILINE) for block in joined)
    return [[line for line in block if whole or line not in NOT_TYPED.get(page, ())] for block in found]


class Page:
    """The lines of a page, taken in order; ``close`` checks that no line is left."""

    def __init__(self, page: str) -> None:
        self.lines = iter([line for block in list_blocks(page) for line in block])

    def take(self, count: int = 1) -> list[str]:
        """Return the next lines."""
        return [next(self.lines) for _line in range(count)]

    def close(self) -> None:
        """Check that all lines were taken."""
        assert list(self.lines) == []
