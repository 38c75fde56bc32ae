"""A game with only a proposal is counted as one message by verify, export, restore and replay."""

from helpers import commands
from helpers.signed_play import Table

from kursk_pbem.game import entropy, folders, histories, replay


def test_one_message_is_one(tmp_path, capsys, monkeypatch):
    with entropy.fix_random_bytes("counted"):
        table = Table(tmp_path / "table", "kursk-1971/july4-historical").begin()
    folder = tmp_path / "only"
    folder.mkdir()
    first = folders.message_files(table.soviet.folder)[0]
    (folder / first.name).write_bytes(first.read_bytes())
    assert ": verified, 1 message, " in commands.well(capsys, "verify", folder)
    assert ": 1 message, head " in commands.well(capsys, "export", folder, "-o", tmp_path / "out")
    assert replay.make_replay(histories.load(folder)).verified[0] == "1 message verified"
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "lost"))
    again = commands.well(capsys, "restore", tmp_path / "again", folder / "0000.yaml", "--key", table.soviet.key)
    assert ": 1 message, all verified; head " in again
