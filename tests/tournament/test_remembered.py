"""10: a pairing computed earlier on this machine costs no time."""

from __future__ import annotations

import pytest

from kursk_pbem.tournament.pairing import matching


def test_verify_computes_each_pairing_once(four, monkeypatch):
    """The second run reads the pairing from the private folder; a damaged file is computed again."""
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
