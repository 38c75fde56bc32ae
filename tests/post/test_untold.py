"""What came and was told to nobody, because the program died before it said so, is told by the next round (T48)."""

import os
import sys

from helpers.mailbags import letter, turn
from helpers.postmen import fork

from kursk_pbem.cli import run
from kursk_pbem.post import clerk
from kursk_pbem.post.mailbox import untold

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


def test_T48_what_could_not_be_complained_of_is_told_by_the_next_round(posted, capfd):
    """'kursk post -q >>log 2>&1' on a full disk."""
    anna, told = posted[0], cut_in_half(posted)

    def muted():
        sys.stderr = open("/dev/full", "w")  # noqa: SIM115, PTH123
        with anna.sitting():
            os._exit(run(["post", "--unsent", "-q"]))

    assert fork(muted) == 2
    capfd.readouterr()
    anna.kursk("post", "--unsent", status=2)
    assert told in " ".join("".join(capfd.readouterr()).split())


def test_T49_of_a_flood_the_newest_lines_are_kept(pair):
    anna, _boris, _game = pair
    untold.put(anna.home, map(str, range(5000)), wrong=True)
    assert (untold.status(anna.home), untold.before(anna.home)) == (2, list(map(str, range(4000, 5000))))


def test_sending_alone_takes_nothing_for_told_that_it_does_not_tell(posted):
    anna, *_more = posted
    untold.add(anna.home, "left by a round that died")
    anna.kursk("post", "send", "--unsent", "-q")
    assert untold.before(anna.home) == ["left by a round that died"]


def test_T48_what_the_next_round_put_down_before_the_last_was_printed_stays(pair):
    """Standard output was blocked meanwhile, and the other round died: its lines went with those that were printed."""
    anna, _boris, _game = pair
    untold.add(anna.home, "printed")
    forgets = untold.to_forget(anna.home)
    untold.add(anna.home, "of the next round")
    forgets()
    assert untold.before(anna.home) == ["of the next round"]
    untold.told(anna.home)
    assert untold.before(anna.home) == []
