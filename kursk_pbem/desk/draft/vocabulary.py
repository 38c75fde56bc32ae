"""Order words of all rulesets, known without a game."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.rulesets import PARTS, WORDS

OURS = ("note", "redo", "undo")
"""Words that every draft understands."""


def list_words(systems: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the order words of some systems, by default of all, in alphabetical order, then ``OURS``."""
    known = [WORDS[system] for system in systems if system in WORDS] or WORDS.values()
    return (*sorted({word for words in known for word in words.split()}), *OURS)


def list_parts() -> tuple[str, ...]:
    """Return the words that begin clauses and never begin an order."""
    return tuple(PARTS.split())


def suggest(word: str, known: Iterable[str]) -> str:
    """Return '; did you mean sign?' for a word similar to a known word, otherwise ''."""
    from kursk_pbem.kernel import names  # noqa: PLC0415  only where something is wrong

    return names.near(word, dict.fromkeys(known, ()))
