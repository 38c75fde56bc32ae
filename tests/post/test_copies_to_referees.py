"""Letters of a game with a referee who relays: who they reach, and what they hold besides."""

import pytest
from helpers import postal
from helpers.mailbags import letter, turn
from helpers.refereed_mail import played_on

from kursk_pbem.cli import run
from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import people
from kursk_pbem.post.round import writing
from kursk_pbem.post.round.office import Office, hindrance


def office(friend, key=None):
    return Office(friend.home, friend.place, key)


def knows(friend, *others):
    for other in others:
        friend.kursk("people", "add", other.name, other.address, "-q")


def test_a_referee_whose_address_is_said_later_gets_the_letter_that_went_out_without_it(friends):
    """'no address of ref may be used' stayed in the list for good, with the advice that had been followed."""
    anna, boris, ref = friends("anna", "boris", "ref")
    boris.sign(postal.began(anna, boris, relay=ref.public))
    knows(boris, anna)
    desk = office(boris)
    slate = desk.write_down(next(desk.slates()))
    slate.box.note(slate.letter, people.mark(anna.public), "sent")
    (slate,) = list(office(boris).slates())
    assert "no address of" in hindrance(office(boris), slate)
    knows(boris, ref)
    (slate,) = list(office(boris).slates())
    assert [reader.address for reader in slate.letter.to] == [anna.address, ref.address]
    assert hindrance(office(boris), slate) == ""


def test_a_relaying_referees_card_goes_with_the_first_letter_to_each_player(friends, capsys):
    """'cards tell it to those you write to' was told of a mailbox whose letters never held one."""
    anna, boris, ref = friends("anna", "boris", "ref")
    game = postal.began(anna, boris, relay=ref.public)
    (ref.place / "0000.yaml").write_bytes(folders.message_path(anna.folder(game), 0).read_bytes())
    ref.kursk("receipt", "0000.yaml", "--days", "7")
    knows(ref, anna, boris)
    with ref.sitting(KURSK_KEY=""):
        run(["outbox"])
    assert "of those that you referee 'kursk outbox --key FILE' says it" in capsys.readouterr().out
    ref.kursk("people", "card", ref.address, "--yes")
    desk = office(ref, ref.key)
    for slate in desk.slates():
        assert slate.letter.card == ref.address
        assert writing.CARD_FILE.encode() in desk.write_down(slate).raw


@pytest.mark.parametrize("lost", [True, False])
def test_T48_a_referee_gets_what_the_opponent_has_answered_though_no_letter_is_left(directed, lost):
    """A lost outbox followed from the journal what the opponent lacked alone, and the referee waited for message 3."""
    world = directed
    played_on(world)
    world.boris.sign(world.game)
    if not lost:
        world.member["boris"].post()
    postal.carried(world.game, 3, world.boris, world.anna)
    world.anna.sign(world.game)
    world.office.boxes.clear()
    before = len(world.office.mails)
    world.office.put(letter(turn(world.anna, world.game, 4), world.anna.address), world.boris.address)
    for _round in range(2):
        world.member["boris"].post()
    theirs = [raw for _at, _from, to, raw in world.office.mails[before:] if to == world.ref.address]
    assert [b"-0003.yaml" in raw for raw in theirs if b"From: boris" in raw] == [True] * lost
