"""Whoever sends back a letter of the mailbox with words of their own is no server that reports of it."""

import pytest
from helpers.refereed_mail import ends_by_itself, hours, played_on

SIGN = "X-Auto-Response-Suppress: All"
"""Mail servers of companies write it into everybody's mails."""


@pytest.mark.parametrize(
    ("field", "subject"), [(SIGN, "I am ill"), ("X-Mailer: x", "Delivery failure"), ("Precedence: bulk", "wait")]
)
def test_T48_words_with_a_reminder_of_ours_attached_end_no_game(automatic, field, subject):
    """They counted as a report that the reminder came back; the other reminder was good, and the game ended."""
    world = automatic
    played_on(world)
    hours(world, 5 * 24, step=12)
    reminder = next(raw for _at, _sender, reader, raw in world.office.mails if b"a reminder" in raw)
    head = f"From: boris@example.test\nSubject: {subject}\nMessage-ID: <x@example.test>\n{field}\n"
    kind = 'Content-Type: multipart/mixed; boundary="b"\n\n--b\n\nPlease wait, I am ill.\n'
    attached = "--b\nContent-Type: message/rfc822\n\n" + reminder.decode().replace("\r\n", "\n") + "\n--b--\n"
    world.office.put((head + kind + attached).encode(), world.ref.address)
    world.director.post()
    assert not ends_by_itself(world)
