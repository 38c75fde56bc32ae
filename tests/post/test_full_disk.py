"""A disk that is full, or a folder that is not there for a while: what came is kept, and taken the next time."""

import pytest
from helpers import mail_servers, postal
from helpers.mailbags import letter, turn
from helpers.refereed_mail import fills

from kursk_pbem.cli import run
from kursk_pbem.game import disk
from kursk_pbem.post.mailbox import spool


def post(friend):
    with friend.sitting():
        return run(["post", "-q"])


@pytest.mark.parametrize("room", [(spool.RESERVE, 1 << 40), (1 << 40, spool.FILES)])
def test_a_disk_that_is_almost_full_is_told_and_what_is_due_goes_out(several, certificates, monkeypatch, capsys, room):
    """What comes waits at the server: the rounds could put down nothing any more once mails had filled the disk."""
    anna, games = several
    (game, boris), (other, carla), *_more = games.items()
    postal.carried(other, 1, carla, anna)
    anna.sign(other)
    with mail_servers.Imap(certificates) as imap, mail_servers.Smtp(certificates) as smtp:
        mail_servers.account(anna, certificates, imap.port, smtp.port)
        anna.kursk("people", "card", anna.address, "--no", "-q")
        anna.kursk("people", "add", carla.name, carla.address, "-q")
        imap.add(letter(turn(boris, game, 1), boris.address))
        with monkeypatch.context() as patch, anna.sitting():
            patch.setattr(disk, "room", lambda _folder: room)
            assert run(["post", "--unsent", "-q"]) == 2
        assert "this disk is almost full, and mails wait at the server; make room" in capsys.readouterr().err
        assert carla.address in [reader for _sender, reader, _raw in smtp.post.mails]
        assert anna.desk(game).seq == 1
        post(anna)
    assert anna.desk(game).seq == 2


@pytest.mark.parametrize("what", ["game", "games"])
def test_a_turn_that_finds_no_room_is_taken_the_next_time(posted, monkeypatch, capsys, what):
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    boris.sign(game)
    imap.add(letter(turn(boris, game, 1), boris.address))
    with monkeypatch.context() as patch:
        fills(patch, anna.folder(game) if what == "game" else anna.home / what)
        assert post(anna) == 2
        assert "No space left on device" in capsys.readouterr().err
    assert post(anna) == 0
    assert anna.desk(game).seq == 2
    assert (anna.folder(game) / "0002.draft.yaml").exists()
