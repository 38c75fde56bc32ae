"""A word that equals the name of a file selects no game, and half of the typed words selects no game."""

import shutil

import pytest
from helpers.commands import refused, tree, well

from kursk_pbem.trust import keys

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def two(capsys, german, game, monkeypatch):
    """Propose two games of one player: with Boris (message 8 is due), and with Carla, whose folder is the current
    folder."""
    for who in ("carla", "boris"):
        keys.generate_key_pair(german / who, bytes(range(1, 33)) if who == "carla" else bytes(range(2, 34)))
    words = ["--key", german / "me", "--opponent", german / "carla.pub", "--opponent-name", "Carla", "--dir", german]
    well(capsys, "propose", CITADEL, "--as", "german", *words)
    (other,) = [folder for folder in german.glob("game-*") if folder != game]
    monkeypatch.chdir(other)
    shutil.copy(german / "boris", other / "boris")
    return game, other


def test_a_key_file_called_like_the_game_chooses_no_other_game(capsys, two):
    game, other = two
    before = tree(other)
    assert f"wrote {game / '0008.yaml'}" in well(capsys, "offer", "boris", "draw", "--yes")
    assert tree(other) == before


@pytest.mark.parametrize(
    "words",
    [
        ("offer", "./boris", "draw", "--yes"),
        ("resign", "./boris", "--yes"),
        ("setup", "draft", "./boris"),
        ("order", "./boris", "note", "hello"),
        ("sign", "./boris", "--yes"),
    ],
)
def test_a_file_of_no_game_is_none_of_the_folder_that_it_lies_in(capsys, two, words):
    before = tree(*two)
    assert "is no message or draft of a game" in refused(capsys, 2, *words)
    assert tree(*two) == before


def test_a_message_of_another_game_does_not_choose_the_folder_that_it_was_saved_in(capsys, german, two):
    game, other = two
    draft = other / "saved.yaml"
    shutil.copy(game / "0008.draft.yaml", draft)
    for words in (("offer", "saved.yaml", "draw", "--yes"), ("policy", "saved.yaml"), ("setup", "draft", "saved.yaml")):
        assert "in the folder of another game" in refused(capsys, 2, *words)


def test_a_file_called_like_a_word_of_an_order_is_no_game(capsys, two, monkeypatch):
    game, _other = two
    monkeypatch.chdir(game)
    (game / "note").write_text("-----BEGIN", "ascii")
    assert "0008.draft.yaml: legal" in well(capsys, "order", "note", "hello")
    (game / "g-24-pz").write_text("mine", "ascii")
    assert "XXIV Panzer Corps" in well(capsys, "moves", "g-24-pz")


def test_a_folder_called_like_a_scenario_hides_none(capsys, tmp_path, monkeypatch):
    (tmp_path / "citadel").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "Citadel" in well(capsys, "tables", "--track", "citadel") + well(capsys, "tables", "citadel")


def test_an_offer_is_understood_whole_before_anything_is_written_again(capsys, german, game):
    well(capsys, "offer", "boris", "draw", "--yes")
    (game / "0008.yaml").unlink()
    assert "a draw has no proposal" in refused(capsys, 2, "offer", "boris", "draw", "--option", "a=b", "--yes")
    assert not (game / "0008.yaml").exists()


def test_no_file_is_taken_where_another_of_the_same_command_is_missing(capsys, german, demo):
    letter = next((demo / "russian").glob("game-*")) / "0007.yaml"
    folder = next(german.glob("game-*"))
    (folder / "report-0007.txt").unlink()
    assert "no such file" in refused(capsys, 2, "inbox", "--report", letter, "nosuch.yaml")
    assert not (folder / "report-0007.txt").exists()
