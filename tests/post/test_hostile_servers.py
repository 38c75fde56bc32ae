"""Servers that say what no server should: a round tells it, no mail is lost, and no password is shown."""

import base64
import contextlib
import socket
import threading
import time

import pytest
from helpers import mail_servers, sweeps
from helpers.mail_servers import PASSWORD
from helpers.mailbags import foreign, letter, turn

from kursk_pbem.desk import clock
from kursk_pbem.post import errand, watching
from kursk_pbem.post.wire import account, fetching, smtp
from kursk_pbem.post.wire.password import Secret

STRANGER = b"From: s@x.example\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\nhello\r\n--a--\r\n"


@pytest.fixture
def met(posted):
    """Boris has written message 1; it is in Anna's mailbox, after a stranger's mail."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    imap.add(STRANGER)
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), "new@x.example"))
    imap.decoded = lambda _raw: b""  # the server finds nothing by a search in texts
    return anna, game, imap


def closing(uid, part):
    """Close the connection when something is asked about one mail."""

    def spoilt(name, text):
        if name == "UID FETCH" and part in text and str(uid) in text.split(" ")[2].split(","):
            raise OSError

    return spoilt


@pytest.mark.parametrize(("part", "told"), [("HEADER", 1), ("BODYSTRUCTURE", 0), ("PEEK[]", 1)])
def test_T49_a_mail_at_which_the_server_breaks_off_keeps_out_no_other(met, part, told, capsys):
    """A mail whose structure breaks the connection is fetched without a look at its structure."""
    anna, game, imap = met
    if part == "PEEK[]":
        imap.add(STRANGER.replace(b"s@x.example", b"boris@example.test"), uid=1)
    imap.spoilt = closing(1, part)
    for _round in range(1 + told):
        assert "breaks off each time" not in capsys.readouterr().err
        anna.kursk("post", status=2 * told)
        assert (anna.folder(game) / "0001.yaml").exists()
    assert capsys.readouterr().err.count("breaks off each time it is asked for this mail (UID 1)") == told
    anna.kursk("post")


def test_T49_a_server_that_always_breaks_off_skips_no_mail(met, capsys):
    anna, game, imap = met

    def spoilt(name, _text):
        if name == "UID FETCH":
            raise OSError

    for _number in range(30):
        imap.add(STRANGER)
    imap.spoilt = spoilt
    for _round in range(3):
        anna.kursk("post", status=2)
    assert "broke off 26 times in one round" in capsys.readouterr().err
    imap.spoilt = None
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


LINES = {
    "a literal of 10 PB": ("UID FETCH", "PEEK[]", b"* 2 FETCH (UID 2 BODY[] {9999999999999999}\r\nabc)", b"OK done"),
    "lines without end": ("EXAMINE", "", *[b"* OK " + b"x" * 900_000] * 80, b"OK done"),
    "lines before the login": ("CAPABILITY", "", *[b"* OK " + b"x" * 900_000] * 80, b"OK done"),
    "brackets without end": ("UID SEARCH", "", b"* SEARCH 1 " + b"(" * 3000, b"BAD done"),
    "a header that is a number": ("UID FETCH", "HEADER", b"* 1 FETCH (UID 1 BODY 5", b"OK done"),
    "a body that is none": ("UID FETCH", "PEEK[]", b"* 2 FETCH (UID 2 BODY[] NIL)", b"OK done"),
    "another mail's body": ("UID FETCH", "PEEK[]", b"* 2 FETCH (UID 77 BODY[] {3}\r\nabc)", b"OK done"),
}


@pytest.mark.parametrize("what", sweeps.some(LINES, 5))
def test_T27_nonsense_of_a_server_is_told(met, what, capsys):
    anna, _game, imap = met
    command, part, *lines = LINES[what]
    imap.spoilt = lambda name, text: lines if name == command and part in text else None
    anna.kursk("post", status=2)
    told = capsys.readouterr().err
    assert "broke off" in told or "did not give it" in told or "breaks off" in told, told
    assert "fault of the program" not in told


ANSWERS = {
    "a search in several lines": ("UID SEARCH", [b"* SEARCH 1", b"* SEARCH 2", b"OK done"]),
    "a search with MODSEQ": ("UID SEARCH", [b"* SEARCH 1 2 (MODSEQ 917162500)", b"OK done"]),
    "a number that no mail has": ("UID SEARCH", [b"* SEARCH 1 2 99999999999 4294967295", b"OK done"]),
    "no search in texts": ("TEXT", [b"NO not here"]),
    "no UIDVALIDITY": ("EXAMINE", [b"* 2 EXISTS", b"OK done"]),
    "a next number that no mail has": ("EXAMINE", [b"* OK [UIDVALIDITY 1]", b"* OK [UIDNEXT 9999999999]", b"OK done"]),
}


@pytest.mark.parametrize("what", ANSWERS)
def test_T50_unusual_answers_hide_no_mail(met, what):
    anna, game, imap = met
    command, lines = ANSWERS[what]
    imap.spoilt = lambda name, text: lines if name == command or (command == "TEXT" and command in text) else None
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


PICTURE = b'("image" "jpeg" ("name" "a.jpg") NIL NIL "base64" 9)'
TEXT = b'("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 1 1)'
FILES = {
    TEXT: False,
    b"(" + TEXT + PICTURE + b' "mixed")': False,
    b"((" + TEXT + PICTURE + b' "related")' + PICTURE + b' "mixed")': False,
    b"(" + TEXT + b'("application" "octet-stream" ("name" "0001.yaml") NIL NIL "base64" 9) "mixed")': True,
    b"(" + TEXT + b'("text" "plain" ("name" "0001.yaml") NIL NIL "base64" 9 1) "mixed")': True,
    b"NIL": True,
    b"7": True,
    b"(" * 3000 + TEXT + b")" * 3000: True,
    b"(" + b'("text" "plain" ("name" "%b") NIL NIL "7bit" 1 1)' % (b"x" * 2_000_000) + b' "mixed")': True,
    b"(" + b'("text" "plain" ("n" {3}\r\nabc) NIL NIL "7bit" 1 1)' * 20_000 + b' "mixed")': True,
}


@pytest.mark.parametrize(("structure", "fetched"), FILES.items(), ids=range(len(FILES)))
def test_T27_strangers_mails_are_fetched_for_their_files_and_cost_little(met, structure, fetched):
    anna, game, imap = met
    imap.spoilt = lambda _name, text: (
        [b"* 1 FETCH (UID 1 BODYSTRUCTURE " + structure + b")", b"OK done"] if "BODYSTRUCTURE" in text else None
    )
    began = time.process_time()
    anna.kursk("post", "fetch")
    assert time.process_time() - began < 4
    bodies = [said.split(" ")[2].split(",") for said in imap.said if "PEEK[]" in said]
    assert any("1" in uids for uids in bodies) == fetched
    anna.kursk("inbox")
    assert (anna.folder(game) / "0001.yaml").exists()


def test_T50_the_last_look_is_one_that_came_to_the_end(met):
    """After a month away a round breaks off; the next one begins where the last whole look ended."""
    anna, _game, imap = met
    path = account.path_of(anna.home)
    path.write_text(path.read_text("utf-8").replace("days = 3660", "days = 14"), "utf-8")
    with clock.fixed("2026-08-01T00:00:00Z"):
        anna.kursk("post")
    for number in range(2):
        imap.validity = 100 + number
        imap.spoilt = None if number else lambda name, _text: [b"BAD no"] if name == "UID FETCH" else None
        with clock.fixed("2026-09-01T00:00:00Z"):
            anna.kursk("post", status=0 if number else 2)
    assert [said for said in imap.said if "SINCE" in said][-1] == "UID SEARCH SINCE 31-Jul-2026"


def test_a_header_that_is_none_stops_no_setting_up(met):
    anna, _game, imap = met
    imap.spoilt = lambda _name, text: (
        [b"* 1 FETCH (UID 1 BODY[HEADER]<0> NIL)", b"OK done"] if "HEADER" in text else None
    )
    assert watching.try_out(errand.begin(anna.home, str)) == []


def test_a_number_that_is_another_mails_by_now_moves_nothing(posted, certificates):
    anna, boris, game, imap, smtp_server = posted
    mail_servers.account(anna, certificates, imap.port, smtp_server.port, more='after = "folder Kursk"')
    boris.sign(game)
    uid = imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post", "fetch")
    imap.validity, imap.mails = 7, {uid + 1: imap.mails[uid]}
    imap.add(foreign(1), uid=uid)
    anna.kursk("post", "--as-sent")
    assert turn(anna, game, 1) == turn(boris, game, 1)
    assert imap.moved == {}


ECHOES = [
    PASSWORD,
    base64.b64encode(PASSWORD.encode()).decode(),
    base64.b64encode(f"\0anna\0{PASSWORD}".encode()).decode(),
]


@pytest.mark.parametrize("echo", ECHOES)
def test_T58_no_echo_of_the_password_is_shown(echo):
    assert "***" in (said := Secret(PASSWORD).washed(f"535 not {echo}, anna"))
    assert PASSWORD not in said
    assert echo not in said


def test_T58_a_password_that_no_server_understands_shows_no_letter_of_itself(posted, capsys):
    anna, *_rest = posted
    path = account.path_of(anna.home)
    path.write_text(path.read_text("utf-8").replace(PASSWORD, "p\u00e4ssword"), "utf-8")
    anna.kursk("post", "fetch", status=2)
    said = capsys.readouterr().err
    assert "has letters that cannot be said to a server" in said
    assert "\\xe4" not in said


USUAL = {b"EHLO": b"250-x\r\n250-AUTH PLAIN\r\n250 SIZE", b"AUTH": b"235 in", b"DATA": b"354 go", b"QUIT": b"221 bye"}


class Liar:
    """An SMTP server for one dialogue, over TLS; ``answers`` by command, ``.`` for the end of a letter. ``said``."""

    def __init__(self, folder, answers):
        self.answers, self.said = {**USUAL, **answers}, []
        self.context = mail_servers.server_context(folder)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        threading.Thread(target=self._talk, daemon=True).start()

    def _talk(self):
        with contextlib.suppress(OSError), self.listening:
            near, _address = self.listening.accept()
            with self.context.wrap_socket(near, server_side=True) as line:
                line.sendall(self.answers.get(b"", b"220 hello") + b"\r\n")
                quiet = False
                for words in line.makefile("rb"):
                    quiet = quiet and words != b".\r\n"
                    if quiet:
                        continue
                    name = words.strip() if words.strip() == b"." else words[:4].upper()
                    self.said.append(name)
                    answer = self.answers.get(name, b"250 ok")
                    quiet = name == b"DATA" and answer.startswith(b"354")
                    line.sendall(answer + b"\r\n")


def connect(certificates, server):
    said = account.Account("anna@example.test", None, None, ca_file=str(certificates / "ca.pem"))
    return smtp.connect(said, account.Server("localhost", server.port, account.TLS, "anna"), Secret(PASSWORD))


ENDLESS = b"250-and so on\r\n" * 20_000 + b"250 ok"
SENDING = [
    ({b"DATA": b"250 ok"}, smtp.DOUBT),
    ({b"DATA": b"451 later"}, smtp.LATER),
    ({b"MAIL": b"450 later"}, smtp.LATER),
    ({b"RCPT": b"550 no"}, smtp.REFUSED),
    ({b".": b"250 ok"}, smtp.SENT),
    ({b".": b"421 later"}, smtp.LATER),
    ({b".": b"552 full"}, smtp.REFUSED),
    ({b".": b"-1"}, smtp.DOUBT),
    ({b".": ENDLESS}, smtp.DOUBT),
    ({b"MAIL": ENDLESS}, smtp.DOUBT),
    ({b"EHLO": b"250-x\r\n250-AUTH PLAIN\r\n250 SIZE abc"}, smtp.SENT),
]


@pytest.mark.parametrize(("answers", "state"), SENDING)
def test_what_a_server_answers_to_a_letter(certificates, answers, state):
    server = Liar(certificates, answers)
    mailer = connect(certificates, server)
    answer = mailer.send(b"Subject: x\r\n\r\nhello\r\n", "anna@example.test", "b@example.test")
    mailer.close()
    assert answer.state == state
    assert b"SUBJ" not in server.said


LOGINS = {
    b"535 wrong": "localhost refuses the password of anna: check 'user'",
    b"454 busy": "nobody can log in for sending: .*busy",
    b"334 \xff": "nobody can log in for sending",
}


@pytest.mark.parametrize("said", LOGINS)
def test_a_login_that_fails_is_told_in_a_sentence(certificates, said):
    server = Liar(certificates, {b"AUTH": said})
    with pytest.raises(smtp.UnreachableError, match=LOGINS[said]):
        connect(certificates, server)


def test_a_greeting_without_end_is_not_kept(certificates):
    server = Liar(certificates, {b"": b"220-and so on\r\n" * 20_000 + b"220 ok"})
    with pytest.raises(smtp.UnreachableError, match="too long"):
        connect(certificates, server)


def test_the_time_of_the_server_comes_with_each_mail(met):
    anna, _game, imap = met
    imap.add(b"From: s@x.example\r\nSubject: [kursk 1a2b3c4d] hi\r\n\r\nhello\r\n", "03-Jul-2026 12:00:00 +0200")
    made = errand.begin(anna.home, str)
    with made.mailbox() as mailbox:
        today = fetching.date(2026, 7, 4)
        batches = list(fetching.fetch(mailbox, fetching.Cursor(), today, lambda _head: True, today))
    assert [mail.internal for batch in batches for mail in batch.mails][-1] == "2026-07-03T10:00:00Z"
