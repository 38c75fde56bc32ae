"""Invitations and messages as links at the board: read by a stranger, answered, picked, confirmed."""

import re
from pathlib import Path

import pytest

from board.seats import Client, Guest
from kursk_pbem.desk.own import remembered

CITADEL = "battle-for-kursk/citadel"
PAGE = "https://kursk.example/"
LINK = re.compile(rf"{PAGE}#k1\.[\w-]+\.[0-9a-f]{{8}}")
CLOSED = re.compile("<details>.*?</details>", re.DOTALL)


def text(answer):
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def seen(page):
    """Return what a page shows before anything is opened."""
    return " ".join(re.sub("<[^>]*>", " ", CLOSED.sub("", page)).split())


def fields(page, to):
    """Return the hidden fields of a form."""
    form = re.search(rf'<form method="post" action="[^"]*{to}">(.*?)</form>', page, re.DOTALL)[1]
    found = re.findall(r'name="(\w+)" value="([^"]*)"', form.replace("&#39;", "'"))
    return {name: value for name, value in found if name != "once"}


@pytest.fixture
def strangers(tmp_path):
    """Return the boards of two people without keys and games; the first has named a page."""
    boards = []
    for number, name in enumerate(("anna", "boris")):
        seat = Guest("", tmp_path / name)
        seat.home.mkdir(parents=True)
        remembered.remember(seat.home, page=PAGE)
        boards.append(Client(seat, 5000 + number).enter())
    return boards


def files(client):
    return {path.relative_to(client.seat.home) for path in client.seat.home.rglob("*")} - {Path("board-last.txt")}


def invited(client, side="german", **more):
    """Write an invitation; return its address."""
    page = text(client.post("/invite", {"game": f"{CITADEL} {side}", "name": "Anna", **more}))
    return LINK.findall(page)[0]


def answered(client, address, name="Boris"):
    page = text(client.post("/link", {"link": address}))
    return text(client.post("/answer", {**fields(page, "/answer"), "name": name}))


def shown(client, address):
    """Open an address that must change nothing; return the page."""
    before = files(client)
    page = text(client.post("/link", {"link": address}))
    assert files(client) == before
    return page


def test_a_stranger_is_found_by_three_addresses(strangers):
    anna, boris = strangers
    asked = invited(anna, note="Evenings")
    page = shown(boris, asked)
    assert "Anna invites you to Citadel" in seen(page)
    assert "8 turns, about 24 messages each way. You play the Russians." in seen(page)
    assert "Evenings" in seen(page)
    assert "SHA256:" not in seen(page)
    assert "SHA256:" in page
    answer = LINK.findall(answered(boris, asked))[0]
    page = shown(anna, answer)
    assert "Boris answers your invitation to Citadel" in seen(page)
    assert "You play the Germans, Boris plays the Russians." in seen(page)
    board = text(anna.post("/pick", fields(page, "/pick")))
    assert "Check who this is: not compared yet" in board
    found = anna.get(anna.at("link")).get_json()
    page = shown(boris, found["address"] + found["fragment"])
    assert "It is signed with the key of the invitation that you answered." in seen(page)
    board = text(boris.post("/accept", fields(page, "/accept")))
    assert 'id="map"' in board
    assert boris.seat.sit().own_side == "russian"
    assert boris.seat.sit().game.chain.head["names"] == {"german": "Anna", "russian": "Boris"}
    assert "not compared yet" not in text(boris.post(boris.at("compared"), {"how": "waived"}))


def test_the_inviter_takes_the_other_side_by_a_proposal_of_the_stranger(strangers):
    anna, boris = strangers
    asked = invited(anna, "russian")
    page = shown(boris, asked)
    assert "You play the Germans." in seen(page)
    assert 'id="map"' in answered(boris, asked)
    found = boris.get(boris.at("link")).get_json()
    page = shown(anna, found["address"] + found["fragment"])
    text(anna.post("/accept", fields(page, "/accept")))
    assert anna.seat.sit().own_side == "russian"
