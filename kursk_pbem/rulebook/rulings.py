"""The rulings: the umpire's decisions for gaps in the rules, from ``docs/rulings``.

The pages come with the program. A ruling begins with a line ``### K-54: Title`` and ends with the next heading. The
last paragraph is the ground: the deciding words, the silence of the rules, or the words that the ruling departs from.
"""

from __future__ import annotations

import re
from pathlib import Path

from kursk_pbem.formats import data
from kursk_pbem.frozen import frozen

_HEADING = re.compile(r"^#{1,3} +(?:(?P<id>[A-Z]{1,3}-[1-9][0-9]{0,3}): )?(?P<title>.*)$")
_FIELD = re.compile(r"^(Words|Silent|Departs): ", re.MULTILINE)
_QUOTED = r'"[^"]+"(?:; "[^"]+")*'
_FORMS = {
    "Words": (rf"({_QUOTED})()\.", 'quotations and a full stop: "..."; "...".'),
    "Silent": (r'()([^"]+\.)', "a sentence without quotations"),
    "Departs": (rf'({_QUOTED}) ([^"]+\.)', 'quotations and a sentence: "..."; "..." because ...'),
}


@frozen
class Ground:
    """The reason of a ruling. ``kind``: the rulebook's ``words`` decide, are ``silent``, or the ruling ``departs``."""

    kind: str
    words: tuple[str, ...]
    reason: str


@frozen
class Ruling:
    """A ruling. ``id``: like ``K-54``. ``text``: paragraphs, the reason last. ``ground``: the reason, or None."""

    id: str
    title: str
    text: str
    ground: Ground | None = None


def load(rid: str) -> dict[str, Ruling]:
    """Return a ruleset's rulings by id, in the order of the page. Without a page return {}."""
    own = data.find_folder("rulings") / f"{rid}.md"
    page = own if own.is_file() else data.find_brought(rid, "rulings.md")
    return read(page) if page else {}


def read(page: Path) -> dict[str, Ruling]:
    """Return the rulings of a page by id, in order."""
    rulings: dict[str, Ruling] = {}
    now, title, lines = "", "", list[str]()
    for line in [*page.read_text(encoding="utf-8").splitlines(), "# "]:
        if heading := _HEADING.fullmatch(line):
            if now:
                text = "\n".join(lines).strip()
                found = parse_ground(text)
                rulings[now] = Ruling(now, title, text, found if isinstance(found, Ground) else None)
            now, title, lines = heading["id"] or "", heading["title"], []
        else:
            lines.append(line)
    return rulings


def parse_ground(text: str) -> Ground | str:
    """Return the reason stated in a ruling's text, or a description of the mistake in the text."""
    last = text.rpartition("\n\n")[2]
    fields = _FIELD.findall(text)
    if not _FIELD.match(last):
        return "the last paragraph should begin with Words, Silent or Departs"
    if len(fields) > 1:
        return f"the ruling has {len(fields)} fields instead of one"
    form, meant = _FORMS[fields[0]]
    found = re.fullmatch(form, " ".join(last.split()).removeprefix(f"{fields[0]}: "))
    if found is None:
        return f"{fields[0]} should be {meant}"
    return Ground(fields[0].lower(), tuple(re.findall('"([^"]+)"', found[1])), found[2])
