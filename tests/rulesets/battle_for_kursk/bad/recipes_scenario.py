"""Scenarios with a fault, as ``kursk scenario check`` finds faults; standard output has the findings.

The files are the campaign's files with one change. test_check.py has every finding."""

from __future__ import annotations

from bad.bad_desk import Bad
from bad.bad_text import Change, add, edit, rewrite, swap


def head(change: Change) -> Bad:
    return edit("scenario.yaml", change)


FILES: dict[str, Bad] = {
    "head-empty.yaml": head(rewrite("")),
    "head-tab.yaml": head(swap("id: ", "id:\t")),
    "head-no-id.yaml": head(swap("id: battle-for-kursk/mine\n", "")),
    "head-id-a-path.yaml": head(swap("id: battle-for-kursk/mine", "id: ../mine")),
    "head-ruleset-unknown.yaml": head(swap("ruleset: battle-for-kursk", "ruleset: battle-for-moscow")),
    "head-based-on-a-path.yaml": head(add("based-on: ../campaign\n")),
    "head-turn-unknown.yaml": head(swap("turns: [A, B, C,", "turns: [A, Z, C,")),
    "head-turns-jump.yaml": head(swap("turns: [A, B, C, D,", "turns: [A, C, B, D,")),
    "head-first-turn-later.yaml": head(swap("  turn: A", "  turn: B")),
    "head-objective-nowhere.yaml": head(swap("{hex: '2113'", "{hex: '0700'")),
    "head-field-unknown.yaml": head(add("author: me\n")),
    "head-keys-alike.yaml": head(add("Turns: [A]\n")),
    "head-note-for-rules.yaml": head(add("note: {a: b}\n")),
    "head-provenance-odd.yaml": head(swap("status: ", "status: certain # ")),
    "unit-strength-odd.yaml": edit(
        "units.yaml", swap("full: 5, reduced: 2, move: 4, hex: '1101'", "full: 5, reduced: 3, move: 4, hex: '1101'")
    ),
    "unit-without-move.yaml": edit(
        "units.yaml", swap("full: 5, reduced: 2, move: 4, hex: '1101'", "full: 5, reduced: 2, hex: '1101'")
    ),
    "unit-on-another.yaml": edit("units.yaml", swap("hex: '1101'", "hex: '1202'")),
    "unit-off-the-map.yaml": edit("units.yaml", swap("hex: '1101'", "hex: '0700'")),
    "unit-hex-by-name.yaml": edit("units.yaml", swap("hex: '1101'", "hex: Kharkov")),
    "map-two-terrains.yaml": edit("map.yaml", swap("forest: ['0613',", "forest: ['0726', '0726', '0613',")),
    "map-terrain-off-the-map.yaml": edit("map.yaml", swap("forest: ['0613',", "forest: ['0700', '0613',")),
    "map-grid-of-words.yaml": edit("map.yaml", swap("columns: '06-30'", "columns: all")),
    "map-railway-of-one-hex.yaml": edit("map.yaml", swap("path: ['1319', '1320', '1321']", "path: ['1319']")),
    "table-number-in-words.yaml": edit("tables.yaml", swap("strategic: 6", "strategic: six")),
    "table-empty.yaml": edit("tables.yaml", rewrite("# nothing\n")),
}
