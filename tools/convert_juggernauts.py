"""Convert a map and an order of battle to the scenario ``juggernauts/july-1943``.

``python tools/convert_juggernauts.py FOLDER`` reads ``map.yaml`` and ``oob.yaml`` of FOLDER and writes the four files
of the scenario. The repository contains the files; the program does not need this tool. The same data always give the
same bytes. The tool keeps places and figures, and converts ids, kinds of units and the form of lines.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from kursk_pbem.formats.yamlout import form_lines  # noqa: E402

OUT = ROOT / "scenarios" / "juggernauts" / "july-1943"
WIDTH = 100
SIDES = {"de": "g", "su": "r", "hu": "h"}
KINDS = {
    "infantry": "infantry",
    "security": "infantry",
    "rifle": "infantry",
    "panzer": "panzer",
    "panzergrenadier": "panzer",
    "tiger": "tiger",
    "ferdinand": "ferdinand",
    "panther": "panther",
    "tank": "tank",
    "mechanized": "mechanized",
    "cavalry": "cavalry",
    "artkor": "artillery",
}
FREE = ("tank", "mechanized")  # Russian kinds; for German units the order of battle says "free" (J-57)
GRADES = {"first": "first", "second": "second", "third": "third"}


def convert_id(old: str) -> str:
    """Convert ``de-2ss`` to ``g-2ss``."""
    side, _dash, rest = old.partition("-")
    return f"{SIDES[side]}-{rest}"


def name_hexside(hexes: list[str], a: str, b: str) -> str:
    """Return the name of a hexside of the start line, with the German hex first."""
    return f"{a}-{b}" if a in hexes else f"{b}-{a}"


def convert_unit(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a counter."""
    found: dict[str, Any] = {
        "name": entry["name"],
        "short": entry["label"],
        "side": entry["side"],
        "kind": KINDS[entry["type"]],
        "size": entry["size"].replace("artkor", "corps"),
        "attack": entry["attack"],
        "defence": entry["defense"],
        "move": entry["omf"],
        "bonus": entry["omb"],
        "zone": entry["zoc"],
        "hex": entry["hex"],
    }
    if entry["bracket"] != "none":
        found["bracket"] = entry["bracket"]
    if entry["guards"]:
        found["guards"] = "yes"
    if entry.get("keil") == "contains_tigers":
        found["tigers"] = "yes"
    if entry.get("sector"):
        found["sector"] = {"N": "north", "S": "south"}[entry["sector"]]
    if entry.get("free_setup") or (entry["side"] == "russian" and entry["type"] in FREE and not entry.get("arrives")):
        found["free"] = "yes"
    if entry.get("start_mode") == "emplaced":
        found["emplaced"] = "yes"
    if entry.get("arrives"):
        found["arrives"] = entry["arrives"]
    if note := entry.get("composition"):
        found["note"] = note
    return {key: str(value) for key, value in found.items()}


def convert_lines(chart: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the fortification lines: name, owner, grade, and the fronts of every hex."""
    found = {}
    for line in chart["fortifications"]:
        key = line["name"].lower().replace(" line", "").replace(" ", "-")
        front = {label: line["front"][label] for label in line["hexes"]}
        found[key] = {"name": line["name"], "owner": line["owner"], "grade": GRADES[line["grade"]], "front": front}
    return found


def convert_map(chart: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the map."""
    terrain: dict[str, list[str]] = {"forest": [], "swamp": [], "hill": []}
    cities = {}
    for label, entry in chart["hexes"].items():
        if entry["terrain"] in terrain:
            terrain[entry["terrain"]].append(label)
        if "city" in entry:
            cities[label] = {"name": entry["city"], "kind": entry["kind"], "side": entry["side"]}
    first, last = chart["grid"]["rows"]
    return {
        "title": "The front round Kursk, July 1943",
        "provenance": MAP_PROVENANCE,
        "grid": {
            "columns": "-".join(map(str, chart["grid"]["columns"])),
            "rows": f"{first}-{last}",
            "west-rows": "odd",
        },
        "absent": [],
        "default-terrain": chart["default_terrain"],
        "terrain": terrain,
        "cities": cities,
        "sector-row": chart["grid"]["sector_row"],
        "rivers": {
            river["name"].lower().replace(" ", "-"): {
                "name": river["name"],
                "kind": "river",
                "hexsides": ["-".join(pair) for pair in river["hexsides"]],
            }
            for river in chart["rivers"]
        },
        "start-line": [name_hexside(chart["german_hexes"], a, b) for a, b in chart["start_line"]],
        "lines": convert_lines(chart),
        "edges": chart["edges"],
    }


MAP_PROVENANCE = {
    "status": "reconstructed",
    "note": "Our own map, not the printed one. README.md says what is known.",
    "sections": {
        "grid": {
            "status": "reconstructed",
            "note": "Letters count rows: the rules name hex J8 and hex-row M. Pointy tops and 28 km fit best.",
        },
        "terrain": {
            "status": "invented",
            "note": "J8 is the hill of the rules; forests and swamps are our own sketch.",
        },
        "cities": {
            "status": "reconstructed",
            "note": "The eight cities of the victory conditions are attested, their hexes fitted; towns ours.",
        },
        "rivers": {"status": "reconstructed", "note": "The courses of today, laid along hexsides."},
        "start-line": {"status": "reconstructed", "note": "The front of 5 July 1943, our own estimate."},
        "lines": {
            "status": "invented",
            "note": "Three Russian lines and a German one are attested, where they run is ours; no second German line.",
        },
        "edges": {"status": "attested", "note": "West and south German, north and east Russian."},
        "sector-row": {"status": "attested", "note": "North is row M and north of it."},
    },
}
UNITS_PROVENANCE = {
    "status": "invented",
    "note": "No counter has been seen. Movement factors, bonuses and the units that the rules name are theirs, "
    "formations and rough places history; attack, defence, brackets and hexes are ours.",
}
CRT = """
D/AE D    D    D2   D2   D2   D2 DE DE DE DE DE
AE   AD   X    D1   D1   D1   D2 D2 DE DE DE DE
AE   D/AE AD   X    D    D1   D1 D2 D2 DE DE DE
AE   AE   D/AE AD   X    D    D1 D1 D2 D2 DE DE
AE   AE   AE   D/AE AD   X    D  D1 D1 D2 D2 DE
AE   AE   AE   AE   D/AE AD   X  D  D1 D1 D2 D2
"""
COLUMNS = ["1:5", "1:4", "1:3", "1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1"]
RUDEL = "Which Luftflotte has Rudel is our reading (J-68)."


def convert_tables(chart: Mapping[str, Any], oob: Mapping[str, Any]) -> dict[str, Any]:
    """Make the tables: combat results, strengths of lines, stacking, arrivals, victory, air units of the option."""
    where = {entry["city"]: label for label, entry in chart["hexes"].items() if "city" in entry}
    cities = {key: [where[name] for name in names] for key, names in chart["victory_cities"].items()}
    stack = oob["stacking"]
    return {
        "crt": {
            "provenance": {"status": "attested", "note": "Every cell is the printed table's."},
            "die": "A",
            "columns": COLUMNS,
            "rows": {str(die): row.split() for die, row in enumerate(CRT.strip().splitlines(), 1)},
        },
        "lines": {
            "provenance": {"status": "attested"},
            **{
                key: {
                    "front": line["strength"]["front"],
                    "behind": line["strength"]["same_side"],
                    "needs-unit": "yes" if line["strength"]["needs_unit"] else "no",
                }
                for key, line in zip(convert_lines(chart), chart["fortifications"], strict=True)
            },
        },
        "stacking": {
            "provenance": {"status": "attested"},
            "german": stack["german"],
            "russian": {"units": stack["russian"]["units"], "artillery": stack["russian"]["artkor_extra"]},
        },
        "arrivals": {
            "provenance": {"status": "attested", "note": "Voronezh for a reinforcement is J-34."},
            "reinforcements": [where[name] for name in chart["arrival"]["replacements"]],
            "replacements": [where[name] for name in chart["arrival"]["replacements"]],
            "factors": 1,
        },
        "victory": {
            "provenance": {"status": "attested", "note": "That the Russians hold Kursk, Tula, Voronezh is J-36."},
            "german": {"take": cities["german_take"], "hold": cities["german_hold"], "more": cities["german_smashing"]},
            "russian": {
                "take": cities["russian_take"],
                "any": cities["russian_take_any"],
                "hold": cities["russian_hold"],
                "smashing": 3,
            },
        },
        "air": {
            "provenance": {"status": "attested", "note": f"Only for discussion, says the text. {RUDEL}"},
            "german": {
                "range": 7,
                "units": {"g-lf4": {"name": "4th Luftflotte"}, "g-lf6": {"name": "6th Luftflotte", "rudel": "yes"}},
                "bombing": ["D-Rudel", "D", "D", "D*", "none", "AA"],
            },
            "russian": {
                "range": 5,
                "units": {
                    "r-2va": {"name": "2nd Air Army"},
                    "r-5va": {"name": "5th Air Army"},
                    "r-16va": {"name": "16th Air Army"},
                },
                "bombing": ["D", "D", "D*", "none", "none", "AA"],
            },
            "interception": ["russian-down", "russian", "russian", "bomber", "german", "german-down"],
        },
    }


def convert_to_text(value: Any) -> Any:
    """Convert every scalar of a value to text."""
    if isinstance(value, Mapping):
        return {str(key): convert_to_text(inner) for key, inner in value.items()}
    return [convert_to_text(inner) for inner in value] if isinstance(value, list) else str(value)


def write_file(name: str, comment: str, data: Mapping[str, Any]) -> None:
    """Write a file of the scenario, with a comment at the top."""
    out = [f"# {line}" for line in comment.splitlines()]
    for key, value in convert_to_text(data).items():
        out += form_lines(key, value, 0, WIDTH)
    (OUT / name).write_text("\n".join(out) + "\n", encoding="ascii")


def main(folder: Path) -> None:
    """Read the two source files and write the scenario."""
    chart, oob = (yaml.safe_load((folder / f"{name}.yaml").read_text(encoding="utf-8")) for name in ("map", "oob"))
    OUT.mkdir(parents=True, exist_ok=True)
    made = "Made by tools/convert_juggernauts.py."
    head = {
        "id": "juggernauts/july-1943",
        "title": "Citadel and what followed, July and August 1943",
        "ruleset": "juggernauts",
        "provenance": {"status": "invented", "note": "Seven turns of a week: the rules give no length."},
        "turns": [str(turn) for turn in range(1, oob["turns"] + 1)],
    }
    write_file("scenario.yaml", f"Both sides as they stood on 5 July 1943. {made}", head)
    write_file("map.yaml", f"The map: our own, not the printed sheet. {made}", convert_map(chart))
    units = {convert_id(entry["id"]): convert_unit(entry) for entry in oob["units"]}
    write_file(
        "units.yaml",
        f"The order of battle: our own, not the printed counters. {made}",
        {"provenance": UNITS_PROVENANCE, "units": units},
    )
    write_file(
        "tables.yaml",
        f"Combat results, lines, stacking, arrivals, victory, air units. {made}",
        convert_tables(chart, oob),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
