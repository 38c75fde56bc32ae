"""A rolling referee writes the successor proposal, and names each changed key (2.9, 2.11)."""

from functools import partial

import pytest
from helpers.signed_play import RefereedTable

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


@pytest.fixture
def successor(table, kursk):
    return partial(kursk, table.referee, "offer", table.referee.folder, "successor")


def test_a_referee_names_the_player_whose_key_changes(table, tmp_path, successor):
    keys.generate_key_pair(tmp_path / "new", entropy.random_bytes())
    named = f"russian={tmp_path / 'new'}.pub"
    successor("--at", 2, "--player", named, ends=0, told="key of russian: CHANGES from")
    (path,) = [each for each in table.referee.place.glob("game-*/0000.yaml") if each.parent != table.referee.folder]
    named = folders.read_message(path).mapping("keys")
    before = table.referee.desk.game.chain.keys
    assert named["russian"] == keys.read_public(tmp_path / "new.pub")
    assert (named["german"], named["referee"]) == (before["german"], before["referee"])


def test_he_has_no_opponent(tmp_path, successor):
    successor("--new-opponent", tmp_path / "new.pub", ends=2, told="--player SIDE=FILE.pub")


def test_a_side_that_is_none_is_told(tmp_path, successor):
    told = "no side 'british'; the sides are german and russian"
    successor("--player", f"british={tmp_path / 'new.pub'}", ends=2, told=told)
