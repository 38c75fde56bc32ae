"""Servers that say what no server should: a round of post breaks off in words, and the next one loses nothing."""

import pytest
from helpers.mailbags import letter, turn

LONG = b'("text" "plain" ("name" "%b") NIL NIL "7bit" 1 1 NIL NIL NIL)' % (b"x" * 2_000_000)
DEEP = b"(" * 3000 + b'"text" "plain" NIL NIL NIL "7bit" 1 1' + b")" * 3000
STRANGER = b"From: s@x.example\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\nhello\r\n--a--\r\n"


@pytest.fixture
def met(posted):
    """Boris has written message 1; it lies in Anna's mailbox, named like ours, from an address that nobody knows."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    imap.add(STRANGER)
    boris.sign(game)
    mail = letter(turn(boris, game, 1), "new@x.example").replace(b"turn.yaml", b"kursk-1a2b3c4d-0001.yaml")
    imap.add(mail)
    imap.decoded = lambda _raw: b""  # it does not search in texts
    return anna, game, imap


def answering(name, part, *lines):
    """What spoils the answers to a command in which something stands."""
    return lambda said, text: list(lines) if said == name and part in text else None


@pytest.mark.parametrize("structure", [LONG, DEEP, b"NIL", b"()", b"7", b"(NIL (() ()))", b'(("x"'])
def test_T49_a_structure_that_nobody_understands_stops_no_other_mail(met, structure, capsys):
    anna, game, imap = met
    real = type(imap)._uid_fetch

    def spoilt(name, text):
        if name != "UID FETCH" or "BODYSTRUCTURE" not in text:
            return None
        of_stranger = b"* 1 FETCH (UID 1 BODYSTRUCTURE " + structure + b")"
        told = [line for line in real(imap, text) if not line.startswith(b"* 1 FETCH")]
        return [of_stranger, *told] if "1" in text.split(" ")[2].split(",") else told

    imap.spoilt = spoilt
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists(), capsys.readouterr()


BROKEN = {
    "a literal of 10 PB": ("UID FETCH", "PEEK[]", b"* 2 FETCH (UID 2 BODY[] {9999999999999999}\r\nabc)", b"OK done"),
    "a literal beyond numbers": ("UID FETCH", "PEEK[]", b"* 2 FETCH (UID 2 BODY[] {9223372036854775808}", b"OK done"),
    "words without end": ("EXAMINE", "", *[b"* OK " + b"x" * 900_000] * 80, b"OK done"),
    "brackets without end": ("UID SEARCH", "", b"* SEARCH 1 " + b"(" * 3000 + b")" * 3000, b"OK done"),
    "a header that is a number": ("UID FETCH", "HEADER", b"* 1 FETCH (UID 1 BODY 5)", b"OK done"),
}


@pytest.mark.parametrize("spoilt", BROKEN.values(), ids=BROKEN)
def test_a_server_that_talks_nonsense_stops_that_round_alone(met, spoilt, capsys):
    anna, game, imap = met
    imap.spoilt = answering(*spoilt)
    anna.kursk("post", status=2)
    said = capsys.readouterr().err
    assert "localhost broke off" in said
    assert "fault of the program" not in said
    imap.spoilt = None
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


@pytest.mark.parametrize("body", [b"NIL", b'""', b"7"])
def test_a_mail_that_the_server_does_not_give_is_told(met, body, capsys):
    anna, _game, imap = met
    imap.spoilt = answering("UID FETCH", "PEEK[]", b"* 2 FETCH (UID 2 BODY[] " + body + b")", b"OK done")
    anna.kursk("post", status=2)
    assert "from 'new@x.example', subject 'my turn': the server did not give it" in capsys.readouterr().err


def test_T50_a_number_that_no_mail_can_have_hides_no_later_mail(met):
    anna, game, imap = met
    mails, imap.mails = imap.mails, {}
    imap.spoilt = answering("UID SEARCH", "UID 1:", b"* SEARCH 99999999999", b"OK done")
    anna.kursk("post")
    imap.spoilt, imap.mails = None, mails
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()
