"""Rulings: how the umpire decides where the rules are silent, as ``docs/rulings`` tells it, for people who ask.

The pages come with the program. A ruling begins with a line ``### K-54: Title`` and ends with the next heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kursk_pbem.formats import data

_HEADING = re.compile(r"^#{1,3} +(?:(?P<id>[A-Z]{1,3}-[1-9][0-9]{0,3}): )?(?P<title>.*)$")


@dataclass(frozen=True)
class Ruling:
    """One ruling: ``id`` as ``K-54``; ``text`` are its paragraphs, a blank line between two."""

    id: str
    title: str
    text: str


def load(rid: str) -> dict[str, Ruling]:
    """The rulings of a ruleset by id, in the order of the page; none where there is no page."""
    page = data.folder("rulings") / f"{rid}.md"
    if not page.is_file():
        return {}
    rulings: dict[str, Ruling] = {}
    now, title, lines = "", "", list[str]()
    for line in [*page.read_text(encoding="utf-8").splitlines(), "# "]:
        if heading := _HEADING.fullmatch(line):
            if now:
                rulings[now] = Ruling(now, title, "\n".join(lines).strip())
            now, title, lines = heading["id"] or "", heading["title"], []
        else:
            lines.append(line)
    return rulings
