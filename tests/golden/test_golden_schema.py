"""The schema that editors check drafts by accepts every golden draft, and every golden turn in its own message."""

import pytest
from jsonschema import Draft202012Validator

from golden.golden_case import Case, folders_of_cases
from kursk_pbem.desk.draft import editors
from kursk_pbem.formats import strictyaml

CASES = [folder for folder in folders_of_cases() if (folder / "next.draft.yaml").exists()]


def slips(schema, data):
    return list(Draft202012Validator(schema).iter_errors(data))


def read(path):
    return strictyaml.read(path.read_bytes(), path.name).data


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)
def test_every_golden_draft_fits_the_schema_of_its_ruleset(folder):
    assert (folder / "next.draft.yaml").read_text(encoding="ascii").startswith(editors.HEADLINE + "\n")
    assert slips(editors.make_schema(Case(folder).game.ruleset.id), read(folder / "next.draft.yaml")) == []


@pytest.mark.some(5)
@pytest.mark.parametrize("folder", folders_of_cases(), ids=lambda folder: folder.name)
def test_every_golden_turn_fits_the_schema_of_its_very_message(folder):
    """With the stage's own fields and the units and hexes of the scenario."""
    case = Case(folder)
    schema = editors.game_schema(case.game)
    Draft202012Validator.check_schema(schema)
    head = {"kursk-pbem": "1", "type": "turn", "seq": str(case.seq), "from": case.game.state.side}
    assert slips(schema, {**head, **case.turn.data}) == []
