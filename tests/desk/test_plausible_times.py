"""Typed times: no impossible time is signed, and no file is lost without a question."""

import pytest
from helpers.relaying import no, well

from kursk_pbem.formats import times


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2026-11-20 10:00", "2026-11-20T10:00:00Z"),
        ("2026-11-20T10:00", "2026-11-20T10:00:00Z"),
        ("2026-11-20 9:05:07 UTC", "2026-11-20T09:05:07Z"),
        ("2026-11-20 10:00 +0100", "2026-11-20T09:00:00Z"),
        ("2026-11-20 10:00-05:30", "2026-11-20T15:30:00Z"),
        ("Fri, 20 Nov 2026 10:00:00 +0100", "2026-11-20T09:00:00Z"),
        ("20 Nov 2026 10:00:00", "2026-11-20T10:00:00Z"),
        ("1943-07-06T03:00:00Z", "1943-07-06T03:00:00Z"),
    ],
)
def test_a_time_as_people_write_it_is_understood(said, meant):
    assert times.read_time(said) == meant
    assert times.is_time(meant)


@pytest.mark.parametrize(
    "said",
    ["", "tomorrow", "2026-02-30 10:00", "2026-11-20 24:00", "2026-11-20", "9999-12-31 23:00 -0500", "10:00", "\n"],
)
def test_what_is_no_time_stays_as_it_is(said):
    assert times.read_time(said) == said


def test_no_receipt_is_signed_for_a_time_to_come(joined, kursk):
    referee = joined.referee
    words = ("referee", "receipt", referee.folder, "--received", "2199-01-01 10:00", "--days", "7")
    assert "the time is only" in " ".join(kursk(referee, *words, ends=2)[1].split())
    assert not list(referee.folder.glob("receipt-*"))


def test_a_forfeit_is_asked_for_and_never_declared_ahead(overdue, whistle):
    lost = ("referee", "forfeit", overdue.folder)
    no(whistle(*lost, "--declared", "2199-01-01 10:00", "--yes"), 2, "time is only")
    no(whistle(*lost), 2, "Declare the game lost for the german side (message 4 was due", "give --yes")
    assert not list(overdue.folder.glob("forfeit*"))
    well(whistle(*lost, "--yes"), "declared the game lost for german")
