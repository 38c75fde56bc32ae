"""A letter that was sent and lost is made again; one that was answered is not."""

import base64
import re

import pytest
from helpers.refereed_mail import comes, played_on

from kursk_pbem.game import folders
from kursk_pbem.post.mailbox import card, people
from kursk_pbem.post.round.office import Office


def test_a_letter_that_was_sent_and_lost_is_made_again_by_its_number(pair, capsys):
    """The letters of the outbox alone were known by their labels, and what is through is in it no more."""
    anna, boris, game = pair
    boris.kursk("people", "add", "anna", anna.address)
    boris.sign(game)
    boris.kursk("outbox", "--sent", "all")
    label = f"{game[:8]}/{Office(boris.home, boris.place).seats[0].known.newest}"
    boris.kursk("outbox", "--again", "all", status=2)
    boris.kursk("outbox", "--again", label)
    assert [(slate.label, slate.letter.edition) for slate in Office(boris.home, boris.place).slates()] == [(label, 1)]


def test_a_letter_that_was_answered_is_not_made_again(pair, capsys):
    anna, boris, game = pair
    anna.kursk("people", "add", "boris", boris.address)
    anna.kursk("outbox", "--sent", "all")
    boris.sign(game)
    mail = folders.read_bytes(folders.message_path(boris.folder(game), 1))
    (anna.place / "mail").write_bytes(mail)
    anna.kursk("inbox", anna.place / "mail")
    capsys.readouterr()
    anna.kursk("outbox", "--again", f"{game[:8]}/0", status=2)
    assert "it arrived" in capsys.readouterr().err


def test_of_a_referees_letters_about_one_message_the_one_that_was_answered_is_passed_over(directed, capsys):
    """The command made an edition for the other player, and then ended as if it had made none; so it did each time."""
    world = directed
    played_on(world)
    comes(world, world.boris, 3)
    label = f"{world.game[:8]}/2"
    world.ref.kursk("outbox", "--again", label, "--key", world.ref.key)
    said = capsys.readouterr()
    assert (said.out.count("edition 1 is to go out"), said.err) == (1, "")
    made = [slate for slate in world.director.errand.office().slates() if slate.label == label]
    assert [[reader.address for reader in slate.letter.to] for slate in made] == [[world.anna.address]]


@pytest.mark.parametrize("said", [["secret@hiding.test", "--no"], ["boris@new.test", "--yes"]], ids=["no", "yes"])
def test_a_letter_that_is_made_again_holds_a_card_only_if_its_owner_agrees_to_that_now(pair, said):
    """It signed that its writer is reached at an address of which they had said that no card tells it."""
    anna, boris, game = pair
    boris.kursk("people", "add", "anna", anna.address)
    boris.kursk("people", "card", "boris@example.test", "--yes")
    boris.sign(game)
    boris.kursk("outbox", "--sent", "all")
    boris.kursk("people", "card", *said)
    (slate,) = Office(boris.home, boris.place).again(f"{game[:8]}/1")
    raw, agreed = slate.raw, "--yes" in said
    assert (b"kursk-card" in raw, said[0].encode() in b64(raw)) == (agreed, agreed)
    assert not card.due(boris.home, people.known(boris.home, anna.public))


def b64(raw):
    """What stands in base64 in a mail."""
    return b"".join(map(base64.b64decode, re.findall(rb"base64\r\n\r\n([A-Za-z0-9+/=\r\n]+)", raw)))
