"""Letters that a server puts off, or a line that it closes: the next ones go out, and nothing is given up early."""

import pytest
from helpers import mail_servers, sweeps
from helpers.mail_servers import Smtp
from helpers.postmen import Time

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError
from kursk_pbem.post import errand, people, place, visit
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.referee.damage import Concern
from kursk_pbem.post.servers import account as accounts
from kursk_pbem.post.servers import imap as fetching
from kursk_pbem.post.servers import smtp as servers


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


def test_a_clock_that_was_ahead_keeps_no_letter_for_a_year(posted, capsys):
    anna, boris, _game, _imap, smtp = posted
    smtp.post.answers[boris.address] = ["450 greylisted"]
    for now in ("2027-07-01T00:00:00Z", "2026-07-01T00:00:00Z"):
        with clock.fixed(now):
            anna.kursk("post", "send", "--unsent")
    assert len(smtp.post.mails) == 1, capsys.readouterr()


def test_a_clock_that_was_ahead_gives_up_no_letter(posted):
    anna, boris, _game, _imap, smtp = posted
    smtp.post.answers[boris.address] = ["450 greylisted"] * 5
    for now in ("2026-07-01T00", "2026-07-01T01", "2026-07-01T02", "2026-07-01T04", "2027-07-01T00", "2026-07-01T08"):
        with clock.fixed(f"{now}:00:00Z"):
            anna.kursk("post", "send", "--unsent", "-q")
    assert len(smtp.post.mails) == 1


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


def test_a_server_that_does_not_come_back_is_asked_once(several, certificates, monkeypatch, capsys):
    anna, games = several
    with Smtp(certificates, command_call_limit={"MAIL": 1, "*": 20}) as smtp:
        ready(anna, games, certificates, smtp)
        real, opened = servers._open, []

        def once(account_, server):
            opened.append(server)
            if len(opened) > 1:
                raise OSError("refused")
            return real(account_, server)

        monkeypatch.setattr(servers, "_open", once)
        anna.kursk("post", "send", "--unsent")
    assert (len(opened), len(smtp.post.mails)) == (2, 1)
    assert "not tried: the server has closed the line" in capsys.readouterr().out


def test_a_mail_that_is_not_fetched_is_told_by_a_program_that_watches_too(posted, capsys, monkeypatch):
    monkeypatch.setattr(fetching, "MAX_MAIL", 1000)
    anna, boris, _game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    for number in range(30):
        imap.add(f"From: {boris.address}\r\nSubject: huge {number}\r\n\r\n".encode() + b"x" * 2000)
    capsys.readouterr()
    anna.kursk("post", "watch", "--times", "1")
    said = capsys.readouterr().err
    assert "subject 'huge 0': 0 MiB are more than is fetched" in said
    assert "and 10 more mails that were not fetched" in said


def test_T49_a_players_mail_that_is_not_fetched_is_told_before_those_of_strangers(posted, capsys, monkeypatch):
    """Twenty large mails of strangers hid it."""
    monkeypatch.setattr(fetching, "MAX_MAIL", 1000)
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    for sender in (*("stranger@example.org",) * 30, boris.address):
        imap.add(f"From: {sender}\r\nSubject: [kursk {game[:8]}] huge\r\n\r\n".encode() + b"x" * 2000)
    anna.kursk("post", "fetch", status=2)
    assert f"the mail from '{boris.address}'" in capsys.readouterr().err


@pytest.mark.parametrize("killed", [False, True])
def test_T49_who_writes_a_players_address_hides_no_other_players_mail_that_is_not_fetched(posted, monkeypatch, killed):
    """Twenty large mails in the name of one did; ``killed``: before anybody was told of those of an earlier fetch."""
    monkeypatch.setattr(fetching, "MAX_MAIL", 1000)
    anna, boris, _game, imap, _smtp = posted
    made, players = errand.begin(anna.home, str), {boris.address, "carla@example.test"}
    with made.mailbox() as client:
        for number in range(26):
            sender = boris.address if number < 25 else "carla@example.test"
            imap.add(f"From: {sender}\r\nSubject: huge {number}\r\n\r\n".encode() + b"x" * 2000)
            if killed and number == 24:
                fetching.fetch(anna.home, made.account, client, players)
        got = fetching.fetch(anna.home, made.account, client, players)
    assert ["carla" in str(fault) for fault in got.faults] == [False] * 3 + [True] + [False] * 16
    assert got.found.more == 6


def test_T49_nor_do_strangers_hide_that_a_server_gives_nothing_of_a_mail():
    """It may be of any game, and holds all of them back."""
    got = fetching.Fetched()
    for number in range(25):
        got.complain("too large", b"From: s@evil.test\r\nSubject: [kursk 12345678] %d" % number, "INBOX")
    got.complain("it broke off", b"", "INBOX")
    assert str(got.faults[0]) == "INBOX: it broke off"


def test_a_board_says_how_many_more_mails_were_not_fetched(posted, monkeypatch):
    """It had an entry for each of them."""
    monkeypatch.setattr(fetching, "MAX_MAIL", 1000)
    anna, boris, _game, imap, _smtp = posted
    for number in range(25):
        imap.add(f"From: {boris.address}\r\nSubject: huge {number}\r\n\r\n".encode() + b"x" * 2000)
    entries = [entry for entry in visit.came(anna.home, anna.key)[0] if entry.get("bad")]
    assert len(entries) == 21
    assert entries[-1]["lines"] == ["5 more mails were not fetched"]


def test_while_a_program_waits_for_mail_commands_are_given_and_a_round_waits_for_a_command(posted, capsys, monkeypatch):
    anna, *_rest = posted
    anna.kursk("post", "--as-sent", "-q")
    at_work = place.locked(anna.home)

    def waits(_account, _client, _seconds):
        anna.kursk("people", "card", anna.address, "--no", "-q")
        with pytest.raises(place.BusyError, match="watches this mailbox already"), place.watched(anna.home):
            pass
        at_work.__enter__()

    rested = []
    monkeypatch.setattr(fetching, "wait", waits)
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
    anna.kursk("post", "watch", "--times", "2")
    assert (len(rounds), capsys.readouterr().err) == (2, "kursk: the disk is not there\n")


@pytest.mark.parametrize("ahead", sweeps.some([False, True], 2))
def test_a_letter_that_is_put_off_for_days_is_given_up(posted, capsys, ahead):
    anna, boris, _game, _imap, smtp = posted
    smtp.post.answers[boris.address] = "450 full"
    with clock.fixed("2027-07-01T00:00:00Z" if ahead else "2026-06-30T23:00:00Z"):
        anna.kursk("post", "send", "--unsent")
    for hour in range(0, 100, 5):
        with clock.fixed(f"2026-07-{1 + hour // 24:02}T{hour % 24:02}:00:00Z"):
            anna.kursk("post", "send", "--unsent")
    assert "given up after three days" in capsys.readouterr().out


def test_a_mail_that_is_too_large_is_told_although_the_line_is_cut_behind_it(posted, capsys, monkeypatch):
    """T48: the cursor had moved past it, so no later fetch named it; and no game was held back by it."""
    monkeypatch.setattr(fetching, "MAX_MAIL", 1000)
    monkeypatch.setattr(fetching, "_HEADERS", 1)
    keep, damaged = fetching._keep, []

    def cut(home, account, client, entries, *more):
        if any(entry.uid > 1 for entry in entries):
            raise servers.UnreachableError("the line was cut")
        keep(home, account, client, entries, *more)

    monkeypatch.setattr(fetching, "_keep", cut)
    anna, boris, game, imap, _smtp = posted
    monkeypatch.setattr(errand, "Intake", lambda *of: Intake(*of, damaged=Concern(lambda: [game[:8]], damaged.extend)))
    for name in ("huge", "small"):
        imap.add(f"From: {boris.address}\r\nSubject: [kursk {game[:8]}] {name}\r\n\r\n".encode() + b"x" * 2000)
    anna.kursk("post", "fetch", status=2)
    said = capsys.readouterr().err
    assert "the line was cut; before that, " in said
    assert f"subject '[kursk {game[:8]}] huge': 0 MiB are more than is fetched" in said
    assert [whose.games for whose in damaged] == [frozenset({game[:8]})]


def test_T48_a_mail_that_is_too_large_is_named_after_a_kill_before_anybody_was_told(posted, capsys, monkeypatch):
    """Its fetch had moved the cursor, and died before it said why; a board names it, too."""
    monkeypatch.setattr(fetching, "MAX_MAIL", 1000)
    anna, boris, game, imap, _smtp = posted
    imap.add(f"From: {boris.address}\r\nSubject: [kursk {game[:8]}] huge\r\n\r\n".encode() + b"x" * 2000)
    made = errand.begin(anna.home, str, anna.key)
    with made.mailbox() as client:
        made.fetch(client)
    anna.kursk("post", "fetch", status=2)
    assert f"'[kursk {game[:8]}] huge': 0 MiB are more than is fetched" in capsys.readouterr().err
    with made.mailbox() as client:
        assert not made.fetch(client).faults
        imap.add(f"From: {boris.address}\r\nSubject: [kursk {game[:8]}] more\r\n\r\n".encode() + b"x" * 2000)
        made.fetch(client)
    for _time in range(2):  # nobody has seen it before the page is given out
        entries, shown = visit.came(anna.home, anna.key)
        assert any("more" in line for entry in entries for line in entry["lines"])
    shown()
    assert not any(entry.get("bad") for entry in visit.came(anna.home, anna.key)[0])


@pytest.mark.parametrize("said", ["another", "none"])
def test_a_letter_that_was_put_off_goes_to_no_address_that_is_not_used_any_more(posted, monkeypatch, capsys, said):
    """It went to the old one, after 'letters go there from now on' and 'nothing more goes to that address'."""
    anna, boris, _game, _imap, smtp = posted
    time = Time().set(monkeypatch)
    smtp.post.answers[boris.address] = "450 later"
    anna.kursk("post", "send", "--unsent")
    smtp.post.answers.clear()
    time.passes(3600)
    known = people.load(anna.home, boris.public)
    if said == "none":
        people.save(anna.home, known.put(boris.address, people.BOUNCED, "a letter came back"))
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
