"""The page that takes an address shows what happened before any click, without the results of dice."""

import html
import re
from urllib.parse import unquote

import pytest
from helpers import intake, sweeps

from board.letters import seen, text
from board.seats import Client, begun, by_turn
from kursk_pbem.demo import script
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.seat import linked
from kursk_pbem.desk.turn import play
from kursk_pbem.game import folders, reports

DRAWN = re.compile(r'src="data:image/svg\+xml;charset=utf-8,([^"]+)"')
PAGE = "https://kursk.example/"


def write(root, system, last):
    """Play a demonstration at two desks up to a message that its reader has not taken; return reader and writer."""
    chosen = script.load_script(system)
    seats = begun(root, chosen.scenario)
    for seq in range(1, last + 1):
        mine, theirs = by_turn(seats)
        desk = mine.sit()
        ordering.open_draft(desk)
        play.sign_shown(desk, script.fill(chosen, desk)[1], None)
        if seq < last:
            mail = folders.read_bytes(folders.message_path(mine.folder, seq))
            intake.receive(mail, f"message {seq}", theirs.home, None)
    return Client(theirs).enter(), mine


def address_of(seat):
    return PAGE + linked.make_link(seat.room, seat.sit())["fragment"]


@pytest.mark.parametrize(
    ("system", "last", "headline", "fights", "asked"),
    [
        ("battle-for-kursk", 1, "Boris sends message 1", 0, "posture, with orders or without"),
        sweeps.long(("battle-for-kursk", 2, "Anna attacks you in 3 places", 3, "answer to the German battles")),
        ("battle-for-kursk", 3, "Boris answers your attacks in 3 places", 3, "dice, results, German movement"),
        ("battle-for-kursk", 4, "The dice of Anna have fallen", 3, "orders of the Russian player turn"),
        ("kursk-1971", 1, "Boris attacks you in 4 places", 4, "answer to the German attacks"),
        sweeps.long(("juggernauts", 3, "The dice of Boris have fallen", 4, "Russian movement and attacks")),
        sweeps.long(("armor-commander", 5, "The dice of Boris have fallen", 0, "orders in the clear")),
    ],
)
def test_an_address_shows_its_battles_before_any_click(tmp_path, system, last, headline, fights, asked):
    client, writer = write(tmp_path, system, last)
    before = {path: path.read_bytes() for path in client.seat.home.rglob("*") if path.is_file()}
    page = text(client.post("/link", {"link": address_of(writer)}))
    assert {path: path.read_bytes() for path in client.seat.home.rglob("*") if path.is_file()} == before
    assert f"<h1>{headline}</h1>" in page
    assert f"You write next: {asked}." in seen(page)
    drawn = [unquote(html.unescape(found)) for found in DRAWN.findall(page)]
    assert len(drawn) == fights
    assert all("arrow attack" in one and 'class="burst"' in one for one in drawn)
    if "dice" in headline:
        step = writer.sit().history.step(last)
        results = reports.make_headlines(step.before, step.after, step.message, step.result)[:-1]
        assert not [line for line in results if line in seen(page)]
        assert not [one for one in drawn if 'class="cast"' in one]


def test_a_message_that_came_as_an_address_is_answered_by_an_address(tmp_path):
    """A message from a file is answered by a mail again. In a page every message is an address."""
    client, writer = write(tmp_path, "juggernauts", 1)
    letter = text(client.post("/link", {"link": address_of(writer)}))
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', letter))
    client.post("/take", {name: html.unescape(fields[name]) for name in ("game", "text", "by")})
    assert ">Sign it and copy the address</button>" in text(client.get(client.at()))
    done = client.signs().get_json()
    assert done["link"].endswith("/link")
    page = text(client.get(client.at()))
    assert "Send this address to Boris." in seen(page)
    assert "Copy as text" not in seen(page)
    client.drop(b"no turn")
    assert "Send this address to Boris." in seen(text(client.get(client.at())))
    intake.receive(folders.read_bytes(folders.message_path(client.seat.folder, 2)), "message 2", writer.home, None)
    desk = writer.sit()
    ordering.open_draft(desk)
    play.sign_shown(desk, script.fill(script.load_script("juggernauts"), desk)[1], None)
    client.drop(folders.read_bytes(folders.message_path(writer.folder, 3)))
    assert ">Sign it</button>" in text(client.get(client.at()))
