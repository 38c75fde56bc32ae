"""Text of a person survives when a command writes a new file in its place."""

import shutil

from helpers.commands import refused, well

from kursk_pbem.cli import run
from kursk_pbem.game import folders
from kursk_pbem.trust import keys


def test_draft_force_keeps_the_edited_draft(capsys, game, draft):
    draft.write_text(draft.read_text("ascii") + "note: 'An hour of work.'\n", "ascii")
    mine = draft.read_bytes()
    told = well(capsys, "setup", "draft", game, "--force")
    assert "0008.draft.yaml is kept as 0008.draft.yaml.unsigned" in told
    assert (game / "0008.draft.yaml.unsigned").read_bytes() == mine
    assert b"An hour" not in draft.read_bytes()
    assert "kept" not in well(capsys, "setup", "draft", game, "--force")  # the draft is unedited


def test_a_schema_overwrites_no_file_that_is_there(capsys, tmp_path):
    keys.generate_key_pair(tmp_path / "me", bytes(range(32)))
    mine = (tmp_path / "me").read_bytes()
    assert "exists already and differs" in refused(
        capsys, 2, "setup", "schema", "battle-for-kursk", "-o", tmp_path / "me"
    )
    assert (tmp_path / "me").read_bytes() == mine
    well(capsys, "setup", "schema", "battle-for-kursk", "-o", tmp_path / "new.json")
    assert "wrote" in well(capsys, "setup", "schema", "kursk-1971", "-o", tmp_path / "new.json", "--force")


def test_accept_again_leaves_the_note_that_was_written(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for who in ("anna", "boris"):
        keys.generate_key_pair(tmp_path / who, bytes(range(1, 33) if who == "anna" else range(2, 34)))
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "b"))
    words = (
        "--yes",
        "--key",
        tmp_path / "boris",
        "--opponent",
        tmp_path / "anna.pub",
        "--dir",
        tmp_path / "boris-games",
    )
    well(capsys, "propose", "battle-for-kursk/citadel", *words)
    (proposal,) = (tmp_path / "boris-games").glob("game-*/0000.yaml")
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "a"))
    again = ("accept", proposal, "--key", tmp_path / "anna", "--name", "Anna")
    assert "your first message tells your opponent" in well(capsys, *again)
    assert "your first message tells your opponent" in well(capsys, *again[:-1], "Anna Orlova")
    well(capsys, "order", "note", "Good", "luck")
    assert "is in no message" in well(capsys, *again)
    assert "note: Good luck" in well(capsys, "order", "note")


def test_an_unreadable_draft_of_a_declined_offer_is_kept(capsys, demo, german, game, draft, tmp_path, monkeypatch):
    """The draft could get no new number, and signing the next message must not delete the draft."""
    monkeypatch.chdir(tmp_path)
    mine = draft.read_text("ascii") + "note: [an hour of work\n"
    russian = tmp_path / "russian"
    well(capsys, "offer", game, "draw", "--yes")
    draft.write_text(mine, "ascii")
    shutil.copytree(demo / "russian", russian)
    home = str(german / "private")
    monkeypatch.setenv("KURSK_HOME", str(russian / "private"))
    theirs = next(russian.glob("game-*"))
    well(capsys, "inbox", "--report", game / "0008.yaml")
    well(capsys, "reply", theirs, "decline", "--yes")
    monkeypatch.setenv("KURSK_HOME", home)
    well(capsys, "inbox", "--report", theirs / "0009.yaml")
    assert run(["sign", str(game), "--yes"]) == 0
    assert not draft.exists()
    assert (game / "0008.draft.yaml.unsigned").read_text("ascii") == mine
    assert folders.message_path(game, 10).is_file()
