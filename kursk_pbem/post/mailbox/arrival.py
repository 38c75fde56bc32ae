"""When a mail came, as our own mail server noted it (docs/auditors.md 2.12), and by which mail a turn came.

A row is written when the turn is first seen, and its first mail counts: a receipt that is signed later says the same.
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


def note(home: Path, game: str, seq: int, turn: str, **said: str) -> None:
    """Put down of a turn with this id what its mail said: ``message``, ``sender``, ``arrived``, ``fetched``."""
    row = (game, seq, turn, *(said.get(name, "") for name in ("message", "sender", "arrived", "fetched")))
    with store.writing(home) as found:
        found.execute("insert or ignore into arrival values (?, ?, ?, ?, ?, ?, ?)", row)


def said(home: Path, game: str, seq: int, turn: str) -> dict[str, str]:
    """What was put down of a turn; nothing if that is nothing."""
    asked = "select message_id, sender, arrived, fetched from arrival where game = ? and seq = ? and turn = ?"
    with store.reading(home) as found:
        row = found.execute(asked, (game, seq, turn)).fetchone()
    there = zip(("message", "sender", "arrived", "fetched"), row or (), strict=False)
    return {name: str(value) for name, value in there if value}


def message_id(home: Path, game: str, seq: int, turn: str) -> str:
    """The Message-ID by which a turn came, '' if there is none that could stand in a header that others read.

    That of a letter in words, a reminder that brought what was lost, shows who has it: the opponent is not told.
    """
    text = said(home, game, seq, turn).get("message", "")
    return text if addresses.is_message_id(text) and not text.startswith("<k1.words.") else ""


def drop(home: Path, game: str, seq: int, turn: str) -> None:
    """Forget when a turn came that was refused. Raises DiskError."""
    with store.writing(home) as found:
        found.execute("delete from arrival where game = ? and seq = ? and turn = ?", (game, seq, turn))


def _time(text: str) -> str:
    """Return a time in UTC, '' if the text says none. A time without a zone is in UTC."""
    try:
        moment = parsedate_to_datetime(text.strip())
        moment = moment.astimezone(UTC) if moment.tzinfo else moment
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
    except (ValueError, TypeError, OverflowError, IndexError):
        return ""
