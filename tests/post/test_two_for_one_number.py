"""Two signed messages for one number: one mailed to the opponent, one to the referee (T9, 2.10)."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn

from kursk_pbem.game import folders
from kursk_pbem.trust import messages
from post.conftest import share
from post.refereed_mail import World, deliver_message, played_on


def signs_two(who, game, root):
    """Sign two messages for a player's next number; return the filed message and the other message."""
    made = list(postal.others(who, game, root))
    who.sign(game)
    seq = who.desk(game).seq - 1
    first = turn(who, game, seq)
    return seq, first, next(raw for raw in made if raw != first)


def bound(root, time):
    """Begin a relayed game that binds; Boris must write the next message."""
    directed = World.with_director(root, time)
    played_on(directed)
    while directed.boris.desk(directed.game).seq < 5 or not directed.boris.desk(directed.game).mine:
        who, other = directed.boris, directed.anna
        who, other = (who, other) if who.desk(directed.game).mine else (other, who)
        seq = who.desk(directed.game).seq
        deliver_message(directed, who, seq)
        postal.carried(directed.game, seq, who, other)
    directed.member["anna"].post()
    return directed


_world, world = share("world", bound)


def refused(day):
    return "\n".join(str(outcome.error) for game in day.games for outcome in game.outcomes if outcome.error)


def test_2_10_without_a_word_of_the_referee_the_first_one_counts(world, tmp_path):
    seq, had, other = signs_two(world.boris, world.game, tmp_path)
    for raw in (other, had):
        world.office.put(letter(raw, world.boris.address), world.anna.address)
        day = world.member["anna"].post()
    assert "this one is void, and no fraud" in refused(day)
    assert turn(world.anna, world.game, seq) == other


@pytest.mark.parametrize("swapped", [False, True])
def test_2_8_of_two_for_one_number_in_one_fetch_the_first_that_came_is_taken(world, tmp_path, swapped):
    """Bug: the message with the lower id was accepted."""
    seq, *both = signs_two(world.boris, world.game, tmp_path)
    for raw in both[::-1] if swapped else both:
        world.time.passes(3600)
        world.office.put(letter(raw, world.boris.address), world.ref.address)
    world.director.post()
    taken = folders.read_message(folders.message_path(world.folder, seq))
    assert taken.id == messages.read_message(both[-1] if swapped else both[0], "").id
