"""The text map of this game: every unit once, correct places of hexes, windows that fit a terminal."""

import re
from dataclasses import replace

from kursk_pbem.report import textmap
from kursk_pbem.rulesets.battle_for_kursk import RULESET
from kursk_pbem.rulesets.battle_for_kursk.position import position


def drawn(kursk, state=None, **more):
    """The map of a position, the first if none is given."""
    return textmap.render_map(RULESET.seen.picture(kursk, state or RULESET.data.setup(kursk)), **more)


def block(text, label):
    """The four lines of a hex, each with its left border; a railway may cross the border of the first line."""
    lines = text.split("\n")
    (row,) = [number for number, line in enumerate(lines) if re.search(f"[+~=H%]{label}", line)]
    column = re.search(f"[+~=H%]{label}", lines[row]).start()
    return [line[column : column + 10].rstrip() for line in lines[row : row + 4]]


def test_every_unit_on_the_map_appears_exactly_once(played):
    for kursk, game in played:
        for state in (game[0][0], game[len(game) // 2][0], game[-1][2].after):
            text = drawn(kursk, state, legend=())
            shown = re.findall(r"[|~=H%]([gr]-[a-z0-9-]+)", text)
            on_map = [uid for uid, unit in state.units.items() if unit.place in kursk.board.index]
            assert sorted(shown) == sorted(on_map)
            labels = re.findall(r"[+~=H%]([0-9]{4})", text)
            assert sorted(labels) == sorted(kursk.board.index)
            assert text.isascii()


def test_a_window_fits_in_80_columns_wherever_it_lies(citadel):
    labels = sorted(citadel.board.index)
    rim = [label for label in labels if len(citadel.board.neighbours[citadel.board.index[label]]) < 6]
    for label in {*labels[::11], *rim[::5], labels[0], labels[-1]}:
        text = drawn(citadel, around=label)
        assert all(len(line) <= 80 for line in text.split("\n"))
        assert re.search(f"[+~=H%]{label}", text)


def test_what_stands_in_a_hex(citadel):
    text = drawn(citadel)
    assert [line[1:] for line in block(text, "2117")] == ["2117 .Cg", "Kharkov", "g-2-ss", "11-6"]
    assert [line[1:] for line in block(text, "2115")][2:] == ["r-6-g", "(4-5)"]
    assert block(text, "2113")[1][1:] == "!Kursk"


def test_rivers_run_along_the_left_edge_and_the_upper_side(citadel):
    dry = replace(RULESET.seen.picture(citadel, RULESET.data.setup(citadel)), lines=())
    text, rivers, index = textmap.render_map(dry), citadel.rivers, citadel.board.index
    seen = 0
    for label in index:
        edge = "".join(line[0] for line in block(text, label))
        column, row = int(label[:2]), int(label[2:])
        up = row - (column % 2 == 1)  # of the adjacent columns; odd columns are half a hex north
        sides = ((column, row - 1, 0), (column - 1, up, 1), (column - 1, up + 1, 2), (column - 1, up + 1, 3))
        for one, other, number in sides:
            there = index.get(f"{one:02d}{other:02d}", -1)
            kind = rivers.get((index[label], there))
            assert edge[number] == {None: "+|||"[number], "river": "~", "major": "="}[kind], label
            seen += kind is not None and number != 3
    assert seen == len(rivers) // 2


def test_every_railway_crosses_a_border_between_its_hexes(citadel):
    picture = RULESET.seen.picture(citadel, RULESET.data.setup(citadel))
    borders = textmap._draw_borders(picture)
    assert len(picture.lines) == sum(links.bit_count() for links in citadel.rails.values()) // 2
    assert sum(border.count("H") + border.count("%") for border in borders.values()) == len(picture.lines)
    for line in picture.lines:
        assert any(set(borders.get(label, "")) & {"H", "%"} for label in (line.a, line.b))


def test_zones_and_fortifications_are_those_of_the_rules(citadel):
    state = RULESET.data.setup(citadel)
    picture, pos = RULESET.seen.picture(citadel, state), position(citadel, state)
    assert {zone.side: set(zone.at) for zone in picture.zones} == {
        side: set(citadel.board.names(pos.zoc(side))) for side in ("german", "russian")
    }
    forts = {(mark.at, mark.side) for mark in picture.marks if mark.kind == "fortification"}
    assert ("2011", "russian") in forts
    assert block(textmap.render_map(picture), "2011")[0][1:] == "2011 .#r"


def test_the_legend_tells_what_there_is_and_nothing_else(citadel):
    legend = "\n".join(textmap.explain_signs(RULESET.seen.picture(citadel, RULESET.data.setup(citadel))))
    assert "H a railway" in legend
    assert "ground . clear, f forest, m marsh, ^ rough" in legend
    assert "~ a river, = a Major River" in legend
    assert "village" not in legend
