"""Letters that a server puts off, or a line that it closes: the next ones go out, and nothing is given up early."""

import pytest
from helpers import mail_servers
from helpers.mail_servers import Smtp
from helpers.postmen import Time

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError
from kursk_pbem.post import errand
from kursk_pbem.post.mailbox import people, place
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire import fetching, imap
from kursk_pbem.post.wire import smtp as servers


def ready(anna, games, certificates, smtp):
    """Anna has an account at the server, and the addresses of everybody she plays with."""
    mail_servers.account(anna, certificates, None, smtp.port)
    anna.kursk("people", "card", anna.address, "--no", "-q")
    for other in games.values():
        anna.kursk("people", "add", other.name, other.address, "-q")


def test_a_letter_that_was_put_off_once_is_not_given_up_because_nobody_looked(posted, capsys):
    """Greylisting puts off everything once; whoever does a round every fourth day must get through it too."""
    anna, boris, _game, _imap, smtp = posted
    smtp.post.answers[boris.address] = ["450 greylisted"] * 4
    for day in ("01", "05", "09", "13"):
        with clock.fixed(f"2026-07-{day}T00:00:00Z"):
            anna.kursk("post", "send", "--unsent")
            assert "put off (450)" in capsys.readouterr().err
    with clock.fixed("2026-07-17T00:00:00Z"):
        anna.kursk("post", "send")
    assert [reader for _sender, reader, _raw in smtp.post.mails] == [boris.address]


def test_a_token_that_cannot_be_had_for_once_ends_no_watch(posted, tmp_path):
    """The helper that gets it needs the network, too."""
    anna, *_rest = posted
    (token := tmp_path / "token").write_text("abc\n", "ascii")
    path = accounts.path_of(anna.home)
    path.write_text(f'token-command = ["cat", "{token}"]\n{path.read_text("utf-8")}', "utf-8")
    made = errand.begin(anna.home, str)
    assert made.secret("imap").text == "abc"
    token.unlink()
    with pytest.raises(servers.UnreachableError, match="token-command"):
        made.secret("imap")


def test_letters_behind_a_line_that_the_server_closes_are_not_put_off(several, certificates):
    """Many servers take a few letters, say 421, and close the line; whoever has many letters reconnects."""
    anna, games = several
    with Smtp(certificates, command_call_limit={"MAIL": 1, "*": 20}) as smtp:
        ready(anna, games, certificates, smtp)
        anna.kursk("post", "send", "--unsent", "-q")
        assert len(smtp.post.mails) == 2


def test_a_mail_that_is_not_fetched_is_told_by_a_program_that_watches_too(posted, capsys, monkeypatch):
    monkeypatch.setattr(fetching, "MAX_MAIL", 1000)
    anna, boris, _game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    for number in range(30):
        imap.add(f"From: {boris.address}\r\nSubject: huge {number}\r\n\r\n".encode() + b"x" * 2000)
    capsys.readouterr()
    anna.kursk("post", "watch", "--times", "1", status=2)
    said = capsys.readouterr().err
    assert "subject 'huge 0': its 0 MiB are too many to fetch" in said
    assert "and 10 more mails that were not fetched" in said


def test_while_a_program_waits_for_mail_commands_are_given_and_a_round_waits_for_a_command(posted, capsys, monkeypatch):
    anna, *_rest = posted
    anna.kursk("post", "--as-sent", "-q")
    at_work = place.locked(anna.home)

    def waits(_mailbox, _seconds):
        with place.locked(anna.home):  # commands are given
            pass
        with pytest.raises(place.BusyError, match="watches this mailbox already"), place.watched(anna.home):
            pass
        at_work.__enter__()

    rested = []
    monkeypatch.setattr(imap.Mailbox, "wait", waits)
    monkeypatch.setattr(clock, "rest", lambda seconds: rested.append(seconds) or at_work.__exit__(None, None, None))
    anna.kursk("post", "watch", "--times", "2")
    assert (rested, capsys.readouterr().err) == ([1], "")


def test_a_disk_that_cannot_be_read_for_once_ends_no_watch(posted, capsys, monkeypatch):
    anna, *_rest = posted
    anna.kursk("post", "--as-sent", "-q")
    real, rounds = errand.Errand.take, []

    def take(self, client=None):
        rounds.append(client)
        if len(rounds) == 1:
            raise DiskError("the disk is not there")
        return real(self, client)

    monkeypatch.setattr(errand.Errand, "take", take)
    monkeypatch.setattr(clock, "rest", lambda _seconds: None)
    anna.kursk("post", "watch", "--times", "2", status=2)
    assert (len(rounds), capsys.readouterr().err) == (2, "kursk: the disk is not there\n")


def test_a_letter_that_is_put_off_for_days_is_given_up(posted, capsys):
    anna, boris, _game, _imap, smtp = posted
    smtp.post.answers[boris.address] = "450 full"
    with clock.fixed("2026-06-30T23:00:00Z"):
        anna.kursk("post", "send", "--unsent")
    for hour in range(0, 100, 5):
        with clock.fixed(f"2026-07-{1 + hour // 24:02}T{hour % 24:02}:00:00Z"):
            anna.kursk("post", "send", "--unsent")
    assert "given up after three days" in capsys.readouterr().out


@pytest.mark.parametrize("said", ["another", "none"])
def test_a_letter_that_was_put_off_goes_to_no_address_that_is_not_used_any_more(posted, monkeypatch, capsys, said):
    """It went to the old one, after 'letters go there from now on' and 'nothing more goes to that address'."""
    anna, boris, _game, _imap, smtp = posted
    time = Time().set(monkeypatch)
    smtp.post.answers[boris.address] = "450 later"
    anna.kursk("post", "send", "--unsent")
    smtp.post.answers.clear()
    time.passes(3600)
    if said == "none":
        people.stop(anna.home, boris.address)
        anna.kursk("post", "send")
        assert smtp.post.mails == []
        assert "not tried: no address of Boris is known: 'kursk people add Boris ADDRESS'" in capsys.readouterr().out
    anna.kursk("people", "add", "boris", "boris@right.test")
    anna.kursk("post", "send")
    assert [reader for _sender, reader, _raw in smtp.post.mails] == ["boris@right.test"]
    capsys.readouterr()
    anna.kursk("outbox")
    assert "nothing is to be mailed" in capsys.readouterr().out


def test_a_letter_that_went_out_anew_is_listed_no_more(posted, capsys):
    """The edition that was refused stood there until the answer came, with the advice to send it again."""
    anna, boris, game, _imap, smtp = posted
    smtp.post.answers[boris.address] = "550 never"
    anna.kursk("post", "send", "--unsent", status=2)
    smtp.post.answers.clear()
    anna.kursk("outbox", "--again", f"{game[:8]}/0")
    anna.kursk("post", "send")
    assert len(smtp.post.mails) == 1
    capsys.readouterr()
    anna.kursk("outbox")
    assert "nothing is to be mailed" in capsys.readouterr().out
