"""A scenario changed after the start of a game: the page explains the change, and uses kept data."""

import shutil

import pytest

from board.seats import Client, begun
from kursk_pbem.formats import data
from kursk_pbem.game import journal

CITADEL = "battle-for-kursk/citadel"


@pytest.fixture
def changed(tmp_path, monkeypatch):
    """Return a game with a scenario changed later."""
    seats = begun(tmp_path / "seats", CITADEL)
    release, real = tmp_path / "release", data.find_folder
    shutil.copytree(data.find_folder("scenarios"), release)
    head = release / CITADEL / "scenario.yaml"
    head.write_text(head.read_text("ascii").replace("infantry: 17", "infantry: 16"), "ascii", newline="\n")
    monkeypatch.setattr(data, "find_folder", lambda kind: release if kind == "scenarios" else real(kind))
    return [*seats.values()]


def text(answer):
    return " ".join(answer.get_data(as_text=True).replace("&#39;", "'").split())


def test_its_page_says_what_is_wrong_and_what_to_do(changed):
    client = Client(changed[1]).enter()
    (game,) = [own.game for own in journal.load_records(changed[1].home)[0]]
    assert client.get("/").status_code == 200
    answer = client.get(f"/game/{game}/")
    said = text(answer)
    assert answer.status_code in (200, 400, 404, 409)
    assert f"the data of {CITADEL} differ" in said
    assert "'Anna', the proposer, can name the release" in said
    assert "away" not in said
