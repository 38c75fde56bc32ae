"""Connections without TLS: answers to a letter, and cuts at each part of a dialogue: no mail is refused or lost."""

import threading

import pytest
from helpers.mail_servers import PASSWORD, Imap, Proxy, Smtp

from kursk_pbem.post.mailbox import spool
from kursk_pbem.post.round import fetch
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire import imap, smtp
from kursk_pbem.post.wire.account import Account, Server
from kursk_pbem.post.wire.password import Secret
from kursk_pbem.post.wire.smtp import DOUBT, SENT, UnreachableError

RAW = b"Subject: [kursk 1a2b3c4d] hi\r\nFrom: boris@example.test\r\n\r\n.a dot\r\n"
SECRET = Secret(PASSWORD)


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """Shorten all timeouts."""
    for module in (imap, smtp):
        monkeypatch.setattr(module, "TIMEOUT", 5)


def account(imap_port=None, smtp_port=None):
    here = [Server("localhost", port, accounts.NONE, "anna") if port else None for port in (imap_port, smtp_port)]
    return Account("anna@example.test", *here, days=3660)


def sent(port):
    """Return the result of one letter to one reader; '' without a connection."""
    said = account(smtp_port=port)
    try:
        mailer = smtp.connect_smtp(said, said.smtp, SECRET)
    except UnreachableError:
        return ""
    state = mailer.send(RAW, "anna@example.test", "boris@example.test").state
    mailer.close()
    return state


def fetched(home, port):
    """Return whether one fetch succeeded."""
    said = account(imap_port=port)
    try:
        mailbox = imap.Mailbox(said, said.imap, SECRET)
    except UnreachableError:
        return False
    got = fetch.fetch_mails(home, said, mailbox, ())
    mailbox.close()
    return got.stopped is None


def cuts(port, *, up, run):
    """Yield the results of ``run`` for connections cut at a few bytes of each line and at both ends."""
    with Proxy(port, None, up=up) as proxy:
        run(proxy.port)
    places, at = {0, len(proxy.passed) + 1}, 0
    for line in proxy.passed.splitlines(keepends=True):
        places |= {at + 1, at + len(line) // 2, at + len(line) - 1, at + len(line)}
        at += len(line)
    for at in sorted(places):
        with Proxy(port, at, up=up) as proxy:
            yield run(proxy.port)


@pytest.mark.parametrize(
    ("command", "answer", "state"),
    [("RCPT", "550 no", smtp.REFUSED), ("DATA", "421 later", smtp.LATER), ("DATA", "552 full", smtp.REFUSED)],
)
def test_what_a_server_answers_to_a_letter(certificates, command, answer, state):
    with Smtp(certificates, "none") as server:
        server.post.at_data = [answer] if command == "DATA" else []
        server.post.answers = {"boris@example.test": answer} if command == "RCPT" else {}
        assert sent(server.port) == state


@pytest.mark.long
@pytest.mark.parametrize("up", [True, False])
def test_T48_a_letter_whose_line_is_cut_is_sent_or_in_doubt(certificates, up):
    states = set()
    with Smtp(certificates, "none") as server:
        for state in cuts(server.port, up=up, run=lambda port: server.post.mails.clear() or sent(port)):
            arrived = [raw for _sender, _reader, raw in server.post.mails]
            assert (arrived == [RAW] and state in {DOUBT, SENT}) or (arrived == [] and state in {"", DOUBT})
            states.add(state)
    assert {"", DOUBT, SENT} <= states


@pytest.mark.long
@pytest.mark.parametrize("up", [True, False])
def test_T48_what_is_new_is_fetched_once_whenever_the_line_was_cut(certificates, tmp_path, up):
    homes = []

    def run(port):
        homes.append(tmp_path / str(len(homes)))
        return fetched(homes[-1], port)

    with Imap(certificates, tls=False) as server:
        server.add(RAW)
        server.add(RAW.replace(b"hi", b"ho"))
        through = []
        for done in cuts(server.port, up=up, run=run):
            through.append(done)
            assert fetched(homes[-1], server.port)
            assert sorted(mail.subject[-2:] for mail in spool.Spool(homes[-1]).mails()) == ["hi", "ho"]
    assert (through[0], through[-1]) == (False, True)


def test_idle_wakes_when_something_comes_and_polling_does_without(certificates, monkeypatch):
    slept = []
    monkeypatch.setattr("kursk_pbem.desk.ground.clock.sleep", slept.append)
    for idle in (True, False):
        with Imap(certificates, tls=False, idle=idle) as server:
            said = account(imap_port=server.port)
            mailbox = imap.Mailbox(said, said.imap, SECRET)
            threading.Timer(0.3, server.add, (RAW,)).start()
            mailbox.wait(60, lambda: len(slept) > 9)
            mailbox.wait(90, lambda idle=idle: idle or len(slept) > 4)  # another window has worked
            mailbox.close()
            assert ("IDLE" in server.said) == idle
    assert all(3 < seconds <= 5 for seconds in slept[:2])  # an immediate error must not make the program spin
    assert slept[2:] == [30, 30, 30]
