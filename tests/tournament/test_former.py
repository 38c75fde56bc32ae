"""Archives of release 0.2: games and ended tournaments of version 1 stay readable; running tournaments are refused."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from kursk_pbem.cli import run
from kursk_pbem.errors import UsageError
from kursk_pbem.tournament import reader
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score import table
from kursk_pbem.trust import card

FORMER = Path(__file__).parent / "former"


@pytest.fixture
def ended(tmp_path):
    """Return a tournament of release 0.2 with a void draw, a substitute, and a successor game."""
    with zipfile.ZipFile(FORMER / "tournament-0.2.zip") as archive:
        archive.extractall(tmp_path / "spring")
    return tmp_path / "spring"


def test_a_tournament_that_has_ended_has_the_same_table(ended):
    proof = verify.verify_tournament(ended)
    assert proof.status == 0, proof.text
    assert proof.notes == ("draw 0 (void): eva did not open",)
    assert len(proof.book.boards["1-2"].games) == 2
    assert table.compute_standings(proof.book).to_plain() == json.loads(
        (FORMER / "table.json").read_text(encoding="ascii")
    )


def test_one_that_goes_on_is_ended_with_its_release(ended):
    (ended / "log" / "0026.yaml").unlink()
    why = "began with release 0.2"
    assert why in verify.verify_tournament(ended).text
    with pytest.raises(UsageError, match=why):
        reader.book(ended)


def test_a_game_of_release_0_2_has_the_same_head_and_verdict(tmp_path, capsys):
    """formats.md 1: the game has an extension, a draw offer, a reply and a forfeit."""
    with zipfile.ZipFile(FORMER / "game-0.2.zip") as archive:
        archive.extractall(tmp_path)
    for form in ("game", "exported"):
        assert run(["verify", str(tmp_path / form)]) == 0
        said = capsys.readouterr().out
        assert "verified, 7 messages, German victory: the russian side did not answer message 6" in said
        assert said.rstrip().endswith("head 4da7c87026dcc824770049bf6b7a2188")
    assert run(["prove", str(tmp_path / "proof.yaml")]) == 0
    assert "russian is convicted of equivocation in message 7 of game 021379b68b6ae304" in capsys.readouterr().out
    read = card.read_card((tmp_path / "card.yaml").read_bytes(), "card.yaml")
    card.check_card(read)
    assert (read.text("address"), read.text("serial")) == ("boris@example.org", "3")
