"""A rolling referee writes the successor proposal, and names each changed key (2.9, 2.11)."""

import pytest
from helpers.signed_play import RefereedTable

from kursk_pbem.cli import run
from kursk_pbem.game import entropy, folders
from kursk_pbem.trust import keys


@pytest.fixture
def table(tmp_path):
    """Return the campaign after two acceptances, before message 5."""
    with entropy.fix_random_bytes("keys of a refereed game"):
        made = RefereedTable(tmp_path / "table", "battle-for-kursk/campaign").begin()
        made.turn({"seal": {"posture/turn-a": {"posture": "pause", "reaction": "no"}}})
        made.turn({"choice": {"posture/turn-a": {"posture": "pause", "reaction": "no"}}})
        yield made


def successor(table, capsys, monkeypatch, *words):
    monkeypatch.setenv("KURSK_HOME", str(table.referee.home))
    status = run(["offer", str(table.referee.folder), "successor", *map(str, words)])
    told = capsys.readouterr()
    return status, told.out + told.err


def test_a_referee_names_the_player_whose_key_changes(table, tmp_path, capsys, monkeypatch):
    keys.generate_key_pair(tmp_path / "new", entropy.random_bytes())
    status, told = successor(table, capsys, monkeypatch, "--at", 2, "--player", f"russian={tmp_path / 'new'}.pub")
    assert status == 0, told
    assert "key of russian: CHANGES from" in told
    (path,) = [each for each in table.referee.place.glob("game-*/0000.yaml") if each.parent != table.referee.folder]
    named = folders.read_message(path).mapping("keys")
    before = table.referee.desk.game.chain.keys
    assert named["russian"] == keys.read_public(tmp_path / "new.pub")
    assert (named["german"], named["referee"]) == (before["german"], before["referee"])


def test_he_has_no_opponent(table, tmp_path, capsys, monkeypatch):
    status, told = successor(table, capsys, monkeypatch, "--new-opponent", tmp_path / "new.pub")
    assert (status, "--player SIDE=FILE.pub" in told) == (2, True)


def test_a_side_that_is_none_is_told(table, tmp_path, capsys, monkeypatch):
    status, told = successor(table, capsys, monkeypatch, "--player", f"british={tmp_path / 'new.pub'}")
    assert status == 2
    assert "no side 'british'; the sides are german and russian" in told
