"""The board in a web page: no offer of what a page cannot do, and no keys of officials."""

import html
import re

import pytest
from helpers import intake, sweeps

from board.seats import Client, Seat, Stranger, begun, by_turn, pair
from kursk_pbem.demo import script
from kursk_pbem.desk.deals import director
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.seat import scene
from kursk_pbem.desk.turn import play
from kursk_pbem.game import folders
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
    assert told[-2] == "Signed message 1."
    assert "Copy the address" in told[-1]
    assert [found[0] for text in told if (found := FALSE.search(re.sub("<code>.*?</code>", "", text)))] == []
    assert max(text.count('role="tab"') for text in told) == 6
    assert not any(re.search(r"The draft|\.yaml\b", text) for text in told)  # for an editor
    assert "no key was made" in second.post("/key", {"owner": "Boris", "how": "ask"}).text
    assert "a web page has no mail account" in second.post("/post/came").text


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


COMMAND = re.compile(r"['\"`]kursk [a-z][^'\"`]*|\b(?:orders|policy|seal):\n|\S+\.draft\.yaml")  # or YAML


def everything(client):
    """Yield the name and the text of each page, panel, dialog, form and card of the game."""
    seat = client.seat
    shown = scene.open_scene(seat.room, seat.game)
    paths = ["", "now", "guide", "hints", "link", f"?message={shown.desk.seq - 1}"]
    paths += [f"watch/{shown.desk.seq - 1}"] if shown.desk.seq > 1 else []
    paths += [f"form?verb={verb.name}&words=" for verb in shown.sheet.verbs]
    paths += [f"unit/{piece.id}" for piece in shown.picture.pieces[::15]]
    paths += [f"place/{region.id}" for region in shown.picture.regions[::15]]
    paths += [f"why?unit={piece.id}&place=nowhere&phase=" for piece in shown.picture.pieces[:2]]
    paths += ["find?text=nobody", "unit/nobody", "place/nowhere", "form?verb=nothing&words="]
    asked = {path: client.get(client.at(path)) for path in paths}
    orders = [verb.example for verb in shown.sheet.verbs] + [verb.name for verb in shown.sheet.verbs]
    asked |= {f"try {words}": client.post(client.at("try"), {"words": words}) for words in [*orders, "move x y"]}
    asked |= {f"order {words}": client.order(words) for words in (shown.sheet.verbs[0].name, "x")}
    for what in ("sign", "undo", "undo", "redo", "redo"):
        asked[what] = client.post(client.at(what), {"stamp": client.stamp()})
    asked |= {f"/{path}": client.get(f"/{path}") for path in ("", "opponents", "moving")}
    for name, answer in asked.items():
        yield name, "\n".join(strings(answer.get_json())) if answer.is_json else answer.text


def strings(value):
    """Return the texts in the answer for a script."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in strings(each)]
    return [text for each in value for text in strings(each)] if isinstance(value, list) else [str(value)]


@pytest.mark.some(8)
@pytest.mark.usefixtures("sooner")
@pytest.mark.parametrize("messages", sweeps.sizes(2, 8))
@pytest.mark.parametrize("system", sorted(script.SCRIPTS))
def test_no_page_of_a_game_names_a_command_of_a_terminal(tmp_path, system, messages):
    played = script.load_script(system)
    seats, found = begun(tmp_path, played.scenario), {}
    for seq in range(1, min(played.last, messages) + 1):
        mine, theirs = by_turn(seats)
        for name, text in everything(Client(mine).enter()):
            plain = html.unescape(re.sub("<[^>]+>", "", text))
            found |= {one: f"message {seq}: {name}" for one in COMMAND.findall(plain) if one not in found}
        desk = mine.sit()
        mine.draft().unlink()
        ordering.open_draft(desk)
        signed = play.sign_message(desk, script.fill(played, desk)[1], None)
        intake.receive(folders.read_bytes(signed.newest), f"message {seq}", theirs.home, None)
    assert found == {}
