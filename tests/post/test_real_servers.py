"""Post by Debian's Postfix and Dovecot on the loopback (make test-post); skipped without the servers."""

import json
import os
import tempfile
from pathlib import Path

import pytest
from helpers import mail_servers, postal
from helpers.mailbags import turn

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times
from kursk_pbem.game import folders
from kursk_pbem.post import mail_session
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.round import server_clock
from post import real_servers

WHY = real_servers.find_missing() if os.environ.get("KURSK_POST") else "make test-post runs it"
pytestmark = pytest.mark.skipif(bool(WHY), reason=WHY)

NAMES = ("anna", "boris", "carla")


@pytest.fixture(scope="module")
def servers():
    """Start the servers in a folder open to other users; pytest closes its own folder in every run."""
    with (
        tempfile.TemporaryDirectory(prefix="kursk-servers-", ignore_cleanup_errors=True) as folder,
        real_servers.Servers(Path(folder), *NAMES) as running,
    ):
        yield running


@pytest.fixture
def table(friends, servers):
    """Return Anna and Boris with accounts and empty mailboxes; Boris has written message 1."""
    anna, boris = friends("anna", "boris")
    for friend in (anna, boris):
        with servers.client(friend.name) as client:
            if not client.folder_exists("Sent"):
                client.create_folder("Sent")
            for folder in ("Sent", "INBOX"):
                client.select_folder(folder)
                if found := client.search():
                    client.delete_messages(found)
                    client.expunge()
        mail_servers.account(friend, servers.folder, servers.imap, None)
        path = friend.home / "post" / "account.toml"
        smtp = f'[smtp]\nhost = "localhost"\nport = {servers.smtp}\ntls = "starttls"\n'
        path.write_text(path.read_text("utf-8") + smtp, encoding="utf-8")
        friend.kursk("people", "card", friend.address, "--yes", "-q")
    game = postal.began(anna, boris)
    for one, other in ((anna, boris), (boris, anna)):
        one.kursk("people", "add", other.name, other.address, "-q")
    return anna, boris, game


def test_a_game_goes_on_by_post_alone(table, servers):
    """Both sides use only kursk post, orders and kursk sign."""
    anna, boris, game = table
    anna.kursk("post", "--as-sent", "-q")
    writer, reader = boris, anna
    for seq in range(1, 7):
        assert writer.sign(game).seq == seq + 1
        writer.kursk("post", "--unsent")
        servers.arrived(reader.name, (seq + 1) // 2)
        reader.kursk("post", "--as-sent", told=f"message {seq} of")
        assert turn(reader, game, seq) == turn(writer, game, seq)
        writer, reader = reader, writer
    mails = servers.mailbox("anna")
    assert not any(b"$KurskTaken" in flags or b"\\Seen" in flags for _raw, flags in mails)
    ids = [raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0] for raw, _flags in mails]
    assert len(set(ids)) == len(ids) == 3
    assert f"<k1.game.{game[:32]}@kursk.invalid>".encode() in mails[-1][0]


def test_a_put_off_a_refused_and_a_full_mailbox(table, servers, capsys):
    """450 waits for the current address, 550 is reported, and a full quota bounces."""
    anna, _boris, _game = table
    for address, words, status in (("grey", "put off (450)", 0), ("hard", "refused (550)", 2)):
        anna.kursk("people", "add", "boris", f"{address}@example.test", "-q")
        anna.kursk("post", "send", "--unsent", status=status)
        assert words in capsys.readouterr().err
    anna.kursk("people", "add", "boris", "full@example.test", "-q")
    anna.kursk("outbox", "--again", "all")
    anna.kursk("post", "send", told="sent")
    ((bounce, _flags),) = servers.arrived("anna", 1)
    assert b"multipart/report" in bounce
    anna.kursk("post", told="The mailbox is full; 'kursk post' tries again")
    assert len(servers.mailbox("full")) == 0
    assert len(servers.mailbox("anna")) == 1


def test_killed_servers_are_told_and_the_next_round_goes_on(table, servers):
    anna, boris, game = table
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    for name in ("postfix", "dovecot"):
        servers.stop(name, check=True)
        try:
            boris.kursk("post", "--unsent", status=2)
            boris.kursk("post", "send", "--unsent", status=2, told="localhost")
        finally:
            servers.start(name)
    boris.kursk("post", "send", "--unsent", "-q")
    servers.arrived("anna", 1)
    path = anna.home / "post" / "account.toml"
    path.write_text(f'arrival-hosts = ["mail.example.test"]\n{path.read_text("utf-8")}', encoding="utf-8")
    anna.kursk("post", "fetch", "-q")
    with store.open_reading(anna.home) as rows:
        (said,) = (json.loads(row[0]) for row in rows.execute("select said from mail where state = 'waits'"))
    assert "" < said["arrived"] <= said["fetched"]
    anna.kursk("post", "-q")
    assert turn(anna, game, 1) == turn(boris, game, 1)


def test_a_moved_letter_is_found_and_the_server_gives_its_time(table, servers, monkeypatch):
    """A rule moves the letters to another folder; five days later all folders are searched, read-only."""
    anna, boris, game = table
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    boris.kursk("post", "--unsent", "-q")
    servers.arrived("anna", 1)
    with servers.client("anna") as client:
        client.create_folder("Spiele")
        client.move(client.search(), "Spiele")
    anna.kursk("post", "-q")
    assert len(folders.message_files(anna.folder(game))) == 1
    session = mail_session.open_session(anna.home, lambda _question: "")
    with session.mailbox() as mailbox:
        assert server_clock.find_fault(anna.home, mailbox, "", signs=True) == ""
        assert store.load_setting(anna.home, "clock checked")
        later = times.add_days(clock.now(), 6)
        with monkeypatch.context() as patch:
            patch.setattr(clock, "now", lambda: later)
            assert "6 days ahead of your mail server's" in server_clock.find_fault(anna.home, mailbox, "", signs=True)
        assert server_clock.find_fault(anna.home, mailbox, "", signs=True) == ""
    with servers.client("anna") as client:
        client.select_folder(mailbox.find_sent() or "Sent")
        assert not client.search(["SUBJECT", "the time of the server"])
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: later)
        anna.kursk("post", "-q")
    assert len(folders.message_files(anna.folder(game))) == 2
    with servers.client("anna") as client:
        client.select_folder("Spiele")
        flags = [one[b"FLAGS"] for one in client.fetch(client.search(), ["FLAGS"]).values()]
        assert [{*one} - {b"\\Recent"} for one in flags] == [set()]
