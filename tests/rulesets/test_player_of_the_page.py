"""The player on the page docs/library.md, written as another program, orders in every system."""

import contextlib
import io
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from helpers import registry

from kursk_pbem.cli import run

PAGE = (registry.ROOT / "docs" / "library.md").read_text(encoding="utf-8")
CODE = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[1]


@pytest.mark.slow
@pytest.mark.some(3)
@pytest.mark.parametrize("rid", [*registry.KITS, "ridge-toy"])
def test_the_player_on_the_page_orders_in_every_system(rid, begun, monkeypatch):
    players = begun(rid)
    who = players.due
    players.type(who, "status", players.folder[who])  # the commands are of this player from now on

    def run_here(words, **_how):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            run(words[3:])
        return SimpleNamespace(stdout=said.getvalue())

    monkeypatch.setattr(subprocess, "run", run_here)
    monkeypatch.setattr(sys, "argv", ["player.py", str(players.folder[who])])
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(CODE, "player.py", "exec"), {"__name__": "__main__"})  # noqa: S102
    assert len([line for line in CODE.splitlines() if line]) <= 32
    assert "-> ['" in said.getvalue(), said.getvalue()
    players.type(who, "sign", players.draft(who), "--yes")
