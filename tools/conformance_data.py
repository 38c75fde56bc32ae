"""Write what a runner needs besides the cases: data of the scenarios, paragraphs, and the suite as one archive.

python tools/conformance_data.py [--check | --archive FOLDER]

* ``conformance/scenarios/SYSTEM/NAME.json``: the scenarios that cases name, whole (``based-on`` is worked out).
* ``conformance/SYSTEM/paragraphs.json``: number, parent, title, text in our own words, and rulings of each paragraph.

``--check`` writes nothing; the exit status is 1 if a file is not up to date. ``--archive`` writes
``FOLDER/conformance-VERSION.zip``: the suite, and the pages of ``docs/`` that ``runner.md`` names. Equal files give
equal bytes on every machine, because the archive stores files without packing them.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

import suite_files  # noqa: E402

from kursk_pbem.audit import suite  # noqa: E402
from kursk_pbem.game import scenarios  # noqa: E402
from kursk_pbem.rulebook import books  # noqa: E402
from kursk_pbem.rulesets import ruleset as find_ruleset  # noqa: E402

PAGES = ("docs/counts.md", "docs/formats.md", "docs/games", "docs/rulings")
"""The pages in the archive; a folder stands for its pages."""


def make_files() -> Iterator[tuple[str, Any]]:
    """Yield the path below the suite and the content of each file."""
    cases = suite.read_suite(suite_files.SUITE).cases
    for name, sha256 in sorted({(case["scenario"]["id"], case["scenario"]["sha256"]) for case in cases}):
        found = scenarios.load(name, sha256)
        yield f"scenarios/{name}.json", {"id": name, "sha256": sha256, "title": found.title, **found.data}
    for system in sorted({case["system"] for case in cases}):
        yield f"{system}/paragraphs.json", list_paragraphs(books.load(find_ruleset(system).rulebook))


def list_paragraphs(book: books.Rulebook) -> list[dict[str, Any]]:
    """Return the paragraphs of a rulebook in order."""
    known = book.paragraphs
    return [
        {
            "id": rule,
            "parent": find_parent(rule, known),
            "title": each.title,
            "text": each.text,
            "status": each.status,
            "rulings": list(each.rulings),
        }
        for rule, each in known.items()
    ]


def find_parent(rule: str, known: Collection[str]) -> str:
    """Return the nearest paragraph above: 9.2.1-losses, 9.2.1, 9.2, 9.0; ``''`` if there is none."""
    while shorter := re.fullmatch(r"(.*[a-z])[0-9]+|(.*)[-.][a-z0-9]+", rule):
        short = shorter[1] or shorter[2]
        rule = short if "." in short or shorter[1] else "" if rule.endswith(".0") else f"{short}.0"
        if rule in known:
            return rule
    return ""


def write_archive(folder: Path) -> Path:
    """Write the archive of the suite; return its path."""
    version = (suite_files.SUITE / "VERSION").read_text(encoding="ascii").strip()
    named = [page for name in PAGES for page in ([ROOT / name] if name.endswith(".md") else (ROOT / name).glob("*.md"))]
    path = folder / f"conformance-{version}.zip"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted([*filter(Path.is_file, suite_files.SUITE.rglob("*")), *named]):
            name = file.relative_to(suite_files.SUITE if file.is_relative_to(suite_files.SUITE) else ROOT).as_posix()
            info = zipfile.ZipInfo(f"conformance-{version}/{name}")  # the time is 1980
            info.external_attr = 0o644 << 16
            archive.writestr(info, file.read_bytes())
    return path


def main(arguments: list[str]) -> int:
    """Write or check the files, or write the archive."""
    if arguments[:1] == ["--archive"]:
        print(write_archive(Path(arguments[1])))
        return 0
    status = 0
    for name, content in make_files():
        path, text = suite_files.SUITE / name, json.dumps(content, indent=1, sort_keys=False) + "\n"
        if not path.exists() or path.read_text(encoding="ascii") != text:
            status = 1
            print(name)
            if "--check" not in arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="ascii")
    return status if "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
