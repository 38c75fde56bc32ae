"""Arrival times of mails, as recorded by our own mail server (docs/auditors.md 2.12), and the mail of each turn.

The times are saved with the first mail of a turn, so that a receipt signed later contains these times.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from pathlib import Path

from kursk_pbem.formats import times
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.mailbox.envelope import Mail

_BY = re.compile(r"(?:\A|(?<=\s))by\s+(?=([A-Za-z0-9.-]{1,255}))", re.IGNORECASE)
SEEN = "arrival host"
"""Name of the setting with the host that seems to receive this account's mails."""
_MOST = 100
"""Maximum number of Received lines read."""


def _received_lines(mail: Mail) -> list[tuple[str, str]]:
    """Return the host and the time of each Received line, from the top."""
    lines = [" ".join(str(line).split()) for line in mail.headers.get_all("Received", [])[:_MOST]]
    hosts = (next(reversed(_BY.findall(line)), "") for line in lines)
    return [(host.lower().rstrip("."), line.rpartition(";")[2]) for host, line in zip(hosts, lines, strict=True)]


def list_hosts(mail: Mail) -> list[str]:
    """Return the hosts named in a mail's Received lines, the newest line first."""
    return [host for host, _time in _received_lines(mail) if host]


def arrival_time(mail: Mail, own: Collection[str], noted: str = "") -> str:
    """Return the time when a mail arrived at the owner's mail server, or '' if unknown.

    ``own``: the account's mail hosts. The time comes from the topmost Received line of such a host. ``noted``:
    INTERNALDATE of the mailbox, or ''. If INTERNALDATE is earlier than the Received line, INTERNALDATE is returned.
    """
    said = next((_parse_time(time) for host, time in _received_lines(mail) if host in own), "")
    return min(filter(None, (noted, said)), default="")


def best_time(said: Mapping[str, str]) -> str:
    """Return the best known time of a mail's arrival; otherwise the time when the program fetched it, or ''."""
    return next((said[name] for name in ("arrived", "fetched") if times.is_time(said.get(name, ""))), "")


def save_arrival(home: Path, game: str, seq: int, turn: str, **said: str) -> None:
    """Record facts about the mail of a turn: ``message`` (its id), ``sender``, ``arrived`` and ``fetched`` (times)."""
    row = (game, seq, turn, *(said.get(name, "") for name in ("message", "sender", "arrived", "fetched")))
    with store.open_writing(home) as found:
        found.execute("insert or ignore into arrival values (?, ?, ?, ?, ?, ?, ?)", row)


def load_arrival(home: Path, game: str, seq: int, turn: str) -> dict[str, str]:
    """Return the recorded facts about the mail of a turn, without empty values."""
    asked = "select message_id, sender, arrived, fetched from arrival where game = ? and seq = ? and turn = ?"
    with store.open_reading(home) as found:
        row = found.execute(asked, (game, seq, turn)).fetchone()
    there = zip(("message", "sender", "arrived", "fetched"), row or (), strict=False)
    return {name: str(value) for name, value in there if value}


def load_message_id(home: Path, game: str, seq: int, turn: str) -> str:
    """Return the Message-ID of the mail with a turn, or '' if a header must not contain the Message-ID.

    A reminder's Message-ID shows the reader of the reminder, so the opponent must not see the Message-ID.
    """
    text = load_arrival(home, game, seq, turn).get("message", "")
    return text if addresses.is_message_id(text) and not text.startswith("<k1.words.") else ""


def delete_arrival(home: Path, game: str, seq: int, turn: str) -> None:
    """Delete the recorded arrival of a turn after the turn was refused. Raises DiskError."""
    with store.open_writing(home) as found:
        found.execute("delete from arrival where game = ? and seq = ? and turn = ?", (game, seq, turn))


def _parse_time(text: str) -> str:
    """Return a time in UTC, or '' if invalid. A time without a zone is in UTC."""
    try:
        moment = parsedate_to_datetime(text.strip())
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except (ValueError, TypeError, OverflowError, IndexError):
        return ""
