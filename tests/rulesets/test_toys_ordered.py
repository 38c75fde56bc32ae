"""``kursk order`` and ``kursk setup schema`` in systems very different from the shipped systems."""

import json

import pytest

from kursk_pbem.formats import strictyaml
from rulesets import toys

HEX, PLANE, *_MORE = toys.FOLDERS
pytestmark = pytest.mark.usefixtures("plugged")


def orders(players, who):
    return strictyaml.read(players.draft(who).read_bytes(), "draft").data.get("orders", {})


def test_marches_follow_each_other_and_assaults_come_behind_them(begun):
    players = begun(HEX)
    who, folder = players.due, players.folder[players.due]
    told = players.type(who, "order", folder)
    assert "march 1 B8" in told
    assert "volley" not in told
    moves = json.loads(players.type(who, "moves", folder, "--json"))
    mover = next(each for phase in moves["phases"] for each in phase["units"] if each["to"])
    unit, to = mover["unit"], mover["to"][-1]["hex"] if "hex" in mover["to"][-1] else mover["to"][-1]["place"]
    told = players.type(who, "order", folder, "march", unit, to.lower())
    assert f"{unit} to {to}: " in told
    assert orders(players, who)["march"] == [{"unit": unit, "to": to}]
    assert "undone: march" in players.type(who, "order", folder, "undo")
    assert "there is no unit of yours 'nobody'" in players.type(who, "order", folder, "march", "nobody", to, status=2)
    assert unit in json.loads(players.type(who, "setup", "schema", folder))["$defs"]["common-id"]["enum"]


def test_on_a_table_top_orders_are_sealed_by_one_and_open_by_the_other(begun):
    players = begun(PLANE)
    for who, where in (("north", "seal"), ("south", "orders")):
        folder = players.folder[who]
        unit, enemy = (f"{side[0]}-1" for side in (who, "south" if who == "north" else "north"))
        spot = players.game(who).state.units[unit].place.replace(",", "")
        told = players.type(who, "order", folder, "go", unit, *spot.split(), "fire", enemy)
        assert f"{unit} goes to {spot.replace(' ', ', ')} and fires at {enemy}" in told
        data = strictyaml.read(players.draft(who).read_bytes(), "draft").data
        (listed,) = data[where].values()
        assert listed == [{"id": unit, "to": spot.replace(" ", ", "), "fire": enemy}]
        assert f"seal plot/turn-1: id {unit}" in players.type(who, "order", folder) or where == "orders"
        players.type(who, "order", folder, "go", unit, "fire", enemy)  # replaces the earlier order
        assert "hex" not in players.type(who, "order", folder)
        schema = json.loads(players.type(who, "setup", "schema", folder))
        assert "hex" not in json.dumps(schema["properties"])
        assert schema["$defs"]["common-id"]["enum"]
        players.type(who, "sign", players.draft(who), "--yes")
        players.mail(who, players.game(who).chain.next_seq - 1)
