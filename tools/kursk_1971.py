"""Make the scenarios of Kursk (1971) from reference data: a map and an order of battle in loose YAML.

    python tools/kursk_1971.py SOURCE [TARGET]

``SOURCE`` contains ``map.yaml`` and ``oob.yaml``. The tool writes a folder for each scenario to ``TARGET``, by default
``scenarios/kursk-1971``. The scenario "July 4 historical" contains map, units and tables. The other scenarios borrow
the files. A change of the files changes the hashes of the scenarios. The files name the source of their data.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import kursk_1971_set_up  # noqa: E402
from kursk_1971_tables import TABLES  # noqa: E402

from kursk_pbem.formats import yamlout  # noqa: E402

RULESET = "kursk-1971"
BASE = "july4-historical"
WIDTH = 100
Plain = Any

LIMITED = {"A": "attack-only", "D": "defence-only", "paren": "bracketed"}

HEADS = {
    "july4_historical": "July 4: where everybody stood. No changes are allowed, and play begins with the Germans.",
    "july4": "July 4, free deployment: the Soviets set up on and behind their first line, then the Germans.",
    "june12": "June 12: fewer heavy tanks and guns; the third Soviet line is not ready.",
    "may3": "May 3: only the first Soviet line is ready; both sides are weaker, the Soviets more so.",
    "august3": "August 3: the Soviets move first, after both sides have set up, the Germans before them.",
}
STANDING = {
    "july4_historical": "reconstructed: Name, sides, length and city are attested. Hexes and turns of arrival are a fit"
    " to the history of July 1943; no printed list has been seen.",
    "july4": "reconstructed: Name, order of set-up and city are attested. The list is that of the historical scenario,"
    " and its hexes are proposed where the players name no others. Four units fill gaps in the lines, hexes"
    " of wood and swamp that in the print edition only a unit in them holds: g-293 in 1503, g-17pz in 1932,"
    " s-1t in 1502 and s-57-1 in 2032.",
    "june12": "invented: Name, length and city are attested. Which units are missing or late is a proposal.",
    "may3": "invented: Name, length and city are attested. Which units are missing or late is a proposal.",
    "august3": "invented: Name and points for cities are attested. That the Soviets are first follows from 'most"
    " scenarios'. Front, lists and the German reinforcements are a proposal.",
}


def convert_to_text(value: Plain) -> Plain:
    """Convert every scalar of a value to text, as the strict reader does."""
    if isinstance(value, Mapping):
        return {str(key): convert_to_text(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [convert_to_text(each) for each in value]
    return str(value)


def write_file(path: Path, head: str, data: Mapping[str, Plain]) -> None:
    """Write a file: a comment, then the entries. Mappings of mappings have an entry per line."""
    lines = [f"# {line}" for line in head.splitlines()]
    for key, value in convert_to_text(data).items():
        lines += _form_entry(key, value, 0)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")


def _form_entry(key: str, value: Plain, indent: int) -> list[str]:
    deep = isinstance(value, dict) and any(isinstance(inner, (dict, list)) for inner in value.values())
    if not (deep and indent < 4):
        return yamlout.form_lines(key, value, indent, WIDTH)
    head = f"{' ' * indent}{yamlout.write_scalar(key)}:"
    return [head, *(line for inner, each in value.items() for line in _form_entry(inner, each, indent + 2))]


def make_map(source: Mapping[str, Plain]) -> dict[str, Plain]:
    """Make the map of the scenarios."""
    hexes = source["hexes"]
    kinds = {kind: [label for label, each in hexes.items() if each["terrain"] == kind] for kind in ("forest", "swamp")}
    cities = {label: each for label, each in hexes.items() if "city" in each}
    return {
        "title": "Kursk 1943, about 15 km per hex",
        "provenance": _describe_map(),
        "grid": {"columns": "01-34", "rows": "01-32", "high-columns": "odd"},
        "absent": [],
        "default-terrain": "clear",
        "terrain": kinds,
        "cities": {label: {"name": each["city"], "side": each["side"]} for label, each in cities.items()},
        "towns": {label: {"name": each["town"]} for label, each in hexes.items() if "town" in each},
        "fortified": {
            side: [label for label, each in cities.items() if each.get("fortified") == side]
            for side in ("german", "soviet")
        },
        "rivers": _convert_rivers(source["rivers"]),
        "railroads": _convert_rails(source["railroads"]),
        "fortifications": {
            each["id"]: {"name": each["name"], "owner": each["owner"], "hexes": each["hexes"]}
            for each in source["fortifications"]
        },
        "fronts": {
            "july": _join_pairs(source["start_line"]),
            "august": _join_pairs(source["august_front"]["start_line"]),
        },
        "edges": source["edges"],
        "exits": {side: source["rail_exits"][side] for side in ("german", "soviet")},
    }


def _describe_map() -> dict[str, Plain]:
    fitted = "True places and courses fitted to the grid, about one hex exact."
    invented = {
        "terrain": "Woods and swamps are a sketch.",
        "fortified": "That cities are fortified is attested; which are is ours: the five that score.",
        "fronts": "An estimate of the fronts of 4 July and 3 August.",
    }
    note = "The two front rows of July touch. How far apart the Soviet lines lie is ours."
    exits = "West for the Germans, east of their line for the Soviets by the rules; which railways lead off is ours."
    return {
        "status": "reconstructed",
        "note": "Our own map. The printed one was not to be had; no hex number of it is used.",
        "sections": {
            **{key: {"status": "invented", "note": why} for key, why in invented.items()},
            **{key: {"status": "reconstructed", "note": fitted} for key in ("cities", "towns", "rivers", "railroads")},
            "fortifications": {"status": "reconstructed", "note": note},
            "exits": {"status": "reconstructed", "note": exits},
            "edges": {"status": "attested", "note": "The map edges that the rules of supply name."},
        },
    }


def _join_pairs(sides: list[list[str]]) -> list[str]:
    return ["-".join(pair) for pair in sides]


def _convert_rivers(rivers: list[Plain]) -> dict[str, Plain]:
    seen: set[frozenset[str]] = set()
    found = {}
    for river in rivers:
        own = [pair for pair in river["hexsides"] if frozenset(pair) not in seen]
        seen |= {frozenset(pair) for pair in own}
        key = river["name"].lower().replace(" ", "-")
        found[key] = {"name": river["name"], "kind": "river", "hexsides": _join_pairs(own)}
    return found


def _convert_rails(lines: list[Plain]) -> dict[str, Plain]:
    found: dict[str, Plain] = {}
    for line in lines:
        stops = [place.removeprefix("map edge ").strip() for place in (line["from"], line["to"])]
        key = "-".join(stops).lower().replace(" ", "-")
        key = key if key not in found else f"{key}-2"
        found[key] = {"name": f"{line['from']} - {line['to']}", "path": line["hexes"]}
    return found


def make_counters(oob: Mapping[str, Plain]) -> dict[str, Plain]:
    """Make the counters with their printed values."""
    listed = [*oob["units"], *oob["reinforcements"]["units"], *oob["kampfgruppen"]]
    return {"provenance": _describe_counters(), "units": {each["id"]: _convert_counter(each) for each in listed}}


def _convert_counter(each: Mapping[str, Plain]) -> dict[str, Plain]:
    air = each["type"] == "air"
    found = {
        "name": each["name"],
        "short": each["short"],
        "side": each["side"],
        "type": each["type"].replace("_", "-"),
        "size": each["size"],
        "motorized": "yes" if each["motorized"] else "no",
        "attack": 0 if air else each["attack"],
        "defence": 0 if air else each["defence"],
        "move": each["gse"]["movement"] if air else each["movement"],
    }
    if each["limited"]:
        found["limited"] = LIMITED[each["limited"]]
    if air:
        found["range"] = each["aircraft"]["range"]
    if "replaces" in each:
        found["replaces"] = each["replaces"].split(" or ")
    formation = each.get("formation") or each.get("front")
    if formation:
        found["formation"] = formation
    if each.get("army"):
        found["army"] = each["army"]
    return found


def _describe_counters() -> dict[str, Plain]:
    return {
        "status": "reconstructed",
        "note": "Names and armies are the order of battle of July 1943; no printed list has been seen. Attested are the"
        " values 6-8, 5-8, 4-8, the motorized 1-8, battlegroups 2-8 and 1-8, 2-4 and 3-5, and four anti-tank brigades."
        " 2-5 for German infantry is read from a sample. Values of tank, mechanized and cavalry corps, artillery,"
        " anti-tank, bracketed armor and air units are invented.",
    }


class ScenarioMaker:
    """Makes the scenarios of a source."""

    def __init__(self, source: Path) -> None:
        self.map, self.oob = (yaml.safe_load((source / f"{name}.yaml").read_text("utf-8")) for name in ("map", "oob"))

    def make_scenario(self, name: str) -> dict[str, Plain]:
        """Make the scenario file of a scenario."""
        entry = self.oob["scenarios"][name]
        status, _colon, note = STANDING[name].partition(": ")
        august = entry.get("front") == "august_front"
        lines = self.list_lines(entry, august=august)
        start, arrivals = self.place_units(entry)
        if entry["setup"] == "free":
            start = kursk_1971_set_up.propose_set_up(self.map, self.oob, start, lines, august=august)
        ident = name.replace("_", "-")
        found: dict[str, Plain] = {"id": f"{RULESET}/{ident}", "title": f"Kursk 1971: {entry['title']}"}
        found |= {"ruleset": RULESET} | ({"based-on": BASE} if ident != BASE else {})
        found["provenance"] = {"status": status, "note": note}
        found["turns"] = list(range(1, entry["turns"] + 1))
        found["first"] = entry["first_player"]
        found["deployment"] = entry.get("setup_order", [])
        found["front"] = "august" if august else "july"
        found["man"] = lines
        found["lines"] = entry["lines_in_force"]
        if august:
            found["void"] = sorted(set(self.get_line("german")) & self.list_soviet_hexes())
        found["cities"] = {self.map["objectives"][city]: points for city, points in entry["victory"]["cities"].items()}
        found["entry"] = {"german": ["1832"] if august else [], "soviet": self.map["soviet_reinforcement_hexes"]}
        found["arrivals"] = {turn: sorted(who) for turn, who in sorted(arrivals.items())}
        found["start"] = dict(sorted(start.items()))
        found["reserve"] = [each["id"] for each in self.oob["kampfgruppen"]]
        return found

    def get_line(self, ident: str) -> list[str]:
        return next(each["hexes"] for each in self.map["fortifications"] if each["id"] == ident)

    def list_soviet_hexes(self) -> set[str]:
        """Return the hexes on the Soviet side of the August front."""
        return kursk_1971_set_up.split_map(self.map, august=True)["soviet"]

    def list_lines(self, entry: Mapping[str, Plain], *, august: bool) -> dict[str, list[str]]:
        """Return the hexes that a side must man in a free set-up, by side."""
        if entry["setup"] != "free":
            return {"german": [], "soviet": []}
        if august:
            return {side: self.map["august_front"][f"{side}_hexes"] for side in ("german", "soviet")}
        return {"german": self.get_line("german"), "soviet": self.get_line("soviet1")}

    def place_units(self, entry: Mapping[str, Plain]) -> tuple[dict[str, str], dict[int, list[str]]]:
        """Return the starting hexes of the units, and the arriving units by turn."""
        away = set(entry.get("not_available", ()))
        removed = set(entry.get("reinforcements_removed_armies", ()))
        ready = set(entry.get("at_start_soviet_reinforcements", ()))
        changed = entry.get("reinforcements_changed", {})
        arrivals: dict[int, list[str]] = {}
        german = {uid for each in entry.get("german_reinforcements", {}).values() for uid in each["units"]}
        start = {each["id"]: each["hex"] for each in self.oob["units"] if each["id"] not in away | german}
        for each in self.oob["reinforcements"]["units"]:
            army = each.get("army", "")
            if army in ready:
                start[each["id"]] = kursk_1971_set_up.GATHERED[army]
            elif army not in removed and each["id"] not in away:
                arrivals.setdefault(int(changed.get(army, each["turn"])), []).append(each["id"])
        for turn, each in entry.get("german_reinforcements", {}).items():
            arrivals.setdefault(int(turn), []).extend(each["units"])
        return start, arrivals


def main() -> int:
    """Write the files of every scenario."""
    if len(sys.argv) not in (2, 3):
        print(__doc__)
        return 64
    maker = ScenarioMaker(Path(sys.argv[1]))
    target = Path(sys.argv[2]) if len(sys.argv) == 3 else ROOT / "scenarios" / RULESET
    note = "Made by tools/kursk_1971.py; README.md says what is known."
    base = target / BASE
    write_file(base / "map.yaml", f"The map of all scenarios. {note}", make_map(maker.map))
    write_file(base / "units.yaml", f"The counters of all scenarios. {note}", make_counters(maker.oob))
    write_file(base / "tables.yaml", f"The tables of all scenarios. {note}", TABLES)
    for name, head in HEADS.items():
        write_file(target / name.replace("_", "-") / "scenario.yaml", f"{head}\n{note}", maker.make_scenario(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
