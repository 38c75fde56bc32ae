"""Servers in this process: new mail is fetched once, due letters are sent once."""

import email
import email.policy

import pytest
from helpers import mail_servers
from helpers.mail_servers import PASSWORD, Imap, Smtp
from helpers.mailbags import foreign, letter, sends, turn

from kursk_pbem.game import folders
from kursk_pbem.post import mail_session
from kursk_pbem.post.mailbox import post_folder, store
from kursk_pbem.trust import reader


def test_one_command_takes_what_came_and_sends_what_is_due(posted):
    anna, boris, game, imap, smtp = posted
    anna.kursk("post", "send", status=2, told="--as-sent")
    anna.kursk("post", "--as-sent")
    boris.sign(game)
    imap.add(foreign(1))
    imap.add(letter(turn(boris, game, 1), boris.address))
    imap.add(foreign(2))
    out = anna.kursk("post")
    assert "3 new mails, 1 kept for processing" in out
    assert "message 1 of" in out
    assert turn(anna, game, 1) == turn(boris, game, 1)
    assert imap.flags == {}
    anna.sign(game)
    anna.kursk("post", told=f"{game[:8]}/2 to Boris <{boris.address}>: sent")
    ((sender, recipient, raw),) = smtp.post.mails
    assert (sender, recipient) == (anna.address, boris.address)
    made = email.message_from_bytes(raw, policy=email.policy.default)
    assert (made["From"], made["To"]) == (anna.address, boris.address)
    assert made["In-Reply-To"] in letter(turn(boris, game, 1), boris.address).decode()
    found = reader.read_thing(raw, "mail")
    (message,), (card,) = found.turns, found.cards
    assert (message.seq, card.text("address")) == (2, anna.address)
    anna.kursk("post", told="no letters to send")
    assert len(smtp.post.mails) == 1


def test_T59_nothing_becomes_read_and_nothing_foreign_is_fetched_or_kept(posted):
    anna, boris, game, imap, _smtp = posted
    for number in range(30):
        imap.add(foreign(number))
    imap.add(b"From: carla@example.test\r\nSubject: [kursk] the film\r\n\r\nThe fridge is empty.\r\n")
    sends(boris, game, imap)
    before = dict(imap.mails)
    anna.kursk("post", "fetch")
    anna.kursk("inbox")
    assert (imap.mails, imap.flags) == (before, {})
    assert not any(said.startswith("SELECT") for said in imap.said)
    fetches = [said for said in imap.said if said.startswith("UID FETCH")]
    assert [said for said in fetches if "PEEK[]" in said] == ["UID FETCH 32 (BODY.PEEK[] INTERNALDATE)"]
    assert all("PEEK" in said or "BODYSTRUCTURE" in said for said in fetches)
    kept = b"".join(path.read_bytes() for path in post_folder.locate(anna.home).rglob("*") if path.is_file())
    assert [word for word in (b"shop.example", b"fridge", b"see below") if word in kept] == []


def test_T50_what_is_fetched_twice_is_taken_once(posted):
    """The server renumbers its mails, and returns the last mail for n:*."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    raw = letter(turn(boris, game, 1), boris.address)
    imap.add(raw)
    anna.kursk("post", "fetch")
    anna.kursk("inbox")
    count = len([said for said in imap.said if "PEEK[]" in said])
    anna.kursk("post", "fetch")  # UID n:* gives the last mail again
    assert len([said for said in imap.said if "PEEK[]" in said]) == count
    imap.validity, imap.mails = 7, {uid + 40: kept for uid, kept in imap.mails.items()}
    anna.kursk("post", "fetch")  # new numbers for known headers
    assert len([said for said in imap.said if "PEEK[]" in said]) == count
    imap.add(letter(turn(boris, game, 1), boris.address, subject="once more"), uid=1_000_001)
    anna.kursk("post", "fetch")
    anna.kursk("inbox", told="here already: message 1 of")


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("padding", [0, 1], ids=["other size", "same size"])
def test_R9_mails_with_equal_headers_are_told_apart_by_their_texts(posted, padding, rounds):
    """Some programs write neither Message-ID nor date, and a local server adds no Received line."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    head, text = f"From: {boris.address}\r\nSubject: kursk\r\n\r\n".encode(), turn(boris, game, 1)
    text = text.replace(b"\n", b"\r\n")
    imap.add(head + b"hello\r\n".rjust(padding * len(text)))
    if rounds == 2:
        anna.kursk("post")
    for _copy in range(2):
        imap.add(head + text)
    anna.kursk("post")
    assert turn(anna, game, 1) == turn(boris, game, 1)
    assert list((anna.home / "post" / "in").glob("*.eml")) == []


def test_T50_a_server_that_says_no_next_uid_is_looked_through_once(posted):
    """Courier does not give the next UID when a folder is opened."""
    anna, _boris, _game, imap, _smtp = posted
    examine = imap._examine
    imap.spoilt = lambda name, text: (
        [line for line in examine(text) if b"UIDNEXT" not in line] if name == "EXAMINE" else None
    )
    imap.add(b"Subject: hello\n\nkursk\n")
    anna.kursk("post", "fetch", told="1 new mail")
    assert "new mail" not in anna.kursk("post", "fetch")


def test_T49_a_mail_of_fifty_megabytes_is_not_fetched(posted):
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address, subject="huge") + b"x" * 9_000_000)
    imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post", "fetch", status=2, told="huge")
    made = mail_session.open_session(anna.home, lambda _question: "")
    imap.add(b"From: s@x.example\r\nSubject: [kursk 00000000]\r\n\r\n" + b"x" * 9_000_000)
    with made.mailbox() as client:
        assert len(made.fetch(client).faults) == 1
    assert [said for said in imap.said if "PEEK[]" in said] == ["UID FETCH 2 (BODY.PEEK[] INTERNALDATE)"]
    anna.kursk("inbox", told="message 1 of")


@pytest.mark.parametrize("tls", ["tls", "starttls"])
def test_letters_go_out_over_tls_alone(posted, certificates, tls):
    anna, boris, _game, _imap, _smtp = posted
    with Smtp(certificates, tls) as server:
        mail_servers.account(anna, certificates, None, server.port, tls=tls)
        anna.kursk("post", "send", "--unsent")
        assert [reader for _sender, reader, _raw in server.post.mails] == [anna.address, boris.address]
        assert server.post.logins == [("PLAIN", "anna")]


@pytest.mark.parametrize("kind", ["somebody else's certificate", "no TLS"])
def test_T47_who_is_not_the_server_gets_no_password(posted, certificates, tmp_path, kind):
    anna, _boris, _game, _imap, _smtp = posted
    (wrong := tmp_path / "wrong").mkdir()
    plain = kind == "no TLS"  # the server offers no STARTTLS, or an attacker removed the offer
    folder, tls = (certificates, "starttls") if plain else (mail_servers.write_certificates(wrong), "tls")
    with Smtp(folder, "none" if plain else "tls") as smtp, Imap(folder, tls=not plain) as imap:
        mail_servers.account(anna, certificates, imap.port, smtp.port, tls=tls)
        for words in (("post", "send", "--unsent"), ("post", "fetch")):
            anna.kursk(*words, status=2, told="STARTTLS" if plain else "certificate")
        assert (smtp.post.logins, "LOGIN" in imap.said) == ([], False)


def test_T58_the_password_is_in_no_file_and_no_words(posted, certificates, capsys, monkeypatch):
    """The server repeats the password in the refusal."""
    anna, _boris, _game, imap, smtp = posted
    imap.spoilt = lambda name, text: [b"NO no such login " + text.encode()] if name == "LOGIN" else None
    anna.kursk("post", status=2)
    smtp.post.__class__.__call__, kept = (
        lambda *_args: mail_servers.AuthResult(success=False, handled=False, message=f"535 not {PASSWORD}"),
        smtp.post.__class__.__call__,
    )
    try:
        anna.kursk("post", "send", "--unsent", status=2)
    finally:
        smtp.post.__class__.__call__ = kept
    said = capsys.readouterr()
    assert "localhost refuses the password of anna: check 'user'" in said.err
    assert PASSWORD not in said.err + said.out
    for path in anna.place.rglob("*"):
        if path.is_file() and path.name != "account.toml":  # its password-command contains the password
            assert PASSWORD.encode() not in path.read_bytes()


def test_a_letter_that_is_refused_is_told_and_sent_again_only_by_its_owner(posted):
    anna, boris, game, _imap, smtp = posted
    smtp.post.answers[boris.address] = "550 never"
    anna.kursk("post", "send", "--unsent", status=2, told="refused (550): never")
    smtp.post.answers.clear()
    anna.kursk("post", "send")
    assert smtp.post.mails == []
    anna.kursk("outbox", told=f"'kursk outbox --again {game[:8]}/0'")
    anna.kursk("outbox", "--again", f"{game[:8]}/0")
    anna.kursk("post", "send")
    ((_sender, _reader, raw),) = smtp.post.mails
    assert b".1@example.test>" in raw.partition(b"Message-ID: ")[2][:100]


def test_letters_go_out_by_a_program_of_ones_own(posted, certificates, tmp_path):
    """Programs like msmtp are called for each reader; exit status 75 defers the letter."""
    anna, boris, _game, _imap, _smtp = posted
    script = tmp_path / "msmtp"
    script.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/said; cat >> {tmp_path}/mail; exit $(cat {tmp_path}/status)\n'
    )
    script.chmod(0o755)
    mail_servers.account(anna, certificates, more=f'sendmail = "{script} -t"')
    for status, expected in (("75", 0), ("0", 0)):
        (tmp_path / "status").write_text(status)
        anna.kursk("post", "send", "--unsent", status=expected)
        if status == "75":
            with store.open_writing(anna.home) as rows:
                rows.execute("update delivery set at = '1926-07-01T00:00:00Z'")
    said = [f"-f {anna.address} -- {reader}" for reader in (anna.address, boris.address)]
    assert (tmp_path / "said").read_text().splitlines() == said * 2
    assert reader.read_thing((tmp_path / "mail").read_bytes(), "mail").turns[0].seq == 0


def test_what_came_from_an_address_on_file_is_looked_into(posted):
    """The mail has no word of ours in header or text; some servers cannot search texts."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.decoded = lambda _raw: b""
    packed = letter(turn(boris, game, 1), boris.address, subject="hi", how="base64")
    imap.add(packed)
    imap.add(letter(turn(boris, game, 1), "stranger@example.test", subject="hi", how="base64"))
    anna.kursk("post", "fetch")
    assert [said for said in imap.said if "PEEK[]" in said] == ["UID FETCH 1 (BODY.PEEK[] INTERNALDATE)"]
    anna.kursk("post", "fetch", "--all")
    anna.kursk("inbox")
    assert folders.message_path(anna.folder(game), 1).exists()
