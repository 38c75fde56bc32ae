"""Address cards: the addresses of a player. Form, owner, and cards next to a turn in a mail."""

import pytest
from helpers.mails import attached, letter
from helpers.signing_desk import SIGNERS, following, game, signed

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.game import inbox
from kursk_pbem.trust import card as cards
from kursk_pbem.trust import messages, reader, turns

ADDRESS = "boris@example.org"
READER, WRITER = SIGNERS["german"], SIGNERS["russian"]


def card(**changes):
    """A card as mailed, with a text changed after signing."""
    text = cards.emit_card(cards.sign_card(READER.public, ADDRESS, 3, WRITER))
    for old, new in changes.items():
        text = text.replace(old, new)
    return text.encode("ascii")


def test_5_4_card_comes_back_as_it_was_written():
    read = turns.read_turn(card(), "card.yaml")
    cards.check_card(read)
    assert (read.type, read.text("address"), read.text("serial")) == ("card", ADDRESS, "3")
    assert (read.text("for"), read.text("key")) == (READER.public, WRITER.public)
    assert cards.emit_card(read).encode("ascii") == card()


@pytest.mark.parametrize(("old", "new"), [("boris@", "mallory@"), (READER.public, SIGNERS["referee"].public)])
def test_5_4_card_that_was_changed_is_not_what_was_signed(old, new):
    with pytest.raises(TrustError) as caught:
        cards.check_card(turns.read_turn(card(**{old: new}), "card.yaml"))
    assert caught.value.fault == "signature"
    stolen = cards.emit_card(cards.sign_card(READER.public, ADDRESS, 3, SIGNERS["referee"]))
    stolen = stolen.replace(SIGNERS["referee"].public, WRITER.public)
    with pytest.raises(TrustError, match="another key"):
        cards.check_card(turns.read_turn(stolen.encode("ascii"), "card.yaml"))


@pytest.mark.parametrize("address", ["boris", "boris@", "@x.org", "a b@x.org", "b@x.org\nBcc: c@x.org", "\u0431@x.org"])
def test_T46_5_4_no_card_holds_what_is_no_address(address):
    with pytest.raises(FileError):
        cards.sign_card(READER.public, address, 1, WRITER)


@pytest.mark.parametrize(("old", "new"), [("type: card", "type: cards"), ("'3'", "'03'"), ("'3'", "'3'\nnote: hello")])
def test_5_4_card_of_another_form_cannot_be_read(old, new):
    with pytest.raises(FileError):
        turns.read_turn(card(**{old: new}), "card.yaml")


def turn():
    message = signed(following(game(3)))
    return messages.emit_message(message.content, message.armour).encode("ascii")


def test_5_4_card_in_a_mail_does_not_hide_the_turn():
    both = attached(attached(letter("hello\n"), turn()), card(), name="kursk-card.yaml").as_bytes()
    assert [one.seq for one in inbox.read_each(both, "mail")] == [3]
    assert inbox.read(turn() + b"\n" + card(), "mail").seq == 3


def test_5_4_card_alone_is_no_message():
    for raw in (card(), b"Hi\n\n" + card(), attached(letter("hello\n"), card()).as_bytes()):
        with pytest.raises(FileError, match="kursk inbox"):
            inbox.read(raw, "mail")


def test_4_1_broken_turn_beside_a_card_is_a_fault():
    both = attached(attached(letter("hello\n"), turn()), card(), name="kursk-card.yaml").as_bytes()
    survey = reader.read_thing(both, "mail")
    assert (len(survey.turns), len(survey.cards)) == (1, 1)
    assert survey.faults == ()
    survey = reader.read_thing(turn().replace(b"seq: '3'", b"seq: three") + b"\n" + card(), "mail")
    assert (len(survey.turns), len(survey.cards)) == (0, 1)
    assert [str(fault) for fault in survey.faults] == [
        "mail: the turn was changed on the way: ask for it again, as an attachment"
    ]
