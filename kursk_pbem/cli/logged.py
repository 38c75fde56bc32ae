"""Lines of a program that runs for months: each begins with the time in UTC and a level."""

from __future__ import annotations

from kursk_pbem.desk import clock

_on = [False]


def switch(*, on: bool) -> None:
    """Say whether the command that runs writes a log."""
    _on[0] = on


def line(level: str, text: str, usual: str) -> str:
    """Return a line as a log has it, or as it is ``usual``."""
    return f"{clock.now()} {level}: {text}" if _on[0] else usual
