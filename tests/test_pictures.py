"""tools/pictures.py: every picture shows the map as the program draws the map now."""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import pictures  # noqa: E402

from kursk_pbem.formats.canonical import sha256_hex  # noqa: E402
from kursk_pbem.report.pictures import svgstyle  # noqa: E402

LINK = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
MADE = json.loads(pictures.MADE.read_text("utf-8"))


def test_every_picture_shows_the_map_as_it_is_drawn_now():
    """An outdated picture shows a board that nobody sees: 'make pictures' draws all pictures anew."""
    assert pictures.hash_pictures() == MADE
    for path in pictures.DRAWINGS:
        assert [sha256_hex(path.read_bytes())] == MADE[path.relative_to(ROOT).as_posix()]


def test_every_picture_of_the_pages_is_made_by_the_command():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = {(page.parent / link).resolve() for page in pages for link in LINK.findall(page.read_text("utf-8"))}
    assert shown <= {ROOT / name for name in MADE}


def test_a_changed_color_of_the_map_is_noticed(monkeypatch):
    old, new = svgstyle.PALETTE["clear"][0], "#f3ebd4"
    monkeypatch.setattr(svgstyle, "CSS", svgstyle.CSS.replace(old, new))
    for name in ("kursk_pbem/board/static/battle.svg", "docs/pictures/board.webp"):
        assert pictures.hash_picture(ROOT / name) != MADE[name]
