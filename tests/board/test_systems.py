"""The board shows every system of the program and of the tests: pages, cards and forms."""

import pytest
from helpers import registry, sweeps
from rulesets import toys

from board.seats import Client, begun
from kursk_pbem.desk.seat import scene
from kursk_pbem.game import scenarios

SHIPPED = sorted(each.id for _ruleset, found in scenarios.list_scenarios() for each in found if not each.fault)


def look_through(tmp_path, scenario, every=1):
    """Request every page and form of the next player, and some unit cards, without changes."""
    seats = begun(tmp_path, scenario, dict(zip(registry.of_scenario(scenario).sides, ("Anna", "Boris"), strict=True)))
    seat = next(each for each in seats.values() if each.sit().mine)
    client = Client(seat).enter()
    assert client.get("/").status_code == 200
    page = client.get(client.at()).get_data(as_text=True)
    assert len(page) < 440_000
    before = seat.draft().read_bytes()
    shown = scene.open_scene(seat.room, seat.game)
    for piece in shown.picture.pieces[::every]:
        answer = client.get(client.at(f"unit/{piece.id}"))
        assert answer.status_code == 200, (piece.id, answer.get_data(as_text=True))
    for verb in shown.sheet.verbs:
        answer = client.get(client.at(f"form?verb={verb.name}&words="))
        assert answer.status_code == 200, (verb.name, answer.get_data(as_text=True))
    for region in shown.picture.regions[:5]:
        assert client.get(client.at(f"place/{region.id}")).status_code == 200
    assert seat.draft().read_bytes() == before
    return client


@pytest.mark.parametrize("scenario", sweeps.some(SHIPPED, 6))
@pytest.mark.parametrize("every", [15, sweeps.long(1)])
def test_the_board_shows_every_scenario(tmp_path, scenario, every):
    look_through(tmp_path, scenario, every)


@pytest.mark.some(3)
@pytest.mark.parametrize("toy", sorted(toys.FOLDERS))
def test_the_board_shows_systems_that_it_has_never_heard_of(tmp_path, monkeypatch, toy):
    toys.plug(monkeypatch)
    look_through(tmp_path, registry.kit(toy).scenarios[0])
