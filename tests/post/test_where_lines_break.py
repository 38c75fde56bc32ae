"""A server that breaks off or numbers anew, a clock that is ahead: no other mail is kept out, or met twice (T49)."""

import re
from itertools import islice
from types import SimpleNamespace

import pytest
from helpers.mailbags import letter, turn
from helpers.refereed_mail import DAY

from kursk_pbem.cli import run
from kursk_pbem.desk import clock
from kursk_pbem.post import place
from kursk_pbem.post.servers import account, watching
from kursk_pbem.post.servers.smtp import UnreachableError


@pytest.mark.parametrize("validity", ["the same", "another in each session", "none"])
@pytest.mark.parametrize("part", ["HEADER", "PEEK[]"])
def test_T49_more_than_one_mail_at_which_a_server_breaks_off_keep_out_none_behind_them(posted, capsys, validity, part):
    """Where it numbers anew in each session the second was forgotten as the first broke off, and again."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    for uid in (1, 2, 3, 4):
        mail = f"From: boris@example.test\r\nSubject: number {uid}\r\nMessage-ID: <{uid}@x.test>\r\n\r\nkursk\r\n"
        imap.add(mail.encode())
    imap.add(letter(turn(boris, game, 1), boris.address))

    def spoilt(name, text):
        if name == "EXAMINE":
            imap.validity += validity.startswith("another")
            return [one for one in imap._examine(text) if b"UIDVALIDITY" not in one] if validity == "none" else None
        asked = set(re.split(",| ", text)) if name == "UID FETCH" and part in text else set()
        if asked & {"1", "4"}:
            raise OSError
        return None

    imap.spoilt = spoilt
    with anna.sitting():
        for _round in range(9):
            run(["post"])
    told = capsys.readouterr().err
    assert all(f"(UID {uid}), which is passed by" in told for uid in (1, 4))
    assert (anna.folder(game) / "0001.yaml").exists()
    if validity == "the same":
        assert list((anna.home / "post" / "in").rglob("asked")) == []


def test_T49_what_was_fetched_is_taken_though_the_line_breaks_off_in_each_round(posted):
    """Strangers' mails came faster than a line lasted: a turn lay here, and was never taken."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    for number in range(60):
        imap.add(f"From: s{number}@x.example\r\nMessage-ID: <f{number}@x.test>\r\n\r\nkursk\r\n".encode())
    fetched = []

    def spoilt(name, text):
        fetched.extend([text] if "PEEK[]" in text else [])
        if len(fetched) > 1:  # the next fifty
            raise OSError

    imap.spoilt = spoilt
    with anna.sitting():
        run(["post"])
    assert (anna.folder(game) / "0001.yaml").exists()


def test_T49_a_server_that_closes_the_line_at_a_search_in_texts_is_not_told_of_the_mails_behind(posted, capsys):
    """The next question was told to have closed it, and with it a mail for which nobody had asked."""
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    for number in range(201):
        imap.add(f"From: s{number}@x.example\r\nMessage-ID: <f{number}@x.test>\r\n\r\nhello\r\n".encode())
    imap.add(letter(turn(boris, game, 1), boris.address))

    def spoilt(name, text):
        imap.validity += name == "EXAMINE"
        if name == "UID SEARCH" and "BODY" in text:
            raise OSError

    imap.spoilt = spoilt
    with anna.sitting():
        for _round in range(7):
            run(["post"])
    assert "passed by" not in capsys.readouterr().err
    assert (anna.folder(game) / "0001.yaml").exists()


@pytest.mark.parametrize("ahead", [["2025-07-11"], ["2025-10-09"], ["2025-10-09", "2025-10-10", "2025-10-12"]])
def test_T50_a_clock_that_was_ahead_in_one_look_hides_no_mail_of_the_days_between(posted, ahead):
    """The server numbered anew behind a holiday: what had come in those days was never looked at."""
    anna, _boris, _game, imap, _smtp = posted
    path = account.path_of(anna.home)
    path.write_text(path.read_text("utf-8").replace("days = 3660", "days = 14"), "utf-8")
    for number, day in enumerate(["2025-07-01", *ahead, "2025-08-10"]):
        imap.validity += number > len(ahead)
        imap.add(b"Message-ID: <%d@x.test>\r\n\r\n\r\n" % number)
        with clock.fixed(f"{day}T00:00:00Z"):
            anna.kursk("post", "fetch", "-q")
    assert [said for said in imap.said if "SINCE" in said][-1] == "UID SEARCH SINCE 30-Jun-2025"


def test_T52_a_clock_in_doubt_forgets_nothing_of_what_was_dealt_with(automatic, monkeypatch):
    """It was two years ahead for two days: once the server numbered anew a question was answered twice."""
    automatic.asks("HELP")
    done = place.root(automatic.ref.home) / "in" / "done"
    assert (there := sorted(done.rglob("*")))
    begun = clock.now()
    monkeypatch.setattr(clock, "of_file", lambda _path: begun)
    for days in (500, 1):
        automatic.time.now += days * DAY
        automatic.director.sits()
        automatic.director.post()
        automatic.director.errand.tidy()
    assert sorted(done.rglob("*")) == there


@pytest.mark.parametrize("wanders", [True, False])
def test_T50_no_mail_is_passed_by_because_another_one_had_its_number(posted, wanders):
    """The owner deletes the mail at which it breaks off, and the next one gets its number."""
    anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    imap.add(b"From: boris@example.test\r\nMessage-ID: <h@x.test>\r\n\r\nhi\r\n")

    def spoilt(name, text):
        if name == "UID FETCH" and "PEEK[]" in text:
            raise OSError

    imap.spoilt = spoilt
    with anna.sitting():
        for _round in range(6 if wanders else 4):
            imap.validity += wanders
            run(["post", "--as-sent"])
    imap.spoilt, imap.mails = None, {}
    imap.add(letter(turn(boris, game, 1), boris.address))
    imap.validity += 1
    anna.kursk("post", "--as-sent")
    assert (anna.folder(game) / "0001.yaml").exists()


@pytest.mark.parametrize(("broke", "rests"), [(True, [5, 10, 20]), (False, [5, 5, 5])])
def test_T49_a_line_that_breaks_off_is_tried_again_later_each_time(monkeypatch, broke, rests):
    """A round that took what lay here counted as a good one: mails were passed by within minutes."""

    def round_(*_given):
        yield []
        raise UnreachableError("the line is gone")

    rested = []
    monkeypatch.setattr(watching, "_connection", round_)
    monkeypatch.setattr(clock, "rest", rested.append)
    for _told in islice(watching.watch(SimpleNamespace(broke=broke), 900), 8):
        pass
    assert rested[:3] == rests
