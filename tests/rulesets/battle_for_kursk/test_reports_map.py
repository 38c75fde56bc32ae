"""The text map: every unit on the map exactly once, hexes where they belong, windows that fit a terminal."""

import re

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.hexes.grid import Grid
from kursk_pbem.kernel.ruleset import Cell
from kursk_pbem.report import textmap
from kursk_pbem.rulesets.battle_for_kursk import RULESET


def test_every_unit_on_the_map_appears_exactly_once(played):
    for kursk, game in played:
        for state in (game[0][0], game[len(game) // 2][0], game[-1][2].after):
            text = textmap.render(kursk.board.grid, RULESET.map_cells(kursk, state))
            shown = re.findall(r"[|~=]([gr]-[a-z0-9-]+)", text)
            on_map = [uid for uid, unit in state.units.items() if unit.place in kursk.board.index]
            assert sorted(shown) == sorted(on_map)
            labels = re.findall(r"[+~=]([0-9]{4})", text)
            assert sorted(labels) == sorted(kursk.board.index)
            assert text.isascii()


def test_cells_fit(citadel):
    for cell in RULESET.map_cells(citadel, RULESET.setup(citadel)):
        assert len(cell.lines) <= textmap.HEIGHT
        assert all(len(line) <= 9 for line in cell.lines)


def test_a_window_fits_in_80_columns_wherever_it_lies(citadel):
    cells = RULESET.map_cells(citadel, RULESET.setup(citadel))
    for label in citadel.board.index:
        text = textmap.render(citadel.board.grid, cells, around=label, legend=RULESET.legend)
        assert all(len(line) <= 80 for line in text.split("\n"))
        assert re.search(f"[+~=]{label}", text)


def test_what_stands_in_a_hex(citadel):
    cells = {cell.label: cell.lines for cell in RULESET.map_cells(citadel, RULESET.setup(citadel))}
    assert cells["2117"] == ("2117 .Cg", "Kharkov", "g-2-ss", "11-6")
    assert cells["2115"][2:] == ("r-6-g", "(4-5)")
    assert cells["2113"][1] == "!Kursk"


def test_rivers_run_along_the_left_edge_and_the_upper_side(citadel):
    edges = {cell.label: cell.edge for cell in RULESET.map_cells(citadel, RULESET.setup(citadel))}
    index, rivers = citadel.board.index, citadel.rivers
    seen = 0
    for label, edge in edges.items():
        column, row = int(label[:2]), int(label[2:])
        up = row - (column % 2 == 1)  # of the columns beside it; odd ones stand half a hex north
        sides = ((column, row - 1, 0), (column - 1, up, 1), (column - 1, up + 1, 2), (column - 1, up + 1, 3))
        for one, other, number in sides:
            there = index.get(f"{one:02d}{other:02d}", -1)
            kind = rivers.get((index[label], there))
            assert edge[number] == {None: "+|||"[number], "river": "~", "major": "="}[kind], label
            seen += kind is not None and number != 3
    assert seen == len(rivers) // 2


def test_columns_are_staggered_by_half_a_hex():
    cells = [Cell("0101", ("0101", "a")), Cell("0201", ("0201", "b")), Cell("0102", ("0102",))]
    assert textmap.render(Grid(1, 2, 1, 2), cells) == (
        "+0101\n|a\n|         +0201\n|         |b\n+0102     |\n|         |\n|\n|\n"
    )
    low = textmap.render(Grid(1, 2, 1, 2, odd_high=False), cells).split("\n")
    assert low[0] == "          +0201"


def test_a_hex_that_is_not_there(citadel):
    cells = RULESET.map_cells(citadel, RULESET.setup(citadel))
    for label in ("9999", "x", "0626"):
        if label not in citadel.board.index:
            with pytest.raises(UsageError, match="is not a hex of this map"):
                textmap.render(citadel.board.grid, cells, around=label)
