"""Since when words hold a game: since the newest message of the late side came, whatever its receipt says, if any."""

import pytest
from helpers.refereed_mail import DAY, closing, hours, played_on
from helpers.rolled_mail import Rolled

from kursk_pbem.post import place


def writes(world, player):
    """A player writes to the referee in words."""
    raw = f"From: {player.address}\r\nSubject: hello\r\nMessage-ID: <w@example.test>\r\n\r\nI shall be away\r\n"
    world.office.put(raw.encode(), world.ref.address)
    world.director.post()


def waits(world, game):
    """Whether the game does not end by itself, because somebody wrote words."""
    over = closing(world.ref.home, world.ref.folder(game))
    return not over and "read that before you end the game" in str(world.director.errand.chair.pending())


def goes(world):
    """The message that is due comes, and is answered."""
    who, _other = world.due()
    seq = who.desk(world.game).seq
    who.sign(world.game)
    world.time.passes(3600)
    world.goes(who, seq)
    return seq


@pytest.mark.parametrize("since", [True, False])
def test_T48_where_the_referee_rolls_words_count_since_the_last_message_of_their_writer(friends, tmp_path, time, since):
    """A player's message has no receipt there; the referee's own has, which came behind the words."""
    world = Rolled(friends, tmp_path, time)
    while goes(world) < 3:
        pass
    writer, other = world.due()
    if not since:
        writes(world, writer)
    while world.due()[0] is writer:
        goes(world)
    if since:
        writes(world, writer)
    while world.due()[0] is other:
        goes(world)
    world.passes(12)
    assert waits(world, world.game) == since
    assert closing(world.ref.home, world.ref.folder(world.game)) != since


@pytest.mark.parametrize("doubt", [True, False])
def test_T52_words_count_though_the_receipts_are_of_a_clock_that_was_ahead(automatic, doubt):
    """What was read once the clock was right seemed to have come before the message that its writer had sent."""
    world = automatic
    right = world.time.now
    world.time.now += 5 * DAY
    world.director.sits()
    played_on(world)
    world.time.now = right
    world.time.passes(3600)
    world.director.sits()
    if doubt:
        writes(world, world.boris)
    (place.root(world.ref.home) / "clock.json").unlink()
    world.director.sits()
    world.director.post()
    if not doubt:
        writes(world, world.boris)
    hours(world, 20 * 24, step=12)
    assert waits(world, world.game)
