"""What the list tells about addresses works when it is typed, and names no address of another player."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.new_addresses import KEY, NEW, boris_there, cards, comes, pending, types
from helpers.refereed_mail import played_on

from kursk_pbem.post import people


def sent_on(world):
    """Boris's next turn comes from Anna's address first."""
    played_on(world)
    world.boris.sign(world.game)
    postal.carried(world.game, 3, world.boris, world.anna)
    comes(world, letter(turn(world.boris, world.game, 3), world.anna.address))


def test_the_list_tells_which_of_several_addresses_is_confirmed(automatic):
    """It told a command that was refused: there were several."""
    world = automatic
    sent_on(world)
    comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    types(world, pending(world)[0])
    assert boris_there(world).reached == NEW


def test_an_address_of_a_card_is_told_before_one_that_was_seen_later(automatic):
    world = automatic
    comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    people.noticed(world.ref.home, world.boris.public, "boris@work.test", "message 3 came from there")
    types(world, pending(world)[0])
    assert boris_there(world).reached == NEW


def test_no_address_of_the_opponent_is_told_of_somebody_who_is_not_reached(automatic):
    """The list told to confirm it: the turn had come from there."""
    world = automatic
    sent_on(world)
    people.save(world.ref.home, boris_there(world).stopped(world.boris.address, "a letter came back"))
    (line,) = (line for line in pending(world) if "no address of" in line)
    assert world.anna.address not in line
    types(world, line.replace(" ADDRESS'", f" {NEW}'"))
    assert boris_there(world).reached == NEW


def test_confirming_all_confirms_no_address_of_another_player_that_was_seen(automatic):
    world = automatic
    sent_on(world)
    people.save(world.ref.home, boris_there(world).stopped(world.boris.address, "a letter came back"))
    world.ref.kursk("people", "confirm", "--all", "--yes", "-q")
    assert boris_there(world).reached == ""


def test_what_is_told_of_an_address_works_though_another_calls_themselves_the_same(automatic):
    """It was refused: several people were meant."""
    world = automatic
    people.save(world.ref.home, people.Person(KEY, "Boris"))
    (told,) = comes(world, *cards(world.boris, world.ref, (NEW, 2))).cards
    assert f"confirm Boris {NEW}'" in told
    types(world, told)
    assert (boris_there(world).reached, people.load(world.ref.home, KEY).addresses) == (NEW, ())


def test_of_several_with_one_name_who_are_asked_about_at_one_address_none_is_taken(automatic, capsys):
    world = automatic
    people.save(world.ref.home, people.Person(KEY, "Boris").put(NEW, people.SEEN, "a turn came from there"))
    comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    world.ref.kursk("people", "confirm", "Boris", NEW, "--yes", status=2)
    assert f"\n  Boris: {boris_there(world).fingerprint}, in {world.game[:8]}" in capsys.readouterr().err
    assert boris_there(world).reached == world.boris.address


def test_the_list_tells_the_likeliest_address_of_somebody_who_is_not_reached(automatic):
    """It told 'kursk people confirm' and no name."""
    world = automatic
    comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    people.noticed(world.ref.home, world.boris.public, "boris@work.test", "message 3 came from there")
    people.save(world.ref.home, boris_there(world).stopped(world.boris.address, "a letter came back"))
    types(world, pending(world)[0])
    assert boris_there(world).reached == NEW


@pytest.mark.parametrize("odd", ["`x`@evil.test", "a|sh@evil.test", "-x@evil.test", "~a@evil.test", "$HOME@evil.test"])
def test_no_command_that_is_told_holds_an_address_that_a_shell_would_read_otherwise(odd):
    person = people.Person(KEY).put("a@old.test", people.SAID, "x").put(odd, people.CARDED, "y")
    assert f"'kursk people confirm {person.fingerprint} ADDRESS'" in person.question("anna")


def test_from_where_another_of_the_game_writes_is_put_down_of_nobody_else(automatic):
    """A referee who rolls sends on each message of the opponent, who then seemed to be there in other games, too."""
    sent_on(automatic)
    assert automatic.ref.desk(automatic.game).seq == 4
    assert boris_there(automatic).state_of(automatic.anna.address) == ""
