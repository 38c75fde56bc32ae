"""Failing servers: the round reports the failure, loses no mail, and shows no password."""

import pytest
from helpers.mail_servers import PASSWORD
from helpers.mailbags import letter, turn

from kursk_pbem.desk.ground import clock
from kursk_pbem.post import mail_session
from kursk_pbem.post.wire import account, fetching


@pytest.fixture
def met(posted):
    """Return a mailbox of Anna with two mails of Boris; the second contains message 1."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    imap.add(b"From: boris@example.test\r\nSubject: hello\r\n\r\nhello\r\n")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), "new@x.example"))
    return anna, game, imap


def test_T49_a_mail_at_which_the_server_breaks_off_twice_is_skipped_and_told(met):
    anna, game, imap = met

    def spoilt(name, text):
        if name == "UID FETCH" and "PEEK[]" in text and text.split(" ")[2] == "1":
            raise OSError

    imap.spoilt = spoilt
    assert "fails at every request" not in anna.kursk("post", status=2)
    anna.kursk("post", status=2, told="UID 1:")
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


def test_a_slow_server_holds_no_round_and_the_next_one_goes_on_there(met, monkeypatch):
    anna, game, _imap = met
    monkeypatch.setattr(fetching, "MAX_SECONDS", -1)
    for _mail in range(2):
        anna.kursk("post", status=2, told="is slow: the next round fetches the other mails")
    assert (anna.folder(game) / "0001.yaml").exists()


@pytest.mark.parametrize(
    ("command", "answer"), [("EXAMINE", b"BAD no"), ("UID SEARCH", b"NO not here"), ("UID FETCH", b"* 1 FETCH (UID")]
)
def test_what_a_server_refuses_is_told_in_its_words_and_no_mail_is_lost(met, command, answer):
    anna, game, imap = met
    imap.spoilt = lambda name, _text: [answer] if name == command else None
    anna.kursk("post", status=2, told="localhost broke the connection: ")
    imap.spoilt = None
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()


FILES = {"text/plain": False, "multipart/alternative": False, "multipart/mixed": True, "application/zip": True}


@pytest.mark.parametrize(("kind", "fetched"), FILES.items())
def test_T59_a_strangers_mail_is_fetched_if_it_may_have_attachments(met, kind, fetched):
    anna, _game, imap = met
    uid = imap.add(f"From: s@x.example\r\nContent-Type: {kind}; boundary=a\r\n\r\n--a--\r\n".encode())
    anna.kursk("post", "fetch")
    assert any(f"UID FETCH {uid} (BODY.PEEK[]" in said for said in imap.said) == fetched


def test_T50_the_last_look_is_one_that_came_to_the_end(met):
    """A round breaks off after a month away. The next round begins at the end of the last complete round."""
    anna, _game, imap = met
    path = account.account_path(anna.home)
    path.write_text(path.read_text("utf-8").replace("days = 3660", "days = 14"), "utf-8")
    imap.mails |= {uid: (raw, "31-Jul-2026 12:00:00 +0000") for uid, (raw, _when) in imap.mails.items()}
    with clock.fix_time("2026-08-01T00:00:00Z"):
        anna.kursk("post")
    for number in range(2):
        imap.validity = 100 + number
        imap.spoilt = None if number else lambda name, _text: [b"BAD no"] if name == "UID FETCH" else None
        with clock.fix_time("2026-09-01T00:00:00Z"):
            anna.kursk("post", status=0 if number else 2)
    assert [said for said in imap.said if "SINCE" in said][-1] == "UID SEARCH SINCE 31-Jul-2026"


def test_T58_a_password_that_cannot_be_sent_shows_no_letter_of_itself(posted):
    anna, *_rest = posted
    path = account.account_path(anna.home)
    path.write_text(path.read_text("utf-8").replace(PASSWORD, "p\u00e4ssword"), "utf-8")
    said = anna.kursk("post", "fetch", status=2)
    assert "refuses the password" in said
    assert "\\xe4" not in said


def test_the_time_of_the_server_comes_with_each_mail(met):
    anna, _game, imap = met
    imap.add(b"From: s@x.example\r\nSubject: [kursk 1a2b3c4d] hi\r\n\r\nhello\r\n", "03-Jul-2026 12:00:00 +0200")
    made = mail_session.open_session(anna.home, str)
    with made.mailbox() as mailbox:
        today = fetching.date(2026, 7, 4)
        batches = list(fetching.fetch_batches(mailbox, "INBOX", fetching.Cursor(), today, lambda _head: True, today))
    assert [batch.mail.internal for batch in batches if batch.mail][-1] == "2026-07-03T10:00:00Z"


@pytest.mark.parametrize(
    "cut",
    [
        lambda words: [b"* SEARCH " + word for word in words],
        lambda words: [b"* SEARCH", *(b"* SEARCH " + word for word in words), b"* SEARCH"],
        lambda words: [b"* SEARCH " + b" ".join(words) + b" (MODSEQ 917162500)"] if words else [],
        lambda words: [b"* 2 EXISTS", *(b"* SEARCH " + word for word in words), b"* 2 EXISTS"],
    ],
    ids=["a line for each", "with empty lines", "with modseq or no line", "among other lines"],
)
def test_a_search_answered_in_several_lines_or_none_is_read(met, cut):
    """Servers such as mox and DavMail split a long answer; IMAPClient reads an answer of one line alone."""
    anna, game, imap = met

    def spoilt(name, text):
        if name != "UID SEARCH":
            return None
        *lines, end = imap._uid_search(text)
        return [*cut(lines[0].split()[2:]), end]

    imap.spoilt = spoilt
    anna.kursk("post")
    assert (anna.folder(game) / "0001.yaml").exists()
    anna.kursk("post")
