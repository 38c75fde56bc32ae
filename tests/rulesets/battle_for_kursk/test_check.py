"""``kursk scenario check``: each fault is found, with its line and words; and scenarios of a player's own."""

import json
import os
import shutil

import pytest

from kursk_pbem.cli import run
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import FileError, OutdatedError, UsageError
from kursk_pbem.formats import data
from kursk_pbem.game import entropy, scenarios
from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.rulesets import MODULES
from kursk_pbem.trust import keys

SHIPPED = data.find_folder("scenarios") / "battle-for-kursk"


@pytest.fixture
def mine(tmp_path):
    """A scenario of one's own: a copy of the campaign under another id, laid out as KURSK_SCENARIOS wants it."""
    folder = tmp_path / "own" / "battle-for-kursk" / "mine"
    shutil.copytree(SHIPPED / "campaign", folder)
    change(folder / "scenario.yaml", "id: battle-for-kursk/campaign", "id: battle-for-kursk/mine")
    return folder


def change(file, old, new):
    text = file.read_text(encoding="ascii")
    assert text.count(old) == 1, (old, text.count(old))
    file.write_text(text.replace(old, new), encoding="ascii", newline="\n")


def line_of(file, words):
    lines = [number for number, line in enumerate(file.read_text(encoding="ascii").splitlines(), 1) if words in line]
    assert len(lines) == 1, (words, lines)
    return lines[0]


def found(folder):
    return [str(finding) for finding in scenarios.check(folder)[1]]


@pytest.mark.parametrize("name", ["campaign", "citadel"])
def test_shipped_scenarios_have_no_findings(name, capsys):
    assert run(["scenario", "check", str(SHIPPED / name)]) == 0
    digest = scenario.load(SHIPPED / name).sha256[:32]
    assert capsys.readouterr().out == f"battle-for-kursk/{name}: 0 errors, 0 warnings; data {digest}\n"


def test_several_faults_come_in_the_order_of_files_and_lines(mine, capsys):
    """A table of one's own that leaves every cell the examples show, a missing box, a corps too few."""
    change(mine / "tables.yaml", "'3': [NE, DR, DR, DR, DRL, DE]", "'3': [NE, AL, DR, NE, DRL, DE]")
    change(mine / "tables.yaml", "  '8':\n    label: November 3", "  '9':\n    label: November 3")
    units = (mine / "units.yaml").read_text(encoding="ascii")
    start, end = units.index("  g-43: {"), units.index("  g-59: {")
    (mine / "units.yaml").write_text(units[:start] + units[end:], encoding="ascii", newline="\n")
    assert run(["scenario", "check", str(mine)]) == 1
    *lines, last = capsys.readouterr().out.splitlines()
    units, tables = mine / "units.yaml", mine / "tables.yaml"
    row, track = line_of(tables, "'3': [NE, AL"), line_of(tables, "turn-track:")
    unknown = "turn 9 is not a turn of the game; the box has no effect"
    assert lines == [
        f"{units}:{line_of(units, 'g-59: ')}: warning: 100 units; the game has 101: 114 pieces less 13 markers [3.0]",
        f"{tables}:{row}: warning: 2:1, die 3, is AL; Combat Example 4 shows DR [9.3]",
        f"{tables}:{row}: warning: 2:1, die 3, is AL; by Combat Example 5, 2:1 and better avoid AL [9.3-al]",
        f"{tables}:{row}: warning: 2:1, die 3, is AL, less than the NE to its left [9.3]",
        f"{tables}:{row}: warning: 2:1, die 3, is AL, less than the NE above it [9.3]",
        f"{tables}:{row}: warning: 4:1, die 3, is NE; by Combat Example 6, no roll at 4:1 spares the defender [9.3-ne]",
        f"{tables}:{row}: warning: 4:1, die 3, is NE, less than the DR to its left [9.3]",
        f"{tables}:{row}: warning: 4:1, die 3, is NE, less than the DR above it [9.3]",
        f"{tables}:{track + 1}: error: turn 8 has no box on the turn track [4.0-turn-track]",
        f"{tables}:{line_of(tables, 'November 3')}: warning: {unknown} [4.0-turn-track]",
    ]
    assert last.startswith("battle-for-kursk/mine: 1 error, 9 warnings; data ")


def test_order_of_battle_against_set_up_and_distribution(mine):
    """The rules name the units that start reduced, and the units that take the steps of the short scenario."""
    change(
        mine / "units.yaml",
        "full: 5, reduced: 2, move: 4, hex: '1101', starts: full",
        "full: 5, reduced: 2, move: 4, hex: '1101', starts: reduced",
    )
    change(mine / "scenario.yaml", "  steps: {german: printed", "  steps: {german: full")
    with (mine / "scenario.yaml").open("a", encoding="ascii") as file:
        file.write("distribution: {infantry: 60, armor: 8}\n")
    scenario_, units = mine / "scenario.yaml", mine / "units.yaml"
    able = sum(
        unit["side"] == "russian" and unit["type"] in ("infantry", "shock")
        for unit in scenario.load(mine).data["units"]["units"].values()
    )
    missing = f"60 infantry steps must be distributed, but only {able} Russian units can take a step"
    assert found(mine) == [
        f"{scenario_}:{line_of(scenario_, 'distribution:')}: warning: {missing} [6.0-short-scenario]",
        f"{units}:{line_of(units, 'g-43: ')}: warning: 5 German infantry units start reduced; in the rules 4 [6.0-3]",
    ]


# --- unreadable files, and the places of scenarios ---------------------------------------------------------------


def test_a_missing_file_and_a_strange_ruleset_are_status_2(mine, capsys):
    change(mine / "scenario.yaml", "ruleset: battle-for-kursk", "ruleset: halma")
    assert run(["scenario", "check", str(mine)]) == 2
    at = line_of(mine / "scenario.yaml", "halma")
    known = f"its rulesets are {', '.join(MODULES)}"
    assert capsys.readouterr().err == (
        f"kursk: {mine / 'scenario.yaml'}:{at}: this version has no ruleset 'halma'; {known}\n"
    )
    (mine / "map.yaml").unlink()
    with pytest.raises(FileError, match="this file of the scenario is missing"):
        scenarios.check(mine)
    assert run(["scenario", "check", str(mine.parent)]) == 2


def test_findings_for_programs(mine, capsys):
    change(mine / "tables.yaml", "strategic: 6", "strategic: 11")
    assert run(["scenario", "check", str(mine), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["scenario"], shown["errors"], shown["warnings"]) == ("battle-for-kursk/mine", 0, 1)
    assert shown["findings"] == [
        {
            "severity": "warning",
            "file": str(mine / "tables.yaml"),
            "rule": "5.0-level",
            "line": line_of(mine / "tables.yaml", "strategic: 11"),
            "text": "a strategic victory takes 11 points; in the rules 10",
        }
    ]


def test_a_place_where_its_id_does_not_find_it(mine, tmp_path):
    """A folder of another name, or the id of a scenario that comes with the program."""
    moved = shutil.move(mine, tmp_path / "elsewhere")
    at = f"{moved / 'scenario.yaml'}:{line_of(moved / 'scenario.yaml', 'id:')}: warning: "
    there = f"{tmp_path.name}/elsewhere"
    assert found(moved) == [
        f"{at}the id battle-for-kursk/mine belongs into a folder battle-for-kursk/mine, not into {there}"
    ]
    shadow = tmp_path / "battle-for-kursk" / "campaign"
    shutil.copytree(SHIPPED / "campaign", shadow)
    at = f"{shadow / 'scenario.yaml'}:{line_of(shadow / 'scenario.yaml', 'id:')}: warning: "
    why = "already, and uses only that: choose another id"
    assert found(shadow) == [f"{at}the program has a scenario battle-for-kursk/campaign {why}"]


# --- scenarios of one's own -------------------------------------------------------------------------------------


def test_a_shipped_id_is_never_shadowed(mine, monkeypatch):
    shutil.copytree(mine, mine.with_name("campaign"))
    monkeypatch.setenv("KURSK_SCENARIOS", str(mine.parents[1]))
    assert scenario.find("battle-for-kursk/campaign") == SHIPPED / "campaign"
    assert scenario.find("battle-for-kursk/mine") == mine
    found = [each for each in scenario.list_ids() if each.startswith("battle-for-kursk/")]
    assert found == ["battle-for-kursk/campaign", "battle-for-kursk/citadel", "battle-for-kursk/mine"]


def test_several_folders_are_searched_in_order(mine, tmp_path, monkeypatch):
    second = tmp_path / "second" / "battle-for-kursk"
    for name in ("mine", "other"):
        shutil.copytree(mine, second / name)
    missing = str(tmp_path / "nowhere")
    monkeypatch.setenv("KURSK_SCENARIOS", os.pathsep.join([missing, "", str(mine.parents[1]), str(second.parent)]))
    assert scenario.find("battle-for-kursk/mine") == mine
    assert scenario.find("battle-for-kursk/other") == second / "other"
    for bad in ("battle-for-kursk/none", "../mine", "battle-for-kursk/../mine"):
        with pytest.raises(UsageError, match="KURSK_SCENARIOS"):
            scenario.find(bad)


def test_the_list_of_what_can_be_played(mine, monkeypatch, capsys):
    monkeypatch.setenv("KURSK_SCENARIOS", str(mine.parents[1]))
    broken = mine.with_name("broken")
    shutil.copytree(mine, broken)
    (broken / "map.yaml").unlink()
    assert run(["scenario", "list"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("    ")]
    assert lines[0] == "Battle for Kursk (battle-for-kursk), adjudication version 1"
    assert lines[1].startswith(f"  battle-for-kursk/broken    cannot be played: {broken / 'map.yaml'}: this file")
    assert lines[2:5] == [
        (
            "  battle-for-kursk/campaign  Battle for Kursk, full campaign, March to November 1943 "
            "(13 attested, 34 reconstructed, 2 invented)"
        ),
        "  battle-for-kursk/citadel   Citadel, July to November 1943 (13 attested, 34 reconstructed, 2 invented)",
        (
            "  battle-for-kursk/mine      Battle for Kursk, full campaign, March to November 1943 "
            "(13 attested, 34 reconstructed, 2 invented)"
        ),
    ]
    assert [line.partition(":")[0] for line in lines[-4:-1]] == ["attested", "reconstructed", "invented"]
    assert run(["scenario", "list", "--json"]) == 0
    shown = {each["scenario"]: each for each in json.loads(capsys.readouterr().out)["scenarios"]}
    assert shown["battle-for-kursk/mine"]["folder"] == str(mine)
    assert shown["battle-for-kursk/citadel"]["standing"] == {"attested": 13, "reconstructed": 34, "invented": 2}


def test_an_own_scenario_plays_and_pins_another_hash(mine, tmp_path, monkeypatch):
    """A private combat table: players propose and accept the scenario, and the game uses the agreed table."""
    change(mine / "tables.yaml", "'6': [EX, EX, DRL, DE, DE, DE]", "'6': [DRL, DRL, DRL, DE, DE, DE]")
    assert found(mine) == []
    proposal = begin.Proposal("battle-for-kursk/mine", "german", "", {}, {})
    with entropy.fix_random_bytes("own scenario"):
        for side in ("german", "russian"):
            (tmp_path / side).mkdir()
            keys.generate_key_pair(tmp_path / side / "me", entropy.random_bytes())
        opponent = keys.read_public(tmp_path / "russian" / "me.pub")
        proposal = begin.Proposal("battle-for-kursk/mine", "german", opponent, {}, {})

        def propose():
            place = tmp_path / "german"
            return begin.propose_game(proposal, place / "me", place, place / "home").newest

        with pytest.raises(UsageError, match="there is no scenario 'battle-for-kursk/mine'"):
            propose()
        monkeypatch.setenv("KURSK_SCENARIOS", str(mine.parents[1]))
        path = propose()
        desk = begin.accept_proposal(
            path, tmp_path / "russian" / "me", tmp_path / "russian", tmp_path / "russian" / "home"
        )
    pinned = desk.game.chain.head["scenario"]
    assert pinned == {"id": "battle-for-kursk/mine", "sha256": scenario.load(mine).sha256}
    assert pinned["sha256"] != scenario.load(SHIPPED / "campaign").sha256
    assert desk.game.setting.crt[1, 6] == "DRL"
    change(mine / "tables.yaml", "'6': [DRL, DRL, DRL,", "'6': [EX, DRL, DRL,")
    with pytest.raises(OutdatedError, match="the data of battle-for-kursk/mine differ"):
        desks.open_desk(desk.folder, tmp_path / "russian" / "home")
