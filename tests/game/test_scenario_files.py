"""Loading scenarios: hashes, inheritance and refusals."""

import hashlib
import json
import shutil

import pytest

from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats import canonical, data
from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.game import scenarios
from kursk_pbem.kernel.scenario import STATUSES

SHIPPED = data.find_folder("scenarios") / "battle-for-kursk"


@pytest.fixture
def folder(tmp_path):
    """A copy of the campaign, to be spoiled."""
    shutil.copytree(SHIPPED / "campaign", tmp_path / "campaign")
    return tmp_path / "campaign"


def change(file, old, new):
    text = file.read_text(encoding="ascii")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="ascii")


def test_hash_is_that_of_the_protocol_computed_by_other_means():
    def bare(value):
        if isinstance(value, dict):
            return {key: bare(item) for key, item in value.items() if key not in canonical.NOT_ADJUDICATED}
        return [bare(item) for item in value] if isinstance(value, list) else value

    for scenario_id in scenario.list_ids():
        loaded = scenario.load(scenario.find(scenario_id))
        text = json.dumps(bare(loaded.data), sort_keys=True, separators=(",", ":"))
        assert loaded.sha256 == hashlib.sha256(text.encode()).hexdigest()
        assert set(loaded.data) == {"scenario", "map", "units", "tables"}


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("scenario.yaml", "title: Battle", r'title: "Kursk\nwins" #', "Kursk wins"),
        ("map.yaml", "name: Zhitomir", r'name: "\n"', " "),
        ("units.yaml", "short: XLIII", r'short: "X\nL"', "X L"),
        ("tables.yaml", "label: March 18", r'label: "March 18\nkey: x"', "March 18 key: x"),
    ],
)
def test_T29_a_title_or_a_name_is_one_line_and_the_hash_is_the_same(folder, file, old, new, told):
    """Free text may hold line breaks; in a list or a letter the second line seemed to be one of ours."""
    before = scenario.load(folder).sha256
    change(folder / file, old, new)
    loaded = scenario.load(folder)
    assert loaded.sha256 == before
    texts = list(named(loaded.data))
    assert told in texts
    assert not any("\n" in text for text in texts)
    assert loaded.title == loaded.data["scenario"]["title"]


def named(value):
    """All titles, names and the like in the data of a scenario."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        if key in ("title", "name", "short", "label"):
            yield item
        elif not isinstance(item, str):
            yield from named(item)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("scenario.yaml", "title: Battle", "title: The battle"),
        ("map.yaml", "name: Zhitomir", "name: Zhytomyr"),
        ("map.yaml", "status: invented", "status: attested"),
        ("units.yaml", "short: XLIII", "short: 43 C"),
        ("units.yaml", "note: '9th Army reserve'", "note: 'in reserve'"),
        ("tables.yaml", "label: March 18", "label: spring"),
        ("map.yaml", "default-terrain: clear", "default-terrain:   'clear'   # a remark"),
    ],
)
def test_what_cannot_alter_an_adjudication_does_not_change_the_hash(folder, file, old, new):
    before = scenario.load(folder).sha256
    change(folder / file, old, new)
    assert scenario.load(folder).sha256 == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("scenario.yaml", "german: engage", "german: deploy"),
        ("map.yaml", "kind: major", "kind: city"),
        ("units.yaml", "full: 5", "full: 6"),
        ("units.yaml", "formation: 3rd Panzer Army", "formation: 4th Army"),
        ("tables.yaml", "[AL, NE, DR, DR, DR, DRL]", "[NE, NE, DR, DR, DR, DRL]"),
    ],
)
def test_what_can_alter_an_adjudication_changes_the_hash(folder, file, old, new):
    before = scenario.load(folder).sha256
    change(folder / file, old, new)
    assert scenario.load(folder).sha256 != before


def test_order_of_keys_does_not_change_the_hash(folder):
    before = scenario.load(folder).sha256
    change(folder / "tables.yaml", "clear: {mp: 1, shift: 0}", "clear: {shift: 0, mp: 1}")
    assert scenario.load(folder).sha256 == before


def test_based_on_takes_what_is_missing_from_the_folder_beside():
    campaign, citadel = (scenario.load(SHIPPED / name) for name in ("campaign", "citadel"))
    assert all(citadel.data[part] == campaign.data[part] for part in ("map", "units", "tables"))
    assert citadel.data["scenario"] != campaign.data["scenario"]
    assert citadel.sha256 != campaign.sha256


def test_based_on_prefers_the_own_file(folder):
    own = folder.parent / "mine"
    shutil.copytree(SHIPPED / "citadel", own)
    before = scenario.load(own).sha256
    shutil.copy(folder / "tables.yaml", own)
    assert scenario.load(own).sha256 == before
    change(own / "tables.yaml", "strategic: 6", "strategic: 7")
    assert scenario.load(own).data["tables"]["victory"]["strategic"] == "7"


@pytest.mark.parametrize("name", ["../campaign", "/etc", "'.'", "..", "campaign/", "[campaign]", "''", "Campaign"])
def test_based_on_is_never_a_path(folder, name):
    own = folder.parent / "mine"
    shutil.copytree(SHIPPED / "citadel", own)
    change(own / "scenario.yaml", "based-on: campaign", f"based-on: {name}")
    with pytest.raises(FileError, match="'based-on' should be the plain name of a neighboring folder") as error:
        scenario.load(own)
    assert error.value.where.line == 6


def test_a_missing_file_is_named(folder):
    (folder / "units.yaml").unlink()
    with pytest.raises(FileError, match=r"units\.yaml: this file of the scenario is missing"):
        scenario.load(folder)
    with pytest.raises(FileError, match=r"scenario\.yaml: this file"):
        scenario.load(folder.parent / "nowhere")


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("scenario.yaml", "id: battle-for-kursk/campaign", "id: campaign", "'id' should be an id such as"),
        ("scenario.yaml", "ruleset: battle-for-kursk", "rules: kursk", "'ruleset' is missing"),
        ("units.yaml", "g-59:", "G-43:", "differ only in capitals"),
        ("units.yaml", "g-59:", "g_59:", "cannot be a key"),
        ("units.yaml", "g-59:", "name:", "holds text for people only and cannot be an id"),
        ("units.yaml", "g-59:", "provenance:", "provenance needs 'status'"),
        ("map.yaml", "status: invented", "status: guessed", "provenance needs 'status'"),
    ],
)
def test_refused_with_file_and_line(folder, file, old, new, message):
    change(folder / file, old, new)
    with pytest.raises(FileError, match=message) as error:
        scenario.load(folder)
    assert error.value.where.file.endswith(file)
    assert error.value.where.line >= 1


def test_provenance_lists_every_part_that_speaks_of_itself():
    found = {p.part: p for p in scenario.load(SHIPPED / "campaign").provenance}
    assert found["map"].status == "reconstructed"
    assert found["map/fortifications"].status == "invented"
    assert found["tables/tec/hexes/rough"].status == "reconstructed"
    assert found["tables/postures"].status == "attested"
    assert "Combat Example 5" in found["units/units/g-6"].note
    assert {part.split("/")[0] for part in found} == {"scenario", "map", "units", "tables"}
    tables = ("crt", "tec", "postures", "phases", "victory", *(f"turn-track/{turn}" for turn in "ABCD12345678"))
    assert all(f"tables/{table}" in found for table in tables)


def test_find_and_available():
    found = scenario.list_ids()
    assert found == sorted(found)
    assert [each for each in found if each.startswith("battle-for-kursk/")] == [
        "battle-for-kursk/campaign",
        "battle-for-kursk/citadel",
    ]
    assert scenario.find("battle-for-kursk/citadel") == SHIPPED / "citadel"


@pytest.mark.parametrize(
    "scenario_id",
    [
        "",
        "campaign",
        "battle-for-kursk/none",
        "../campaign",
        "/etc/passwd",
        "battle-for-kursk/../x",
        "battle-for-kursk/campaign/",
        "battle-for-kursk/campaign\n",
        "Battle-for-Kursk/campaign",
    ],
)
def test_find_refuses_what_is_no_id_before_it_becomes_a_path(scenario_id):
    with pytest.raises(UsageError, match=r"known scenarios: .*battle-for-kursk/campaign, battle-for-kursk/citadel"):
        scenario.find(scenario_id)


def test_every_word_for_an_origin_is_explained_and_attested_parts_are_not_listed():
    assert tuple(scenarios.MEANINGS) == STATUSES
    citadel = scenarios.load("battle-for-kursk/citadel")
    listed = scenarios.find_unattested(citadel)
    assert set(listed) == {"reconstructed", "invented"}
    assert "map/terrain" in listed["invented"]
    assert "tables/crt" in listed["reconstructed"]
    attested = {part.part for part in citadel.provenance if part.status == "attested"}
    assert attested
    assert not attested & {part for parts in listed.values() for part in parts}


def test_whoever_counts_the_parts_of_an_origin_finds_as_many_as_are_said():
    """Bug: a scenario said that 13 parts were reconstructed, and listed 10."""
    for _ruleset, playables in scenarios.list_scenarios():
        for playable in playables:
            for word, told in playable.told.items():
                names, _and, more = told.partition(", and ")
                smaller = int(more.partition(" smaller part")[0] or 0)
                assert len(names.split(", ")) + smaller == playable.standing[word]


def test_no_title_names_its_game_twice():
    """Bug: 'Kursk (1971): Kursk 1971: July 4', and the card of a scenario with the name of its game."""
    titles = {
        playable.id: scenarios.remove_system(ruleset, playable.title)
        for ruleset, playables in scenarios.list_scenarios()
        for playable in playables
    }
    assert titles["kursk-1971/july4"] == "July 4, free deployment"
    assert titles["battle-for-kursk/campaign"] == "Full campaign, March to November 1943"
    assert titles["juggernauts/july-1943"] == "Citadel and what followed, July and August 1943"
    assert not [title for title in titles.values() if "1971" in title or "Battle for Kursk" in title]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("map.yaml", "  sea: ['1026', ", "  decor: {provenance: {status: invented}}\n  sea: ['1026', "),
        ("map.yaml", "\nterrain:\n", "\nterrain:\n  decor: ['0101']\n"),
        ("tables.yaml", "\ncrt:", "\ndecor: {provenance: {status: invented}}\ncrt:"),
        ("units.yaml", "units:\n", "units:\n  decor: {short: XX}\n"),
        ("map.yaml", "    status: reconstructed\n    note: The Black Sea", "    note: The Black Sea"),
    ],
)
def test_T29_drawing_data_elsewhere_or_without_a_status_are_refused(folder, file, old, new):
    """The hash omits ``decor``, so a rule that could read the key would read what no player agreed to."""
    change(folder / file, old, new)
    with pytest.raises(FileError, match=r"decor|provenance"):
        scenario.load(folder)


def test_drawing_data_do_not_change_the_hash_and_have_a_status(folder):
    """Games pin hashes: the crossroads got roads, and the campaign a sea, after games were agreed."""
    before = scenario.load(folder)
    assert any(each.part == "map/decor" and each.status == "reconstructed" for each in before.provenance)
    change(folder / "map.yaml", ", '2725']\n\n# Side", "]\n\n# Side")
    assert len(scenario.load(folder).data["map"]["decor"]["sea"]) < len(before.data["map"]["decor"]["sea"])
    assert scenario.load(folder).sha256 == before.sha256
