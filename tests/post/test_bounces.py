"""Returned letters: one report; the address is unused until the owner gives the address again (RFC 3464)."""

import time

import pytest
from helpers import mail_servers
from helpers.mailbags import letter, taken, turn

from kursk_pbem.post.mailbox import outbox, people
from kursk_pbem.post.mailbox.outbox import Box
from kursk_pbem.post.round.outgoing import Outbox
from kursk_pbem.post.wire import reported
from post.returned import report


@pytest.fixture
def sent(pair, certificates, smtp):
    """Return (anna, boris, game, Message-ID) after Anna's letter to Boris."""
    anna, boris, game = pair
    mail_servers.account(anna, certificates, None, smtp.port)
    anna.kursk("people", "card", anna.address, "--no", "-q")
    anna.kursk("people", "add", "boris", boris.address, "-q")
    anna.kursk("post", "send", "--unsent", "-q")
    (_own_copy, (_sender, _reader, raw)) = smtp.post.mails
    return anna, boris, game, raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()


def comes(friend, raw):
    path = friend.place / "bounce.eml"
    path.write_bytes(raw)
    return taken(friend, path).returned


def in_words(header, told):
    lines = "From: MAILER-DAEMON@mx.example.test\r\n{}\r\n\r\n{}\r\n\r\n--- A copy:\r\nMessage-ID: {}\r\n"
    return lambda mid, reader: lines.format(header, told, mid).replace("BORIS", reader).encode()


def changed(old, new, **said):
    return lambda mid, reader: report(mid, reader, **said).replace(old, new)


QMAIL = "Hi. This is the qmail-send program at x.\r\n\r\n<BORIS>:\r\nSorry, no mailbox."
CAME_BACK = {
    "fields": changed(b"", b""),
    "fields without a reason": changed(b"Diagnostic-Code", b"X"),
    "qmail": in_words("Subject: failure notice", QMAIL),
    "exim": in_words("X-Failed-Recipients: BORIS", "failed:\r\n\r\n  BORIS\r\n    Unknown"),
    "a thread in the header": lambda mid, reader: (
        f"References: <k1.{'0' * 32}.0@x> {mid}\r\n".encode() + report(mid, reader)
    ),
}
NOTHING = {
    "of no letter of ours": lambda mid, reader: report(mid.replace(mid.split(".")[1], "0" * 32), reader),
    "of an edition that never was": lambda mid, reader: report(mid.replace(".0@", ".7@"), reader),
    "without a letter": lambda _mid, reader: report("", reader),
    "of another address": lambda mid, _reader: report(mid, "somebody@example.test"),
    "put off": lambda mid, reader: report(mid, reader, action="delayed"),
    "delivered": lambda mid, reader: report(mid, reader, action="delivered"),
    "by a person": changed(b"MAILER-DAEMON", b"anna", kind="multipart/mixed"),
}


@pytest.mark.parametrize("form", CAME_BACK)
def test_a_letter_that_came_back_stops_its_address(sent, form):
    anna, boris, game, mid = sent
    (told,) = comes(anna, CAME_BACK[form](mid, boris.address))
    assert f"{game[:8]}/0 to {boris.address} came back: " in told
    assert people.person_of(anna.home, boris.public).entry(boris.address).back


def test_T60_other_reports_stop_nothing(sent):
    anna, boris, _game, mid = sent
    for form, make in NOTHING.items():
        assert comes(anna, make(mid, boris.address)) == [], form
    assert people.person_of(anna.home, boris.public).reached == boris.address


def test_a_bounce_is_told_once_and_the_letter_goes_out_again_on_demand(sent):
    anna, boris, game, mid = sent
    (told,) = comes(anna, report(mid, boris.address))
    assert "550 5.1.1 No such user" in told
    assert "\x1b" not in told
    assert f"'kursk people add {people.person_of(anna.home, boris.public).typed} {boris.address}' uses it again" in told
    assert comes(anna, report(mid, boris.address)) == []
    anna.kursk("outbox", told="could not deliver it")
    anna.kursk("people", "add", "boris", "boris@new.example.test", "-q")
    anna.kursk("outbox", "--again", f"{game[:8]}/0", "-q")
    (entry,) = Outbox(anna.home, anna.place).list_letters()
    assert (entry.letter.edition, entry.letter.to[0].address) == (1, "boris@new.example.test")


def replaced(mid, reader, subject, *, full=False):
    """Return a report of a server that replaces Message-IDs, with thread and subject of the letter."""
    thread = f"References: <k1.game.{subject[0]}@kursk.invalid>\r\nSubject: {subject[1]}"
    return report(mid, reader, full=full).replace(b"Message-ID: ", f"{thread}\r\nMessage-ID: ".encode())


def test_a_bounce_with_a_replaced_message_id_is_known_by_thread_and_subject(sent):
    """Outlook replaces Message-IDs, and its bounces were not seen."""
    anna, boris, game, _mid = sent
    (letter,) = Box(anna.home, game).letters()
    other = replaced("<x@outlook.test>", boris.address, (game[:32], f"{letter.subject} 7"))
    assert comes(anna, other) == []
    (told,) = comes(anna, replaced("<x@outlook.test>", boris.address, (game[:32], letter.subject)))
    assert f"{game[:8]}/0 to {boris.address} came back: '550 5.1.1 No such user" in told


def test_a_full_mailbox_is_put_off_and_its_owner_reopens_it(sent):
    """A mailbox full for a minute was cut off until the owner typed a command."""
    anna, boris, game, mid = sent
    (told,) = comes(anna, report(mid, boris.address, full=True))
    assert told.endswith(
        "came back: '552 5.2.2 Quota exceeded \\x1b[31m'. The mailbox is full; 'kursk post' tries again"
    )
    assert people.person_of(anna.home, boris.public).reached == boris.address
    box, (letter,) = Box(anna.home, game), Box(anna.home, game).letters()
    put_off = box.delivery_of(letter, letter.to[0].mark)
    assert (put_off.state, "552 5.2.2 Quota exceeded" in put_off.waiting_reason(put_off.at)[0]) == ("later", True)
    assert outbox.has_trouble(anna.home, letter.to[0].mark, put_off.at)
    people.reopen_address(anna.home, boris.public, boris.address)
    assert box.delivery_of(letter, letter.to[0].mark).waiting_reason(put_off.at) == ("", False)


def test_a_signed_turn_from_the_address_reopens_a_returned_letter(sent):
    anna, boris, game, mid = sent
    comes(anna, report(mid, boris.address))
    assert people.person_of(anna.home, boris.public).reached == ""
    boris.sign(game)
    (anna.place / "turn.eml").write_bytes(letter(turn(boris, game, 1), boris.address))
    taken(anna, anna.place / "turn.eml")
    assert people.person_of(anna.home, boris.public).reached == boris.address


STATUS = b"--x\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\nFinal-Recipient: rfc822; a@b"
COSTLY = {
    "lines": b"\r\n" + b"<a@b>: \r\n" * 100_000,
    "fields": b"Content-Type: multipart/report; boundary=x\r\n\r\n" + (STATUS + b"\r\n\r\n") * 10_000,
    "parameters": b"Content-Type: multipart/report; boundary=x\r\n\r\n" + STATUS + b"; a=b" * 300_000,
    "readers": b"X-Failed-Recipients: " + b"a@b," * 300_000 + b"\r\n\r\n",
}


@pytest.mark.parametrize("what", COSTLY)
def test_T27_no_report_costs_more_than_two_seconds(what):
    began = time.process_time()
    reported.read_bounce(b"From: MAILER-DAEMON@x\r\nMessage-ID: <k1." + b"a" * 32 + b".0@x>\r\n" + COSTLY[what])
    assert time.process_time() - began < 2
