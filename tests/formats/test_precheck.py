"""The quick check agrees with jsonschema, on good files and thousands of mutants."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import pytest
from helpers import sweeps

from kursk_pbem.formats import precheck, schema
from kursk_pbem.formats.data import find_folder
from kursk_pbem.game import scenario_files as scenario

CHOICES = {
    "choice": {"posture/turn-1": {"posture": "engage", "reaction": "no"}},
    "waive": "posture",
    "orders": {
        "distribution": ["r-1", "r-2"],
        "objective": "1808",
        "returns": [{"unit": "g-1", "hex": "0601"}],
        "replacements": [{"unit": "g-3-pz", "gain": "flip"}, {"unit": "g-4", "gain": "place", "hex": "1808"}],
        "give-ups": ["g-5"],
        "armor-and-rail": [{"unit": "g-2-ss", "path": ["2016", "2015"]}, {"unit": "g-6", "to": "2114"}],
        "battles": [
            {
                "id": "b1",
                "hex": "2113",
                "attackers": ["g-48-pz"],
                "retreat": ["toward 2113"],
                "losses": ["g-52"],
                "advance": ["g-48-pz if-free"],
                "offensive": {"lead": "g-48-pz", "support": ["g-3-pz"]},
            }
        ],
        "movement": [],
    },
    "policy": {"stand-fast": "doomed", "units": {"r-1": {"exchange-dr": "always"}}, "hexes": {"2113": {}}},
    "seal": {"posture/turn-2": {"posture": "pause"}},
}
SCENARIO = "battle-for-kursk-scenario"
VECTORS = sorted(Path(__file__).parents[1].joinpath("vectors").rglob("*.json"))
STRINGS = ["", "x", "0113", "12", "-1", "01", "yes", "engage\n", "a" * 300, "ssh-ed25519 AAAA", "é", "0" * 64, "0" * 32]


def walk_nodes(value, path=()):
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk_nodes(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from walk_nodes(inner, (*path, number))


def make_mutant(rng: random.Random, data):
    data = copy.deepcopy(data)
    path = rng.choice([path for path in walk_nodes(data) if path])
    holder = data
    for step in path[:-1]:
        holder = holder[step]
    match rng.randrange(5):
        case 0:
            del holder[path[-1]]
        case 1:
            holder[path[-1]] = rng.choice(STRINGS)
        case 2:
            holder[path[-1]] = rng.choice([[], {}, ["x"], {"x": "y"}, [[]], {"BAD KEY": "x"}])
        case 3 if isinstance(holder, dict):
            holder[rng.choice(["extra", "note", "BAD KEY", "hex", "unit", ""])] = rng.choice(STRINGS)
        case _:
            holder[path[-1]] = [holder[path[-1]]] * rng.randint(0, 3)
    return data


def agree(data, name):
    found = list(schema._build_validator(name).iter_errors(data))
    assert precheck.is_accepted(data, name) == (not found), (data, found[:2])
    return not found


def test_good_choices_are_accepted_by_both():
    assert agree(CHOICES, "battle-for-kursk")


@pytest.mark.some(3)
@pytest.mark.parametrize("seed", range(6))
def test_mutants_of_choices(seed):
    rng = random.Random(seed)
    kinds = {agree(make_mutant(rng, CHOICES), "battle-for-kursk") for _ in range(250)}
    assert kinds == {True, False}


def test_mutants_of_messages():
    rng = random.Random(7)
    messages = [json.loads(path.read_text(encoding="utf-8")) for path in VECTORS if path.name[:4].isdigit()]
    assert messages
    kinds = {agree(make_mutant(rng, rng.choice(messages)), "message") for _ in range(600)}
    assert kinds == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("mutants", sweeps.sizes(20, 300))
def test_mutated_scenarios_are_judged_alike(mutants):
    campaign = find_folder("scenarios") / "battle-for-kursk" / "campaign"
    data = {part: document.data for part, document in scenario.parse(scenario.read_contents(campaign)).items()}
    small = {**data, "units": {"units": {uid: data["units"]["units"][uid] for uid in ("g-6", "r-43", "r-4-sh")}}}
    rng = random.Random(1945)
    assert agree(small, SCENARIO) is True
    kinds = {agree(make_mutant(rng, small), SCENARIO) for _ in range(mutants)}
    assert kinds == {True, False}


def test_every_schema_uses_only_known_keywords():
    read = [path for path in find_folder("schemas").glob("*.schema.json") if path.name != "output.schema.json"]
    for path in sorted(read):  # other programs read our output
        precheck.look(path.name, "")
        for form in precheck.load(path.name).get("$defs", {}):
            precheck.look(path.name, form)


def test_an_unknown_keyword_is_an_error():
    with pytest.raises(AssertionError, match="multipleOf"):
        precheck._build_test({"multipleOf": 2}, "x")
