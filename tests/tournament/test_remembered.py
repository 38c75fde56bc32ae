"""10: pairings that a machine has computed before cost it nothing the next time."""

from __future__ import annotations

import pytest

from kursk_pbem.tournament.pairing import matching


def test_verify_computes_each_pairing_once(four, monkeypatch):
    """The second time it reads them from the private folder; a damaged file there is computed again."""
    four.verify()
    remembered = [*(four.director.home / "pairings").iterdir()]
    assert len(remembered) == 1
    with monkeypatch.context() as broken:
        broken.setattr(matching, "find_pairs", lambda *_given: pytest.fail("computed again"))
        four.verify()
    whole = remembered[0].read_bytes()
    remembered[0].write_bytes(whole.replace(b'"1"', b'"2"', 1))
    four.verify()
    assert remembered[0].read_bytes() == whole
