"""What came and was told to nobody, because the program died before it said so, is told by the next round (T48)."""

import os

from helpers.mailbags import letter, turn
from helpers.postmen import fork

from kursk_pbem.post import clerk

BROKEN = "of a round that was broken off: "


def cut_in_half(posted):
    """A turn that lost its end on its way."""
    _anna, boris, game, imap, _smtp = posted
    boris.sign(game)
    raw = turn(boris, game, 1)
    imap.add(letter(raw[: len(raw) // 2], boris.address, "my turn"))
    return "is cut off"


def test_T48_a_round_that_dies_before_it_says_so_is_told_by_the_next_once(posted, monkeypatch, capfd):
    anna, told = posted[0], cut_in_half(posted)
    with monkeypatch.context() as patch:
        patch.setattr(clerk.Day, "add_fault", lambda *_of: os._exit(9))
        assert fork(lambda: anna.kursk("post", "--unsent")) == 9
        patch.undo()
        patch.setattr("kursk_pbem.cli.mail.inbox.tell", lambda *_of, **_more: os._exit(9))
        assert fork(lambda: anna.kursk("post", "--unsent")) == 9
    capfd.readouterr()
    anna.kursk("post", "--unsent", status=2)
    said = " ".join("".join(capfd.readouterr()).split())
    assert BROKEN in said
    assert told in said
    anna.kursk("post", "--unsent")
    assert told not in "".join(capfd.readouterr())
