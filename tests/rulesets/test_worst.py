"""Limits for the cost of a stranger's scenario: values at a limit are accepted, values above are refused."""

import copy
import re

import pytest
from helpers import registry, sweeps
from helpers.worst import write

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.review import ERROR

DEAREST = {kit.id: kit.worst() for kit in registry.kits() if kit.worst is not None}
COLUMNS = {"armor-commander": 1, "kursk-1971": 2, "battle-for-kursk": 3, "juggernauts": 4}
"""The column of a system in the table of limits."""
PAGE = (registry.ROOT / "docs" / "formats.md").read_text(encoding="utf-8").split("### 7.1 ")[1].split("\n## ")[0]
STEPS = [(rid, name) for rid, worst in DEAREST.items() for name in worst.beyond]


def errors(data, root):
    """Return the errors of a scenario."""
    return [str(each) for each in scenarios.check(write(data, root))[1] if each.severity == ERROR]


@pytest.mark.parametrize("rid", DEAREST)
def test_T27_the_dearest_scenario_is_accepted(rid, tmp_path):
    assert errors(DEAREST[rid].data, tmp_path) == []


@pytest.mark.parametrize(("rid", "name"), sweeps.some(STEPS, 8))
def test_T27_one_step_above_a_limit_is_refused_and_the_limit_is_named(rid, name, tmp_path):
    change, words = DEAREST[rid].beyond[name]
    data = copy.deepcopy(DEAREST[rid].data)
    change(data)
    found = errors(data, tmp_path)
    assert any(words in each for each in found), found


def test_the_table_of_limits_has_every_one():
    rows = [[cell.strip() for cell in line.split("|")[1:]] for line in PAGE.splitlines() if line.startswith("| ")]
    table = {row[0]: row for row in rows[2:]}
    told, known = set(), set()
    for rid, name in STEPS:
        row, words = name.partition(" without ")[0], DEAREST[rid].beyond[name][1]
        most = re.findall(r"[0-9]+(?:\.[0-9]+)?(?= is the most|\'$| characters| entries|$)", words)[-1:]
        told |= {(rid, row)}
        assert row in table, row
        cell = table[row][COLUMNS[rid]]
        assert " without " in name or cell.split(",")[0] in most, (rid, name, cell, words)
    known |= {(rid, row) for row, cells in table.items() for rid, at in COLUMNS.items() if cells[at]}
    assert known - told == {("battle-for-kursk", "turns")}  # the track has no more
