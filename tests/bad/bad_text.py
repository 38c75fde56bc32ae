"""Small words for recipes: what is done to a draft, or to a message as mailed."""

from __future__ import annotations

from collections.abc import Callable

from bad.bad_desk import Bad, Base

Change = Callable[[bytes], bytes]
ACCEPT = "accept FILE --key ME --dir GAME"


def swap(old: str | bytes, new: str | bytes) -> Change:
    """Put something in the place of something that stands there once."""
    one, other = (each.encode("utf-8") if isinstance(each, str) else each for each in (old, new))

    def change(text: bytes) -> bytes:
        assert text.count(one) == 1, (old, text.count(one))
        return text.replace(one, other)

    return change


def add(more: str | bytes) -> Change:
    """Write something at the end."""
    return lambda text: text + (more.encode("utf-8") if isinstance(more, str) else more)


def only(text: str | bytes) -> Change:
    """Write something instead."""
    return lambda _text: text.encode("utf-8") if isinstance(text, str) else text


def draft(change: Change, at: str = "russian 1") -> Bad:
    """A draft that is due at a machine, without comments, after a change."""
    return Bad("check", at, lambda base: change(base.draft(at).encode("ascii")))


def part(file: str, change: Change) -> Bad:
    """A file of a scenario after a change, as ``kursk scenario check`` finds it in a copy."""
    return Bad("scenario check GAME", "scenario mine", lambda base: change(base.shipped(file, "mine")), name=file)


def mailed(seq: int, change: Change, at: str, command: str = "inbox --report") -> Bad:
    """A message as mailed, without the position, after a change that nobody has signed."""

    def made(base: Base) -> bytes:
        return change(base.text(seq).encode("ascii"))

    return Bad(command, at, made)
