"""Counts of moves, attacks and retreats in positions of finished games: our perft."""

from pathlib import Path

import pytest
from helpers import registry, sweeps

from reach import reach_counts


@pytest.mark.some(2)
@pytest.mark.parametrize("every", [4, sweeps.long(1)])
@pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)
def test_as_much_is_in_reach_as_before(kit, every):
    """After a wanted change of movement: ``make golden``, and read the difference."""
    expected = reach_counts.path_of(kit).read_text(encoding="ascii").splitlines()
    assert list(reach_counts.count_positions(kit, every)) == expected[::every]
    assert len(expected) >= len(kit.plots) > 0


PAGE = Path(__file__).parents[2] / "docs/counts.md"


def find_tables():
    """Yield the tables of figures in docs/counts.md as rows of cells, in the order of the systems."""
    parts = PAGE.read_text("ascii").split("| count | ")[1:]
    for part in parts:
        rows = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in part.split("\n\n")[0].splitlines()]
        if rows[1][0].startswith("---") and rows[0][0].rpartition(" ")[2].isdigit():
            yield rows[0], [row for row in rows[2:] if row]


@pytest.mark.parametrize("number", range(len(registry.KITS)))
def test_the_page_of_counts_says_what_is_counted(number):
    """The figures help authors of a second implementation."""
    kit = registry.kits()[number]
    text = reach_counts.path_of(kit).read_text(encoding="ascii")
    lines = dict(line.split(": ") for line in text.splitlines())
    positions, rows = list(find_tables())[number]
    for place, position in enumerate(positions):
        assert ", ".join(f"{row[0]} {row[1 + place]}" for row in rows) == lines[position]
    section = PAGE.read_text("ascii").split("\n## ")[3 + number]
    names = {row[0].removeprefix(f"{side} ") for row in rows for side in kit.sides if kit.id != "armor-commander"}
    for name in (name for name in names if " " not in name):
        assert f"| {name} |" in section or f", {name} |" in section or f"| {name}, " in section, name


def test_a_system_without_finished_games_leaves_no_file():
    """``make golden RULESET=ridge-toy`` writes no file."""
    kit = registry.kit("ridge-toy")
    assert reach_counts.rewrite(kit) == 0
    assert not reach_counts.path_of(kit).exists()
