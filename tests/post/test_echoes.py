"""A server echoes the password: nobody is shown it, in whatever form."""

import base64
import binascii
import urllib.parse

import pytest
from helpers import mail_servers

from kursk_pbem.post.servers import account
from kursk_pbem.post.servers.password import Secret

DIRE = 'pa"ss\\word \u00e9 7'
ECHOES = {
    "as it is": DIRE,
    "quoted as IMAP does": DIRE.replace("\\", "\\\\").replace('"', '\\"'),
    "as bytes": repr(DIRE.encode()),
    "over two lines": DIRE[:6] + "\r\n" + DIRE[6:],
    "cut off": DIRE[:-3],
    "AUTH PLAIN": base64.b64encode(f"\0anna\0{DIRE}".encode()).decode(),
    "AUTH PLAIN with a name of another length": base64.b64encode(f"\0an\0{DIRE}".encode()).decode(),
    "AUTH LOGIN": base64.b64encode(DIRE.encode()).decode(),
    "as in an address": urllib.parse.quote(DIRE),
    "in capitals": DIRE.upper(),
    "in digits": DIRE.encode().hex(),
    "as in a mail": binascii.b2a_qp(DIRE.encode()).decode(),
}


@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES)
def test_T58_no_echo_of_the_password_is_shown(echo):
    told = Secret(DIRE).washed(f"what is {echo}?")
    assert told in ("what is ***?", "***")


def test_T58_no_echo_of_a_password_of_marks_is_shown():
    assert Secret('x\\7$"!?%-').washed('535 LOGIN anna "X\\\\7$\\"!?%-"') == "***"


def test_T58_what_is_no_echo_is_shown():
    assert Secret("correct horse").washed("535 this is not correct") == "535 this is not correct"
    assert Secret("ab").washed("535 a b c") == "535 a b c"


@pytest.mark.parametrize("command", ["post", "post --as-sent"])
def test_T58_a_password_that_no_server_understands_shows_no_letter_of_itself(posted, capsys, command):
    """The library said the letter, and where in the password it stands."""
    anna = posted[0]
    path = account.path_of(anna.home)
    path.write_text(path.read_text().replace(mail_servers.PASSWORD, "Gr\u00fc\u00dfe"), "utf-8")
    anna.kursk(*command.split(), status=2)
    told = capsys.readouterr().err
    assert "set one of plain letters" in told
    assert not any(mark in told for mark in ("\u00fc", "xfc", "position"))
