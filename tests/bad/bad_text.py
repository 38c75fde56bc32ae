"""Small changes for recipes of drafts and mailed messages."""

from __future__ import annotations

from collections.abc import Callable

from bad.bad_desk import Bad, Base

Change = Callable[[bytes], bytes]
ACCEPT = "accept FILE --key ME --dir GAME"


def swap(old: str | bytes, new: str | bytes) -> Change:
    """Replace a text that occurs once."""
    one, other = (each.encode("utf-8") if isinstance(each, str) else each for each in (old, new))

    def change(text: bytes) -> bytes:
        assert text.count(one) == 1, (old, text.count(one))
        return text.replace(one, other)

    return change


def add(more: str | bytes) -> Change:
    """Append a text."""
    return lambda text: text + (more.encode("utf-8") if isinstance(more, str) else more)


def rewrite(text: str | bytes) -> Change:
    """Replace the whole text."""
    return lambda _text: text.encode("utf-8") if isinstance(text, str) else text


def draft(change: Change, at: str = "russian 1") -> Bad:
    """Return a changed draft of a machine, without comments."""
    return Bad("check", at, lambda base: change(base.draft(at).encode("ascii")))


def edit(file: str, change: Change) -> Bad:
    """Return a changed file of a scenario, for ``kursk scenario check`` in a copy."""
    return Bad("scenario check GAME", "scenario mine", lambda base: change(base.shipped(file, "mine")), name=file)


def spoil_mail(seq: int, change: Change, at: str, command: str = "inbox --report") -> Bad:
    """Return a mailed message without the position, changed after signing."""

    def made(base: Base) -> bytes:
        return change(base.text(seq).encode("ascii"))

    return Bad(command, at, made)
