"""By commands: a draw with a witness, and a draw with a lost opening."""

from __future__ import annotations

import pytest

from kursk_pbem.tournament.proof import verify
from tournament.conftest import copied
from tournament.dated import draw_with_witness

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def _world(tmp_path_factory):
    """Return a Swiss of four with the witness Wera; the field of the first draw is closed."""
    return draw_with_witness(tmp_path_factory.mktemp("witness"))


@pytest.fixture
def world(_world, tmp_path):
    return copied(_world, tmp_path / "copy")


def status(who):
    return who.kursk("tournament", "status", who.tournament)


def test_the_witness_opens_after_the_openings_are_closed(world):
    rules = world.folder / "log" / "0000.yaml"
    assert "type the NAME" in world.person("emil").kursk("tournament", "enter", rules, "--yes", status=2)
    world.exchange()
    assert "Not in the log yet: your reveal of lots 0" in status(world.entrants["anna"])
    assert "wait for the witness, until" in world.pair()
    world.exchange()
    assert "You take part in the lots of round 1." in status(world.entrants["anna"])
    assert "lots 0 are drawn" in world.pair()
    assert world.book().draws[0].reveal is not None
    world.inform()
    assert "You are number" in status(world.entrants["anna"])
    assert "You are the witness" in status(world.entrants["wera"])
    assert not [*world.entrants["boris"].tournament.glob("evidence/*")]  # the log has the secret
    proof = verify.verify_tournament(world.folder)
    assert (proof.status, proof.notes) == (0, ())


def test_a_witness_whose_secret_was_left_out_is_in_every_copy(world):
    """The director left out the witness's secret, and drew after the deadline."""
    world.exchange()
    world.pair()
    world.inform()
    world.post()
    for path in world.director.inbox.glob("wera-*"):
        path.unlink()
    world.take()
    world.later(8)
    assert "lots 0 are drawn, the witness is silent" in world.pair()
    world.inform()
    notes = verify.verify_tournament(world.entrants["anna"].tournament).notes
    assert notes[0].startswith("lots 0: the witness did not reveal")
    assert notes[1].endswith("before the lots: the director left out the secret")


def test_who_is_named_as_missing_sends_again_and_signs_that(world):
    world.inform()
    anna = world.entrants["anna"]
    world.post()
    for path in world.director.inbox.glob("anna-open-*"):
        path.unlink()
    world.inbox()
    world.later(6)
    assert "lots 0: 1 reveal missing" in world.pair()
    world.inform()
    (letter,) = anna.letters()
    assert letter.name == "sent-0.eml"
    world.collect()
    (sent,) = [paper for paper in world.book().papers.values() if paper.type == "sent"]
    assert [each["time"] for each in sent.said("unlogged")] == ["2027-01-01T12:00:00Z"]
    assert "lots 0 are closed: 4 reveals" in world.pair()
