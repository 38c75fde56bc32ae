"""A server says nothing of the header of a mail that is there: it is asked for whole, and what is not given is told."""

from dataclasses import replace
from email.message import EmailMessage

import pytest
from helpers import sweeps
from helpers.mail_servers import PASSWORD
from helpers.mailbags import letter, turn
from helpers.refereed_mail import ends_by_itself

from kursk_pbem.post import arrival
from kursk_pbem.post.servers import account as accounts
from kursk_pbem.post.servers import imap as fetching
from kursk_pbem.post.servers import structures
from kursk_pbem.post.servers.account import Server
from kursk_pbem.post.servers.password import Secret

STRANGER = b"From: s@x.example\r\nSubject: a\r\n\r\nhello\r\n"
HEADERS = {"nil": b"BODY[HEADER]<0> NIL)", "empty": b'BODY[HEADER]<0> "")', "another": b"FLAGS ())", "nothing": b""}


def hiding(imap, how, *, body):
    """Of mail 2 no header is given, and nothing is found in it; ``body``: it is given when it is asked for whole."""
    real = type(imap)._uid_fetch

    def spoilt(name, text):
        if name == "UID SEARCH" and "BODY" in text:
            return [b"* SEARCH", b"OK done"]
        if name != "UID FETCH" or ("HEADER" not in text and body):
            return None
        if "HEADER" not in text:
            return [b"* 2 FETCH (UID 2 BODY[] NIL)", b"OK done"]
        told = []
        for line in real(imap, text):
            if b"UID 2 " not in line:
                told.append(line)
            elif HEADERS[how]:
                told.append(line[: line.index(b"BODY[HEADER]")] + HEADERS[how])
        return told

    imap.spoilt = spoilt


def test_T50_so_it_is_where_a_blank_mail_came_before(posted, capsys):
    """All mails whose header was not given were known then."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    imap.add(b"\r\n")
    anna.kursk("post")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    hiding(imap, "nil", body=True)
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


@pytest.mark.parametrize("body", [True, False])
@pytest.mark.parametrize("how", sweeps.some([*HEADERS], 2))
def test_T50_a_mail_without_a_header_is_asked_for_and_told(posted, how, body, capsys):
    """The mail was looked at and not worth a look, for good."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    imap.add(STRANGER)
    imap.add(letter(turn(boris, game, 1), boris.address))
    hiding(imap, how, body=body)
    anna.kursk("post", status=0 if body else 2)
    assert (anna.folder(game) / "0001.yaml").exists() == body
    assert ("the server did not give it" in capsys.readouterr().err) == (not body)
    anna.kursk("post")


def test_T50_a_mail_that_is_gone_meanwhile_is_told_by_nobody(posted, capsys):
    """Its owner has moved it away while the others were asked for."""
    anna, _boris, _game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    imap.add(STRANGER)
    imap.add(STRANGER)
    real = type(imap)._uid_fetch

    def spoilt(name, text):
        if name != "UID FETCH" or "HEADER" not in text:
            return None
        del imap.mails[2]
        return [line for line in real(imap, text) if b"UID 2 " not in line]

    imap.spoilt = spoilt
    anna.kursk("post", status=0)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("answer", [b"", b"* 1 FETCH (UID 1 FLAGS ())"])
def test_T50_a_mail_whose_structure_is_not_given_is_asked_for(posted, answer):
    """What it is made of was not known, and it was not worth a look."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), "new@x.example"))
    imap.decoded = lambda _raw: b""
    imap.spoilt = lambda name, text: (
        [*filter(None, [answer]), b"OK done"] if name == "UID FETCH" and "STRUCTURE" in text else None
    )
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


def test_2_12_a_mail_whose_header_is_not_given_ends_no_game_by_itself(owed, certificates, imap):
    imap.add(STRANGER)
    imap.add(letter(turn(owed.boris, owed.game, 3), owed.boris.address))
    hiding(imap, "nil", body=False)
    errand = owed.director.errand
    server = Server("localhost", imap.port, accounts.TLS, "ref")
    account = errand.account = replace(errand.account, imap=server, ca_file=certificates / "ca.pem", days=3660)
    with fetching.connected(account, account.imap, Secret(PASSWORD)) as client:
        errand.fetch(client)
    owed.director.post()
    assert not ends_by_itself(owed)


@pytest.mark.parametrize(
    ("where", "what"), [(structures, "hidden"), (structures, "may_hold"), (structures, "names"), (arrival, "of")]
)
def test_T49_what_a_library_fails_at_is_fetched_all_the_same(posted, monkeypatch, where, what, capsys):
    """The fetch ended there, and each one after it."""

    def fails(*_of):
        raise IndexError(what)

    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    monkeypatch.setattr(where, what, fails)
    boris.sign(game)
    imap.add(made_of_parts())
    imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


def made_of_parts():
    made = EmailMessage()
    made["From"], made["Subject"] = "s@x.example", "a"
    made.set_content("Look at this.\n")
    made.add_attachment(b"PK\x03\x04", "application", "zip", filename="kursk.zip")
    return made.as_bytes()
