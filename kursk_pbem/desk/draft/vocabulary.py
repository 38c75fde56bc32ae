"""The words of orders, known before a game is: whoever types one alone means an order."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.rulesets import PARTS, WORDS

OURS = ("note", "redo", "undo")
"""What every draft understands, whatever its system."""


def every(systems: Iterable[str] = ()) -> tuple[str, ...]:
    """The words of orders of some systems, otherwise of all, in the order of letters, and ours."""
    known = [WORDS[system] for system in systems if system in WORDS] or WORDS.values()
    return (*sorted({word for words in known for word in words.split()}), *OURS)


def parts() -> tuple[str, ...]:
    """The words of parts of orders: no order begins so, and whoever types one first is told where it stands."""
    return tuple(PARTS.split())


def near(word: str, known: Iterable[str]) -> str:
    """'; did you mean sign?' of a command or a word of orders, or '' where none is spelt nearly so."""
    from kursk_pbem.kernel import names  # noqa: PLC0415  only where something is wrong

    return names.near(word, dict.fromkeys(known, ()))
