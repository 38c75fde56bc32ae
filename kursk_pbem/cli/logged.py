"""Log lines of a long-running program, with time in UTC and level."""

from __future__ import annotations

from kursk_pbem.desk import clock

_on = [False]


def switch_log(*, on: bool) -> None:
    """Turn the log of the current command on or off."""
    _on[0] = on


def log_line(level: str, text: str, usual: str) -> str:
    """Return a log line, or the ``usual`` text without a log."""
    return f"{clock.now()} {level}: {text}" if _on[0] else usual
