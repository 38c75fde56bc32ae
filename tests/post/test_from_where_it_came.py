"""From where a turn came first, and comes now, is put down, whoever else mails copies of it."""

from contextlib import suppress

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.new_addresses import NEW
from helpers.refereed_mail import ahead_of_referee, comes, ends_by_itself, played_on, taken

from kursk_pbem.errors import DiskError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.post import people
from kursk_pbem.trust import keys, messages, sshsig


@pytest.fixture
def ahead(automatic):
    """Boris's message 5 is signed, and the referee lacks Anna's 4."""
    played_on(automatic)
    ahead_of_referee(automatic)
    automatic.office.put(letter(turn(automatic.boris, automatic.game, 3), automatic.boris.address), "ref@example.test")
    automatic.director.post()
    automatic.boris.sign(automatic.game)
    return automatic


def put(world, sender, whose, number):
    raw = letter(turn(whose, world.game, number), sender, subject=f"from {sender}")
    world.office.put(raw, world.ref.address)


def is_seen(world):
    return people.load(world.ref.home, world.boris.public).state_of(NEW) == people.SEEN


@pytest.mark.parametrize("by", ["anna@example.test", "boris@example.test", "x@evil.test"])
def test_a_later_copy_does_not_hide_from_where_a_message_came_that_waited(ahead, by):
    """Its sender alone was put down, and the game ended by itself against a player who had moved."""
    put(ahead, NEW, ahead.boris, 5)
    ahead.director.post()
    postal.carried(ahead.game, 5, ahead.boris, ahead.anna)
    put(ahead, ahead.anna.address, ahead.anna, 4)
    put(ahead, by, ahead.boris, 5)
    assert taken(ahead.director.post()) == [4, 5]
    assert is_seen(ahead)
    comes(ahead, ahead.anna, 6)
    assert not ends_by_itself(ahead)


def test_nor_does_one_of_the_opponents_that_came_before_it_and_waited(ahead):
    put(ahead, ahead.anna.address, ahead.boris, 5)
    ahead.director.post()
    put(ahead, NEW, ahead.boris, 5)
    put(ahead, ahead.anna.address, ahead.anna, 4)
    assert taken(ahead.director.post()) == [4, 5]
    assert is_seen(ahead)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), DiskError("no room is left")])
def test_whoever_is_killed_or_finds_no_room_knows_later_from_where_a_turn_came(automatic, monkeypatch, error):
    """The turn lay in the journal, its address nowhere; letters went to the old one, and the game ended by itself."""
    played_on(automatic)
    automatic.boris.sign(automatic.game)
    put(automatic, NEW, automatic.boris, 3)

    def fails(*_said):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(people, "noticed", fails)
        with suppress(KeyboardInterrupt):
            automatic.director.post()
    automatic.director.sits()
    automatic.director.post()
    assert automatic.ref.desk(automatic.game).seq == 4
    assert is_seen(automatic)


def test_T49_no_copies_of_a_void_turn_fill_the_addresses_of_its_player(automatic):
    """Each was put down, and twenty of them pushed out the one that the player's card had named."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    said = messages.read(turn(world.boris, world.game, 3), "a message").content
    said = {**said, "policy": {"volley": "late", "assaults": {"zz": "late"}}}
    armour = keys.load(world.boris.key).sign(sshsig.NAMESPACE, canon(said))
    raw = messages.mailed(said, armour, None).encode()
    for number in range(2):
        world.office.put(letter(raw, f"x{number}@evil.test", subject=f"copy {number}"), world.ref.address)
        world.director.post()
    (address,) = people.load(world.ref.home, world.boris.public).addresses
    assert address.text == world.boris.address


def test_T49_no_address_that_was_seen_takes_the_place_of_one_that_a_card_names(friends):
    (boris,) = friends("boris")
    person = people.Person(boris.public, "Boris").put(NEW, people.CARDED, "their card")
    for number in range(50):
        person = person.put(f"x{number}@evil.test", people.SEEN, "a message came from there")
    assert person.state_of(NEW) == people.CARDED
    assert person.state_of("x49@evil.test") == people.SEEN


@pytest.mark.parametrize("others", [0, 9])
@pytest.mark.parametrize("when", ["one round", "the next", "behind an answer"])
def test_T42_a_copy_in_the_old_name_of_a_player_hides_no_new_address(automatic, when, others):
    """Their opponent, who has the message, was quicker: reminders went to an address that the player had left."""
    world = automatic
    played_on(world)
    world.boris.sign(world.game)
    postal.carried(world.game, 3, world.boris, world.anna)
    put(world, world.boris.address, world.boris, 3)
    if when != "one round":
        world.director.post()
    if when == "behind an answer":
        comes(world, world.anna, 4)
    put(world, NEW, world.boris, 3)
    for number in range(others):
        put(world, f"x{number}@evil.test", world.boris, 3)
    world.director.post()
    assert is_seen(world) or others
    assert len(people.load(world.ref.home, world.boris.public).asked) <= 4
    if when != "behind an answer":
        comes(world, world.anna, 4)
    assert not ends_by_itself(world)


@pytest.mark.parametrize("before", [0, 3])
@pytest.mark.parametrize("one_round", [True, False])
def test_T42_nor_do_many_ways_to_write_it_or_addresses_that_were_asked_about_once(automatic, one_round, before):
    """Three took all of the places, though they kept no game from ending any more."""
    world = automatic
    played_on(world)
    boris = people.load(world.ref.home, world.boris.public)
    for number in range(before):
        boris = people.noticed(world.ref.home, boris.key, f"x{number}@evil.test", "message 1 came from there")
    people.save(world.ref.home, boris.put(world.boris.address, people.SAID, "as you said"))
    world.boris.sign(world.game)
    postal.carried(world.game, 3, world.boris, world.anna)
    for way in ("boris@example.test", "Boris@example.test", "BORIS@example.test", "bORIS@example.test"):
        put(world, way, world.boris, 3)
    if not one_round:
        world.director.post()
    put(world, NEW, world.boris, 3)
    world.director.post()
    assert is_seen(world)
    comes(world, world.anna, 4)
    assert not ends_by_itself(world)


def test_T42_nor_does_a_copy_of_a_message_that_waits(ahead):
    """The opponent says when it is taken, by the message before it."""
    put(ahead, ahead.boris.address, ahead.boris, 5)
    ahead.director.post()
    put(ahead, NEW, ahead.boris, 5)
    ahead.director.post()
    put(ahead, ahead.anna.address, ahead.anna, 4)
    ahead.director.post()
    assert is_seen(ahead)
    postal.carried(ahead.game, 5, ahead.boris, ahead.anna)
    comes(ahead, ahead.anna, 6)
    assert not ends_by_itself(ahead)
