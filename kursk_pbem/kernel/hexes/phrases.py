"""What a player says of units and hexes, parted; and what is said back where one of the two is missing."""

from __future__ import annotations

from collections.abc import Sequence

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.text import show
from kursk_pbem.kernel import names


def target(words: Sequence[str], known: names.Known) -> int:
    """How many words at the beginning name one thing, the most that do: 1 in 'oboyan 48 pz'; all of them if none do."""
    sizes = range(len(words) - 1, 0, -1)
    return next((size for size in sizes if len(names.matches(" ".join(words[:size]), known)) == 1), len(words))


def no_place(words: Sequence[str], units: names.Known, places: names.Known, example: str) -> UsageError:
    """What is said of a unit and a place of which one is missing, or stands where the other belongs."""
    if words and len(names.matches(" ".join(words), units)) == 1:
        return UsageError(f"the hex is missing: say where {' '.join(words)} goes, as in '{example}'")
    if len(words) > 1 and words[0] in places and len(names.matches(" ".join(words[1:]), units)) == 1:
        return UsageError(f"the hex stands behind the unit: {' '.join((*words[1:], words[0]))!r}")
    if len(words) > 1 and len(names.matches(" ".join(words[:-1]), units)) == 1:
        return UsageError(f"there is no hex {show(words[-1])}{names.near(words[-1], places)}; a city goes by its name")
    return UsageError(f"say which unit and which hex, a city by its name, as in '{example}'")
