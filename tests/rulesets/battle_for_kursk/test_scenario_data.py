"""What must hold of the shipped data of Battle for Kursk: geometry, counts, tables, and facts that the rules tell.

``kursk scenario check`` finds no fault in them (test_check); a test here has a fact that the check does not read."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
import referencing
from helpers import finished_games, registry
from helpers.commands import well
from referencing.jsonschema import DRAFT202012

from kursk_pbem.formats import data
from kursk_pbem.game import histories, replay
from kursk_pbem.game import scenario_files as scenario

FOLDER = data.find_folder("scenarios") / "battle-for-kursk"
CAMPAIGN = scenario.load(FOLDER / "campaign")
CITADEL = scenario.load(FOLDER / "citadel")
MAP, UNITS, TABLES = CAMPAIGN.data["map"], CAMPAIGN.data["units"]["units"], CAMPAIGN.data["tables"]
CITIES = MAP["cities"]
SIDES = ("german", "russian")
NEUTRAL = {"0701", "0800", "0901", "1000", "1101", "2626", "2726", "2826", "2926"}
POSTURES = ["pause", "reposition", "deploy", "engage"]
# The postures of history by turn, from the designer's notes: Pause, Reposition, Deploy, Engage.
HISTORY = {"german": "PPRDEPRPDEDE", "russian": "PPPPREEREEDE"}


def around(label):
    """All six labels around a hex, on the map or not: odd columns stand half a hex north."""
    column, row = int(label[:2]), int(label[2:])
    up = -1 if column % 2 else 0
    places = [(0, -1), (0, 1), (1, up), (1, up + 1), (-1, up), (-1, up + 1)]
    return {f"{column + c:02d}{row + r:02d}" for c, r in places if row + r >= 0}


def spans(text):
    first, last = text.split("-")
    return range(int(first), int(last) + 1)


RECTANGLE = {f"{c:02d}{r:02d}" for c in spans(MAP["grid"]["columns"]) for r in spans(MAP["grid"]["rows"])}
HEXES = RECTANGLE - set(MAP["absent"])
PLAYABLE = HEXES - set(MAP["terrain"]["sea"])
LINE = [tuple(pair.split("-")) for pair in MAP["start-line"]]


def flood(start):
    cut = {frozenset(pair) for pair in LINE}
    reached, todo = set(), [start]
    while todo:
        here = todo.pop()
        if here not in reached:
            reached.add(here)
            todo += [n for n in around(here) & PLAYABLE if frozenset((here, n)) not in cut]
    return reached


AREA = {"german": flood("1015"), "russian": flood("2402")}


# --- the map ---------------------------------------------------------------------------------------------------


def test_grid_leaves_out_row_00_of_the_high_columns():
    assert MAP["grid"]["high-columns"] == "odd"
    assert set(MAP["absent"]) == {label for label in RECTANGLE if label.endswith("00") and int(label[:2]) % 2}
    assert len(PLAYABLE) == 653


def test_each_hex_has_one_terrain_and_cities_stand_on_clear_land():
    listed = Counter(label for labels in MAP["terrain"].values() for label in labels)
    assert max(listed.values()) == 1
    assert set(listed) <= HEXES
    assert set(CITIES) <= PLAYABLE - set(listed)
    assert len({city["name"] for city in CITIES.values()}) == len(CITIES) == 47


def test_every_railway_hangs_together_with_all_others():
    network, rest = set(), [line["path"] for line in MAP["railroads"].values()]
    while joined := [path for path in rest if not network or network & set(path)]:
        network.update(joined[0])
        rest.remove(joined[0])
    assert not rest


def test_start_line_names_the_german_hex_first_and_runs_without_a_gap():
    for german, russian in LINE:
        assert german in AREA["german"]
        assert russian in AREA["russian"] & around(german)
    for one, other in pairwise(LINE):
        shared, ends = set(one) & set(other), set(one) ^ set(other)
        assert len(shared) == 1, (one, other)
        assert max(ends) in around(min(ends)), "two hexsides of the line that follow each other meet in a corner"


def test_edges_are_the_rim_of_the_map_but_for_the_neutral_hexes():
    rim = {label for label in PLAYABLE if len(around(label) & HEXES) < 6}
    german, russian = (set(MAP["edges"][side]) for side in SIDES)
    assert not german & russian
    assert rim - german - russian == NEUTRAL
    assert german | russian <= rim


# --- facts of the rules ----------------------------------------------------------------------------------------


def test_named_hexes_are_where_the_rules_put_them():
    assert (CITIES["2113"]["name"], CITIES["1200"]["name"]) == ("Kursk", "Velikie Luki")
    assert (CITIES[MAP["moscow"]]["name"], CITIES[MAP["kiev"]]["name"]) == ("Moscow", "Kiev")
    major = {city["name"]: city["side"] for city in CITIES.values() if city["kind"] == "major"}
    assert major["Moscow"] == "russian"
    assert major["Bryansk"] == "german"
    assert list(major.values()).count("german") == 10, "history had nine of them in Russian hands (5.0)"
    assert {"Vitebsk", "Gomel", "Kiev"} <= {CITIES[label]["name"] for label in MAP["objectives"]["russian"]}


# --- units -----------------------------------------------------------------------------------------------------


def test_there_are_33_german_and_68_russian_units():
    assert Counter(unit["side"] for unit in UNITS.values()) == {"german": 33, "russian": 68}


def test_unit_ids_and_short_names_tell_units_apart():
    assert all(unit_id.startswith(f"{unit['side'][0]}-") and unit_id.islower() for unit_id, unit in UNITS.items())
    shorts = [(unit["side"], unit["short"]) for unit in UNITS.values()]
    assert len(set(shorts)) == 101
    assert max(len(short) for _, short in shorts) <= 12


def test_types_and_allowances_go_together():
    moves = {"infantry": "4", "shock": "4", "panzer": "6", "tank": "6", "guards": "5"}
    assert all(unit["move"] == moves[unit["type"]] for unit in UNITS.values())


def test_eight_fronts_and_the_reserves_the_designer_counts():
    assert len({unit["formation"] for unit in UNITS.values() if unit["side"] == "russian"}) == 8
    front = {label for pair in LINE for label in pair}
    assert Counter(unit["side"] for unit in UNITS.values() if unit["hex"] not in front) == {"german": 3, "russian": 22}


# --- tables ----------------------------------------------------------------------------------------------------


def test_9_3_combat_table_names_the_cells_that_the_examples_show():
    assert set(TABLES["crt"]["provenance"]["attested"]) == {"2:1/3", "1:1/5", "1:1/4", "4:1/4"}


def test_12_0_postures_of_history_are_in_the_track_the_replay_and_the_report(capsys):
    """The designer's table, marked as attested; no hash reads it (test_published_scenarios)."""
    track = well(capsys, "tables", "battle-for-kursk/campaign", "--track")
    shown = re.findall(r"^  [> ] [A-D1-8] .* ([PRDE])/([PRDE])$", track, re.MULTILINE)
    assert ["".join(column) for column in zip(*shown, strict=True)] == [HISTORY["german"], HISTORY["russian"]]
    assert "(attested: Designer's Notes" in " ".join(track.split())
    folder = finished_games.folder_of(registry.kit("battle-for-kursk"), "german-strategic")
    page = replay.make_replay(histories.load(folder, end=9))
    assert page.past["2"].startswith("German pause, Russian engage (attested: Designer's Notes, ")
    said = " ".join(well(capsys, "report", folder, "--history").split())
    assert said.startswith("History, turn 8: German engage, Russian engage (attested: ")
    assert "by its end the Russian side had taken Orel, Kharkov" in said
    other = finished_games.folder_of(registry.kit("kursk-1971"), "german-decisive")
    assert "no data of history" in well(capsys, "report", other, "--history")
    assert replay.make_replay(histories.load(other, end=4)).past == {}


@pytest.mark.parametrize("side", SIDES)
def test_12_0_postures_of_history_can_be_paid(side):
    turns = CAMPAIGN.data["scenario"]["turns"]
    start = CAMPAIGN.data["scenario"]["start"]
    available, before = int(start["offensives"][side]), POSTURES.index(start["previous"][side])
    for turn, posture in zip(turns, HISTORY[side], strict=True):
        available = min(3, available + int(TABLES["turn-track"][turn][side]["offensives"]))
        chosen = "PRDE".index(posture)
        available -= max(0, chosen - before - 1)
        assert available >= 0, turn
        before = chosen


def test_6_0_four_quiet_turns_add_up_to_the_short_scenario():
    boxes = [TABLES["turn-track"][turn] for turn in "ABCD"]
    pause = TABLES["postures"]["russian"]["pause"]
    steps = {kind: sum(int(box["russian"][kind]) + int(pause[kind]) for box in boxes) for kind in ("irp", "arp")}
    start = CITADEL.data["scenario"]
    assert steps == {"irp": int(start["distribution"]["infantry"]), "arp": int(start["distribution"]["armor"])}
    for side in SIDES:
        assert sum(int(box[side]["offensives"]) for box in boxes) == int(start["start"]["offensives"][side])


# --- the files -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*/*.yaml")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_files_can_be_edited_by_hand(file: Path):
    text = file.read_text(encoding="ascii")
    assert max(map(len, text.splitlines())) <= 100


def make_validator():
    """Return a validator of scenarios that is not our own; it reads the schemas by their names."""

    def read(uri):
        return json.loads((data.find_folder("schemas") / uri).read_text(encoding="ascii"))

    registry = referencing.Registry(retrieve=lambda uri: DRAFT202012.create_resource(read(uri)))
    return jsonschema.Draft202012Validator(read("battle-for-kursk-scenario.schema.json"), registry=registry)


@pytest.mark.parametrize("given", [CAMPAIGN, CITADEL], ids=lambda given: given.id)
def test_data_fit_the_schema_and_lie_where_their_id_says(given):
    check = make_validator()
    check.check_schema(check.schema)
    assert not [error.message for error in check.iter_errors(given.data)]
    assert scenario.load(scenario.find(given.id)) == given
    assert set(given.data["scenario"]["turns"]) <= set(TABLES["turn-track"])


def test_schema_refuses_figures_that_are_not_text_and_keys_it_does_not_know():
    check = make_validator()
    for change in ({"move": 4}, {"move": "04"}, {"moves": "4"}, {"type": "cavalry"}, {"short": "thirteen char"}):
        units = {**UNITS, "g-43": {**UNITS["g-43"], **change}}
        assert not check.is_valid({**CAMPAIGN.data, "units": {"units": units}}), change
    units = {**UNITS, "note": UNITS["g-43"]}
    assert not check.is_valid({**CAMPAIGN.data, "units": {"units": units}}), "an id that the hash would not see"
