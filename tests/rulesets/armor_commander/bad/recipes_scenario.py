"""Scenarios with a fault, as ``kursk scenario check`` finds them: the crossroads with one thing changed."""

from __future__ import annotations

from bad.bad_desk import Bad, Base
from bad.bad_text import Change, swap

from kursk_pbem.formats import data

CHECK, AT = "scenario check GAME", "armor-commander scenario mine"
FOLDER = data.folder("scenarios") / "armor-commander" / "crossroads"


def part(file: str, old: str, new: str) -> Bad:
    """One file after a change."""
    change: Change = swap(old, new)

    def made(_base: Base) -> bytes:
        return change((FOLDER / file).read_bytes().replace(b"commander/crossroads", b"commander/mine", 1))

    return Bad(CHECK, AT, made, name=file)


FILES: dict[str, Bad] = {
    "ground-kind-unknown.yaml": part("map.yaml", "name: the pond, kind: water", "name: the pond, kind: swamp"),
    "ground-off-the-table.yaml": part("map.yaml", "'64.00, 29.00'", "'74.00, 29.00'"),
    "ground-meets-itself.yaml": part("map.yaml", "'32.50, 22.00', '33.00, 26.00'", "'33.00, 26.00', '32.50, 22.00'"),
    "ground-place-odd.yaml": part("map.yaml", "'20.00, 9.50', '25.50, 9.50'", "'20, 9.5', '25.50, 9.50'"),
    "model-off-its-zone.yaml": part("units.yaml", "g-pz-1: {place: '31.00, 9.50'", "g-pz-1: {place: '31.00, 13.00'"),
    "model-twice.yaml": part("units.yaml", "g-pz-2: {place", "s-t-1: {place"),
    "model-facing-odd.yaml": part("units.yaml", "'33.50, 9.50', face: '12'", "'33.50, 9.50', face: north"),
    "gun-of-two-models.yaml": part("units.yaml", "g-pak-2: {place: '43.00, 10.00'}",
                                   "g-pak-2: {place: '43.00, 10.00'}\n      g-pak-3: {place: '45.00, 10.00'}"),
    "zones-touch.yaml": part("scenario.yaml", "'72.00, 12.00', '0.00, 12.00'", "'72.00, 35.50', '0.00, 35.50'"),
    "objective-off-the-table.yaml": part("scenario.yaml", "at: '36.00, 24.00'", "at: '36.00, 50.00'"),
    "turns-alike.yaml": part("scenario.yaml", "['1', '2', '3'", "['1', '2', '2'"),
    "bands-shrink.yaml": part("tables.yaml", "tank-ap: {close: '12.00', effective: '24.00'",
                              "tank-ap: {close: '24.00', effective: '12.00'"),
}
