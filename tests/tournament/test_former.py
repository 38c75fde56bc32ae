"""Tournaments of version 1: those that have ended are read as they were, and no other is gone on with."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.tournament import reader
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score import table

FORMER = Path(__file__).parent / "former"


@pytest.fixture
def ended(tmp_path):
    """A tournament that release 0.2 ran: a draw that was void, a substitute, and a game that went on for them."""
    with zipfile.ZipFile(FORMER / "tournament-0.2.zip") as archive:
        archive.extractall(tmp_path / "spring")
    return tmp_path / "spring"


def test_a_tournament_that_has_ended_has_the_same_table(ended):
    proof = verify.verify(ended)
    assert proof.status == 0, proof.text
    assert proof.notes == ("draw 0 (void): eva did not open",)
    assert len(proof.book.boards["1-2"].games) == 2
    assert table.standings(proof.book).to_plain() == json.loads((FORMER / "table.json").read_text(encoding="ascii"))


def test_one_that_goes_on_is_ended_with_its_release(ended):
    (ended / "log" / "0026.yaml").unlink()
    why = "this tournament began with release 0.2: end it with that release"
    assert why in verify.verify(ended).text
    with pytest.raises(UsageError, match=why):
        reader.book(ended)
