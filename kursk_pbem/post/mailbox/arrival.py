"""When a mail came: as our own mail server noted it (docs/auditors.md 2.12)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

from kursk_pbem.formats import times
from kursk_pbem.post.mailbox.envelope import Mail

_BY = re.compile(r"(?:\A|(?<=\s))by\s+(?=([A-Za-z0-9.-]{1,255}))", re.IGNORECASE)
SEEN = "arrival host"
"""The name of the setting that holds the server by which mails seem to come in."""
_MOST = 100
"""Received lines that are read."""


def _lines(mail: Mail) -> list[tuple[str, str]]:
    """Return the host and the time of each Received line, from the top down."""
    lines = [" ".join(str(line).split()) for line in mail.headers.get_all("Received", [])[:_MOST]]
    hosts = (next(reversed(_BY.findall(line)), "") for line in lines)
    return [(host.lower().rstrip("."), line.rpartition(";")[2]) for host, line in zip(hosts, lines, strict=True)]


def hosts(mail: Mail) -> list[str]:
    """Return the hosts that wrote the Received lines of a mail, from the top down."""
    return [host for host, _time in _lines(mail) if host]


def of(mail: Mail, own: Collection[str], noted: str = "") -> str:
    """Return when our server got a mail, '' if nobody says so.

    ``own``: the arrival hosts of the account. The topmost Received line of one of them counts.
    ``noted``: the INTERNALDATE of the mailbox, '' without one. It counts if it is earlier.
    """
    said = next((_time(time) for host, time in _lines(mail) if host in own), "")
    return min(filter(None, (noted, said)), default="")


def when(said: Mapping[str, str]) -> str:
    """Return when a mail arrived by what was put down of it, otherwise when it was fetched; '' if unknown."""
    return next((said[name] for name in ("arrived", "fetched") if times.is_time(said.get(name, ""))), "")


def _time(text: str) -> str:
    """Return a time in UTC, '' if the text says none. A time without a zone is in UTC."""
    try:
        moment = parsedate_to_datetime(text.strip())
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except (ValueError, TypeError, OverflowError, IndexError):
        return ""
