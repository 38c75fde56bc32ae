"""When a mail came, by its own Received lines (docs/auditors.md 2.12).

Each server puts its line above what it got, so whatever a sender forged stands below the line of one's own border
server. The topmost line with a ``by`` of one of the arrival hosts of the account says when the mail came. A line may
have several: whoever calls chooses the name that a server writes down for them, and "by" may stand in it. It may have
several times as well: a mail that begins with a blank goes on with the line above it, and the latest one counts; where
one cannot be read, none does.

A mail that came by a server which is not listed has no such line of ours, and whoever wrote it may have put one in. The
topmost line that says a time is the last server's own: what the other says counts no more than a quarter of an hour
before that.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import UTC
from email.utils import parsedate_to_datetime

from kursk_pbem.formats import times
from kursk_pbem.post.envelope import Mail

_BY = re.compile(r"(?:\A|(?<=\s))by\s+(?=([A-Za-z0-9.-]{1,255}))", re.IGNORECASE)
_SAYS_UTC = re.compile(r"-0000(?:\s*\(|\Z)")
"""A zone that says nothing of the place: the time is UTC (RFC 5322, 3.3), and some servers write no other."""
_FIRST = re.compile(
    r"[^:]*?(?<![0-9])([0-9]{1,2} [a-z]{3,9} [0-9]{4} [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})? (?:[+-][0-9]{4}|[a-z]{1,5}))"
    r"(?![^\s(])",
    re.IGNORECASE,
)
"""A time with its zone, up to where it ends: what a mail begins with may stand behind it."""
_CLOCK = re.compile(r"(?<![0-9a-f:])[0-2]?[0-9]:[0-5][0-9]", re.IGNORECASE)
_LEAP = re.compile(r"(?<=[0-9]:[0-9]{2}:)60\b")
ON_ITS_WAY = 15 * 60
"""Seconds that a mail may take from the border server into the mailbox."""
MOST = 100
"""Received lines that are looked at."""


def hosts(mail: Mail) -> list[str]:
    """The names behind ``by`` in the Received lines of a mail, from the top down; of each line the last."""
    return [named[-1] for named, _time in _lines(mail) if named]


def of(mail: Mail, arrival: Collection[str]) -> str:
    """When a mail came to one of these hosts, in UTC to the second; '' if no line says so."""
    lines = _lines(mail)
    said = next((time or "" for named, time in lines if not set(arrival).isdisjoint(named)), "")
    delivered = next((time for _named, time in lines if time != ""), "")
    if delivered is None:  # it is that of the server it came by, perhaps, and what stands below may be forged
        return ""
    return delivered if said and delivered and times.between(said, delivered) > ON_ITS_WAY else said


def _lines(mail: Mail) -> list[tuple[list[str], str | None]]:
    """The hosts and the time of each Received line, from the top down; '' without one, None if it cannot be read."""
    read = []
    for line in mail.headers.get_all("Received", [])[:MOST]:
        text = " ".join(str(line).split())
        read.append(([by.lower().rstrip(".") for by in _BY.findall(text)], _latest(text.split(";")[1:])))
    return read


def _latest(parts: list[str]) -> str | None:
    """The latest time of a line; None if one cannot be read: that may be the server's own, and the rest forged."""
    said = []
    for part in parts:
        time = _FIRST.match(part)
        if time or ":" in part:
            said.append(_time(time[1] if time else part))
            if not said[-1] and _CLOCK.search(part):
                return None
    return max(said, default="")


def _time(text: str) -> str:
    """A time in UTC; a leap second, which no clock of ours has, counts as the one before it. '' if it says none."""
    try:
        moment = parsedate_to_datetime(_LEAP.sub("59", text.strip()))
        if moment.tzinfo is None:
            if not _SAYS_UTC.search(text.strip()):
                return ""
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except (ValueError, TypeError, OverflowError, IndexError):
        return ""
