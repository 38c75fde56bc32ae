"""``kursk post setup``: each account ends as a working account, or with a sentence that names the working way."""

import pytest
from helpers.mail_servers import PASSWORD, Imap

from kursk_pbem.post.wire import account

GMAIL = "NO [ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 (Failure)"
OUTLOOK = "NO AUTHENTICATE failed: basic authentication is disabled for this mailbox, use modern authentication"


@pytest.fixture
def carla(friends):
    (carla,) = friends("carla")
    return carla


@pytest.fixture
def servers(certificates, imap, smtp):
    """Return the options for two servers here, and the server for fetching."""
    there = ("--imap", f"localhost:{imap.port}", "--smtp", f"localhost:{smtp.port}")
    return (*there, "--ca-file", certificates / "ca.pem", "--yes"), imap


@pytest.mark.parametrize(
    ("domain", "refusal", "way", "command"),
    [
        ("gmail.com", GMAIL, "Gmail wants an app password, after you have turned on 2-step verification", "password"),
        ("firm.example", OUTLOOK, "This server wants an access token", "token"),
    ],
)
def test_after_a_refusal_the_named_way_makes_a_working_account(carla, servers, domain, refusal, way, command):
    """The program keeps what was typed, and shows the whole answer."""
    options, imap = servers
    imap.spoilt = lambda name, _text: [refusal.encode()] if name == "LOGIN" else None
    typed = ("--address", f"carla@{domain}", *options, "--password-command", "echo wrong")
    said = " ".join(carla.kursk("post", "setup", *typed, status=2).split())
    assert refusal.removeprefix("NO ") in said
    assert way in said
    assert "'kursk outbox --eml DIR'" in said
    assert not account.account_path(carla.home).exists()
    imap.spoilt = None if command == "password" else imap.spoilt
    again = ("--yes", f"--{command}-command", f"echo '{PASSWORD}'")
    carla.kursk("post", "setup", *again, told="connected to both servers")
    made = account.load_account(carla.home)
    assert (made.address, made.imap.port) == (f"carla@{domain}", imap.port)
    assert (made.token_command or made.password_command) == ("echo", PASSWORD)


@pytest.mark.parametrize(
    ("domain", "refusal", "way"),
    [
        ("hotmail.com", OUTLOOK, "Outlook.com takes no passwords and no app passwords"),
        ("gmx.de", "NO authentication failed", "GMX opens IMAP only after you have allowed it on the web page"),
        ("icloud.com", "NO [AUTHENTICATIONFAILED] Authentication failed", "iCloud wants an app-specific password"),
        ("yahoo.com", "NO [AUTHENTICATIONFAILED] LOGIN Invalid credentials", "Yahoo wants an app password"),
    ],
)
def test_a_refusal_names_the_way_that_works_at_the_provider(carla, servers, domain, refusal, way):
    """Outlook.com refuses app passwords, and the program advised to use one."""
    options, imap = servers
    imap.spoilt = lambda name, _text: [refusal.encode()] if name == "LOGIN" else None
    typed = ("--address", f"carla@{domain}", *options, "--password-command", "echo wrong")
    said = " ".join(carla.kursk("post", "setup", *typed, status=2).split())
    assert way in said
    assert refusal.removeprefix("NO ") in said
    assert ("'token-command' names a helper" in said) == (refusal == OUTLOOK)
    assert not account.account_path(carla.home).exists()


def test_a_bridge_with_an_own_certificate_names_the_option(carla, certificates, imap, capsys):
    typed = ("--imap", f"127.0.0.1:{imap.port}", "--password-command", f"echo '{PASSWORD}'", "--yes")
    carla.kursk("post", "setup", "--address", "carla@proton.me", *typed, status=2)
    assert "type HOST:PORT/none, or name its certificate with --ca-file" in " ".join(capsys.readouterr().err.split())
    with Imap(certificates, tls=False) as bridge:
        typed = ("--imap", f"127.0.0.1:{bridge.port}/none", "--password-command", f"echo '{PASSWORD}'", "--yes")
        carla.kursk("post", "setup", *typed, "--smtp", "", "--no-check")
    assert account.load_account(carla.home).imap.tls == account.NONE


def test_the_owner_names_another_folder_of_sent_mails(carla, servers):
    options, _imap = servers
    typed = ("--password-command", f"echo '{PASSWORD}'", "--sent-folder", "INBOX.Gesendet")
    carla.kursk("post", "setup", "--address", "carla@example.test", *options, *typed)
    assert account.load_account(carla.home).sent == "INBOX.Gesendet"
