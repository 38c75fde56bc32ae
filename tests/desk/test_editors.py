"""The schema for editors accepts every written draft, and refuses typing errors."""

import json
import stat

import pytest
from helpers import registry
from helpers.signed_play import Table
from jsonschema import Draft202012Validator
from rulesets import toys
from rulesets.battle_for_kursk.first_turn import ORDERS

from kursk_pbem.desk.draft import drafts, editors
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import strictyaml


def slips(schema, data):
    return list(Draft202012Validator(schema).iter_errors(data))


def read(path):
    return strictyaml.read(path.read_bytes(), path.name).data


def move(**order):
    return {"orders": {"movement": [order]}}


@pytest.mark.parametrize(
    "wrong",
    [
        {"order": {}},
        {"orders": {"movment": []}},
        move(unit="g-24-pz", two="2219"),
        move(unit="g-24pz", to="2219"),
        move(unit="g-24-pz", to="9999"),
        move(unit="g-24-pz"),
        {"choice": {"posture/turn-1": {"posture": "attack"}}},
        {"waive": "posure"},
        {"policy": {"stand-fast": "always"}},
        {"orders": {"distribution": []}},
        {"open": "x"},
        {"orders": {"battles": [{"id": "a", "hex": "2015", "attackers": ["g-48-pz"], "looses": []}]}},
    ],
)
def test_a_slip_is_seen_as_one_types(begun, wrong):
    schema = editors.game_schema(begun.game)
    head = {"kursk-pbem": "1", "type": "turn", "seq": "2", "from": "german"}
    assert slips(schema, head) == []
    assert len(slips(schema, {**head, **wrong})) == 1


def test_a_hex_without_quotes_is_a_number_to_an_editor_and_no_slip(begun):
    head = {"kursk-pbem": "1", "type": "turn", "seq": "2", "from": "german"}
    assert slips(editors.game_schema(begun.game), {**head, **move(unit="g-24-pz", to=2219)}) == []


def test_the_schema_lies_beside_the_draft_and_goes_with_it(begun):
    desk = begun.german.desk
    path = drafts.write_draft(desk, force=True)
    assert path.read_text(encoding="ascii").splitlines()[0] == editors.HEADLINE
    schema = json.loads((desk.folder / editors.NAME).read_text(encoding="ascii"))
    assert slips(schema, read(path)) == []
    assert str(desk.folder.parent) not in json.dumps(schema)
    assert stat.S_IMODE((desk.folder / editors.NAME).stat().st_mode) & 0o077 == 0o044
    assert "#" not in drafts.render_draft(desk, bare=True)
    begun.turn(ORDERS)
    assert not (desk.folder / editors.NAME).exists()
    assert (begun.russian.folder / editors.NAME).exists()


@pytest.mark.parametrize("scenario", [scenario for kit in registry.kits() for scenario in kit.scenarios])
def test_units_are_offered_and_nothing_that_holds_them(scenario, tmp_path):
    game = Table(tmp_path, scenario).begin().game
    offered = editors.game_schema(game)["$defs"].get("common-id", {}).get("enum", [])
    assert offered == sorted(set(offered) - {"units", "provenance"})
    if not scenario.startswith("armor-commander/"):  # drafts name units and models by other forms
        assert {*offered} >= {*game.state.units}


@pytest.mark.parametrize("rid", [*registry.KITS, *registry.TOYS])
def test_every_ruleset_has_one_that_is_a_schema(rid, monkeypatch):
    toys.plug(monkeypatch)
    schema = editors.make_schema(rid)
    Draft202012Validator.check_schema(schema)
    assert "common.schema.json" not in json.dumps(schema)
    assert '"$ref"' in json.dumps(schema)


def test_another_name_is_refused_with_those_there_are():
    assert not editors.is_ruleset("nosuch")
    with pytest.raises(UsageError, match="battle-for-kursk"):
        editors.make_schema("nosuch")
