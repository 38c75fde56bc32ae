"""The board in a web page: no offer of what a page cannot do, and no keys of officials."""

import re

import pytest

from board.seats import Client, Seat, Stranger, begun, pair
from kursk_pbem.desk.deals import director
from kursk_pbem.desk.ground import machine
from kursk_pbem.trust import keys

CITADEL = "battle-for-kursk/citadel"
FALSE = re.compile(
    r"this machine|kursk board|'kursk |passphrase|ssh-agent|terminal|editor|Fetch mail|/private|Or in words"
)


@pytest.fixture(autouse=True)
def page(monkeypatch):
    monkeypatch.setattr(machine, "get_machine", lambda: machine.PAGE)


def test_no_page_offers_what_a_web_page_cannot_do(tmp_path):
    client = Client(Stranger("", tmp_path / "stranger")).enter()
    told = [client.get("/").text, client.post("/key", {"owner": "Anna"}).text, client.get(f"/?propose={CITADEL}").text]
    assert "never leaves this browser" in told[1]
    client = Client(next(iter(begun(tmp_path / "games", CITADEL).values()))).enter()
    told += [client.get(client.at()).text, client.get("/nothing").text]
    second = Client(Seat("russian", tmp_path / "games" / "russian")).enter()
    told += [second.get(second.at()).text, *second.signs().get_json()["said"], second.get(second.at()).text]
    assert "to copy or save" in told[-2]
    assert [found[0] for text in told if (found := FALSE.search(re.sub("<code>.*?</code>", "", text)))] == []
    assert max(text.count('role="tab"') for text in told) == 6
    assert not any(re.search(r"The draft|\.yaml\b", text) for text in told)  # for an editor
    assert "no key was made" in second.post("/key", {"owner": "Boris", "how": "ask"}).text
    assert "stay out of a web page" in second.post("/post/came").text


def test_a_referee_is_sent_to_the_installed_program(tmp_path):
    first, second = pair(tmp_path, CITADEL).values()
    players = {seat.side: keys.read_public(seat.place / "me.pub") for seat in (first, second)}
    referee = Seat("referee", tmp_path / "referee")
    keys.generate_key_pair(tmp_path / "referee-key", bytes(range(32)))
    match = director.Match(CITADEL, players, {}, {})
    desk = director.propose_game(match, tmp_path / "referee-key", referee.place, referee.home)
    told = Client(referee).enter().get(f"/game/{desk.game.chain.game}/")
    assert told.status_code == 400
    assert "install kursk-pbem" in told.text
