"""accept --name: the accepting player gives a name in the note of the first message."""

import pytest
from helpers.commands import refused, well

from kursk_pbem.game import folders


@pytest.fixture
def two(seat, capsys):
    """Propose a game from Boris to Anna without her name; return a function that changes the player, and the file."""
    places = {name: seat(name) for name in ("anna", "boris")}
    for name in places:
        seat(name)
        well(capsys, "keygen", "me")
    words = ("--opponent", places["anna"] / "me.pub", "--yes", "--key", "me")
    assert "you play the German side\n" in well(capsys, "propose", "citadel", *words)
    (proposal,) = places["boris"].glob("game-*/0000.yaml")
    return seat, proposal


def test_the_name_is_a_note_that_is_signed_and_read_by_the_other_side(two, capsys):
    sit, proposal = two
    place = sit("anna")
    said = well(capsys, "accept", proposal, "--name", "\u0410\u043d\u043d\u0430, O.")
    assert "your first message tells your opponent" in said
    (folder,) = place.glob("game-*")
    assert "note My name is \u0410\u043d\u043d\u0430, O." in well(capsys, "order")
    assert " untouched\n" in well(capsys, "status")  # the draft is unedited
    well(capsys, "order", "posture", "engage")
    assert " edited\n" in well(capsys, "status")
    well(capsys, "sign", "--yes")
    first = folders.read_message(folder / "0001.yaml")
    assert first.content["note"] == "My name is \u0410\u043d\u043d\u0430, O."
    assert "names" not in first.content
    sit("boris")
    report = well(capsys, "inbox", "--report", folder / "0001.yaml")
    assert "Note of the writer:\n> My name is \u0410\u043d\u043d\u0430, O." in report


def test_it_is_taken_out_like_a_note_and_is_no_order_that_undo_takes_back(two, capsys):
    """Bug: 'undo' removed the name although no order existed, because the name counted as an order."""
    sit, proposal = two
    sit("anna")
    well(capsys, "accept", proposal, "--name", "Anna", "-q")
    assert "no command can be taken back" in refused(capsys, 2, "order", "undo")
    well(capsys, "order", "posture", "engage")
    well(capsys, "order", "undo")
    assert "note My name is Anna." in well(capsys, "order")
    well(capsys, "order", "note", "none")
    assert "Anna" not in well(capsys, "order")


def test_a_name_that_cannot_be_sent_is_refused_before_anything_is_made(two, capsys):
    sit, proposal = two
    place = sit("anna")
    assert "cannot be sent" in refused(capsys, 2, "accept", proposal, "--name", "An\x1bna")
    assert not list(place.glob("game-*"))
