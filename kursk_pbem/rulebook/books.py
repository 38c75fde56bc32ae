"""Rulebooks: the paragraphs of a ruleset in our own words, each with its status in the program.

Errors, events, tests and the coverage check cite from a ruleset's ``rulebook.yaml``. The texts are ours and replace no
printed rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.frozen import frozen

STATUSES = ("coded", "players", "out", "open")
# Statuses with a reason: left to the players, or left out.
_NEED_WHY = ("players", "out")
_ID_RE = re.compile("[0-9]{1,2}(\\.[0-9]{1,2}){1,3}(-[a-z0-9]+)*")
_RULING_RE = re.compile("[A-Z]{1,3}-[1-9][0-9]{0,3}")
_FIELDS = frozenset({"title", "text", "status", "why", "rulings", "departs"})


@frozen
class Paragraph:
    """A rule: ``id`` like ``9.3-stand-fast``, ``status`` from `STATUSES`, ``rulings`` like ``K-54``.

    ``departs``: the rulings against the words of the rule.
    """

    id: str
    title: str
    text: str
    status: str
    why: str = ""
    rulings: tuple[str, ...] = ()
    departs: tuple[str, ...] = ()


@frozen
class Rulebook:
    """All paragraphs of one ruleset by id, in the order of the rules."""

    title: str
    paragraphs: Mapping[str, Paragraph]


def load(path: Path) -> Rulebook:
    """Return title and paragraphs of a ``rulebook.yaml``. Raises FileError with an error's paragraph and line."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", Where(str(path))) from None
    document = strictyaml.read(raw, str(path))
    title, entries = document.data.get("title"), document.data.get("paragraphs")
    if not isinstance(title, str) or not isinstance(entries, Mapping) or len(document.data) != 2:
        raise FileError("a rulebook must contain exactly the fields 'title' and 'paragraphs'", document.where(()))
    paragraphs = {}
    for rule, entry in entries.items():
        try:
            paragraphs[rule] = _parse_paragraph(rule, entry)
        except ValueError as error:
            raise FileError(f"paragraph {rule}: {error}", document.where(("paragraphs", rule))) from None
    return Rulebook(title, paragraphs)


def _parse_paragraph(rule: str, entry: Any) -> Paragraph:
    """Build one paragraph. Raises ValueError for a fault."""
    if not _ID_RE.fullmatch(rule):
        raise ValueError("the id should be a number such as 2.1, or a number with words such as 2.1-night")
    if not isinstance(entry, Mapping) or not entry.keys() <= _FIELDS:
        raise ValueError(f"a paragraph should contain only {', '.join(sorted(_FIELDS))}")
    rulings, departs = entry.get("rulings", []), entry.get("departs", [])
    texts = {key: entry.get(key, "") for key in ("title", "text", "status", "why")}
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("title, text, status and why should be plain text")
    if not texts["title"] or not texts["text"]:
        raise ValueError("title and text are needed")
    if texts["status"] not in STATUSES:
        raise ValueError(f"the status should be one of {', '.join(STATUSES)}")
    if texts["status"] in _NEED_WHY and not texts["why"]:
        raise ValueError(f"with status {texts['status']} it should say 'why'")
    if not isinstance(rulings, list) or not all(isinstance(r, str) and _RULING_RE.fullmatch(r) for r in rulings):
        raise ValueError("rulings should be a list such as [K-54, K-55]")
    if not isinstance(departs, list) or not all(ruling in rulings for ruling in departs):
        raise ValueError("departs should be a list of some of its rulings")
    return Paragraph(rule, **texts, rulings=tuple(rulings), departs=tuple(departs))
