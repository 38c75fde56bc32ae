"""Headlines by what matters most, names joined, numbers in words: what every account needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.words import Words, flat, unit

POINTS, DESTROYED, TAKEN, COSTLY, GROUND, VAIN, ORDERS = range(7)
"""Ranks of headlines: victory points and objectives, units destroyed, places that changed hands, steps lost, retreats
and advances, what came to nothing; and what is chosen, ordered or declared, of which the first four lines stay."""
RETREAT, ADVANCE, PLACED = "retreat", "advance", "placed"
"""How a unit came to where it stands: by a `Moved` of that manner, or by a `Placed`."""
MOST = 7
"""Headlines of a message; the report itself says how the game ended, or what comes next."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

Line = tuple[int, str]
"""The rank of a headline, and its text."""


def ranked(lines: Iterable[Line]) -> tuple[str, ...]:
    """The texts by rank, at most seven: up to four say what is ordered, and how many others are left out is said."""
    by_rank = sorted(lines, key=lambda line: line[0])
    last = [text for rank, text in by_rank if rank == ORDERS][:4]
    first = [text for rank, text in by_rank if rank != ORDERS]
    room = MOST - len(last)
    if len(first) > room:
        first[room - 1 :] = [f"and {len(first) - room + 1} more, told below"]
    return (*first, *last)


def answered(words: Words, policy: Mapping[str, Any], says: Mapping[tuple[str, str], str]) -> list[str]:
    """What defenders answer, a line for all and one for each battle, hex or unit: 'Answer for 1912: exchange on a DR'.

    ``says``: a key of the policy and what is said under it -> that in words; what is not there is said as it stands.
    """
    tables = ("battles", "hexes", "units")
    whole = {key: said for key, said in policy.items() if key not in tables and said}  # an empty table says nothing
    named = [(key, name, part) for key in tables for name, part in policy.get(key, {}).items()]
    about = [
        ("all", whole),
        *((unit(words, name) if key == "units" else words.place(name), part) for key, name, part in named),
    ]
    texts = [
        (who, [says.get((key, str(said))) or f"{key} {flat(said)}" for key, said in part.items()])
        for who, part in about
    ]
    return [f"Answer for {who}: {'; '.join(said)}" for who, said in texts if said]


def joined(names: Sequence[str]) -> str:
    """'the 70th Army, the 13th Army and the 48th Army'."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def word(count: int) -> str:
    """'three', '13'."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def number(count: int, what: str) -> str:
    """'three attacks', '13 attacks'."""
    return f"{word(count)} {what}" if count == 1 else f"{word(count)} {what}s"


def steps(lost: int) -> str:
    """'a step', 'two steps'."""
    return "a step" if lost == 1 else number(lost, "step")


def spot(words: Words, label: str) -> str:
    """'Orel' where a place has a name, otherwise its label."""
    return words.place(label).removeprefix(f"{label} ")


def capital(text: str) -> str:
    """The text with a capital letter in front."""
    return f"{text[:1].upper()}{text[1:]}"


def sentence(text: str) -> str:
    """The text with a capital letter in front and a full stop behind."""
    return f"{capital(text)}."


def wind(right: int, down: int) -> str:
    """'north-east': of the eight winds the nearest to where something lies, so far to the right and so far down."""
    upright = "" if 29 * abs(down) < 12 * abs(right) else "south" if down > 0 else "north"
    level = "" if 29 * abs(right) < 12 * abs(down) else "east" if right > 0 else "west"
    return "-".join(filter(None, (upright, level)))
