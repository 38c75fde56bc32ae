"""Letters that a rule of the mail account has moved, and accounts with several folders."""

from datetime import timedelta

import pytest
from helpers import mail_servers
from helpers.mailbags import letter, turn

from kursk_pbem.game import folders


@pytest.fixture
def games(pair, imap):
    """Return Anna, her game with Boris, and a mailbox with two folders; Boris has signed message 1."""
    anna, boris, game = pair
    boris.sign(game)
    imap.moved = {}
    raw = letter(turn(boris, game, 1), boris.address, subject=f"[kursk {game[:8]}] Toy, message 1")
    imap.add(raw, mails=imap.moved)
    return anna, game


def test_after_days_all_folders_are_searched_once_and_private_mail_stays(games, certificates, imap, time, capsys):
    """A rule of the account moved the letters, and the program said nothing."""
    anna, game = games
    imap.add(b"From: x@example.test\r\nSubject: private\r\n\r\nkursk\r\n", mails=imap.moved)
    mail_servers.account(anna, certificates, imap.port)
    anna.kursk("post", "fetch", "-q")
    for day in (0, 4, 6):
        time.now += timedelta(days=day)
        before = len(imap.said)
        anna.kursk("post")
        searched = [said for said in imap.said[before:] if "Games/Kursk" in said]
        assert bool(searched) == (day == 6)
        assert all(said.startswith("EXAMINE") for said in searched)
    assert not any("FETCH 2" in said and "PEEK[]" in said for said in imap.said)
    assert "came from the folder 'Games/Kursk'" in capsys.readouterr().out
    assert len(folders.message_files(anna.folder(game))) == 2
    before = len(imap.said)
    anna.kursk("post", "-q")
    assert not [said for said in imap.said[before:] if "Games/Kursk" in said]


def test_an_account_reads_several_folders(games, certificates, imap):
    anna, game = games
    mail_servers.account(anna, certificates, imap.port, more='folder = ["INBOX", "Games/Kursk"]')
    anna.kursk("post", "-q")
    assert len(folders.message_files(anna.folder(game))) == 2
