"""Arrival times: by the receiving server, otherwise the time of fetching (docs/auditors.md 2.12)."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import text

from kursk_pbem.post.mailbox import arrival, spool
from kursk_pbem.post.mailbox.envelope import Mail
from post.refereed_mail import HOUR

FORGED = "Received: from x by mx.ours.test with SMTP; Thu, 1 Jul 1943 12:00:00 +0000"
TEN, NOON = "1943-07-10T10:00:00Z", "1943-07-10T12:00:00Z"


@pytest.mark.parametrize(
    ("line", "noted", "came"),
    [
        ("from a by mx.ours.test with SMTP; Sat, 10 Jul 1943 12:00:00 +0000", "", NOON),
        ("from by by MX.OURS.TEST. with SMTP; Sat, 10 Jul 1943 14:00:00 +0200 (CEST)", "", NOON),
        ("from a (HELO by evil.test) by mx.ours.test; 10 Jul 1943 12:00:00 -0000", "", NOON),
        ("from a by mx.ours.test with SMTP; Sat, 10 Jul 1943 12:00:00 +0000", TEN, TEN),
        ("from a by mx.ours.test with SMTP; Sat, 10 Jul 1943 10:00:00 +0000", NOON, TEN),
        ("from a by mx.ours.test with SMTP; at noon", NOON, NOON),
        ("from a by mx.ours.test with SMTP; at noon", "", ""),
    ],
)
def test_T51_the_topmost_line_of_our_server_and_its_own_note_say_when_a_mail_came(line, noted, came):
    """A sender can only forge lines below the line of our server."""
    mail = Mail(f"Received: {line}\r\n{FORGED}\r\n\r\nhello\r\n".encode("ascii"), "a mail")
    assert arrival.arrival_time(mail, {"mx.ours.test"}, noted) == came
    assert arrival.arrival_time(mail, {"mx.other.test"}, noted) == noted


@pytest.mark.parametrize(("hours", "counts"), [(-2, 0), (1, 1), (3, 2)], ids=["before", "between", "to come"])
def test_T52_a_receipt_is_not_before_an_earlier_receipt_nor_after_now(world, hours, counts):
    """Message 2 arrives some hours after message 1, and is fetched two hours later."""
    first = world.time.now
    for seq, who, other in ((1, world.boris, world.anna), (2, world.anna, world.boris)):
        who.sign(world.game)
        postal.carried(world.game, seq, who, other)
        raw = letter(turn(who, world.game, seq), who.address)
        came = text(first + (seq - 1) * hours * HOUR)
        spool.add_mail(world.ref.home, raw, fetched=text(world.time.now), arrived=came)
        world.director.post()
        world.time.passes(2 * 3600)
    assert world.ref.desk(world.game).game.papers.receipts[2].text("received") == text(first + counts * HOUR)
