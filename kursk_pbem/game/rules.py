"""What a rule system says of itself, for people who ask: its sides, its paragraphs."""

from __future__ import annotations

import re
from difflib import get_close_matches

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.game import rulebook
from kursk_pbem.game.rulebook import Paragraph
from kursk_pbem.rulesets import ruleset


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


def paragraphs(rid: str, wanted: str | None = None) -> list[Paragraph]:
    """Every paragraph of a ruleset, or one and those below it, in the order of the book. UsageError if none fits."""
    system = ruleset(rid)
    book = rulebook.load(system.rulebook).paragraphs
    if wanted is None:
        return list(book.values())
    found = [each for key, each in book.items() if key == wanted or key.startswith((f"{wanted}-", f"{wanted}."))]
    if not found and system.rulings and re.fullmatch(f"{system.rulings}-[0-9]+", wanted):
        why = ", ".join(each.id for each in book.values() if wanted in each.rulings) or "none"
        raise UsageError(f"{wanted} is a ruling: see docs/rulings/{rid}.md; paragraphs that rest on it: {why}")
    if not found:
        raise UsageError(f"{rid} has no paragraph {wanted!r}; 'kursk rule {rid}' lists them")
    return found
