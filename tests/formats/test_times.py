"""Times of a referee: every second has one spelling, compared as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.formats import times

GOOD = (
    "1943-07-06T03:00:00Z",
    "2024-02-29T23:59:59Z",
    "2000-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
)
BAD = (
    "",
    "1943-02-30T03:00:00Z",
    "1943-02-29T03:00:00Z",
    "1900-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "1943-04-31T03:00:00Z",
    "1943-07-00T03:00:00Z",
    "1943-00-06T03:00:00Z",
    "1943-13-06T03:00:00Z",
    "1943-07-32T03:00:00Z",
    "0000-01-01T00:00:00Z",
    "1943-07-06T24:00:00Z",
    "1943-07-06T23:60:00Z",
    "1943-07-06T23:59:60Z",
    "1943-07-06T03:00:00z",
    "1943-07-06t03:00:00Z",
    "1943-07-06 03:00:00Z",
    "1943-07-06T03:00:00",
    "1943-07-06T03:00Z",
    "1943-07-06",
    "1943-07-06T03:00:00+00:00",
    "1943-07-06T03:00:00-00:00",
    "1943-07-06T03:00:00.0Z",
    "1943-07-06T03:00:00,5Z",
    "1943-07-06T03:00:00Z\n",
    " 1943-07-06T03:00:00Z",
    "1943-07-06T03:00:00Z ",
    "43-07-06T03:00:00Z",
    "+1943-07-06T03:00:00Z",
    "11943-07-06T03:00:00Z",
    "1943-7-6T3:0:0Z",
    "1943-187T03:00:00Z",
    "1943-W27-2T03:00:00Z",
    "19430706T030000Z",
    "\u0661\u0669\u0664\u0663-07-06T03:00:00Z",
    "1943-07-06T03:00:0\u0660Z",
    "1943-07-06T-3:00:00Z",
)
SECONDS = st.integers(times.count_seconds("0001-01-01T00:00:00Z"), times.count_seconds("9999-12-31T23:59:59Z"))


def text_of(number):
    """Return a time, computed without the module."""
    days, rest = divmod(number, 86_400)
    year = 1
    while (length := 365 + (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))) < days:
        days, year = days - length, year + 1
    month = 1
    for size in (31, length - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31):
        if days <= size:
            break
        days, month = days - size, month + 1
    return f"{year:04}-{month:02}-{days:02}T{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}Z"


@pytest.mark.parametrize("text", GOOD)
def test_times_that_there_are(text):
    assert times.is_time(text)
    assert text_of(times.count_seconds(text)) == text


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_time_or_another_spelling(text):
    assert not times.is_time(text)


@given(SECONDS, SECONDS)
def test_the_order_of_texts_is_the_order_of_times(one, two):
    first, second = text_of(one), text_of(two)
    assert times.is_time(first)
    assert (first < second) == (one < two)
    assert times.seconds_between(first, second) == two - one


def test_days_later():
    assert times.add_days("1943-02-27T03:00:01Z", 2) == "1943-03-01T03:00:01Z"
    assert times.add_days("1944-02-27T03:00:01Z", 2) == "1944-02-29T03:00:01Z"
    with pytest.raises(ValueError, match="out of range"):
        times.add_days("9999-12-31T00:00:00Z", 1)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "0 minutes"),
        (59, "0 minutes"),
        (60, "1 minute"),
        (3599, "59 minutes"),
        (3600, "1 hour"),
        (86_400, "1 day"),
        (86_400 + 7200 + 59 * 60, "1 day 2 hours"),
        (3 * 86_400 + 3600, "3 days 1 hour"),
    ],
)
def test_in_words(number, words):
    assert times.in_words(number) == words


@pytest.mark.parametrize("days", [0, 1, 364, 365, 10**9])
def test_a_term_that_somebody_else_has_said_ends_with_year_9999(days):
    said = times.add_most("9999-01-01T12:00:00Z", days)
    assert said == (times.add_days("9999-01-01T12:00:00Z", days) if days < 365 else "9999-12-31T23:59:59Z")
