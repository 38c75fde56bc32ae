"""What a rule system says of itself, for people who ask: its sides, its paragraphs."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.rulebook import books, rulings
from kursk_pbem.rulebook.books import Paragraph
from kursk_pbem.rulebook.rulings import Ruling
from kursk_pbem.rulesets import MODULES, every, ruleset


def sides(scenario: str) -> tuple[str, str]:
    """The two sides of a scenario, by its id. UsageError if there is no such ruleset."""
    return ruleset(scenario.partition("/")[0]).sides


def need_side(scenario: str, side: str) -> None:
    """UsageError if a scenario has no such side, with the one that may have been meant."""
    known = sides(scenario)
    if side in known:
        return
    near = get_close_matches(side.lower(), known, 1)
    advice = f"did you mean {near[0]!r}?" if near else f"its sides are {', '.join(known)}"
    raise UsageError(f"{scenario} has no side {show(side)}; {advice}")


def system(asked: Sequence[str], played: Collection[str] = (), scenarios: Collection[str] = ()) -> tuple[str, str]:
    """The ruleset that a question is about, and what is asked of it ('' for everything).

    The first word may name the ruleset, or one of its ``scenarios`` by id or name; a name alone is first a word to be
    found. Without them a ruling tells by its letters; otherwise it is the only one that is ``played``, or that there
    is. UsageError names those there are.
    """
    if asked[0] in MODULES:
        return asked[0], " ".join(asked[1:])
    wanted, first = " ".join(asked), asked[0].lower()
    fitting = (name.partition("/") for name in scenarios if first in (name, name.partition("/")[2]))
    meant = sorted({rid for rid, _slash, _name in fitting} & {*MODULES})
    letters = re.fullmatch("([A-Z]+)-[0-9]+", wanted)
    named = [candidate.id for candidate in every() if letters and candidate.rulings == letters[1]]
    known = named if len(named) == 1 else [rid for rid in MODULES if rid in played] or list(MODULES)
    if len(meant) == 1 and (len(asked) > 1 or "/" in first or len(known) > 1):
        return meant[0], " ".join(asked[1:])
    if len(known) == 1:
        return known[0], wanted
    raise UsageError(f"name a ruleset before {show(wanted)}: {', '.join(known)}")


def paragraphs(rid: str, wanted: str = "") -> list[Paragraph]:
    """Every paragraph of a ruleset, or one and those below it, in the order of the book; none if none fits."""
    book = books.load(ruleset(rid).rulebook).paragraphs
    if not wanted:
        return list(book.values())
    return [
        paragraph for key, paragraph in book.items() if key == wanted or key.startswith((f"{wanted}-", f"{wanted}."))
    ]


def resting_on(rid: str, ruling: str) -> list[Paragraph]:
    """The paragraphs that rest on a ruling."""
    return [paragraph for paragraph in paragraphs(rid) if ruling in paragraph.rulings]


def search(rid: str, words: str) -> list[Paragraph | Ruling]:
    """Paragraphs and rulings that hold all the words, in small letters or large; UsageError if there are none.

    The word 'rulings' alone stands for all rulings.
    """
    wanted = words.lower().split()
    if wanted == ["rulings"] and (listed := list(rulings.load(rid).values())):
        return [*listed]
    both: list[Paragraph | Ruling] = [*paragraphs(rid), *rulings.load(rid).values()]
    entries = [
        entry for entry in both if all(word in f"{entry.id} {entry.title} {entry.text}".lower() for word in wanted)
    ]
    if not entries:
        held = "that word" if len(wanted) == 1 else "all those words"
        why = f"{rid} has no paragraph {show(words)}, and none holds {held}"
        raise UsageError(f"{why}; 'kursk rule {rid}' lists them")
    return entries
