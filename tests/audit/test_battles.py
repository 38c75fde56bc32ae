"""The battles of games as a table for statisticians."""

import csv
import re
import shutil

import pytest
from helpers import finished_games, registry

from kursk_pbem.audit import battles
from kursk_pbem.cli import run
from kursk_pbem.formats import csvtext
from kursk_pbem.game import histories
from kursk_pbem.kernel import events as kinds


@pytest.mark.parametrize(
    ("ruleset", "name", "number", "cells"),
    [
        (
            *("battle-for-kursk", "german-strategic", 6),
            ",4,1,german,hex 1912,XX Corps; XLVI Panzer Corps,9th Tank Corps,13,2,6 to 1,5 to 1,4,4,DRL,0.5,1,0,1,1",
        ),
        (
            *("armor-commander", "village-soviet", 0),
            ',9,3,german,"38.50, 38.50",Panzer IV,T-34,,,,,3,3,miss,0.6667,0,0,0,0',
        ),
        ("armor-commander", "gun-line-destroyed", 0, ",5,1,soviet,"),
    ],
)
def test_every_system_has_the_same_columns(ruleset, name, number, cells, tmp_path, capsys):
    folder, out = finished_games.folder_of(registry.kit(ruleset), name), tmp_path / "battles.csv"
    assert run(["export", str(folder), "--battles", "-o", str(out)]) == 0
    head, first, *others = out.read_text("utf-8").splitlines()
    assert head == ",".join(battles.HEAD)
    assert cells in first
    game = histories.load(folder).game
    assert first.startswith(f"{game.chain.game},{ruleset},{game.setting.scenario.id},")
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert len(rows) == 1 + len(others) >= number
    fought = [step.result.events for step in histories.load(folder).steps if step.result]
    shots = sum(isinstance(each, kinds.Tested) and bool(each.target) for events in fought for each in events)
    assert not shots or len(rows) == shots
    lost = sum(isinstance(each, kinds.Removed) for events in fought for each in events)
    assert 0 < sum(int(row["attacker-units"]) + int(row["defender-units"]) for row in rows) <= lost
    if shots:
        assert all(row["result"] == "hit" for row in rows if row["defender-units"] != "0")
        assert {row["defender-units"] for row in rows} <= {"0", "1"}
    capsys.readouterr()
    assert run(["export", str(folder), "--battles"]) == 0
    assert capsys.readouterr().out == out.read_text("utf-8")


def test_a_shot_has_the_place_of_its_target_then_and_the_losses_of_its_target():
    """Two guns fall in one volley, and a Panzer moves before the shot."""
    kit = registry.kit("armor-commander")
    text, _rows = battles.format_battles([histories.load(finished_games.folder_of(kit, "gun-line-destroyed"))])
    volley = [row for row in csv.DictReader(text.splitlines()) if row["message"] == "13"][-3:]
    assert [(row["result"], row["defender-units"]) for row in volley] == [("hit", "0"), ("hit", "1"), ("hit", "1")]
    text, _rows = battles.format_battles([histories.load(finished_games.folder_of(kit, "assault-destroyed"))])
    assert next(csv.DictReader(text.splitlines()))["place"] == "23.55, 10.29"


def test_a_folder_of_games_is_one_table_without_a_cell_that_a_spreadsheet_changes(tmp_path):
    """Spreadsheets read 6:1 as a time, 2/6 as a date, 3 1/2 as a fraction, 0913 as 913, and 1E5 as 100000."""
    changed = re.compile(
        r"\d+:\d+(:\d+)?|(\d+ )?\d+/\d+(/\d+)?|\d+-\d+(-\d+)?|0\d+|\d[\d.]*E\d+|\d+\.\d+\.(\d+)?|true|false"
        r"|(\d+\.? )?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d+(, \d+)?",
        re.IGNORECASE,
    )
    assert all(map(changed.fullmatch, ("6:1", "2/6", "11 1/2", "3-4", "0913", "1E5", "July 1943", "3 May 43")))
    games = {"battle-for-kursk": "german-strategic", "kursk-1971": "german-decisive", "juggernauts": "draw"}
    for system, name in games.items():
        shutil.copytree(finished_games.folder_of(registry.kit(system), name), tmp_path / "games" / system)
    out = tmp_path / "battles.csv"
    assert run(["export", str(tmp_path / "games"), "--battles", "-o", str(out)]) == 0
    rows = list(csv.DictReader(out.read_text("utf-8").splitlines()))
    assert {row["system"] for row in rows} == set(games)
    assert {cell for row in rows for cell in row.values() if changed.fullmatch(cell)} == set()
    assert {row["chance"] for row in rows} >= {"0.1667", "0.5", "1"}
    assert "6 to 1" in {row["odds"] for row in rows}


def test_P12_a_formula_in_a_name_stays_text():
    """Names come from scenarios of strangers."""
    text = csvtext.format_rows(("name",), [('=HYPERLINK("x")',), ("@a",), ("-3",), ("",), ("1:2",)])
    assert text.splitlines()[1:] == ['"\'=HYPERLINK(""x"")"', "'@a", "-3", '""', "1:2"]
