"""How far a folder was looked through: no mail is passed by, whatever numbers a server gives its mails (T50)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import UsageError
from kursk_pbem.post import place
from kursk_pbem.post.servers import account as accounts
from kursk_pbem.post.servers.account import Account

_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Cursor:
    """Under which UIDVALIDITY a folder was looked through, and from which UID on there is something new.

    ``since``: the day from which on it is looked through where its mails have other numbers. It moves on only when the
    end of the folder was reached: some servers number anew in every session, and a line may break off each time.
    """

    path: Path
    validity: int = 0
    next: int = 0
    since: date | None = None

    def moved(self, validity: int, following: int, since: date | None = None) -> Cursor:
        """Put down how far one is; ``since``: another such day, yesterday where the end was reached."""
        day = since or self.since
        said = {"uidvalidity": str(validity), "next": str(following), "since": day.isoformat() if day else ""}
        place.put(self.path, said)
        return Cursor(self.path, validity, following, day)

    def begins(self, days: int) -> date:
        """The day from which on a folder is looked through that is new, or has got new numbers: so many ago.

        What came before the last look is known; whoever was away for longer than those days has not seen the rest.
        """
        looked = self.since or (date.fromisoformat(clock.of_file(self.path)[:10]) - _DAY if self.next else _day())
        return min(_day() - timedelta(days=days), looked)


def yesterday() -> date:
    """What came before is known to whoever looks today."""
    return _day() - _DAY


def _day() -> date:
    return date.fromisoformat(clock.now()[:10])


def load(home: Path, account: Account) -> Cursor:
    """How far the folder of an account was looked through. UsageError."""
    path = place.root(home) / "in" / account.name / f"{accounts.filed(account.folder)}.json"
    data = place.load(path)
    try:
        since = date.fromisoformat(str(data["since"])) if data.get("since") else None
        return Cursor(path, int(data.get("uidvalidity", 0)), int(data.get("next", 0)), since)
    except (TypeError, ValueError):
        raise UsageError(f"{path} cannot be read: it says no UID; move it away") from None
