"""When a mail came, by its own Received lines (docs/auditors.md 2.12).

Each server puts its line above what it got, so whatever a sender forged stands below the line of one's own border
server. The topmost line whose ``by`` is one of the arrival hosts of the account says when the mail came.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import UTC
from email.utils import parsedate_to_datetime

from kursk_pbem.post.envelope import Mail

_BY = re.compile(r"(?:\A|\s)by\s+([A-Za-z0-9.-]{1,255})", re.IGNORECASE)
MOST = 100
"""Received lines that are looked at."""


def hosts(mail: Mail) -> list[str]:
    """The names behind ``by`` in the Received lines of a mail, from the top down."""
    return [host for host, _time in _lines(mail) if host]


def of(mail: Mail, arrival: Collection[str]) -> str:
    """When a mail came to one of these hosts, in UTC to the second; '' if no line says so."""
    return next((time for host, time in _lines(mail) if host in arrival), "")


def _lines(mail: Mail) -> list[tuple[str, str]]:
    """The host and the time of each Received line, from the top down; '' for what cannot be read."""
    found = []
    for line in mail.headers.get_all("Received", [])[:MOST]:
        text = " ".join(str(line).split())
        by = _BY.search(text)
        found.append((by[1].lower().rstrip(".") if by else "", _time(text.rpartition(";")[2])))
    return found


def _time(text: str) -> str:
    try:
        moment = parsedate_to_datetime(text.strip())
        if moment.tzinfo is None:
            return ""
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except (ValueError, TypeError, OverflowError, IndexError):
        return ""
