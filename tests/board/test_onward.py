"""Successors at a board: proposers and kept proposals."""

import shutil

import pytest

from board.seats import Client, Seat
from kursk_pbem.desk.deals import successors
from kursk_pbem.game import folders


@pytest.fixture
def clients(demo_folder, tmp_path):
    """Return the boards after the demonstration: the German writes message 8 and would propose a successor."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    seats = (Seat(side, tmp_path / "demo" / side) for side in ("german", "russian"))
    found = [Client(seat).enter() for seat in seats]
    assert all(each.seat.folder.exists() for each in found)
    return found


def propose(client, **asked):
    return client.post(client.at("talk"), {"what": "successor", "stamp": client.stamp(), **asked})


def proposes(client, **asked):
    """Propose a successor, and sign the shown offer."""
    return client.signs("talk", what="successor", **asked)


def proposal(client, old):
    (found,) = (each for each in client.seat.place.glob("game-*/0000.yaml") if each.parent.name != old)
    return found


def test_the_other_side_is_told_who_proposes(clients):
    _german, russian = clients
    answer = propose(russian)
    assert answer.status_code == 400
    assert "the german side must propose" in answer.get_data(as_text=True)


@pytest.mark.parametrize("at", ["99", "-1", "1e3", "\u0661", "2"])
def test_only_messages_from_which_a_game_can_go_on(clients, at):
    german, _russian = clients
    assert propose(german, at=at).status_code == 400
    assert len(list(german.seat.place.glob("game-*"))) == 1


def test_an_offer_and_its_proposal_are_dropped_in_any_order(clients):
    """The private record of the old game keeps the proposal; the page shows the terms before asking."""
    german, russian = clients
    old = german.seat.folder
    asked = {"at": "4", "option/weather": "die"}
    said = propose(german, **asked).get_json()["html"]
    assert "CHANGES from script to die" in said
    done = proposes(german, **asked).get_json()["said"]
    assert done[1].startswith("Mail ")
    assert russian.drop(folders.message_path(old, 8).read_bytes()).status_code == 200
    game = f"/game/{russian.seat.sit().game.chain.game}/"
    stamp = russian.stamp()
    without = russian.post(game + "talk", {"what": "accept", "stamp": stamp})
    assert without.status_code == 400
    text = proposal(german, old.name).read_bytes()
    assert "TAKEN BACK" in russian.drop(text).get_data(as_text=True)
    assert successors.find_kept(russian.seat.sit()) is not None
    shown = russian.post(game + "talk", {"what": "accept", "stamp": stamp}).get_json()["html"]
    assert "weather: CHANGES from script to die" in shown
    signed = russian.signs("talk", what="accept").get_json()["said"]
    assert "message 1 of the new game" in signed[1]
    assert 'name="proposal"' in russian.drop(text).get_data(as_text=True)


def test_a_proposal_for_another_game_or_moment_is_not_kept(clients):
    german, russian = clients
    old = german.seat.folder
    propose(german)
    text = proposal(german, old.name).read_bytes()
    russian.drop(text)
    assert successors.find_kept(russian.seat.sit()) is not None
    draft = german.seat.sit()
    assert german.signs().status_code == 200
    russian.drop(folders.message_path(old, draft.seq).read_bytes())
    assert successors.find_kept(russian.seat.sit()) is None
    assert "new proposal" in russian.drop(text).get_data(as_text=True)
    assert successors.find_kept(russian.seat.sit()) is None
