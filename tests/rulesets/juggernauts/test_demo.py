"""The demonstration of this game plays and passes the audit."""

import pytest

from kursk_pbem.cli import run


@pytest.mark.slow
def test_the_demonstration_plays_and_is_verified(tmp_path, capsys):
    assert run(["demo", "juggernauts", str(tmp_path / "demo")]) == 0
    said = capsys.readouterr().out
    assert said.count(": verified, 5 messages") + said.count(": verified, 6 messages") == 2
    assert "Panzerkeil of XXXXVII Pz" in said
    assert run(["demo", "juggernauts", "one", "two"]) == 2
