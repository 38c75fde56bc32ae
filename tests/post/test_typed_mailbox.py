"""docs/referees.md: the ten lines that set up a mailbox, typed in a shell, with the mail servers of the tests."""

import sys

import pytest
from helpers.mail_servers import PASSWORD, Imap, Smtp
from helpers.screen import Shell
from helpers.typed_pages import list_blocks

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")]
END_OF_INPUT = "\x04"
"""Ctrl-D."""
BLOCKS = list_blocks("docs/referees.md")


def test_the_set_up_of_a_mailbox_is_typed_in_one_shell(certificates, tmp_path):
    """The commands of the tests stand for the installed commands; the page's servers and folder have other names."""
    ((export, password, keygen, setup, terms, once, status),) = BLOCKS
    with Imap(certificates) as imap, Smtp(certificates) as smtp:
        imap.sent = {}
        names = {
            "--imap mail.example.org": f"--imap localhost:{imap.port}",
            "--smtp mail.example.org": f"--smtp localhost:{smtp.port}",
            "/srv/referee": str(tmp_path),
        }
        for word, real in names.items():
            assert word in setup
            setup = setup.replace(word, real)
        path = f"{sys.prefix}/bin"
        shell = Shell(tmp_path, tmp_path, SSL_CERT_FILE=str(certificates / "ca.pem"), PATH=f"{path}:/usr/bin:/bin")
        shell.run(export)
        shell.type(password)
        shell.type(PASSWORD)
        shell.type("", END_OF_INPUT)
        shell.wait("ready ")
        for line in (keygen, setup, terms, once, status):
            said = shell.run(line)
        shell.close()
    assert "connected to both servers" in shell.said
    assert said.splitlines()[1:], shell.said
    assert "LOGIN" in imap.said
    assert (tmp_path / "private" / "post" / "referee.toml").exists()
