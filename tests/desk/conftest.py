"""Fixtures: a player with orders to write."""

import pytest

from kursk_pbem.desk.draft import drafts


@pytest.fixture(scope="module")
def opened(_begun, tmp_path_factory):
    """Return the German desk before message 2."""
    return _begun.copy(tmp_path_factory.mktemp("ordering") / "table").german


@pytest.fixture
def player(opened):
    """Return the player with a fresh draft."""
    drafts.write_draft(opened.desk, force=True)
    for path in (opened.desk.own.path / "drafts").glob("*"):
        path.unlink()
    return opened
