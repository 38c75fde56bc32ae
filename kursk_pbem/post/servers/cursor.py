"""How far a folder was looked through: no mail is passed by, whatever numbers a server gives its mails (T50)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import UsageError
from kursk_pbem.post import place
from kursk_pbem.post.servers import account as accounts
from kursk_pbem.post.servers.account import Account

_DAY = timedelta(days=1)
_DAYS = ("since", "looked", "before", "landed")
_LEAP = timedelta(days=60)
"""Behind a leap of days, for which the day before it is kept: whoever looks every day goes through no more anew."""


@dataclass(frozen=True)
class Cursor:
    """Under which UIDVALIDITY a folder was looked through, and from which UID on there is something new.

    ``since``: the day from which on it is looked through where its mails have other numbers. It moves on only when the
    end of the folder was reached: some servers number anew in every session, and a line may break off each time.
    ``looked``: the day before the last look that did; ``before``: the same of the last one before a leap of days to
    ``landed``: by a clock that was ahead the days between would never be looked at.
    """

    path: Path
    validity: int = 0
    next: int = 0
    since: date | None = None
    looked: date | None = None
    before: date | None = None
    landed: date | None = None

    def moved(self, validity: int, following: int, since: date | None = None) -> Cursor:
        """Put down how far one is; ``since``: another such day."""
        return self._put(replace(self, validity=validity, next=following, since=since or self.since))

    def ended(self, validity: int, following: int) -> Cursor:
        """The same where the end was reached: what came before yesterday is known to whoever looks today."""
        day, before, landed = _day() - _DAY, self.before, self.landed
        if not landed or day > landed + _LEAP:
            leaps = self.looked and day > self.looked + _DAY
            before, landed = (self.looked, day) if leaps else (None, None)
        moved = replace(self, validity=validity, next=following, since=day, looked=day)
        return self._put(replace(moved, before=before, landed=landed))

    def _put(self, cursor: Cursor) -> Cursor:
        days = {name: getattr(cursor, name) for name in _DAYS}
        said = {"uidvalidity": str(cursor.validity), "next": str(cursor.next)}
        place.put(self.path, said | {name: day.isoformat() for name, day in days.items() if day})
        return cursor

    def begins(self, days: int) -> date:
        """The day from which on a folder is looked through that is new, or has got new numbers: so many ago.

        What came before the last look is known; whoever was away for longer than those days has not seen the rest.
        """
        looked = self.since or (date.fromisoformat(clock.of_file(self.path)[:10]) - _DAY if self.next else _day())
        return min(_day() - timedelta(days=days), looked, self.before or looked)


def _day() -> date:
    return date.fromisoformat(clock.now()[:10])


def load(home: Path, account: Account) -> Cursor:
    """How far the folder of an account was looked through. UsageError."""
    path = place.root(home) / "in" / account.name / f"{accounts.filed(account.folder)}.json"
    data = place.load(path)
    try:
        days = {name: date.fromisoformat(str(data[name])) for name in _DAYS if data.get(name)}
        return Cursor(path, int(data.get("uidvalidity", 0)), int(data.get("next", 0)), **days)
    except (TypeError, ValueError):
        raise UsageError(f"{path} cannot be read: it says no UID; move it away") from None
