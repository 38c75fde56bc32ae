"""Letters that a rule of the mail account has moved, and accounts with several folders."""

from datetime import timedelta

from helpers import mail_servers
from helpers.mail_servers import Imap
from helpers.mailbags import letter, turn

from kursk_pbem.game import folders


def test_after_days_all_folders_are_searched_once_and_private_mail_stays(pair, tmp_path, monkeypatch, time, capsys):
    """A rule of the account moved the letters, and the program said nothing."""
    anna, boris, game = pair
    boris.sign(game)
    with Imap(mail_servers.write_certificates(tmp_path)) as server:
        server.moved = {}
        subject = f"[kursk {game[:8]}] Toy, message 1"
        server.add(letter(turn(boris, game, 1), boris.address, subject=subject), mails=server.moved)
        server.add(b"From: x@example.test\r\nSubject: private\r\n\r\nkursk\r\n", mails=server.moved)
        mail_servers.account(anna, tmp_path, server.port)
        anna.kursk("post", "fetch", "-q")
        for day in (0, 4, 6):
            time.now += timedelta(days=day)
            before = len(server.said)
            anna.kursk("post")
            searched = [said for said in server.said[before:] if "Games/Kursk" in said]
            assert bool(searched) == (day == 6)
            assert all(said.startswith("EXAMINE") for said in searched)
        assert not any("FETCH 2" in said and "PEEK[]" in said for said in server.said)
        assert "came from the folder 'Games/Kursk'" in capsys.readouterr().out
        assert len(folders.message_files(anna.folder(game))) == 2
        before = len(server.said)
        anna.kursk("post", "-q")
        assert not [said for said in server.said[before:] if "Games/Kursk" in said]


def test_an_account_reads_several_folders(pair, tmp_path):
    anna, boris, game = pair
    boris.sign(game)
    with Imap(mail_servers.write_certificates(tmp_path)) as server:
        server.moved = {}
        server.add(letter(turn(boris, game, 1), boris.address), mails=server.moved)
        mail_servers.account(anna, tmp_path, server.port, more='folder = ["INBOX", "Games/Kursk"]')
        anna.kursk("post", "-q")
        assert len(folders.message_files(anna.folder(game))) == 2
