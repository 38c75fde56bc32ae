"""Files from before release 1.0: games keep their heads and verdicts, and nobody judges a former tournament."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from kursk_pbem.cli import run
from kursk_pbem.trust import card, turns

FORMER = Path(__file__).parent / "former"


@pytest.mark.parametrize("words", [("tournament", "verify"), ("tournament", "status"), ("rating",)])
def test_a_tournament_of_version_1_is_named_and_accuses_nobody(tmp_path, capsys, words):
    """The papers had other fields, and no release after 0.2 knows their rules."""
    with zipfile.ZipFile(FORMER / "tournament-0.2.zip") as archive:
        archive.extractall(tmp_path / "spring")
    assert run([*words, str(tmp_path / "spring")]) == 2
    assert "from before release 1.0; this program does not judge it" in capsys.readouterr().err


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
    read = turns.read_turn((tmp_path / "card.yaml").read_bytes(), "card.yaml")
    card.check_card(read)
    assert (read.text("address"), read.text("serial")) == ("boris@example.org", "3")
