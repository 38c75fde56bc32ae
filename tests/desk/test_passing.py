"""``kursk setup pass``: messages without choices, signed where the player allows signing."""

import pytest
from rulesets.battle_for_kursk.first_turn import OPEN_ORDERS, ORDERS

from desk.sheets import passes
from kursk_pbem.cli import run
from kursk_pbem.desk.deals import passing
from kursk_pbem.game import folders


@pytest.fixture
def answering(begun, monkeypatch):
    """Return the Russian desk before an answer without choices."""
    begun.turn(OPEN_ORDERS)
    monkeypatch.setenv("KURSK_HOME", str(begun.russian.home))
    return begun.russian


def test_an_answer_without_a_choice_is_signed(answering):
    ((signed, _why),) = passes(answering)
    assert (signed.last.seq, signed.last.sender) == (3, "russian")
    assert folders.message_path(answering.folder, 3).exists()
    assert passes(answering) == []


def test_a_message_with_a_choice_waits(begun):
    begun.turn(ORDERS)  # an attack on a fortification
    assert passes(begun.russian) == []


def test_an_edited_draft_waits(answering):
    assert run(["order", str(answering.folder), "note", "hello"]) == 0
    assert passes(answering) == []


def test_the_permission_is_given_shown_and_taken_back(answering, capsys):
    home = answering.home
    assert not passing.is_passing_allowed(home)
    for answer, told in ((["yes"], "sends them"), ([], "sends them"), (["no"], "sign them yourself"), ([], "yourself")):
        assert run(["setup", "pass", *answer]) == 0
        assert told in capsys.readouterr().out
        assert passing.is_passing_allowed(home) == (told == "sends them")
