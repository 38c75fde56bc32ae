"""The board names a thing from before release 1.0, and keeps what is here (docs/formats.md 5.6)."""

import io
from html import unescape

import pytest
from helpers import early, sweeps
from helpers.commands import tree

from board.moves import CITADEL
from board.seats import Client, begun


@pytest.mark.parametrize("what", ["paper", "proof", "saved", *sweeps.some(early.SYSTEMS, 4)])
def test_1_board_names_a_thing_from_before_release_1(tmp_path, what):
    client = Client(next(iter(begun(tmp_path / "own", CITADEL).values()))).enter()
    game = early.play_game(tmp_path / "early", what) / "0000.yaml" if what in early.SYSTEMS else None
    raw = (game or early.write_things(tmp_path / "early")[what]).read_bytes()
    before = tree(client.seat.home / "games")
    if what == "saved":
        page = client.post("/open-saved", {"saved": (io.BytesIO(raw), "saved.zip")})
    else:
        page = client.drop(raw)
    told = unescape(page.get_data(as_text=True))
    assert early.EARLY in told
    assert not early.BLAME.search(next(line for line in told.splitlines() if early.EARLY in line))
    assert tree(client.seat.home / "games") == before
