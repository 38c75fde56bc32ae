"""A full disk or a missing folder: received mail is kept for the next round."""

import errno

from helpers.mailbags import sends

from kursk_pbem.game import disk


def fill_disk(patch, folder):
    """Make every write below a folder fail."""
    real = disk._write_temporary

    def full(place, data):
        if str(place).startswith(str(folder)):
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(place, data)

    patch.setattr(disk, "_write_temporary", full)


def test_a_turn_that_finds_no_room_is_taken_the_next_time(posted, monkeypatch):
    anna, boris, game, imap, _smtp = posted
    anna.kursk("post", "--as-sent", "-q")
    sends(boris, game, imap)
    with monkeypatch.context() as patch:
        fill_disk(patch, anna.folder(game))
        anna.kursk("post", "-q", status=2, told="No space left on device")
    anna.kursk("post", "-q")
    assert anna.desk(game).seq == 2
    assert (anna.folder(game) / "0002.draft.yaml").exists()
