"""Points given: forms offer the points that make a game even, and a stranger reads them before the answer."""

import pytest

from board import letters
from board.seats import Client, Stranger
from kursk_pbem.rulebook import balance

JULY4, JULY_1943 = "kursk-1971/july4", "juggernauts/july-1943"
PROGRAMS = "programs of level 1, 2,000 games, partly reconstructed data"


@pytest.fixture(autouse=True)
def figures(monkeypatch):
    """Replace the rows of docs/balance.md, which change with the programs."""
    wins = {letters.CITADEL: "German 4.5%, Russian 95.5%", JULY4: "German 36.8%, Soviet 62.8%", JULY_1943: "German 9%"}
    even = {letters.CITADEL: (("German", "10"),), JULY4: (("German", "28"),)}
    rows = {name: (balance.Row("1", "2,000", told, even.get(name, ()), ()),) for name, told in wins.items()}
    monkeypatch.setattr(balance, "list_rows", lambda scenario: rows.get(scenario, ()))


@pytest.fixture
def people(tmp_path):
    return [letters.sit(tmp_path / name, number) for number, name in enumerate(("anna", "boris"))]


def test_points_are_offered_where_a_side_wins_less_than_a_third():
    assert balance.find_points(letters.CITADEL) == (PROGRAMS, "German", "10")
    assert balance.find_points(JULY4) == ("", "", "")  # 37 and 63 of 100
    assert balance.find_points(JULY_1943) == ("", "", "")  # the system counts no points
    assert balance.find_points("a/b") == ("", "", "")


def test_the_stranger_reads_the_points_before_the_answer(people):
    anna, boris = people
    page = anna.client.get("/opponents").text
    assert '<input type="checkbox" name="even" checked>' in page
    assert "Citadel, July to November 1943: German gets 10" in page
    asked = anna.invite("Anna", even="on")
    shown = boris.open(asked)
    assert 0 < shown.find("gets 10 victory points at the end") < shown.find("and answer")
    boris.send(asked, "/answer", name="Boris")
    bare = letters.sit(anna.seat.home.parent / "carla", 3).invite("Carla")
    assert "victory points" not in boris.open(bare)


def test_the_form_of_a_proposal_has_the_points_filled_in(tmp_path):
    (tmp_path / "anna").mkdir()
    client = Client(Stranger("", tmp_path / "anna")).enter()
    client.post("/key", {"owner": "Anna"})
    page = client.get(f"/?propose={letters.CITADEL}").text
    assert 'placeholder="none" value="10"' in page
    assert f"These points make the game even, by {PROGRAMS}" in page


def test_a_practice_game_gets_the_points_that_its_form_ticks(tmp_path):
    (tmp_path / "anna").mkdir()
    stranger = Stranger("", tmp_path / "anna")
    client = Client(stranger).enter()
    assert f"German gets 10 points: even, by {PROGRAMS}" in " ".join(client.get("/").text.split())
    wish = {"scenario": letters.CITADEL, "side": "russian", "level": "1"}
    client.post("/practise", {**wish, "even": "on"})
    client.post("/practise", wish)
    options = [stranger.room.desk(known.game).game.chain.head["options"] for known in stranger.room.known()]
    assert sorted(map(len, options)) == [0, 1]
