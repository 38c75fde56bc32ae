"""Servers that say what no server should: a round of post breaks off in words, and the next one loses nothing."""

import contextlib
import re
import socket
import threading

import pytest
from helpers import mail_servers, sweeps
from helpers.mail_servers import PASSWORD
from helpers.mailbags import foreign, letter, turn

from kursk_pbem.post.servers import account, smtp
from kursk_pbem.post.servers import line as servers_line
from kursk_pbem.post.servers.password import Secret

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


@pytest.mark.parametrize("structure", sweeps.some([LONG, DEEP, b"NIL", b"()", b"7", b"(NIL (() ()))", b'(("x"'], 3))
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


A_LITERAL = b'("text" "plain" ("name" {3}\r\nabc) NIL NIL "7bit" 1 1)'


@pytest.mark.parametrize("over", ["a structure", "a search"])
def test_T49_a_mail_that_an_honest_server_cannot_speak_of_stops_two_rounds(met, over, monkeypatch, capsys):
    """Every round broke off at it, and what came behind was never taken: 5 MB of a stranger's were enough."""
    anna, game, imap = met
    monkeypatch.setattr(servers_line, "MOST_WORDS", 100_000)

    def spoilt(name, text):
        if over == "a search" and name == "UID SEARCH" and "BODY" in text:
            raise OSError  # it cuts the line
        of_stranger = b"* 1 FETCH (UID 1 BODYSTRUCTURE (" + A_LITERAL * 1000 + b' "mixed"))'
        return [of_stranger, b"OK done"] if over == "a structure" and "BODYSTRUCTURE" in text else None

    imap.spoilt = spoilt
    for _round in range(2):  # a line may be cut by chance, too
        anna.kursk("post", status=2)
        assert "localhost broke off" in capsys.readouterr().err
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


def posts(friend, statuses, capsys):
    """Rounds of post with these statuses; what was complained of."""
    for status in statuses:
        friend.kursk("post", status=status)
    return capsys.readouterr().err


@pytest.mark.parametrize("following", [b"4294967296", b"9999999999999999999"])
def test_T50_a_next_number_that_no_mail_can_have_hides_no_later_mail(met, following, capsys):
    anna, game, imap = met
    turns, imap.mails = imap.mails, {}
    for cursor in (anna.home / "post" / "in").rglob("INBOX.json"):
        cursor.unlink()
    answer = [b"* 0 EXISTS", b"* OK [UIDVALIDITY 1]", b"* OK [UIDNEXT %b]" % following, b"OK done"]
    imap.spoilt = lambda name, _text: answer if name == "EXAMINE" else None
    posts(anna, [0], capsys)
    imap.spoilt, imap.mails = None, turns
    posts(anna, [0], capsys)
    assert (anna.folder(game) / "0001.yaml").exists()


def test_T50_a_server_without_a_number_of_its_numbers_hides_no_mail(met, capsys):
    """It gave its mails other numbers in the next session: those below the last one were never looked at."""
    anna, game, imap = met
    turns, imap.mails, imap.validity = imap.mails, {}, 0
    imap.add(b"Subject: hello\r\n\r\nhi\r\n", uid=700)
    posts(anna, [0], capsys)
    imap.mails = turns
    posts(anna, [0], capsys)
    assert (anna.folder(game) / "0001.yaml").exists()


def test_of_a_new_account_what_came_before_its_days_is_not_looked_at_later(posted):
    """Where nothing had come within them the next round went through all that had ever come."""
    anna, _boris, _game, imap, _smtp = posted
    imap.add(b"Subject: hello\r\n\r\nhi\r\n", uid=7)
    imap.spoilt = lambda name, text: [b"* SEARCH", b"OK done"] if name == "UID SEARCH" and "SINCE" in text else None
    anna.kursk("post", "fetch")
    anna.kursk("post", "fetch")
    assert [said for said in imap.said if "SEARCH" in said][-1].endswith("UID SEARCH UID 8:*")


def test_mails_that_a_server_calls_short_keep_out_none_behind_them(met, monkeypatch, capsys):
    anna, game, imap = met
    monkeypatch.setattr(servers_line, "MOST_KEPT", 100_000)
    long, real = b"From: boris@example.test\r\nSubject: hello\r\n\r\n" + b"x" * 150_000, type(imap)._uid_fetch
    turns, imap.mails = imap.mails, {}
    for raw in (long, long + b"y", *(raw for raw, _when in turns.values())):
        imap.add(raw)
    imap.spoilt = lambda name, text: (
        [re.sub(rb"SIZE 150\d+", b"SIZE 99", line) for line in real(imap, text)] if name == "UID FETCH" else None
    )
    told = posts(anna, [2] * 7, capsys)
    assert [f"(UID {uid}), which is passed by" in told for uid in (1, 2, 3)] == [True, True, False]
    assert (anna.folder(game) / "0001.yaml").exists()


BROKEN = {
    "a literal of 10 PB": ("UID FETCH", "PEEK[]", b"* 2 FETCH (UID 2 BODY[] {9999999999999999}\r\nabc)", b"OK done"),
    "a literal beyond numbers": ("UID FETCH", "PEEK[]", b"* 2 FETCH (UID 2 BODY[] {9223372036854775808}", b"OK done"),
    "words without end": ("EXAMINE", "", *[b"* OK " + b"x" * 900_000] * 80, b"OK done"),
    "brackets without end": ("UID SEARCH", "", b"* SEARCH 1 " + b"(" * 3000 + b")" * 3000, b"OK done"),
    "words without end before the login": ("CAPABILITY", "", *[b"* OK " + b"x" * 900_000] * 30, b"OK done"),
    "a literal before the login": ("CAPABILITY", "", b"* CAPABILITY {9999999999999999}", b"OK done"),
    "small lines without end": ("EXAMINE", "", *[b"* 1 EXISTS"] * 80_000, b"OK done"),
    "a header that is a number": ("UID FETCH", "HEADER", b"* 1 FETCH (UID 1 BODY 5)", b"OK done"),
}


@pytest.mark.parametrize("broken", sweeps.some(BROKEN, 5))
def test_a_server_that_talks_nonsense_stops_that_round_alone(met, broken, capsys):
    anna, game, imap = met
    imap.spoilt = answering(*BROKEN[broken])
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


@pytest.mark.parametrize("said", [b"UID 77 BODY[] {3}\r\nabc", b"UID 2 FLAGS ()"])
def test_a_mail_that_the_server_gives_as_another_is_told(met, said, capsys):
    """It counted as gone meanwhile, in silence; a mail that another program moves away just then is told, too."""
    anna, _game, imap = met
    imap.spoilt = answering("UID FETCH", "PEEK[]", b"* 2 FETCH (" + said + b")", b"OK done")
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


def sent(certificates, **answers):
    """What became of a letter at a server that answers so, and what it was told."""
    server = Liar(certificates, {name.encode().replace(b"END", b"."): text for name, text in answers.items()})
    said = account.Account("anna@example.test", None, None, ca_file=str(certificates / "ca.pem"))
    with smtp.connected(
        said, account.Server("localhost", server.port, account.TLS, "anna"), Secret(PASSWORD)
    ) as mailer:
        return mailer.send(b"Subject: x\r\n\r\nhello\r\n", "anna@example.test", "b@example.test"), server.said


@pytest.mark.parametrize("code", [b"250 ok", b"354", b"199 x", b"-1"])
def test_a_letter_that_the_server_did_not_ask_for_does_not_count_as_sent(certificates, code):
    wrong = {"DATA": code} if code != b"354" else {"MAIL": code}
    answer, said = sent(certificates, **wrong)
    assert answer.state == smtp.LATER
    assert b"SUBJ" not in said


def test_nothing_more_is_said_of_a_letter_that_was_refused(certificates):
    answer, said = sent(certificates, RCPT=b"550 no")
    assert answer.state == smtp.REFUSED
    assert said[2:] == [b"MAIL", b"RCPT", b"RSET", b"QUIT"]


@pytest.mark.parametrize("size", [b"abc", b"9" * 5000, b""])
def test_a_size_that_is_no_number_stops_no_letter(certificates, size):
    answer, _said = sent(certificates, EHLO=b"250-x\r\n250-AUTH PLAIN\r\n250 SIZE " + size)
    assert answer.state == smtp.SENT


@pytest.mark.parametrize("challenge", [b"334 abc", b"334 \xff"])
def test_a_challenge_that_is_no_base64_is_told(certificates, challenge):
    with pytest.raises(smtp.UnreachableError, match="lets anna not log in"):
        sent(certificates, EHLO=b"250-x\r\n250 AUTH CRAM-MD5 PLAIN", AUTH=challenge)


LINES = b"250-and so on\r\n" * 20_000


@pytest.mark.parametrize(("command", "state"), [("MAIL", smtp.LATER), ("END", smtp.DOUBT)])
def test_an_answer_without_end_is_not_kept(certificates, command, state):
    answer, _said = sent(certificates, **{command: LINES + b"250 ok"})
    assert answer.state == state
    assert answer.words.startswith("Connection unexpectedly closed: the server says more")


def test_a_greeting_without_end_is_not_kept(certificates):
    server = Liar(certificates, {b"": LINES.replace(b"250", b"220") + b"220 ok"})
    said = account.Account("anna@example.test", None, None, ca_file=str(certificates / "ca.pem"))
    place = account.Server("localhost", server.port, account.TLS, "anna")
    with pytest.raises(smtp.UnreachableError, match="says more"), smtp.connected(said, place, Secret(PASSWORD)):
        raise AssertionError("logged in")


def test_a_number_that_is_another_mails_by_now_moves_nothing(posted, certificates):
    """A mail was fetched, and the server gave new numbers before it was taken: a private mail went to the folder."""
    anna, boris, game, imap, smtp = posted
    mail_servers.account(anna, certificates, imap.port, smtp.port, more='after = "folder Kursk"')
    boris.sign(game)
    uid = imap.add(letter(turn(boris, game, 1), boris.address))
    anna.kursk("post", "fetch")
    imap.validity, imap.mails = 7, {uid + 1: imap.mails[uid]}
    imap.add(foreign(1), uid=uid)
    anna.kursk("post", "--as-sent")
    assert turn(anna, game, 1) == turn(boris, game, 1)
    assert imap.moved == {}
