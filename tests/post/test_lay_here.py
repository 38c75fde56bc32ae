"""What lay at the referee before it went out: nobody loses a game because the director waited, or the mailbox did."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.postmen import text
from helpers.refereed_mail import DAY, comes, ends_by_itself, hours, lets_pass, played_on


def owes(world, days, *, late):
    """Boris's message 3 goes out to Anna, who owes its answer, so many days after it came: it waited in a way."""
    played_on(world)
    if late:
        world.time.now += 9 * DAY
        comes(world, world.boris, 3)
        hours(world, days * 24, step=12)
        lets_pass(world)
    else:
        world.boris.sign(world.game)
        world.office.put(letter(turn(world.boris, world.game, 3), world.boris.address), world.ref.address)
        world.time.now += days * DAY
        world.director.sits()
    world.office.mails.clear()
    world.director.post()
    assert any(reader == world.anna.address for _at, _sender, reader, _raw in world.office.mails)


@pytest.mark.parametrize("late", [True, False], ids=["let pass", "the mailbox was off"])
@pytest.mark.parametrize(("days", "ends"), [(3, True), (4, False), (6, False), (8, False)])
def test_2_12_a_message_that_lay_here_for_half_of_the_term_of_its_answer_ends_no_game(automatic, days, ends, late):
    """She lost it 42 hours after she first saw the message."""
    world = automatic
    owes(world, days, late=late)
    out = text(world.time.now)
    assert ends_by_itself(world) == ends
    told = f"message 3 lay here until {out}, more than half of the term"
    assert ends or told in str(world.director.errand.chair.pending())


def test_a_late_answer_to_what_lay_here_is_told_as_that(automatic):
    """An hour after she first saw the message the director was told only that her answer is late."""
    world = automatic
    owes(world, 9, late=False)
    out = text(world.time.now)
    postal.carried(world.game, 3, world.boris, world.anna)
    told = str([one.told for game in comes(world, world.anna, 4).games for one in game.outcomes])
    assert f"(message 3 lay here until {out}, more than half of the term): it is late" in told
