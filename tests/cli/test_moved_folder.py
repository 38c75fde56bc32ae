"""Commands find a moved or renamed game folder in any neighborhood; saved mails are never the game."""

import json
import shutil

import pytest
from helpers.commands import refused, tree, well
from helpers.signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.game import entropy


@pytest.fixture
def beside(german, game, monkeypatch):
    """Return a folder with saved mails next to the game, in a common parent folder."""
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


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """Return a player's working folder with the mailed proposal; the game folder is below."""
    with entropy.fix_random_bytes("moved"):
        player = Table(tmp_path, "kursk-1971/july4-historical").begin().due
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    work = player.folder.parent
    shutil.copy(player.folder / "0000.yaml", work)
    monkeypatch.chdir(work)
    return player


def test_orders_in_a_moved_folder_are_found_beside_the_saved_proposal(capsys, saved):
    well(capsys, "order", "note", "hello")
    moved = saved.folder.rename(saved.folder.parent / "july")
    assert "july/0001.draft.yaml: legal" in well(capsys, "check")
    assert "july/0001.draft.yaml: legal; it holds 2 orders" in well(capsys, "order", "move", "10pg", "1610")
    assert "note: hello" in (moved / "0001.draft.yaml").read_text()
    assert "july/0001.draft.yaml" in well(capsys, "status")


def test_a_saved_proposal_takes_no_orders_of_a_game_whose_folder_is_gone(capsys, saved, tmp_path, monkeypatch):
    well(capsys, "order", "note", "hello")
    moved = saved.folder.rename(tmp_path / "july")
    before = tree(saved.place)
    for command in (["order"], ["check"], ["sign", "--yes"], ["move", "10pg", "1610"]):
        said = refused(capsys, 2, *command)
        assert "is missing" in said
        assert "in the new place" in said
    assert tree(saved.place) == before
    monkeypatch.chdir(moved)
    assert "it holds 1 order" in well(capsys, "order", "note", "hello")
    monkeypatch.chdir(saved.place)
    assert "july/0001.draft.yaml: legal" in well(capsys, "check")


def test_a_proposal_that_was_taken_begins_no_second_folder(capsys, saved, tmp_path, monkeypatch):
    well(capsys, "order", "note", "hello")
    well(capsys, "accept", "0000.yaml", "--key", "me", "-q")  # in the present folder: nothing new
    assert "note: hello" in (saved.folder / "0001.draft.yaml").read_text()
    saved.folder.rename(saved.place / "july")
    well(capsys, "status")
    before = tree(saved.place)
    said = refused(capsys, 2, "accept", "0000.yaml", "--key", "me")
    assert tree(saved.place) == before
    assert "already accepted this proposal, and the game is in july: type 'kursk status " in said
    well(capsys, "sign", "--yes", "-q")
    (saved.place / "july").rename(tmp_path / "july")
    assert "is missing" in refused(capsys, 2, "accept", "0000.yaml", "--key", "me")
