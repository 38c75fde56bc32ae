"""The tables of Kursk (1971) for `kursk_1971`: values from the texts, and substitutes for printed tables."""

from __future__ import annotations

from typing import Any

COLUMNS = ["1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "9:1"]
ROWS = {
    "6": "DR DR DR EX HX HX DX DX DX DX DX",
    "5": "BR BR BR DR EX HX HX HX DX DX DX",
    "4": "AR BR BR BR BR EX HX HX DX DX DX",
    "3": "AX AR BR BR BR DR DR EX EX HX DX",
    "2": "AX AX AR BR BR BR DR DR EX HX DX",
    "1": "AX AX AR AR AR AR AR BR BR DR HX",
    "0": "AX AX AX AR AR AR AR BR BR DR DR",
    "minus-1": "AX AX AX AX AR AR AR BR BR BR BR",
}
AIR_COLUMNS = ["1:2", "1:1", "2:1", "3:1", "4:1"]
AIR_ROWS = {
    "6": "D D D D D",
    "5": "NE D D D D",
    "4": "NE NE D D D",
    "3": "NE NE NE D D",
    "2": "NE NE NE NE D",
    "1": "NE NE NE NE NE",
}

TABLES: dict[str, Any] = {
    "crt": {
        "provenance": {
            "status": "reconstructed",
            "note": "The printed table survives as scattered cells of a damaged scan. Ours holds nearly all of them,"
            " rises with odds and die, and lets 9:1 with aircraft cost nothing where no terrain lowers the die, as the"
            " players' notes say; the inside of 2:1 to 9:1 is filled in. HX is the half exchange.",
        },
        "columns": COLUMNS,
        "rows": {die: row.split() for die, row in ROWS.items()},
    },
    "air": {
        "provenance": {
            "status": "reconstructed",
            "note": "Only the heading is sure; two rows of D in the scan fit. D: base and aircraft are destroyed.",
        },
        "columns": AIR_COLUMNS,
        "rows": {die: row.split() for die, row in AIR_ROWS.items()},
    },
    "terrain": {
        "provenance": {
            "status": "attested",
            "note": "Points to enter and the die of the attacker, from the rules and their examples.",
            "sections": {
                "city": {"status": "reconstructed", "note": "No source; taken as clear."},
                "river": {"status": "reconstructed", "note": "-2 is attested; no cost to cross is named."},
                "fortification": {"status": "reconstructed", "note": "2 points are attested; -1 of the die is ours."},
            },
        },
        "clear": {"foot": 1, "motorized": 1, "die": 0},
        "forest": {"foot": 1, "motorized": 2, "die": -1},
        "swamp": {"foot": 1, "motorized": 2, "die": -1},
        "city": {"foot": 0, "motorized": 0, "die": 0},
        "river": {"foot": 0, "motorized": 0, "die": -2},
        "fortification": {"foot": 2, "motorized": 2, "die": -1},
    },
    "limits": {
        "provenance": {"status": "attested", "note": "Zones of control, supply, stacking, integrity, close support."},
        "zoc-enter": 3,
        "zoc-leave": 2,
        "supply": 10,
        "stack": 4,
        "stack-large": 3,
        "support": 2,
        "integrity": {"2-4": 3, "3-5": 5},
    },
    "victory": {
        "provenance": {"status": "attested", "note": "Points for strength and cities, and levels by ratio."},
        "motorized": 3,
        "kampfgruppe": 5,
        "german": {"marginal": "1:1", "tactical": "2:1", "decisive": "3:1"},
        "soviet": {"marginal": "1:1", "tactical": "3:2", "decisive": "2:1"},
    },
}
