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
