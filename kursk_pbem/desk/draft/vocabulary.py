"""Order words of all rulesets, known without a game."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.rulesets import PARTS, WORDS, find_words, list_packages

OURS = ("note", "redo", "undo")
"""Order words of every draft, in each rule system."""


def list_words(systems: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the order words of ``systems`` in alphabetical order, and then ``OURS``. () means all rule systems."""
    known = [words for system in systems if (words := find_words(system))]
    known = known or [*WORDS.values(), *(package.read_words() for package in list_packages())]
    return (*sorted({word for words in known for word in words.split()}), *OURS)


def is_order(word: str, system: str) -> bool:
    """Return whether a word begins an order in a rule system of this program. No other package is imported."""
    return word in WORDS.get(system, "").split()


def is_ours(word: str) -> bool:
    """Return whether a word begins an order, or a part of an order, in the rule systems of this program."""
    return word in OURS or any(word in words.split() for words in (*WORDS.values(), PARTS))


def list_parts() -> tuple[str, ...]:
    """Return the words that begin a part of an order, but never a whole order."""
    return tuple(PARTS.split())


def suggest(word: str, known: Iterable[str]) -> str:
    """Return a hint such as '; did you mean sign?' if ``word`` resembles a known word, otherwise ''."""
    from kursk_pbem.kernel import names  # noqa: PLC0415  only where something is wrong

    return names.near(word, dict.fromkeys(known, ()))
