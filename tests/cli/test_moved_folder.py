"""A game folder that was moved or renamed is found, whatever lies beside it; saved mails are never the game."""

import json
import shutil

import pytest
from helpers.commands import well

from kursk_pbem.cli import run


@pytest.fixture
def beside(german, game, monkeypatch):
    """A folder of saved mails beside the game, the messages as they came; one stands beside both."""
    mails = german / "mail"
    mails.mkdir()
    for seq in (0, 1, 3, 5, 7):
        shutil.copy(game / f"{seq:04d}.yaml", mails)
    monkeypatch.chdir(german)
    return mails


def noted(german):
    (record,) = (german / "private" / "games").glob("*/game.json")
    return (record.parents[2] / json.loads(record.read_text())["folder"]).resolve()


def test_the_folder_that_holds_all_messages_is_the_game(capsys, german, game, beside):
    moved = game.rename(german / "renamed")
    assert "message 8" in well(capsys, "status")
    assert noted(german) == moved
    assert "legal" in well(capsys, "check", "boris")


def test_a_record_that_names_the_saved_mails_is_healed(capsys, german, game, beside):
    moved = game.rename(german / "z")
    (record,) = (german / "private" / "games").glob("*/game.json")
    record.write_text(json.dumps(json.loads(record.read_text()) | {"folder": str(beside)}))
    assert "message 8" in well(capsys, "status")
    assert noted(german) == moved


def test_a_command_inside_the_game_folder_finds_it(capsys, german, game, beside, monkeypatch):
    moved = game.rename(german / "renamed")
    (record,) = (german / "private" / "games").glob("*/game.json")
    record.write_text(json.dumps(json.loads(record.read_text()) | {"folder": str(beside)}))
    monkeypatch.chdir(moved)
    assert "message 8" in well(capsys, "status")
    assert noted(german) == moved


def test_a_signed_file_that_was_deleted_moves_no_game(capsys, german, game, beside):
    well(capsys, "sign", "boris", "--yes", "-q")
    signed = (game / "0008.yaml").read_bytes()
    (game / "0008.yaml").unlink()
    for path in game.glob("000[0-7].yaml"):
        if not (beside / path.name).exists():
            shutil.copy(path, beside)
    assert "'kursk sign" in well(capsys, "status", "boris")
    assert noted(german) == game.resolve()
    assert run(["sign", "--yes", "-q", "boris"]) == 0
    assert (game / "0008.yaml").read_bytes() == signed
