"""What code, tests and pages cite of docs/auditors.md ("protocol 2.4") and of docs/formats.md is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = [
    *(
        path
        for part in ("kursk_pbem", "tests", "tools", "schemas")
        for path in (ROOT / part).rglob("*")
        if path.suffix in (".py", ".json") and "golden" not in path.parts
    ),
    *(ROOT / "docs").rglob("*.md"),
    *ROOT.glob("*.md"),
]
NUMBERS = r"[1-9]+(?:\.[0-9]+)?(?:(?:, | and | to )[1-9]+\.[0-9]+)*"
CITED = {
    "auditors": re.compile(rf"\b(?:[Pp]rotocol|auditors\.md`?\)?)[ \n]+({NUMBERS})"),
    "formats": re.compile(rf"\bformats\.md`?\)?[ \n]+({NUMBERS})"),
}


def sections(page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    return set(re.findall(r"^##+ ([0-9]+(?:\.[0-9]+)?)\.? ", text, re.MULTILINE))


def cited(page):
    """Yield the place and number of each citation of a section of a page."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        for found in CITED[page].finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            for number in re.findall(r"[0-9]+(?:\.[0-9]+)?", found.group(1)):
                yield f"{path.relative_to(ROOT).as_posix()}:{line}", number


@pytest.mark.parametrize(("page", "least"), [("auditors", 90), ("formats", 3)])
def test_every_section_that_is_cited_exists(page, least):
    known, found = sections(page), list(cited(page))
    assert len(found) >= least
    assert [f"{place}: {number}" for place, number in found if number not in known] == []
