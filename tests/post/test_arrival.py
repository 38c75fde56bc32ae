"""When a mail came, by its Received lines: nothing that a sender chooses makes it earlier (T51)."""

import pytest

from kursk_pbem.post import arrival
from kursk_pbem.post.envelope import Mail

OURS = "Received: {line}; Sat, 10 Jul 1943 12:00:00 +0000\r\n"
FORGED = "Received: from x by mx.ours.test with SMTP; Thu, 1 Jul 1943 12:00:00 +0000\r\n"


@pytest.mark.parametrize(
    "line",
    [
        "from x by mx.ours.test with SMTP",
        "from by by mx.ours.test with SMTP",
        "from unknown (HELO by evil.test) (1.2.3.4) by mx.ours.test",
        "from by evil.test by mx.ours.test",
        "from by (h [1.2.3.4]) by MX.OURS.TEST. with SMTP",
    ],
)
def test_T51_what_a_caller_calls_itself_does_not_hide_our_own_line(line):
    raw = f"{OURS.format(line=line)}{FORGED}\r\nhello\r\n".encode("ascii")
    assert arrival.of(Mail(raw, "a mail"), {"mx.ours.test"}) == "1943-07-10T12:00:00Z"


@pytest.mark.parametrize("behind", ["\r\n ; 31 Feb 2026 10:00:00 +0000", "\r\n\t;10:00"])
def test_T51_no_line_counts_below_one_whose_time_cannot_be_read(behind):
    """Of a server that is not listed it was passed by, and the line that seems to be of one that is counted."""
    other = "Received: from x by mx2.test; Sat, 10 Jul 1943 12:00:00 +0000"
    raw = f"{other}{behind}\r\n{FORGED}\r\nhello\r\n".encode("ascii")
    assert arrival.of(Mail(raw, "a mail"), {"mx.ours.test"}) == ""


@pytest.mark.parametrize(
    ("said", "arrived"),
    [
        ("10 Jul 1943 12:00:00 -0000", "1943-07-10T12:00:00Z"),  # as qmail and its heirs write all of theirs
        ("10 Jul 1943 12:00:00 -0000 (UTC)", "1943-07-10T12:00:00Z"),
        ("10 Jul 1943 12:00:00", ""),
        ("Sat, 31 Dec 2016 23:59:60 +0000", "2016-12-31T23:59:59Z"),
        ("Sun, 1 Jan 2017 09:59:60 +1000", "2016-12-31T23:59:59Z"),
        ("Sat, 31 Dec 2016 23:59:61 +0000", ""),
        ("Sat, 31 Dec 2016 23:60:00 +0000", ""),
        ("Fri, 31 Dec 2027 23:59:59 +9999", ""),
        ("Fri, 31 Dec 9999 23:59:59 -0100", ""),
    ],
)
def test_a_time_is_read_as_servers_write_it(said, arrived):
    """One that is not read counts as fetched later, which may cost a player the game."""
    raw = f"Received: from x by mx.ours.test with SMTP; {said}\r\n\r\nhello\r\n".encode("ascii")
    assert arrival.of(Mail(raw, "a mail"), {"mx.ours.test"}) == arrived


@pytest.mark.parametrize(
    ("minutes", "arrived"), [(0, "12:00:00"), (15, "12:00:00"), (16, "12:16:00"), (59, "12:59:00"), (-1, "12:00:00")]
)
def test_T51_a_line_that_was_put_into_a_mail_by_another_server_counts_little(minutes, arrived):
    """Most providers have several servers, 'setup' notes one, and a sender chooses by which their mail comes in."""
    hour, minute = divmod(12 * 60 + minutes, 60)
    top = f"Received: from evil.test by mx2.ours.test; Sat, 10 Jul 1943 {hour:02d}:{minute:02d}:00 +0000\r\n"
    raw = f"{top}{OURS.format(line='from x by mx1.ours.test')}\r\nhello\r\n".encode("ascii")
    assert arrival.of(Mail(raw, "a mail"), {"mx1.ours.test"}) == f"1943-07-10T{arrived}Z"


@pytest.mark.parametrize("begins", ["", "what is no field\r\n"])
@pytest.mark.parametrize("by", ["\t", " by mx.ours.test"])
def test_T51_a_mail_that_begins_as_if_it_went_on_with_our_own_line_comes_no_earlier(begins, by):
    """Some servers put theirs above it as it is; the time behind the last semicolon of that line was the sender's."""
    ours, forged = OURS.format(line="from x by mx.ours.test with SMTP"), "; Thu, 1 Jul 1943 12:00:00 +0000"
    raw = f"{ours}{begins}{by}{forged}\r\nFrom: x\r\n\r\nhello\r\n"
    assert arrival.of(Mail(raw.encode("ascii"), "a mail"), {"mx.ours.test"}) == "1943-07-10T12:00:00Z"


def test_T51_a_line_without_a_time_above_that_of_a_server_which_is_not_listed_hides_it_not():
    raw = f"Received: by local\r\n{OURS.format(line='from evil.test by mx2.ours.test')}{FORGED}\r\nhello\r\n"
    assert arrival.of(Mail(raw.encode("ascii"), "a mail"), {"mx.ours.test"}) == "1943-07-10T12:00:00Z"


def test_a_topmost_line_without_a_time_says_nothing():
    raw = f"Received: by local\r\n{OURS.format(line='from x by mx1.ours.test')}\r\nhello\r\n".encode("ascii")
    assert arrival.of(Mail(raw, "a mail"), {"mx1.ours.test"}) == "1943-07-10T12:00:00Z"


@pytest.mark.parametrize(
    ("own", "arrived"),
    [
        ("10 Jul 1943 12:00:00 -0000", "1943-07-10T12:00:00Z"),
        ("Sat, 10 Jul 1943 05:00:00 -0700 (PDT)", "1943-07-10T12:00:00Z"),
        ("Sat Jul 10 12:00:00 1943", ""),
        ("10-Jul-1943 12:00:00 -0000", ""),
        ("10 Jul 1943 12:00:00 CEST", ""),
    ],
)
def test_T51_no_word_behind_our_time_leaves_an_earlier_one(own, arrived):
    """`-0000` was read only at the end, so a word behind it left the time that its sender had forged."""
    raw = f"Received: from x by mx.ours.test; {own}\r\n x; 1 Jul 1943 12:00:00 +0000\r\nFrom: x\r\n\r\nhello\r\n"
    assert arrival.of(Mail(raw.encode("ascii"), "a mail"), {"mx.ours.test"}) == arrived
