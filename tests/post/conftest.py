"""Anna and Boris, who play the smallest toy by mail."""

import pytest
from helpers import postal

from kursk_pbem.game import entropy


@pytest.fixture
def friends(tmp_path, monkeypatch):
    """A function that makes people by their names."""
    monkeypatch.delenv("KURSK_KEY", raising=False)
    with entropy.fixed("post"):
        yield lambda *names: postal.friends(tmp_path, monkeypatch, *names)


@pytest.fixture
def pair(friends):
    """Anna and Boris; a game that Anna has proposed, and Boris accepted; he writes message 1. Its id."""
    anna, boris = friends("anna", "boris")
    return anna, boris, postal.began(anna, boris)
