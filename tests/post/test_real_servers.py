"""Post by Debian's Postfix and Dovecot on the loopback: make test-post. Without them it is skipped, with a word."""

import json
import os
import tempfile
import threading
import time
from pathlib import Path

import pytest
from helpers import mail_servers, postal, real_servers
from helpers.mailbags import foreign, letter, turn

from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import store

WHY = real_servers.missing() if os.environ.get("KURSK_POST") else "make test-post runs it"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY), reason=WHY)]

NAMES = ("anna", "boris", "carla")


@pytest.fixture(scope="module")
def servers():
    """In a folder that other users can look into: that of pytest is closed anew by every run that begins meanwhile."""
    with (
        tempfile.TemporaryDirectory(prefix="kursk-servers-", ignore_cleanup_errors=True) as folder,
        real_servers.Servers(Path(folder), *NAMES, "newcomer") as running,
    ):
        yield running


@pytest.fixture
def table(friends, servers):
    """Anna and Boris, each with an account at the servers; empty mailboxes; Boris writes message 1 of their game."""
    anna, boris = friends("anna", "boris")
    for friend in (anna, boris):
        empty(servers, friend.name)
        mail_servers.account(friend, servers.folder, servers.imap, None)
        path = friend.home / "post" / "account.toml"
        smtp = f'[smtp]\nhost = "localhost"\nport = {servers.smtp}\ntls = "starttls"\n'
        path.write_text(path.read_text("utf-8") + smtp, encoding="utf-8")
        friend.kursk("people", "card", friend.address, "--yes", "-q")
    game = postal.began(anna, boris)
    for one, other in ((anna, boris), (boris, anna)):
        one.kursk("people", "add", other.name, other.address, "-q")
    return anna, boris, game


def empty(servers, user):
    from imapclient import IMAPClient  # noqa: PLC0415

    with IMAPClient("localhost", servers.imap, ssl=True, ssl_context=servers.context(), timeout=60) as client:
        client.login(user, mail_servers.PASSWORD)
        client.select_folder("INBOX")
        if found := client.search():
            client.delete_messages(found)
            client.expunge()


def test_a_game_goes_on_by_post_alone(table, servers, capsys):
    """kursk post, orders, kursk sign, kursk post: from mail to mail, on both sides."""
    anna, boris, game = table
    anna.kursk("post", "--as-sent", "-q")
    writer, reader = boris, anna
    for seq in range(1, 7):
        assert writer.sign(game).seq == seq + 1
        writer.kursk("post", "--unsent")
        servers.arrived(reader.name, (seq + 1) // 2)
        capsys.readouterr()
        reader.kursk("post", "--as-sent")
        assert f"message {seq} of" in capsys.readouterr().out
        assert turn(reader, game, seq) == turn(writer, game, seq)
        writer, reader = reader, writer
    mails = servers.mailbox("anna")
    assert all(b"$KurskTaken" in flags and b"\\Seen" not in flags for _raw, flags in mails)
    ids = [raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0] for raw, _flags in mails]
    assert len(set(ids)) == len(ids) == 3
    assert f"<k1.game.{game[:32]}@kursk.invalid>".encode() in mails[-1][0]


def test_when_a_mail_came_its_own_border_server_says(table, servers):
    anna, boris, game = table
    path = anna.home / "post" / "account.toml"
    path.write_text(f'arrival-hosts = ["mail.example.test"]\n{path.read_text("utf-8")}', encoding="utf-8")
    boris.sign(game)
    boris.kursk("post", "send", "--unsent", "-q")
    servers.arrived("anna", 1)
    anna.kursk("post", "fetch", "-q")
    with store.reading(anna.home) as rows:
        (said,) = (json.loads(row[0]) for row in rows.execute("select said from mail where state = 'waits'"))
    assert said["arrived"]
    assert said["arrived"] <= said["fetched"]


def test_a_put_off_a_refused_and_a_full_mailbox(table, servers, capsys):
    """450 waits, for the address that is used now; 550 is told, a full quota bounces, to which nobody answers."""
    anna, _boris, _game = table
    for address, words, status in (("grey", "put off (450)", 0), ("hard", "refused (550)", 2)):
        anna.kursk("people", "add", "boris", f"{address}@example.test", "-q")
        anna.kursk("post", "send", "--unsent", status=status)
        assert words in capsys.readouterr().err
    anna.kursk("people", "add", "boris", "full@example.test", "-q")
    anna.kursk("outbox", "--again", "all")
    anna.kursk("post", "send")
    assert "sent" in capsys.readouterr().out
    ((bounce, _flags),) = servers.arrived("anna", 1)
    assert b"multipart/report" in bounce
    anna.kursk("post")
    assert len(servers.mailbox("full")) == 0
    assert len(servers.mailbox("anna")) == 1


def test_T49_a_letter_that_is_too_large_is_refused_by_size_before_it_is_sent(table, servers):
    from kursk_pbem.post.wire import account, smtp  # noqa: PLC0415
    from kursk_pbem.post.wire.password import Secret  # noqa: PLC0415

    anna, _boris, _game = table
    said = account.load(anna.home)
    mailer = smtp.connect(said, said.smtp, Secret(mail_servers.PASSWORD))
    answer = mailer.send(b"x" * 9_000_000, anna.address, "boris@example.test")
    assert (answer.state, answer.code) == (smtp.REFUSED, 552)
    assert mailer.send(b"Subject: x\r\n\r\nx\r\n", anna.address, "boris@example.test").state == smtp.SENT
    mailer.close()


def test_T47_a_wrong_authority_is_refused_by_both(table, servers, tmp_path, capsys):
    anna, _boris, _game = table
    wrong = mail_servers.certificates(tmp_path)
    path = anna.home / "post" / "account.toml"
    path.write_text(path.read_text("utf-8").replace(str(servers.folder), str(wrong)), encoding="utf-8")
    for words in (("post", "fetch"), ("post", "send", "--unsent")):
        anna.kursk(*words, status=2)
        assert "certificate" in capsys.readouterr().err


def test_killed_servers_are_told_and_the_next_round_goes_on(table, servers, capsys):
    anna, boris, game = table
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    for name in ("postfix", "dovecot"):
        servers.stop_one(name)
        try:
            boris.kursk("post", "--unsent", status=2 if name == "dovecot" else 0) if name == "dovecot" else None
            boris.kursk("post", "send", "--unsent", status=2)
            assert "localhost" in capsys.readouterr().err
        finally:
            servers.start_one(name)
    boris.kursk("post", "send", "--unsent", "-q")
    servers.arrived("anna", 1)
    anna.kursk("post", "-q")
    assert turn(anna, game, 1) == turn(boris, game, 1)


def test_watch_wakes_by_idle_within_seconds(table, servers):
    """A turn that comes while Anna's program waits is taken without anybody typing."""
    anna, boris, game = table
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    raw = letter(turn(boris, game, 1), boris.address)
    timer = threading.Timer(2, servers.deliver, (raw, boris.address, anna.address))
    timer.start()
    began = time.monotonic()
    anna.kursk("post", "watch", "--every", "1", "--times", "2", "-q")
    timer.join()
    assert time.monotonic() - began < 30
    assert folders.message_path(anna.folder(game), 1).exists()


def test_T50_a_folder_that_is_made_anew_numbers_anew_and_nothing_is_taken_twice(table, servers, capsys):
    from imapclient import IMAPClient  # noqa: PLC0415

    anna, boris, game = table
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    raw = letter(turn(boris, game, 1), boris.address)
    path = anna.home / "post" / "account.toml"
    path.write_text(path.read_text("utf-8").replace('user = "anna"', 'user = "anna"\nfolder = "Games"', 1), "utf-8")
    for _time in range(2):
        with IMAPClient("localhost", servers.imap, ssl=True, ssl_context=servers.context()) as client:
            client.login("anna", mail_servers.PASSWORD)
            if client.folder_exists("Games"):
                client.delete_folder("Games")
                time.sleep(1.1)  # UIDVALIDITY is a time
            client.create_folder("Games")
            client.append("Games", raw)
        anna.kursk("post", "fetch")
        anna.kursk("inbox")
    out = capsys.readouterr().out
    assert out.count("1 of them worth a look") == 1
    assert out.count("message 1 of") == 1


def test_two_hundred_of_ours_in_a_mailbox_of_ten_thousand(table, servers, capsys):
    """Nothing of the others is fetched, and it takes seconds."""
    anna, boris, _game = table
    games = [postal.began(anna, boris) for _number in range(20)]
    mails = []
    for game in games:
        boris.sign(game)
        raw = turn(boris, game, 1)
        mails += [letter(raw, boris.address, subject=f"copy {number}") for number in range(10)]
    others = [foreign(number) for number in range(200)]
    maildir = servers.folder / "mail" / "anna" / "Maildir" / "cur"
    owner = maildir.parent.stat() if maildir.exists() else (servers.folder / "mail").stat()
    servers.append("anna", others[:1])
    for number in range(9799):
        path = maildir / f"{number}.foreign.example:2,"
        path.write_bytes(others[number % 200])
        os.chown(path, owner.st_uid, owner.st_gid)
    servers.append("anna", mails)
    began = time.monotonic()
    anna.kursk("post", "--as-sent")
    took = time.monotonic() - began
    out = capsys.readouterr().out
    assert "10000 new mails, 200 of them worth a look" in out
    assert all(folders.message_path(anna.folder(game), 1).exists() for game in games)
    assert took < 60


def test_a_newcomer_sets_up_the_account_and_is_not_asked_for_more(friends, servers, capsys):
    (newcomer,) = friends("newcomer")
    newcomer.kursk(
        "post",
        "setup",
        "--address",
        newcomer.address,
        "--imap",
        f"localhost:{servers.imap}",
        "--smtp",
        f"localhost:{servers.smtp}/starttls",
        "--user",
        "newcomer",
        "--password-command",
        f"echo '{mail_servers.PASSWORD}'",
        "--ca-file",
        servers.folder / "ca.pem",
        "--yes",
        "-q",
    )
    newcomer.kursk("post")
    out = capsys.readouterr().out
    assert "nothing new" in out
    assert "nothing is to be sent" in out
    assert mail_servers.PASSWORD not in out
    newcomer.kursk("post", "setup", status=2)
