"""Answers on a rule system: sides and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.rulebook import books, rulings
from kursk_pbem.rulebook.books import Paragraph
from kursk_pbem.rulebook.rulings import Ruling
from kursk_pbem.rulesets import MODULES, every, list_ids, ruleset


def find_sides(scenario: str) -> tuple[str, str]:
    """Return the ids of a scenario's two sides. Raises UsageError if the ruleset is unknown."""
    return ruleset(scenario.partition("/")[0]).sides


def need_side(scenario: str, side: str) -> None:
    """Raise UsageError with the nearest name if a scenario has no side of this name."""
    known = find_sides(scenario)
    if side in known:
        return
    from difflib import get_close_matches  # noqa: PLC0415  needed only after errors

    near = get_close_matches(side.lower(), known, 1)
    advice = f"did you mean {near[0]!r}?" if near else f"its sides are {', '.join(known)}"
    raise UsageError(f"{scenario} has no side {show(side)}; {advice}")


def find_system(
    asked: Sequence[str], played: Collection[str], list_scenarios: Callable[[], Collection[str]]
) -> tuple[str, str]:
    """Return the ruleset that the question ``asked`` names, and the other words ('' asks for every paragraph)."""
    if asked[0] in MODULES or asked[0] in list_ids():  # a package is searched only for an id that is not ours
        return asked[0], " ".join(asked[1:])
    ids = list_ids()
    wanted, first = " ".join(asked), asked[0].lower()
    fitting = (name.partition("/") for name in list_scenarios() if first in (name, name.partition("/")[2]))
    meant = sorted({rid for rid, _slash, _name in fitting} & {*ids})
    letters = re.fullmatch("([A-Z]+)-[0-9]+", wanted)
    named = [candidate.id for candidate in every() if letters and candidate.rulings == letters[1]]
    known = named if len(named) == 1 else [rid for rid in ids if rid in played] or ids
    if len(meant) == 1 and (len(asked) > 1 or "/" in first or len(known) > 1):
        return meant[0], " ".join(asked[1:])
    if len(known) == 1:
        return known[0], wanted
    raise UsageError(f"name a ruleset before {show(wanted)}: {', '.join(known)}")


def list_paragraphs(rid: str, wanted: str = "") -> list[Paragraph]:
    """Return all paragraphs of a ruleset in order, or one paragraph with its subparagraphs."""
    book = books.load(ruleset(rid).rulebook).paragraphs
    if not wanted:
        return list(book.values())
    return [
        paragraph for key, paragraph in book.items() if key == wanted or key.startswith((f"{wanted}-", f"{wanted}."))
    ]


def find_citing(rid: str, ruling: str) -> list[Paragraph]:
    """Return the paragraphs that cite a ruling."""
    return [paragraph for paragraph in list_paragraphs(rid) if ruling in paragraph.rulings]


def search(rid: str, words: str) -> list[Paragraph | Ruling]:
    """Return the paragraphs and rulings that contain all words, in upper or lower case. Raises UsageError if none."""
    wanted = words.lower().split()
    if wanted == ["rulings"] and (listed := list(rulings.load(rid).values())):
        return [*listed]
    both: list[Paragraph | Ruling] = [*list_paragraphs(rid), *rulings.load(rid).values()]
    entries = [
        entry for entry in both if all(word in f"{entry.id} {entry.title} {entry.text}".lower() for word in wanted)
    ]
    if not entries:
        held = "that word" if len(wanted) == 1 else "all those words"
        why = f"{rid} has no paragraph {show(words)}, and none holds {held}"
        raise UsageError(f"{why}; 'kursk rule {rid}' lists them")
    return entries
