"""A line that is cut after any byte, in either direction: what arrived is never called refused, what is new is fetched.

The dialogue is in the clear here, so that each byte of it can be told; behind TLS the same code runs.
"""

import threading

import pytest
from helpers import mail_servers
from helpers.mail_servers import PASSWORD, Imap, Proxy, Smtp

from kursk_pbem.post.mailbox import spool
from kursk_pbem.post.round import fetch
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire import imap, smtp
from kursk_pbem.post.wire.account import Account, Server
from kursk_pbem.post.wire.password import Secret
from kursk_pbem.post.wire.smtp import DOUBT, REFUSED, SENT, UnreachableError


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    """Where nobody answers, nobody waits long."""
    for module in (imap, smtp):
        monkeypatch.setattr(module, "TIMEOUT", 5)


RAW = b"Subject: hello\r\n\r\n.a dot\r\nand more\r\n"
SECRET = Secret(PASSWORD)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    return mail_servers.certificates(tmp_path_factory.mktemp("tls"))


def account(imap_port=None, smtp_port=None):
    here = [Server("localhost", port, accounts.NONE, "anna") if port else None for port in (imap_port, smtp_port)]
    return Account("anna@example.test", *here, days=3660)


def attempt(port):
    """One letter to one reader; what came of it, '' where no connection came about."""
    said = account(smtp_port=port)
    try:
        mailer = smtp.connect(said, said.smtp, SECRET)
    except UnreachableError:
        return ""
    state = mailer.send(RAW, "anna@example.test", "boris@example.test").state
    mailer.close()
    return state


@pytest.mark.long
@pytest.mark.parametrize("up", [True, False])
def test_T48_smtp_cut_after_every_byte(certificates, up):
    states = []
    with Smtp(certificates, "none") as server:
        for at in range(2000):
            server.post.mails.clear()
            with Proxy(server.port, at, up=up) as proxy:
                state = attempt(proxy.port)
            arrived = [raw for _sender, _reader, raw in server.post.mails]
            assert state != REFUSED, at
            assert state in (SENT, DOUBT) or not arrived, at
            assert state != SENT or arrived, at
            assert len(arrived) <= 1
            assert all(raw == RAW for raw in arrived)
            states.append(state)
            if state == SENT and states.count(SENT) > 30:
                break
    assert {"", DOUBT, SENT} <= set(states)


def fetched(home, port):
    """One fetch; whether it went through."""
    said = account(imap_port=port)
    try:
        mailbox = imap.Mailbox(said, said.imap, SECRET)
    except UnreachableError:
        return False
    got = fetch.fetch(home, said, mailbox, ())
    mailbox.close()
    return got.stopped is None


MAIL = b"Subject: [kursk 1a2b3c4d] hi\r\nFrom: boris@example.test\r\n\r\nhello\r\n"


def cuts(passed):
    """Where a dialogue is cut: before and behind it; in a line behind the first byte, half-way, around its LF."""
    places, at = {0, len(passed) + 1}, 0
    for line in passed.splitlines(keepends=True):
        places |= {at + 1, at + len(line) // 2, at + len(line) - 1, at + len(line)}
        at += len(line)
    return sorted(places)


@pytest.mark.long
@pytest.mark.parametrize("up", [True, False])
def test_T48_imap_cut_after_every_class_of_byte(certificates, tmp_path, up):
    """What is new is in the spool once, whenever the line was cut before."""
    with Imap(certificates, tls=False) as server:
        server.add(b"From: s@x.example\r\nSubject: news\r\n\r\nnothing\r\n")
        server.add(MAIL)
        server.add(MAIL.replace(b"hi", b"ho"))
        with Proxy(server.port, None, up=up) as proxy:
            assert fetched(tmp_path / "whole", proxy.port)
        through = []
        for at in cuts(proxy.passed):
            home = tmp_path / f"{up}{at}"
            with Proxy(server.port, at, up=up) as proxy:
                through.append(fetched(home, proxy.port))
            assert fetched(home, server.port), at
            kept = [mail.subject for mail in spool.Spool(home).mails()]
            assert sorted(kept) == ["[kursk 1a2b3c4d] hi", "[kursk 1a2b3c4d] ho"], at
        assert len(through) > 30
        assert not through[0]
        assert through[-1]


def test_idle_wakes_when_something_comes_and_polling_does_without(certificates, monkeypatch):
    slept = []
    monkeypatch.setattr("kursk_pbem.desk.clock.rest", slept.append)
    for idle in (True, False):
        with Imap(certificates, tls=False, idle=idle) as server:
            said = account(imap_port=server.port)
            mailbox = imap.Mailbox(said, said.imap, SECRET)
            threading.Timer(0.3, server.add, (MAIL,)).start()
            mailbox.wait(60)
            mailbox.close()
            assert ("IDLE" in server.said) == idle
    assert 3 < slept[0] < 5  # a server that says so at once makes no program spin
    assert slept[1:] == [60]
