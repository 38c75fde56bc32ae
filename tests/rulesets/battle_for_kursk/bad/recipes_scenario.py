"""Scenarios with a fault, as ``kursk scenario check`` finds faults; standard output has the findings.

The files are the campaign's files with one change. test_check.py has several faults at once."""

from __future__ import annotations

from bad.bad_desk import Bad
from bad.bad_text import Change, add, edit, rewrite, swap


def head(change: Change) -> Bad:
    return edit("scenario.yaml", change)


def unit(old: str, new: str) -> Bad:
    return edit("units.yaml", swap(old, new))


def chart(old: str, new: str) -> Bad:
    return edit("map.yaml", swap(old, new))


def table(old: str, new: str) -> Bad:
    return edit("tables.yaml", swap(old, new))


def without_attackers_loss(text: bytes) -> bytes:
    """Replace the two results at 1:1 that cost only the attacker."""
    return swap("'2': [AL, NE, DR, DR, ", "'2': [NE, NE, DR, DR, ")(swap("'1': [AL, NE, ", "'1': [NE, NE, ")(text))


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
    "head-objective-no-city.yaml": head(swap("{hex: '2113'", "{hex: '0726'")),
    "unit-strength-odd.yaml": unit(
        "full: 5, reduced: 2, move: 4, hex: '1101'", "full: 5, reduced: 3, move: 4, hex: '1101'"
    ),
    "unit-without-move.yaml": unit("full: 5, reduced: 2, move: 4, hex: '1101'", "full: 5, reduced: 2, hex: '1101'"),
    "unit-on-another.yaml": unit("hex: '1101'", "hex: '1202'"),
    "unit-off-the-map.yaml": unit("hex: '1101'", "hex: '0700'"),
    "unit-hex-by-name.yaml": unit("hex: '1101'", "hex: Kharkov"),
    "unit-without-strength.yaml": unit(
        "full: 5, reduced: 2, move: 4, hex: '1101'", "full: 1, reduced: 0, move: 4, hex: '1101'"
    ),
    "unit-behind-the-line.yaml": unit("hex: '1101'", "hex: '3003'"),
    "unit-of-no-type-of-its-side.yaml": unit(
        "type: panzer, size: corps,\n    full: 10, reduced: 5, move: 6, hex: '1604'",
        "type: tank, size: corps,\n    full: 10, reduced: 5, move: 6, hex: '1604'",
    ),
    "unit-panzer-full.yaml": unit("move: 6, hex: '1604', starts: reduced", "move: 6, hex: '1604', starts: full"),
    "unit-russian-full.yaml": unit("hex: '1301', starts: reduced", "hex: '1301', starts: full"),
    "map-two-terrains.yaml": chart("forest: ['0613',", "forest: ['0726', '0726', '0613',"),
    "map-marsh-and-forest.yaml": chart("forest: ['0613',", "forest: ['1201', '0613',"),
    "map-terrain-off-the-map.yaml": chart("forest: ['0613',", "forest: ['0700', '0613',"),
    "map-grid-of-words.yaml": chart("columns: '06-30'", "columns: all"),
    "map-railway-of-one-hex.yaml": chart("path: ['1319', '1320', '1321']", "path: ['1319']"),
    "map-columns-backwards.yaml": chart("columns: '06-30'", "columns: '30-06'"),
    "map-absent-outside.yaml": chart("absent: ['0700'", "absent: ['0500', '0700'"),
    "map-city-of-the-other-side.yaml": chart(
        "'2113': {name: Kursk, kind: major, side: russian}", "'2113': {name: Kursk, kind: major, side: german}"
    ),
    "map-moscow-no-city.yaml": chart("moscow: '2402'", "moscow: '2403'"),
    "map-kiev-off-the-map.yaml": chart("kiev: '1015'", "kiev: '0700'"),
    "map-river-jumps.yaml": chart("[1112-1212, 1112-1113,", "[1112-1312, 1112-1113,"),
    "map-river-off-the-map.yaml": chart("[1112-1212, 1112-1113,", "[0700-0701, 1112-1212, 1112-1113,"),
    "map-river-twice.yaml": chart("[1112-1212, 1112-1113,", "[1112-1212, 1212-1112, 1112-1113,"),
    "map-river-at-no-hex.yaml": chart("hexsides: [2024-2125,", "hexsides: [2026-2126, 2024-2125,"),
    "map-river-beside-a-wider.yaml": chart("hexsides: [2024-2125,", "hexsides: [1112-1113, 2024-2125,"),
    "map-railway-jumps.yaml": chart("path: ['1319', '1320', '1321']", "path: ['1319', '1321']"),
    "map-railway-to-nowhere.yaml": chart("path: ['1319', '1320', '1321']", "path: ['1319', '1320', '1321', '1322']"),
    "map-start-line-open.yaml": chart("2622-2722, 2622-2723,\n   2623-2723,", "2622-2722, 2622-2723,\n  "),
    "map-start-line-off-the-map.yaml": chart("[1101-1200, 1101-1201,", "[1101-1300, 1101-1201,"),
    "map-fortification-off-the-map.yaml": chart(
        "hexes: ['2621', '2622', '2623', '2624']", "hexes: ['2621', '2622', '2623', '2626', '2700']"
    ),
    "map-fortification-without-a-turn.yaml": chart(
        "    owner: german\n    active-from: '6'", "    owner: german\n    active-from: '9'"
    ),
    "map-edge-inside.yaml": chart("german: ['0600', '0601',", "german: ['0600', '0707',"),
    "map-edge-of-both-sides.yaml": chart("'3024',\n    '3025', '3026']", "'3024',\n    '3025', '3026', '0600']"),
    "map-objective-no-city.yaml": chart("russian: ['0716',", "russian: ['0726', '0716',"),
    "map-objective-of-its-own.yaml": chart("russian: ['0716',", "russian: ['2113', '0716',"),
    "table-number-in-words.yaml": table("strategic: 6", "strategic: six"),
    "table-empty.yaml": edit("tables.yaml", rewrite("# nothing\n")),
    "table-combat-not-as-shown.yaml": table("'4': [NE, DR, EX, DRL, DRL, DE]", "'4': [DR, DR, EX, DRL, DRL, DE]"),
    "table-combat-falls.yaml": table("'6': [EX, EX, DRL, DE, DE, DE]", "'6': [EX, EX, DRL, DRL, DRL, DE]"),
    "table-terrain-free.yaml": table("forest: {mp: 2, shift: -1}", "forest: {mp: 0, shift: -1}"),
    "table-terrain-dear.yaml": table("forest: {mp: 2, shift: -1}", "forest: {mp: 3, shift: -1}"),
    "table-river-shift.yaml": table("major: {mp: all, shift: -2}", "major: {mp: all, shift: -1}"),
    "table-marsh-whole.yaml": table("marsh: {mp: all, shift: 0, attack-from: halved}", "marsh: {mp: all, shift: 0}"),
    "table-turn-armor.yaml": table(
        "german: {irp: 1, arp: 7, offensives: 0}", "german: {irp: 1, arp: 6, offensives: 0}"
    ),
    "table-turn-mud.yaml": table("mud: 'yes'\n    mud-die: 1", "mud: 'no'\n    mud-die: 1"),
    "table-turn-mud-die.yaml": table("    mud: 'no'\n    mud-die: 3\n", "    mud: 'no'\n    mud-die: 2\n"),
    "table-posture-armor.yaml": table("deploy: {irp: 0, arp: -2}", "deploy: {irp: 0, arp: -1, }"),
    "table-posture-phases.yaml": table(
        "deploy: [replacement, armor-and-rail, movement]", "deploy: [replacement, movement]"
    ),
    "table-levels-crossed.yaml": table("operational: 1", "operational: 7"),
    "table-level-strategic.yaml": table("strategic: 6", "strategic: 11"),
    "table-no-attackers-loss.yaml": edit("tables.yaml", without_attackers_loss),
}
