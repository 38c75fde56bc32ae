"""Fixtures: a player with orders to write."""

import pytest
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import OPENING

from kursk_pbem.desk.draft import drafts
from kursk_pbem.game import entropy


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Return the German desk before message 2."""
    with entropy.fix_random_bytes("ordering"):
        table = Table(tmp_path_factory.mktemp("ordering")).begin()
        table.turn(OPENING)
        return table.german


@pytest.fixture
def player(opened):
    """Return the player with a fresh draft."""
    drafts.write_draft(opened.desk, force=True)
    for path in (opened.desk.own.path / "drafts").glob("*"):
        path.unlink()
    return opened
