"""Addresses that letters came back from, and that are named again: asked about, held back, and not used before."""

import pytest
from helpers.mailbags import letter, turn
from helpers.new_addresses import KEY, NEW, boris_there, cards, comes, pending, types
from helpers.refereed_mail import held_back, hours, played_on
from helpers.returned import report

from kursk_pbem.post import people


@pytest.fixture
def moved(automatic):
    """Boris is late at the address that the director said last; a letter to his first one is not answered yet."""
    played_on(automatic)
    people.save(automatic.ref.home, boris_there(automatic).put(NEW, people.SAID, "as you said"))
    return automatic


def comes_back(world):
    """A server reports that the letter of the turn did not reach Boris's first address; what is told of that."""
    raws = [raw for *_way, reader, raw in world.office.mails if reader == world.boris.address and b"k1." in raw]
    mid = raws[-1].partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()
    return comes(world, report(mid, world.boris.address)).returned


def test_a_card_back_to_a_stopped_address_waits_in_the_list_and_holds_the_game(moved):
    """It was told once: no list named it, and the game ended by reminders to the address that was left."""
    world = moved
    comes_back(world)
    assert boris_there(world).state_of(world.boris.address) == people.BOUNCED
    (told,) = comes(world, *cards(world.boris, world.ref, (world.boris.address, 3))).cards
    assert "but a letter came back from there; 'kursk people confirm" in told
    (line,) = pending(world)
    assert "a card of theirs names it, but a letter came back from there; letters go to " + NEW in line
    hours(world, 10 * 24, step=6)
    assert held_back(world)
    types(world, told)
    assert boris_there(world).reached == world.boris.address


def test_T60_a_stopped_address_that_is_said_anew_answers_no_question_about_another(automatic):
    """An opponent forged the report: the command that it made the mailbox tell said no to the player's own card."""
    world = automatic
    played_on(world)
    comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    hours(world, 6, step=6)
    (told,) = comes_back(world)
    types(world, told.partition(", then")[0])
    assert boris_there(world).reached == world.boris.address
    hours(world, 10 * 24, step=6)
    assert held_back(world)
    assert any(f"may be at {NEW}: " in line for line in pending(world))


def test_T60_a_report_says_nothing_of_whose_address_that_was_merely_asked_about(automatic):
    """Anna had sent on Boris's turn; the report of a letter to her told the director to say her address for him."""
    world, new = automatic, "anna@second.test"
    played_on(world)
    people.noticed(world.ref.home, world.boris.public, new, "message 3 came from there")
    people.save(world.ref.home, people.load(world.ref.home, world.anna.public).put(new, people.SAID, "as you said"))
    comes(world, letter(turn(world.anna, world.game, 2), new))
    world.boris.sign(world.game)
    comes(world, letter(turn(world.boris, world.game, 3), world.boris.address))
    raws = [raw for *_way, reader, raw in world.office.mails if reader == new and b"k1." in raw]
    mid = raws[-1].partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()
    (told,) = comes(world, report(mid, new)).returned
    assert told.count("'kursk people add ") == 1
    types(world, told.partition(", then")[0])
    assert boris_there(world).reached == world.boris.address


def test_T60_a_report_about_an_address_that_was_given_up_asks_for_nothing(moved):
    """It told the director to say it anew, and letters went to where their reader had moved away from."""
    (told,) = comes_back(moved)
    assert "'kursk outbox --again " in told
    assert "people add" not in told
    assert boris_there(moved).reached == NEW


def test_a_stopped_address_that_is_said_anew_is_the_one_that_is_used(moved):
    comes_back(moved)
    moved.ref.kursk("people", "add", boris_there(moved).fingerprint, moved.boris.address, "-q")
    assert boris_there(moved).reached == moved.boris.address


def test_an_address_that_is_named_again_is_not_used_before_somebody_says_yes(moved):
    world = moved
    comes_back(world)
    comes(world, *cards(world.boris, world.ref, (world.boris.address, 3)))
    assert boris_there(world).reached == NEW
    world.ref.kursk("people", "add", boris_there(world).fingerprint, NEW, "-q")
    assert (boris_there(world).reached, pending(world)) == (NEW, [])


def test_a_stopped_address_stays_stopped_when_the_card_that_named_it_again_is_over(moved):
    world = moved
    comes_back(world)
    for said in ((world.boris.address, 3), (NEW, 4)):
        comes(world, *cards(world.boris, world.ref, said))
    there = boris_there(world)
    assert (there.state_of(world.boris.address), there.reached, there.newer) == (people.BOUNCED, NEW, ())


def test_T60_a_report_is_told_in_the_list_though_a_card_has_named_the_address_since(moved):
    """The card had made of a said address a carded one: nothing was stopped, and the list went on offering it."""
    world = moved
    comes(world, *cards(world.boris, world.ref, (world.boris.address, 3)))
    assert len(comes_back(world)) == 1
    (line,) = pending(world)
    assert f"may be at {world.boris.address}: a card of theirs names it, but a letter came back from there; " in line
    comes(world, *cards(world.boris, world.ref, (NEW, 4)))
    assert boris_there(world).state_of(world.boris.address) == people.BOUNCED


def test_T60_a_report_answers_no_question_about_an_address():
    """Whoever forges one would end the game that the question holds back."""
    person = people.Person(KEY).put("a@old.test", people.SAID, "x").put("a@new.test", people.SEEN, "y")
    for _report in range(2):
        person = person.stopped("A@new.test", "z")
    (entry,) = person.newer
    assert (entry.text, entry.source, person.reached) == ("a@new.test", "y" + people.BACK, "a@old.test")


def test_a_card_of_an_address_that_stops_all_letters_tells_what_to_type(automatic):
    world = automatic
    people.save(world.ref.home, boris_there(world).stopped(world.boris.address, "a letter came back"))
    (line,) = comes(world, *cards(world.boris, world.ref, (world.boris.address, 3))).cards
    types(world, line)
    assert boris_there(world).reached == world.boris.address
