"""Whoever sends back a letter of the mailbox with words of their own is no server that reports of it."""

import pytest
from helpers.refereed_mail import ends_by_itself, hours, played_on

from kursk_pbem.post import people

SIGN = "X-Auto-Response-Suppress: All"
"""Mail servers of companies write it into everybody's mails."""


def sends_on(world, head):
    """A mail with this header, words, and a reminder of the referee's attached; it is read."""
    reminder = next(raw for _at, _sender, reader, raw in world.office.mails if b"a reminder" in raw)
    kind = 'Content-Type: multipart/mixed; boundary="b"\n\n--b\n\nPlease wait, I am ill.\n'
    attached = "--b\nContent-Type: message/rfc822\n\n" + reminder.decode().replace("\r\n", "\n") + "\n--b--\n"
    world.office.put((head + kind + attached).encode(), world.ref.address)
    world.director.post()


@pytest.mark.parametrize(
    ("field", "subject"), [(SIGN, "I am ill"), ("X-Mailer: x", "Delivery failure"), ("Precedence: bulk", "wait")]
)
def test_T48_words_with_a_reminder_of_ours_attached_end_no_game(automatic, field, subject):
    """They counted as a report that the reminder came back; the other reminder was good, and the game ended."""
    world = automatic
    played_on(world)
    hours(world, 5 * 24, step=12)
    head = f"From: boris@example.test\nSubject: {subject}\nMessage-ID: <x@example.test>\n{field}\n"
    sends_on(world, head)
    assert not ends_by_itself(world)


PATHS = {
    "of their own": ("postmaster@boris.test", "Return-Path: <postmaster@boris.test>\n", True),
    "not put down": ("postmaster@boris.test", "", True),
    "of their server": ("boris@boris.test", "Return-Path: <postmaster@boris.test>\n", True),
    "empty": ("postmaster@boris.test", "Return-Path: <>\n", False),
    "of nobody": ("postmaster@boris.test", "Return-Path: <#@[]>\n", False),
    "of another": ("postmaster@else.test", "Return-Path: <postmaster@else.test>\n", False),
}


@pytest.mark.parametrize("which", PATHS)
def test_2_12_a_player_who_is_called_postmaster_and_sends_a_reminder_back_has_written(automatic, which):
    """It counted as a server's report, and nobody had written; what says itself that nobody did is one."""
    address, path, wrote = PATHS[which]
    world = automatic
    own = address if wrote else "postmaster@boris.test"
    boris = people.load(world.ref.home, world.boris.public)
    people.save(world.ref.home, boris.put(own, people.SAID, "said"))
    played_on(world)
    hours(world, 4 * 24, step=12)
    head = f"{path}From: {address}\nSubject: Fwd: reminder\nMessage-ID: <x@example.test>\nMIME-Version: 1.0\n"
    sends_on(world, head)
    assert ends_by_itself(world) == (not wrote)
