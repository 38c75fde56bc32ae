"""The text map: every unit on the map exactly once, hexes where they belong, windows that fit a terminal."""

import re

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.hexgrid import Grid
from kursk_pbem.kernel.ruleset import Cell
from kursk_pbem.report import textmap
from kursk_pbem.rulesets.battle_for_kursk import RULESET


def test_every_unit_on_the_map_appears_exactly_once(played):
    for kursk, game in played:
        for state in (game[0][0], game[len(game) // 2][0], game[-1][2].after):
            text = textmap.render(kursk.board.grid, RULESET.map_cells(kursk, state))
            shown = re.findall(r"\|([gr]-[a-z0-9-]+)", text)
            on_map = [uid for uid, unit in state.units.items() if unit.place in kursk.board.index]
            assert sorted(shown) == sorted(on_map)
            labels = re.findall(r"\+([0-9]{4})", text)
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
        assert f"+{label}" in text


def test_what_stands_in_a_hex(citadel):
    cells = {cell.label: cell.lines for cell in RULESET.map_cells(citadel, RULESET.setup(citadel))}
    assert cells["2117"] == ("2117 .Cg", "Kharkov", "g-2-ss", "11-6")
    assert cells["2115"][2:] == ("r-6-g", "(4-5)")
    assert cells["2113"][1] == "!Kursk"


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
