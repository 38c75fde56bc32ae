"""A referee's points in time: RFC 3339 in UTC to the second, ``1943-07-06T03:00:00Z``, with a single spelling.

So texts and times have the same order. Impossible dates (1943-02-30), impossible times (24:00:00, leap second 60) and
different spellings (small letters, offsets, fractions) are invalid. This module never reads a clock.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime

EXAMPLE = "1943-07-06T03:00:00Z"
DAY = 86_400
_END = "9999-12-31T23:59:59Z"
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "June", "July", "Aug", "Sept", "Oct", "Nov", "Dec")

_FORM = re.compile("([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9])Z")


def is_time(text: str) -> bool:
    """Return whether a text is a point in time in the only valid spelling, from year 1 to 9999."""
    match = _FORM.fullmatch(text)
    if match is None:
        return False
    try:
        date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return False
    return True


_SAID = re.compile("([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{1,2}:[0-9]{2})(:[0-9]{2})? ?(Z|UTC|[+-][0-9]{2}:?[0-9]{2})?")


def read_time(said: str) -> str:
    """Return a typed time or the Date of a mail in the valid spelling. A typed time without zone is in UTC.

    Unreadable text is returned unchanged.
    """
    with suppress(ValueError, OverflowError, TypeError):
        if (match := _SAID.fullmatch(said.strip())) is not None:
            day, minute, second, zone = match.groups()
            zone = "+0000" if zone in (None, "Z", "UTC") else zone.replace(":", "")
            moment = datetime.strptime(f"{day} {minute}{second or ':00'} {zone}", "%Y-%m-%d %H:%M:%S %z")
        else:
            from email.utils import parsedate_to_datetime  # noqa: PLC0415  costs 7 ms, rarely needed

            moment = parsedate_to_datetime(said)
            moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return said


def count_seconds(text: str) -> int:
    """Return the seconds since the beginning of year 1, with 86 400 in each day. Raises ValueError for other text."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise ValueError(text)
    year, month, day, hour, minute, second = map(int, match.groups())
    return date(year, month, day).toordinal() * DAY + hour * 3600 + minute * 60 + second


def seconds_between(earlier: str, later: str) -> int:
    """Return the seconds from the first time to the second, negative if the second is earlier."""
    return count_seconds(later) - count_seconds(earlier)


def end_hour(text: str) -> str:
    """Return the end of the hour that contains a time. Raises ValueError beyond year 9999."""
    day, hour = divmod(-(-count_seconds(text) // 3600), 24)
    return f"{date.fromordinal(day).isoformat()}T{hour:02d}:00:00Z"


def add_days(text: str, days: int) -> str:
    """Return the time ``days`` days after a time. Raises ValueError beyond year 9999."""
    day = date.fromordinal(count_seconds(text) // DAY + days)
    return f"{day.isoformat()}{text[10:]}"


def add_most(text: str, days: int) -> str:
    """Return the time ``days`` days after a time, at most the end of year 9999, however large ``days`` is."""
    return add_days(text, days) if days <= (count_seconds(_END) - count_seconds(text)) // DAY else _END


def days(earlier: str, later: str) -> int:
    """Return the days from the first time to the second, rounded up."""
    return -(-seconds_between(earlier, later) // DAY)


def tell(time: str) -> str:
    """Return a time for people, to the minute and with its zone, such as ``1943-07-06 03:00 UTC``."""
    return f"{time[:10]} {time[11:16]} UTC"


def tell_short(time: str) -> str:
    """Return a time for subjects of letters, without its year, such as ``6 July 03:00 UTC``."""
    return f"{int(time[8:10])} {_MONTHS[int(time[5:7]) - 1]} {time[11:16]} UTC"


def tell_day(time: str) -> str:
    """Return a time for pages, with the month's name, such as ``6 July 1943, 03:00 UTC``."""
    return f"{int(time[8:10])} {_MONTHS[int(time[5:7]) - 1]} {time[:4]}, {time[11:16]} UTC"


def show_deadline(due: str, at: str) -> str:
    """Return a deadline in words, with the time left (or passed) at the time ``at``."""
    left = seconds_between(at, due)
    return f"{tell(due)} ({in_words(left)} left)" if left >= 0 else f"{tell(due)} (over for {in_words(-left)})"


def in_words(number: int) -> str:
    """Return a number of seconds, not negative, in words such as ``2 days 3 hours``, rounded down."""
    days, rest = divmod(number, DAY)
    hours, rest = divmod(rest, 3600)
    if not days and not hours:
        return _count_with_unit(rest // 60, "minute")
    parts = [_count_with_unit(days, "day")] if days else []
    return " ".join([*parts, *([_count_with_unit(hours, "hour")] if hours else [])])


def _count_with_unit(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
