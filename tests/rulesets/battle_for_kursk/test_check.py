"""``kursk scenario check``: each fault is found, with its line and words; and scenarios of a player's own."""

import json
import os
import shutil

import pytest
from helpers import sweeps

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


# file, old text, new text, words of the named line, finding
CASES = [
    # the set-up
    (
        "scenario",
        "turns: [A, B, C,",
        "turns: [A, Z, C,",
        "turns: [A, Z",
        ("error: turn Z is not on the track: A, B, C, D, 1, 2, 3, 4, 5, 6, 7, 8 [4.0-turns]"),
    ),
    (
        "scenario",
        "turns: [A, B, C, D,",
        "turns: [A, C, B, D,",
        "turns: [A, C",
        ("error: the turns A, C, B, D, 1, 2, 3, 4, 5, 6, 7, 8 are not in the order of the track [4.0-turns]"),
    ),
    ("scenario", "  turn: A", "  turn: B", "  turn: B", "error: play begins with turn B, the first turn is A [6.0-4]"),
    ("scenario", "{hex: '2113'", "{hex: '0726'", "0726", "warning: the hex of the objective, 0726, is no city [12.1]"),
    (
        "scenario",
        "{hex: '2113'",
        "{hex: '0700'",
        "0700",
        "error: the hex of the objective, 0700, is not playable [12.1]",
    ),
    # units
    (
        "units",
        "full: 5, reduced: 2, move: 4, hex: '1101'",
        "full: 5, reduced: 3, move: 4, hex: '1101'",
        "full: 5, reduced: 3, move: 4, hex: '1101'",
        "error: g-43 has 5 and reduced 3; half of 5, rounded down, is 2 [3.3]",
    ),
    (
        "units",
        "full: 5, reduced: 2, move: 4, hex: '1101'",
        "full: 1, reduced: 0, move: 4, hex: '1101'",
        "full: 1, reduced: 0",
        "error: g-43 has no strength on its reduced side [3.3]",
    ),
    (
        "units",
        "hex: '1101'",
        "hex: '1202'",
        "full: 4, reduced: 2, move: 4, hex: '1202'",
        "error: g-59 is set up in 1202, the hex of g-43 [8.2.2]",
    ),
    ("units", "hex: '1101'", "hex: '0700'", "hex: '0700'", "error: the hex of g-43, 0700, is not playable [6.0]"),
    (
        "units",
        "hex: '1101'",
        "hex: '3003'",
        "hex: '3003'",
        "warning: g-43 is set up in 3003, on the russian side of the Start Line [6.0]",
    ),
    (
        "units",
        "type: panzer, size: corps,\n    full: 10, reduced: 5, move: 6, hex: '1604'",
        "type: tank, size: corps,\n    full: 10, reduced: 5, move: 6, hex: '1604'",
        None,
        "warning: g-39-pz is tank, no type of the german side [3.3-types]",
    ),
    (
        "units",
        "move: 6, hex: '1604', starts: reduced",
        "move: 6, hex: '1604', starts: full",
        "hex: '1604'",
        "warning: g-39-pz starts full; in the rules every panzer starts reduced [6.0-3]",
    ),
    # the map
    (
        "map",
        "columns: '06-30'",
        "columns: '30-06'",
        "columns:",
        "error: columns 30-06: the lower number comes first [3.1]",
    ),
    (
        "map",
        "absent: ['0700'",
        "absent: ['0500', '0700'",
        "absent:",
        "warning: 0500 is called absent and lies outside the grid anyway [3.1]",
    ),
    ("map", "forest: ['0613',", "forest: ['0700', '0613',", "forest: [", "error: 0700 is no hex of the map [3.1]"),
    (
        "map",
        "forest: ['0613',",
        "forest: ['0726', '0726', '0613',",
        "forest: [",
        "error: forest: '0726' occurs twice in the list; keep one",
    ),
    (
        "map",
        "'2113': {name: Kursk, kind: major, side: russian}",
        "'2113': {name: Kursk, kind: major, side: german}",
        None,
        (
            "warning: Kursk in 2113 is called german and lies on the other side of the Start Line "
            "[10.0-friendly-controlled]"
        ),
    ),
    ("map", "moscow: '2402'", "moscow: '2403'", None, "warning: moscow is 2403, a hex without a city [5.0-moscow]"),
    ("map", "kiev: '1015'", "kiev: '0700'", None, "error: kiev is 0700, not a playable hex [12.1-flip]"),
    (
        "map",
        "[1112-1212, 1112-1113,",
        "[1112-1312, 1112-1113,",
        "1112-1312",
        "error: 1112-1312: the hexes are not adjacent [9.2-river]",
    ),
    (
        "map",
        "[1112-1212, 1112-1113,",
        "[0700-0701, 1112-1212, 1112-1113,",
        "0700-0701",
        "error: 0700-0701: 0700 is no hex of the map [9.2-river]",
    ),
    (
        "map",
        "[1112-1212, 1112-1113,",
        "[1112-1212, 1212-1112, 1112-1113,",
        "1212-1112",
        "warning: 1212-1112: written twice, the second time mirrored [9.2-river]",
    ),
    (
        "map",
        "hexsides: [2024-2125,",
        "hexsides: [2026-2126, 2024-2125,",
        "2026-2126",
        "warning: 2026-2126: one of the hexes is not playable, so nothing crosses there [9.2-river]",
    ),
    (
        "map",
        "hexsides: [2024-2125,",
        "hexsides: [1112-1113, 2024-2125,",
        "[1112-1113, 2024-2125",
        "warning: 1112-1113: the major dniepr flows there too; the wider of them counts [9.2-river]",
    ),
    (
        "map",
        "path: ['1319', '1320', '1321']",
        "path: ['1319', '1321']",
        "path: ['1319', '1321']",
        "error: 1319-1321: the hexes are not adjacent [8.1]",
    ),
    (
        "map",
        "path: ['1319', '1320', '1321']",
        "path: ['1319', '1320', '1321', '1322']",
        "'1322']",
        "warning: Cherkassy - Kirovograd ends in 1322, at no city, no other railway and not at the edge of the map [8.1]",  # noqa: E501
    ),
    (
        "map",
        "path: ['1319', '1320', '1321']",
        "path: ['1319']",
        "path: ['1319']",
        "error: path: found a list of 1, expected a list of at least 2",
    ),
    (
        "map",
        "2622-2722, 2622-2723,\n   2623-2723,",
        "2622-2722, 2622-2723,\n  ",
        "[1101-1200, 1101-1201",
        "error: 653 hexes lie on both sides of the Start Line, 0600 among them: it does not cut the land in two [8.1]",
    ),
    (
        "map",
        "[1101-1200, 1101-1201,",
        "[1101-1300, 1101-1201,",
        "[1101-1300",
        "error: 1101-1300: 1300 is no playable hex [8.1]",
    ),
    (
        "map",
        "hexes: ['2621', '2622', '2623', '2624']",
        "hexes: ['2621', '2622', '2623', '2626', '2700']",
        "'2700']",
        "error: Mius Line: 2700 is no playable hex [9.2]",
    ),
    (
        "map",
        "    owner: german\n    active-from: '6'",
        "    owner: german\n    active-from: '9'",
        "active-from: '9'",
        "error: turn 9 is not on the track: A, B, C, D, 1, 2, 3, 4, 5, 6, 7, 8 [4.0-fortifications]",
    ),
    (
        "map",
        "german: ['0600', '0601',",
        "german: ['0600', '0707',",
        "'0600', '0707'",
        "error: 0707 does not lie at the edge of the map [10.3]",
    ),
    (
        "map",
        "'3024',\n    '3025', '3026']",
        "'3024',\n    '3025', '3026', '0600']",
        "'3026', '0600']",
        "error: 0600 is an edge hex of both sides [10.2]",
    ),
    (
        "map",
        "russian: ['0716',",
        "russian: ['0726', '0716',",
        "'0726', '0716'",
        "warning: 0726 is no city [12.1-russian]",
    ),
    (
        "map",
        "russian: ['0716',",
        "russian: ['2113', '0716',",
        "'2113', '0716'",
        "warning: 2113 Kursk lies on the Russian side of the Start Line [12.1-russian]",
    ),
    # the tables
    (
        "tables",
        "'4': [NE, DR, EX, DRL, DRL, DE]",
        "'4': [DR, DR, EX, DRL, DRL, DE]",
        "'4': [",
        "warning: 1:1, die 4, is DR; Combat Example 6 shows NE [9.3]",
    ),
    (
        "tables",
        "'6': [EX, EX, DRL, DE, DE, DE]",
        "'6': [EX, EX, DRL, DRL, DRL, DE]",
        "'6': [",
        "warning: 5:1, die 6, is DRL, less than the DE above it [9.3]",
    ),
    (
        "tables",
        "forest: {mp: 2, shift: -1}",
        "forest: {mp: 0, shift: -1}",
        "forest: {mp: 0",
        "error: entering forest must cost at least 1 movement point [8.0-terrain]",
    ),
    (
        "tables",
        "forest: {mp: 2, shift: -1}",
        "forest: {mp: 3, shift: -1}",
        "forest: {mp: 3",
        "warning: forest costs 3; in the rules 2 [9.2]",
    ),
    (
        "tables",
        "major: {mp: all, shift: -2}",
        "major: {mp: all, shift: -1}",
        "major: {mp: all",
        "warning: major shifts -1 columns; in the rules -2 [8.0-major-river]",
    ),
    (
        "tables",
        "marsh: {mp: all, shift: 0, attack-from: halved}",
        "marsh: {mp: all, shift: 0}",
        "marsh: {mp: all",
        "warning: attacks from marsh are not halved; the rules halve only attacks from marsh [9.0-1]",
    ),
    (
        "tables",
        "german: {irp: 1, arp: 7, offensives: 0}",
        "german: {irp: 1, arp: 6, offensives: 0}",
        "arp: 6,",
        "warning: turn 1 gives the german side 6 ARP; the example of 10.6 has 7 [10.6]",
    ),
    (
        "tables",
        "mud: 'yes'\n    mud-die: 1",
        "mud: 'no'\n    mud-die: 1",
        None,
        "warning: turn C is not muddy; the mud turns are A, C, 7 [11.0]",
    ),
    (
        "tables",
        "    mud: 'no'\n    mud-die: 3\n",
        "    mud: 'no'\n    mud-die: 2\n",
        None,
        "warning: turn 8 has mud up to a roll of 2; in the rules 3 [11.3]",
    ),
    (
        "tables",
        "deploy: {irp: 0, arp: -2}",
        "deploy: {irp: 0, arp: -1, }",
        None,
        "warning: deploy gives the russian side -1 ARP; in the rules -2 [12.0-deploy]",
    ),
    (
        "tables",
        "deploy: [replacement, armor-and-rail, movement]",
        "deploy: [replacement, movement]",
        "  deploy: [",
        "warning: deploy grants replacement, movement; in the rules replacement, armor-and-rail, movement [12.0-4]",
    ),
    (
        "tables",
        "operational: 1",
        "operational: 7",
        "operational: 7",
        "error: operational 7 and strategic 6: the first is at least 1 and not above the second [5.0-level]",
    ),
    (
        "tables",
        "strategic: 6",
        "strategic: 11",
        "strategic: 11",
        "warning: a strategic victory takes 11 points; in the rules 10 [5.0-level]",
    ),
    (
        "tables",
        "strategic: 6",
        "strategic: six",
        "strategic: six",
        "error: strategic: found 'six', expected a whole number from 0 to 999, without leading zeros",
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "words", "says"), sweeps.some(CASES, 4), ids=[case[4][:50] for case in CASES]
)
def test_each_fault_is_found_in_its_line(mine, file, old, new, words, says):
    path = mine / f"{file}.yaml"
    before = path.read_text(encoding="ascii")
    change(path, old, new)
    at = line_of(path, words) if words else 1 + changed_line(before, path)
    assert found(mine) == [f"{path}:{at}: {says}"], found(mine)


def changed_line(before, path):
    lines = path.read_text(encoding="ascii").splitlines()
    return next(n for n, (old, new) in enumerate(zip(before.splitlines(), lines, strict=True)) if old != new)


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


def test_a_russian_at_full_strength_is_a_warning(mine):
    change(mine / "units.yaml", "hex: '1301', starts: reduced", "hex: '1301', starts: full")
    at = line_of(mine / "units.yaml", "hex: '1301', starts: full")
    (only,) = found(mine)
    assert only.startswith(f"{mine / 'units.yaml'}:{at}: warning: r-")
    assert only.endswith(" starts full; in the rules every Russian unit starts reduced [6.0-2]")


def test_two_terrains_in_one_hex(mine):
    """Which of them counts would hang on the order of the file, which the hash of a scenario does not see."""
    change(mine / "map.yaml", "forest: ['0613',", "forest: ['1201', '0613',")
    (only,) = found(mine)
    assert only.endswith(": error: 1201 is marsh, and forest too; a hex has one terrain [3.1]")


def test_no_attackers_loss_at_one_to_one(mine):
    for die in "12":
        old = f"'{die}': [AL, NE, DR, DR, "
        change(mine / "tables.yaml", old, old.replace("AL", "NE"))
    at = line_of(mine / "tables.yaml", "  '1': [NE")
    assert found(mine) == [
        f"{mine / 'tables.yaml'}:{at}: warning: no AL at 1:1; by Combat Example 5, 2:1 avoids AL [9.3-al]"
    ]


# --- unreadable files, and the places of scenarios ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("  g-59: {name", "  G-43: {name", "'G-43' and 'g-43' differ only in capitals; rename one of the keys"),
        ("units:\n", "units:\n\tx: y\n", "in column 1 is a TAB; use blanks"),
    ],
)
def test_what_cannot_be_read_is_status_2(mine, old, new, says, capsys):
    text = (mine / "units.yaml").read_text(encoding="ascii")
    (mine / "units.yaml").write_text(text.replace(old, new), encoding="ascii", newline="\n")
    assert run(["scenario", "check", str(mine)]) == 2
    out, err = capsys.readouterr()
    at = next(
        n
        for n, line in enumerate((mine / "units.yaml").read_text(encoding="ascii").splitlines(), 1)
        if line.startswith(new.splitlines()[-1][:6])
    )
    assert (out, err) == ("", f"kursk: {mine / 'units.yaml'}:{at}: {says}\n")


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
