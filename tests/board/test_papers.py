"""Papers of a referee and confirmed records change an open board."""

import html

import pytest

from board.seats import Client, Seat


def page_of(client):
    return html.unescape(client.get(client.at()).get_data(as_text=True))


@pytest.mark.some(2)
@pytest.mark.parametrize("side", ["german", "russian"])
def test_a_forfeit_that_is_dropped_ends_the_game_at_once(forfeited, side):
    """The messages stay equal, so the open board must read the papers too."""
    client = Client(Seat(side, forfeited.players[side].place)).enter()
    assert "has missed" not in page_of(client)
    before = client.stamp()
    for name in ("receipt-0003.yaml", "forfeit.yaml"):
        client.drop((forfeited.folder / name).read_bytes())
    assert client.seat.sit().game.over
    assert client.stamp() != before  # so an open page shows the paper
    page = page_of(client)
    assert client.seat.sit().game.verdict.text in page
    assert 'id="sign"' not in page
    for path, form in (("order", {"words": "posture engage"}), ("sign", {}), ("talk", {"what": "draw"})):
        answer = client.post(client.at(path), {"stamp": client.stamp(), **form})
        assert answer.status_code == 400, path
        assert client.seat.sit().own.read_slot(4) is None
