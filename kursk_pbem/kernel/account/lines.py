"""Common functions of accounts: headlines by rank, joined names, numbers in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kursk_pbem.kernel.words import Words, flat, unit

POINTS, DESTROYED, TAKEN, COSTLY, GROUND, VAIN, ORDERS = range(7)
"""Ranks of headlines: victory points and objectives, destroyed units, captured places, lost steps, retreats and
advances, actions without effect; and last, choices, orders and declarations, with at most four lines."""
RETREAT, ADVANCE, PLACED = "retreat", "advance", "placed"
"""The manner of a unit's last move: of a `Moved`, or PLACED for a `Placed`."""
MOST = 7
"""Maximum number of headlines of a message; the report adds the end of the game or the next message."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

Line = tuple[int, str]
"""Rank and text of a headline."""


def rank_lines(lines: Iterable[Line]) -> tuple[str, ...]:
    """Return at most seven texts, most important first: at most four about orders, and one about omitted texts."""
    by_rank = sorted(lines, key=lambda line: line[0])
    last = [text for rank, text in by_rank if rank == ORDERS][:4]
    first = [text for rank, text in by_rank if rank != ORDERS]
    room = MOST - len(last)
    if len(first) > room:
        first[room - 1 :] = [f"and {len(first) - room + 1} more, told below"]
    return (*first, *last)


def answered(words: Words, policy: Mapping[str, Any], says: Mapping[tuple[str, str], str]) -> list[str]:
    """Return a line for every answer of the defender, such as 'Answer for 1912: exchange on a DR'.

    The answer for the entire side comes first. ``policy``: the answers. ``says``: (key, value) of an answer -> words;
    an answer without words is printed as written.
    """
    tables = ("battles", "hexes", "units")
    whole = {key: said for key, said in policy.items() if key not in tables and said}  # without empty values
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
    """Return names in a sentence: 'the 70th Army, the 13th Army and the 48th Army'."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def spell_number(count: int) -> str:
    """Return a number in words: 'three', '13'."""
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def number(count: int, what: str) -> str:
    """Return a number with its noun: 'three attacks', '13 attacks'."""
    return f"{spell_number(count)} {what}" if count == 1 else f"{spell_number(count)} {what}s"


def steps(lost: int) -> str:
    """Return a number of steps in words: 'a step', 'two steps'."""
    return "a step" if lost == 1 else number(lost, "step")


def spot(words: Words, label: str) -> str:
    """Return a place's name without the hex number: 'Orel'. For a place without a name, return the label."""
    return words.place(label).removeprefix(f"{label} ")


def capitalize_first(text: str) -> str:
    """Return the text with a capital letter at the beginning."""
    return f"{text[:1].upper()}{text[1:]}"


def sentence(text: str) -> str:
    """Return the text with a capital letter at the beginning and a full stop at the end."""
    return f"{capitalize_first(text)}."


def find_direction(right: int, down: int) -> str:
    """Return the nearest of eight directions, such as 'north-east', for a distance to the right and a distance down."""
    upright = "" if 29 * abs(down) < 12 * abs(right) else "south" if down > 0 else "north"
    level = "" if 29 * abs(right) < 12 * abs(down) else "east" if right > 0 else "west"
    return "-".join(filter(None, (upright, level)))
