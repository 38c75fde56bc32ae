"""Cards of a new address: for whom a letter holds one, which of several counts, what is told, and what waits for it."""

from email.message import EmailMessage

import pytest
from helpers import postal
from helpers.mailbags import box, letter, taken
from helpers.new_addresses import NEW, boris_there, cards, comes, pending, raw_card
from helpers.refereed_mail import held_back, hours, played_on

from kursk_pbem.post import letter as letters
from kursk_pbem.post import people, writing
from kursk_pbem.post.office import Office
from kursk_pbem.trust import keys, slip


def office(friend):
    return Office(friend.home, friend.place)


def in_one(raws):
    """One mail of somebody else with all of these cards."""
    made = EmailMessage()
    made["From"], made["Subject"], made["Message-ID"] = "evil@evil.test", "x", "<a@b.test>"
    made.set_content("x\n")
    for raw in raws:
        made.add_attachment(raw, maintype="application", subtype="octet-stream", filename="kursk-card.yaml")
    return made.as_bytes()


def forged(writer, reader, number):
    other = keys.from_seed(b"m" * 32)
    made = slip.emit(slip.card(reader.public, f"x{number:02}@evil.test", number, other))
    return made.replace(other.public, writer.public).encode("ascii")


def moves(world):
    """Boris says his new address, and writes what he owes; the post goes on; what the referee is told of cards."""
    world.boris.kursk("people", "card", NEW, "--yes", "-q")
    world.boris.sign(world.game)
    told = []
    for _round in range(2):
        world.time.passes(3600)
        days = [world.member[name].post() for name in ("boris", "anna", "ref")]
        told += days[-1].cards
    return told


def test_a_letter_to_an_opponent_and_a_referee_holds_a_card_for_each(automatic):
    """It held the opponent's alone: no referee who relays ever got a card."""
    world = automatic
    played_on(world)
    (told,) = moves(world)
    assert f"are reached at {NEW}; 'kursk people confirm" in told
    for desk in (world.ref, world.anna):
        assert people.load(desk.home, world.boris.public).state_of(NEW) == people.CARDED


def test_each_reader_counts_as_told_and_gets_no_second_card(friends):
    anna, boris, ref = friends("anna", "boris", "ref")
    game = postal.began(anna, boris, relay=ref.public)
    for other in (anna, ref):
        boris.kursk("people", "add", other.name, other.address, "-q")
    boris.kursk("people", "card", boris.address, "--yes", "-q")
    boris.sign(game)
    desk = office(boris)
    (slate,) = desk.slates()
    assert slate.letter.told == tuple(reader.mark for reader in slate.letter.to)
    raw = desk.write_down(slate).raw
    assert (writing.CARD_FILE.encode() in raw, b"kursk-card-2.yaml" in raw) == (True, True)
    assert len(list((boris.home / "post" / "told").iterdir())) == 2


def test_whoever_does_not_get_a_letter_is_not_told_by_it(friends):
    """The referee's address is not known yet: their card goes with the first letter that they get."""
    anna, boris, ref = friends("anna", "boris", "ref")
    game = postal.began(anna, boris, relay=ref.public)
    boris.kursk("people", "card", boris.address, "--yes", "-q")
    boris.sign(game)
    (slate,) = office(boris).slates()
    assert slate.letter.told == (people.mark(anna.public),)


def described(**said):
    """What describes a letter to two, in plain data."""
    to = (letters.Reader("a" * 32, "a@x.org"), letters.Reader("b" * 32, "b@x.org", letters.CC))
    item = letters.Item(letters.MESSAGE, 1, "0" * 64)
    return {**letters.Letter("1" * 64, (item,), (), to, "c@x.org", "", "", "", card="c@x.org").to_plain(), **said}


def test_a_letter_of_a_former_release_holds_the_card_of_its_first_reader():
    plain = described()
    del plain["cards"]
    assert letters.from_plain(plain).told == ("a" * 32,)


@pytest.mark.parametrize("marks", [["c" * 32], [3], [[]], 3])
def test_a_letter_with_a_card_for_nobody_of_its_readers_is_damaged(marks):
    with pytest.raises((KeyError, TypeError, ValueError)):
        letters.from_plain(described(cards=marks))


def test_a_card_for_somebody_of_the_same_game_is_left_in_silence(automatic):
    """Whoever has a card of the writer before gets the letter with one for the opponent alone: that was told as odd."""
    world = automatic
    assert comes(world, *cards(world.boris, world.anna, (NEW, 2))).cards == []
    assert boris_there(world).asked == ()


@pytest.mark.parametrize("by", ["card", "turn"])
def test_a_newer_address_waits_for_the_director_in_the_list(automatic, by):
    """It was told once as it came, and a seen one never; the list named only who is not reached at all."""
    world = automatic
    if by == "card":
        comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    else:
        people.noticed(world.ref.home, world.boris.public, NEW, "message 3 came from there")
    (line,) = pending(world)
    assert f"may be at {NEW}: " in line
    assert f"letters go to {world.boris.address} until 'kursk people confirm " in line
    world.ref.kursk("people", "confirm", boris_there(world).fingerprint, "-q", "--yes")
    assert pending(world) == []


@pytest.mark.parametrize("by", ["card", "turn"])
def test_no_game_ends_by_itself_against_somebody_whose_newer_address_waits(automatic, by):
    """Reminders went where they were not read any more, and counted."""
    world = automatic
    played_on(world)
    if by == "card":
        comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    else:
        people.noticed(world.ref.home, world.boris.public, NEW, "message 3 came from there")
    hours(world, 10 * 24, step=6)
    assert held_back(world)
    assert any(
        "was due 2026-09-08 00:01 UTC" in line and f" (the violet side may be at {NEW}: " in line
        for line in pending(world)
    )
    world.ref.kursk("people", "add", boris_there(world).fingerprint, world.boris.address, "-q")  # no, they stay there
    hours(world, 3, step=1)
    assert not held_back(world)


@pytest.mark.parametrize("sender", ["Anna@example.test", "ref@example.test", "boss@example.test"])
def test_whoever_sends_on_a_turn_names_no_address_of_its_writer(automatic, sender):
    """A player's letter may hold what it answers, and a director sends on what was lost."""
    world = automatic
    played_on(world)
    people.noticed(world.ref.home, world.boris.public, sender, "message 3 came from there")
    assert pending(world) == []
    hours(world, 9 * 24, step=6)
    assert not held_back(world)


def test_an_address_named_before_the_one_that_is_reached_holds_nothing_back(automatic):
    world = automatic
    played_on(world)
    comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    world.ref.kursk("people", "add", boris_there(world).fingerprint, world.boris.address, "-q")
    assert pending(world) == []
    hours(world, 9 * 24, step=6)
    assert not held_back(world)


def test_a_card_that_goes_back_to_an_older_address_is_asked_about(automatic):
    """It was swallowed: letters stayed at the other address, and nobody was asked."""
    world = automatic
    people.save(world.ref.home, boris_there(world).put(NEW, people.SAID, "said"))
    (line,) = comes(world, *cards(world.boris, world.ref, (world.boris.address, 3))).cards
    assert f"are reached at {world.boris.address}; 'kursk people confirm" in line
    assert boris_there(world).reached == NEW
    world.ref.kursk("people", "confirm", boris_there(world).fingerprint, "-q", "--yes")
    assert boris_there(world).reached == world.boris.address


def test_a_card_that_names_the_address_in_use_asks_nothing(automatic):
    world = automatic
    assert comes(world, *cards(world.boris, world.ref, (world.boris.address.upper(), 3))).cards == []
    assert (boris_there(world).serial, boris_there(world).asked) == (3, ())


@pytest.mark.parametrize("back", ["boris@example.test", "boris@third.test"])
def test_an_address_of_a_superseded_card_is_not_offered(automatic, back):
    """'kursk people confirm' said yes to what its owner had taken back."""
    world = automatic
    for said in ((NEW, 2), (back, 3)):
        comes(world, *cards(world.boris, world.ref, said))
    assert [one.text for one in boris_there(world).asked] == ([] if back == world.boris.address else [back])


def test_a_card_of_an_address_that_is_stopped_is_told(automatic):
    """Its owner does not know that letters came back: the director has to say it anew, or ask."""
    world = automatic
    people.save(world.ref.home, boris_there(world).stopped(world.boris.address, "a letter came back"))
    (line,) = comes(world, *cards(world.boris, world.ref, (world.boris.address, 3))).cards
    assert "a letter came back from there, and 'kursk people add" in line
    assert (boris_there(world).reached, boris_there(world).asked) == ("", ())


@pytest.mark.parametrize("order", [(2, 3), (3, 2)])
@pytest.mark.parametrize("mails", ["one", "two"])
def test_T43_of_two_cards_in_one_round_the_newest_counts(automatic, order, mails):
    """Behind a card with the address in use the older one was taken, and the serial went back."""
    world = automatic
    where = {3: world.boris.address, 2: "boris@old.test"}
    raws = [raw_card(world.boris, world.ref, where[serial], serial) for serial in order]
    (line,) = comes(world, *([in_one(raws)] if mails == "one" else [letter(raw) for raw in raws])).cards
    assert line.endswith("that names boris@old.test is left: its number is 2, and number 3 has come")
    assert (boris_there(world).serial, boris_there(world).asked) == (3, ())


def test_a_card_with_what_is_no_address_takes_no_number(automatic):
    """The form of a card allows a few texts that no mail goes to."""
    world = automatic
    assert comes(world, *cards(world.boris, world.ref, ("boris..b@new.test", 9))).cards == []
    assert boris_there(world).serial == 0


@pytest.mark.parametrize("serial", [1, 2])
def test_a_card_that_is_not_newer_is_told_and_left(automatic, serial):
    """Whoever lost the private folder counts from 1 again: nothing was said of their cards."""
    world = automatic
    comes(world, *cards(world.boris, world.ref, (NEW, 2)))
    (line,) = comes(world, *cards(world.boris, world.ref, ("boris@third.test", serial))).cards
    assert line.endswith(f"that names boris@third.test is left: its number is {serial}, and number 2 has come")
    assert [one.text for one in boris_there(world).asked] == [NEW]


def test_T49_forged_cards_hide_no_genuine_one(automatic):
    """Twenty were told, and the genuine one was among the others."""
    world = automatic
    sent = [letter(forged(world.boris, world.ref, number), "evil@evil.test") for number in range(1, 26)]
    told = comes(world, *sent, *cards(world.boris, world.ref, (NEW, 2))).cards
    assert f"are reached at {NEW}" in told[0]
    assert (len(told), told[-1]) == (22, "and 5 more cards that are left")


def test_T43_an_address_in_other_capitals_is_asked_about_too(pair, tmp_path, capsys):
    """It was confirmed without a question."""
    anna, boris, _game = pair
    taken(anna, box(tmp_path, cards(boris, anna, (NEW, 1))))
    anna.kursk("people", "confirm", "boris", NEW.upper(), status=2)  # there is no terminal
    assert people.load(anna.home, boris.public).reached == ""
    anna.kursk("people", "confirm", "boris", NEW.upper(), "--yes", "-q")
    assert people.load(anna.home, boris.public).reached == NEW
