"""Who a mail is from, where its program writes no From line as the standards want it: a player stays a player."""

import pytest
from helpers import pace
from helpers.mailbags import letter, turn

from kursk_pbem.game import folders
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.referee import requests

ODD = {
    "a comma": "From: Boris, Jr. <BORIS>",
    "square brackets": "From: Boris [Berlin] <BORIS>",
    "an at": "From: Boris @ home <BORIS>",
    "another address": "From: old@x.test <BORIS>",
    "no brackets": "From: Boris BORIS",
    "brackets in brackets": "From: Boris <<BORIS>>",
    "an open bracket": "From: Boris (Berlin <BORIS>",
    "an open quotation": 'From: "Boris <BORIS>',
    "a scheme": "From: Boris <mailto:BORIS>",
    "a kind of address": "From: Boris <SMTP:BORIS>",
    "a quoted name": 'From: "boris"@example.test',
    "a full stop": "From: BORIS.",
    "an encoded line": "From: =?utf-8?q?Boris_=3Cboris=40example=2Etest=3E?=",
}


def written(raw, line):
    """The same mail with another From line."""
    return raw.replace(b"From: boris@example.test", line.replace("BORIS", "boris@example.test").encode(), 1)


@pytest.mark.parametrize("line", ODD.values(), ids=ODD)
def test_the_questions_of_a_player_are_answered_however_their_address_is_written(world, line):
    """Nothing was answered, or whoever stood before the brackets was."""
    mail = b"From: boris@example.test\r\nSubject: question\r\nMessage-ID: <q@x.test>\r\n\r\nSTATUS\r\n"
    world.office.put(written(mail, line), world.ref.address)
    world.director.post()
    assert [reader for reader, _words in world.words()] == [world.boris.address]


@pytest.mark.parametrize("line", ["From: Boris, Jr. <BORIS>", "From: w@x.test, BORIS"])
def test_a_mail_of_somebody_who_is_known_is_fetched_however_its_sender_is_written(posted, line):
    """It was not, where the server does not find what stands in its text."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.add(written(letter(turn(boris, game, 1), how="base64"), line))
    imap.decoded = lambda _raw: b""
    anna.kursk("post", "--as-sent")
    assert folders.message_path(anna.folder(game), 1).exists()


def test_2_12_each_of_ten_addresses_counts_in_both_forms_and_is_answered_at_the_one_of_today():
    many = Mail("From: {}\r\n\r\n".format(", ".join(f"b{n}@\u00df.test" for n in range(11))).encode(), "a mail")
    assert {f"b{n}@{domain}.test" for n in range(10) for domain in ("ss", "xn--zca")} == many.senders
    assert Mail(b"From: =?utf-8?q?b=40=C3=9F=2Etest?=\r\n\r\n", "a mail").sender == "b@xn--zca.test"
    assert Mail(b"From: b@ss.test\r\n\r\n", "a mail").senders == {"b@ss.test"}


def test_what_a_stranger_packs_who_is_called_as_a_player_is_not_told(owed):
    packed = letter(b"PK\x03\x04\x14\0\0\0").replace(b"turn.yaml", b"turn.zip")
    owed.office.put(written(packed, "From: boris, example.test <boris@x.test>"), owed.ref.address)
    assert owed.director.post().faults == []


@pytest.mark.parametrize("said", ["<>", "Boris", "Boris <>", "a@x.test, b@x.test c@x.test", "System <a@>", "@x.test"])
def test_T44_a_mail_that_names_no_sender_or_several_cannot_be_answered(said):
    mail = Mail(f"From: Odd [x] {said}\r\n\r\nSTATUS\r\n".encode(), "a mail")
    assert requests.machine(mail, ()) == "its sender cannot be answered"


def test_T49_a_mail_in_the_name_of_many_players_is_of_ten_of_them():
    many = ", ".join(f"p{number}@example.test" for number in range(100))
    mail = Mail(f"From: {many}\r\nSender: {many}\r\n\r\nhello\r\n".encode(), "a mail")
    assert (len(mail.senders), mail.sender in ("", "p0@example.test")) == (10, True)


@pytest.mark.parametrize("part", ["(", "<", "a@b,", "a", "a@", '"a', "=?utf-8?q?a?= ", "<a@b>"])
def test_T27_senders_are_looked_for_in_the_time_of_their_length(part):
    lines = "".join(f"From: {part * (1900 // len(part))}\r\n" for _line in range(30))
    with pace.within(0.5):
        for said in (lines, f"From: {part * (60_000 // len(part))}\r\n"):
            assert len(Mail(f"{said}\r\nhello\r\n".encode(), "a mail").senders) <= 2


@pytest.mark.parametrize("letters", [1, 3, 31])
def test_T49_a_header_full_of_domains_costs_the_time_of_its_length(letters):
    """One letter stands for eighteen: of 60 KB each look at the senders took two seconds."""
    field = (("@" + "\ufdfa" * letters) * 1000)[:2000]
    names = ("From", "Sender", "Resent-From", "Resent-Sender", "Reply-To") * 2
    raw = "".join(f"{name}: {field}\r\n" for name in names).encode() + b"\r\nhello\r\n"
    with pace.within(0.3):
        assert len(Mail(raw, "").senders) <= 20
