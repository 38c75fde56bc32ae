"""Order words of all rulesets, known without a game."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.rulesets import PARTS, WORDS, find_words, list_packages

OURS = ("note", "redo", "undo")
"""Words that every draft understands."""


def list_words(systems: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the order words of some systems, by default of all, in alphabetical order, then ``OURS``."""
    known = [words for system in systems if (words := find_words(system))]
    known = known or [*WORDS.values(), *(package.read_words() for package in list_packages())]
    return (*sorted({word for words in known for word in words.split()}), *OURS)


def is_order(word: str, system: str) -> bool:
    """Return whether a word is an order of one of our systems. A package is never imported to explain a word."""
    return word in WORDS.get(system, "").split()


def is_ours(word: str) -> bool:
    """Return whether a word of our systems, or of every draft, begins an order or a clause."""
    return word in OURS or any(word in words.split() for words in (*WORDS.values(), PARTS))


def list_parts() -> tuple[str, ...]:
    """Return the words that begin clauses and never begin an order."""
    return tuple(PARTS.split())


def suggest(word: str, known: Iterable[str]) -> str:
    """Return '; did you mean sign?' for a word similar to a known word, otherwise ''."""
    from kursk_pbem.kernel import names  # noqa: PLC0415  only where something is wrong

    return names.near(word, dict.fromkeys(known, ()))
